#include "bench/counter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static ptl_status encode(const char* event, struct perf_event_attr* attr, ptl_error* e) {
    memset(attr, 0, sizeof *attr);
    attr->size = sizeof *attr;
    int p = pfm_initialize();
    if (p != PFM_SUCCESS) return ptl_fail(e, PTL_UNSUPPORTED, NULL, NULL, "libpfm4: %s", pfm_strerror(p));
    pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof arg};
    p = pfm_get_os_event_encoding(event, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
    if (p != PFM_SUCCESS) return ptl_fail(e, PTL_UNSUPPORTED, event, NULL, "libpfm4: %s", pfm_strerror(p));
    return PTL_OK;
}

ptl_status ptl_counter_encode(const char* event, uint32_t* type, uint64_t* config, ptl_error* e) {
    struct perf_event_attr attr;
    ptl_status s = encode(event, &attr, e);
    *type = attr.type;
    *config = attr.config;
    return s;
}

ptl_status ptl_counter_open(ptl_counter* c, const char* event, ptl_error* e) {
    *c = (ptl_counter){.fd = -1};
    struct perf_event_attr attr;
    ptl_status s = encode(event, &attr, e);
    if (s != PTL_OK) return s;
    attr.exclude_kernel = attr.exclude_hv = 1;
    attr.pinned = strcmp(event, PTL_CYCLES) != 0;
    c->fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
    if (c->fd < 0)
        return ptl_fail(e, PTL_UNSUPPORTED, "perf_event_open", NULL, "no hardware counter of %s: %s", event,
                        strerror(errno));
    c->page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, c->fd, 0);
    if (c->page == MAP_FAILED) c->page = NULL;
    const struct perf_event_mmap_page* page = c->page;
    if (!page || !page->cap_user_rdpmc) {
        ptl_counter_close(c);
        return ptl_fail(e, PTL_UNSUPPORTED, "perf_event",
                        "write 1 to /sys/bus/event_source/devices/cpu/rdpmc",
                        "hardware counters cannot be read in user mode");
    }
    return PTL_OK;
}

void ptl_counter_close(ptl_counter* c) {
    if (c->page) munmap(c->page, (size_t)sysconf(_SC_PAGESIZE));
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
            uint32_t low, high;
            __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
            uint16_t width = page->pmc_width;
            uint64_t raw = (uint64_t)high << 32 | low;
            count += (uint64_t)((int64_t)(raw << (64 - width)) >> (64 - width));
        }
        __asm__ volatile("" ::: "memory");
    } while (page->lock != lock);
    if (index) *out = count;
    return index != 0;
}
