/* The sandbox: a process that may do nothing but compute. */
#ifndef PTL_BENCH_SANDBOX_H
#define PTL_BENCH_SANDBOX_H

/* Called in a fresh child process, on `cpu` (-1: wherever it is): default signals, no core files, dies with
 * its parent, highest priority it can get. Returns 0, or -1 with errno. */
int ptl_sandbox_prepare(int cpu);

/* From here on the only system call that does not kill the process is exit_group. Returns 0, or -1 with
 * errno. */
int ptl_sandbox_enter(void);

/* Ends the process; needs nothing but the system call. (Not declared _Noreturn: before such calls the address
 * sanitizer makes system calls of its own, which the sandbox would punish.) */
void ptl_sandbox_exit(int status);

#endif
