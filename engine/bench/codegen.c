#include "bench/codegen.h"

#include <string.h>

#include "bench/aarch64/a64_target.h"
#include "bench/x86_64/x86_target.h"
#include "worker/machine.h"

static const ptl_target* const targets[] = {&ptl_x86_target, &ptl_a64_target};

const ptl_target* ptl_target_by_name(const char* architecture) {
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(targets[i]->architecture, architecture)) return targets[i];
    return NULL;
}

const ptl_target* ptl_target_host(void) {
    return ptl_target_by_name(ptl_machine.architecture);
}
