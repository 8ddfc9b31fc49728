#include "bench/event.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

#include "worker/machine.h"

ptl_status ptl_event_encode(const char* event, struct perf_event_attr* attribute, ptl_error* error) {
    memset(attribute, 0, sizeof *attribute);
    attribute->size = sizeof *attribute;
    int p = pfm_initialize();
    if (p != PFM_SUCCESS) return ptl_fail(error, PTL_UNSUPPORTED, NULL, NULL, "libpfm4: %s", pfm_strerror(p));
    pfm_perf_encode_arg_t arg = {.attr = attribute, .size = sizeof arg};
    p = pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
    if (p != PFM_SUCCESS)
        return ptl_fail(error, PTL_UNSUPPORTED, event, NULL, "libpfm4: %s", pfm_strerror(p));
    attribute->exclude_kernel = attribute->exclude_hv = 1;
    ptl_machine_ask_counter(attribute);
    attribute->pinned = strcmp(event, PTL_CYCLES) != 0;
    return PTL_OK;
}

ptl_status ptl_event_open(ptl_counter* c, const char* event, ptl_error* error) {
    *c = (ptl_counter){.fd = -1};
    struct perf_event_attr attribute;
    ptl_status s = ptl_event_encode(event, &attribute, error);
    if (s || ptl_counter_start(c, &attribute) == 0) return s;
    if (errno == ENOTSUP)
        return ptl_fail(error, PTL_UNSUPPORTED, "perf_event", ptl_machine.allow_counters,
                        "hardware counters cannot be read in user mode");
    return ptl_fail(error, PTL_UNSUPPORTED, "perf_event_open", NULL, "no hardware counter of %s: %s", event,
                    strerror(errno));
}
