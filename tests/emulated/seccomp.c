/* Linked into the worker that tests run in qemu's user mode, which refuses seccomp filters, as they would hold for qemu itself: they are taken for
 * set. What a filter keeps in is therefore not tested there. */
#include <stdarg.h>
#include <sys/prctl.h>

int __real_prctl(int what, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
int __wrap_prctl(int what, ...);

int __wrap_prctl(int what, ...) {
    unsigned long argument[4];
    va_list list;
    if (what == PR_SET_SECCOMP) return 0;
    va_start(list, what);
    for (int i = 0; i < 4; i++) argument[i] = va_arg(list, unsigned long);
    va_end(list);
    return __real_prctl(what, argument[0], argument[1], argument[2], argument[3]);
}
