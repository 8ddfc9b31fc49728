/* Terminals, as far as a program that writes lines needs them. */
#ifndef PTL_BASE_TERMINAL_H
#define PTL_BASE_TERMINAL_H

/* Columns of the terminal behind a file descriptor; 0 where there is no telling. Nothing about the descriptor
 * changes. */
unsigned ptl_terminal_columns(int fd);

/* From now on reads and writes wait until they can be done. Standard input, output and error of a terminal
 * are one open file as a rule: who reads one of them without waiting has writes to the others fail. */
void ptl_terminal_waits(int fd);

#endif
