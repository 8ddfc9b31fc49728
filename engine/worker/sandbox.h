/* The sandbox: layers around the worker, and around the processes in it that run measured code. */
#ifndef PTL_WORKER_SANDBOX_H
#define PTL_WORKER_SANDBOX_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Confines the worker itself, as far as the system allows: limits, namespaces, Landlock, capabilities, no new
 * privileges. Where hardware counters are to be opened, it keeps its namespaces and capabilities, as these
 * may be what allows that. Returns the layers that hold (PTL_LAYER_*). */
uint32_t ptl_sandbox_confine(bool counters);

/* Called in a process that is to run measured code: it dies with its parent, of which this must be the
 * number, and after so many seconds of processor time, or fewer where fewer are allowed. Returns 0, or -1
 * with errno. */
int ptl_sandbox_prepare(int parent, unsigned cpu_seconds);

/* From here on the only system call that does not kill the process is exit_group (and uretprobe and uprobe,
 * which newer kernels show to no filter; without a probe they do nothing). Returns 0, or -1 with errno. */
int ptl_sandbox_enter(void);

/* Ends a process that could not enter it, by a signal that measured code has no way to send: what has a
 * sandbox cannot say that it has none. */
enum { PTL_NO_SANDBOX = SIGUSR1 };
void ptl_sandbox_decline(void);

/* Is this program run by an emulator of its processor (qemu in user mode)? To be asked before anything is
 * confined. False where the system does not tell. */
bool ptl_sandbox_is_emulated(void);

/* Can a process enter the sandbox here? Returns 0, or -1 with errno. */
int ptl_sandbox_try(void);

/* Ends the process; needs nothing but the system call. */
void ptl_sandbox_exit(int status);

#endif
