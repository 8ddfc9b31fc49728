#include "worker/counter.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "worker/machine.h"

enum { PAGE = 4096 };

int ptl_counter_start(ptl_counter* c, const struct perf_event_attr* attribute) {
    *c = (ptl_counter){.fd = -1};
    c->fd = (int)syscall(SYS_perf_event_open, attribute, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (c->fd < 0) return -1;
    c->page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, c->fd, 0);
    if (c->page == MAP_FAILED) c->page = NULL;
    const struct perf_event_mmap_page* page = c->page;
    if (page && page->cap_user_rdpmc) return 0;
    ptl_counter_close(c);
    errno = ENOTSUP;
    return -1;
}

void ptl_counter_close(ptl_counter* c) {
    if (c->page) munmap(c->page, PAGE);
    if (c->fd >= 0) close(c->fd);
    *c = (ptl_counter){.fd = -1};
}

bool ptl_counter_read(const ptl_counter* c, uint64_t* out) {
    const volatile struct perf_event_mmap_page* page = c->page;
    *out = 0;
    if (!page) return false;
    uint32_t lock, index;
    uint64_t count;
    do { /* the seqlock protocol of perf_event_open(2) */
        lock = page->lock;
        __asm__ volatile("" ::: "memory");
        index = page->index;
        count = (uint64_t)page->offset;
        if (index) {
            uint16_t width = page->pmc_width;
            uint64_t raw;
            if (!ptl_machine_counter(index - 1, &raw)) return false;
            count += (uint64_t)((int64_t)(raw << (64 - width)) >> (64 - width));
        }
        __asm__ volatile("" ::: "memory");
    } while (page->lock != lock);
    if (index) *out = count;
    return index != 0;
}
