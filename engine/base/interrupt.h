/* Ctrl-C: long work asks now and then whether it should end, and returns PTL_INTERRUPTED with what it has.
 *
 * The flag is the one piece of global mutable state in the engine: a signal handler can reach nothing else.
 */
#ifndef PTL_BASE_INTERRUPT_H
#define PTL_BASE_INTERRUPT_H

#include <stdbool.h>

/* SIGINT and SIGTERM set the flag from now on; a second SIGINT ends the process at once. */
void ptl_interrupt_catch(void);
bool ptl_interrupted(void);
/* Returns the status with which an interrupted process ends, as shells have it: 130 after SIGINT, 143 after
 * SIGTERM. */
int ptl_interrupt_status(void);
/* Clears the flag (the next prompt of a REPL) or sets it (tests, a deadline in another thread). */
void ptl_interrupt_set(bool on);

#endif
