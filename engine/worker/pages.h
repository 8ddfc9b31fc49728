/* Runs of code that accesses whatever addresses it likes: each page that it touches is mapped onto memory of
 * this run alone, onto one and the same physical page unless each is to have its own.
 *
 * Pages are mapped before the sandbox is entered: measured code maps nothing, and needs no system call for
 * it. A run ends at the first page that is missing and says which one it is; another run is told to map that,
 * too.
 */
#ifndef PTL_WORKER_PAGES_H
#define PTL_WORKER_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/layout.h"

/* Maps a page at the machine's place for it, filled with PTL_PAGE_PATTERN, and again at all these addresses,
 * wherever nothing is yet; or, if they are to be `apart`, as many pages, each at one of them. Returns 0, or
 * -1 with *refused: the address at which it cannot be. */
int ptl_pages_map(const uint64_t* pages, size_t n, bool apart, uint64_t* refused);

/* From here on, a fault of memory writes its address to *fault (UINT64_MAX if the processor gives none) and
 * ends the process with `status`. */
void ptl_pages_catch(uint64_t* fault, int status);

#endif
