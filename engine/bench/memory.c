#include "bench/memory.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void* map(size_t size, int protection, int flags, int fd) {
    void* p = mmap(NULL, size, protection, flags, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

static ptl_status open_code(ptl_bench_memory* m, ptl_error* e) {
    m->code_fd = memfd_create("portolan-code", MFD_CLOEXEC);
    if (m->code_fd < 0) return ptl_fail_errno(e, "code memory", "memfd_create");
    if (ftruncate(m->code_fd, PTL_CODE_SIZE)) return ptl_fail_errno(e, "code memory", "ftruncate");
    m->code = map(PTL_CODE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, m->code_fd);
    if (!m->code) return ptl_fail_errno(e, "code memory", "mmap");
    if (madvise(m->code, PTL_CODE_SIZE, MADV_DONTFORK)) return ptl_fail_errno(e, "code memory", "madvise");
    return PTL_OK;
}

static ptl_status open_data(ptl_bench_memory* m, ptl_error* e) {
    /* As far as a displacement from a register that points into the window can reach; less where address
     * space is limited. */
    size_t guard = (size_t)2 << 30;
    for (; !m->guarded && guard >= 64 << 10; guard /= 8) {
        m->guarded_size = PTL_DATA_SIZE + 2 * guard;
        m->guarded = map(m->guarded_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
        if (m->guarded) break;
    }
    if (!m->guarded) return ptl_fail_errno(e, "data window", "mmap");
    m->data = m->guarded + guard;
    if (mprotect(m->data, PTL_DATA_SIZE, PROT_READ | PROT_WRITE))
        return ptl_fail_errno(e, "data window", "mprotect");
    for (size_t i = 0; i < PTL_DATA_SIZE; i += 8) memcpy(m->data + i, &(uint64_t){PTL_DATA_PATTERN}, 8);
    m->frame = map(4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (!m->frame) return ptl_fail_errno(e, "frame", "mmap");
    m->shared = map(PTL_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
    return m->shared ? PTL_OK : ptl_fail_errno(e, "shared memory", "mmap");
}

ptl_status ptl_bench_memory_open(ptl_bench_memory* m, ptl_error* e) {
    *m = (ptl_bench_memory){.code_fd = -1};
    ptl_status s = open_code(m, e);
    if (s == PTL_OK) s = open_data(m, e);
    if (s != PTL_OK) ptl_bench_memory_close(m);
    return s;
}

void ptl_bench_memory_close(ptl_bench_memory* m) {
    if (m->code) munmap(m->code, PTL_CODE_SIZE);
    if (m->code_fd >= 0) close(m->code_fd);
    if (m->guarded) munmap(m->guarded, m->guarded_size);
    if (m->frame) munmap(m->frame, 4096);
    if (m->shared) munmap(m->shared, PTL_SHARED_SIZE);
    *m = (ptl_bench_memory){.code_fd = -1};
}

const uint8_t* ptl_bench_memory_executable(const ptl_bench_memory* m) {
    return map(PTL_CODE_SIZE, PROT_READ | PROT_EXEC, MAP_SHARED, m->code_fd);
}
