#include "base/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int interrupted; /* the number of the signal; 0: there was none */

static void on_signal(int signal) {
    if (atomic_exchange(&interrupted, signal) && signal == SIGINT) _exit(128 + SIGINT);
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
int ptl_interrupt_status(void) {
    return 128 + atomic_load(&interrupted);
}
void ptl_interrupt_set(bool on) {
    atomic_store(&interrupted, on ? SIGINT : 0);
}
