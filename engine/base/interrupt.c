#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int interrupted;

static void on_signal(int signal) {
    if (atomic_fetch_add(&interrupted, 1) && signal == SIGINT) _exit(130);
}

void ptl_interrupt_catch(void) {
    struct sigaction a = {.sa_handler = on_signal};
    sigemptyset(&a.sa_mask);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
}

bool ptl_interrupted(void) {
    return atomic_load(&interrupted) != 0;
}
void ptl_interrupt_set(bool on) {
    atomic_store(&interrupted, on);
}
