#include "worker/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "worker/machine.h"

/* Maps `size` bytes at `at` with `guard` unreadable bytes on both sides; NULL with errno. */
static void* map(uint64_t at, size_t size, size_t guard, int sharing) {
    uint8_t* wanted = (uint8_t*)(uintptr_t)(at - guard);
    int flags = MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    uint8_t* p = mmap(wanted, size + 2 * guard, PROT_NONE, flags | sharing, -1, 0);
    if (p == MAP_FAILED) return NULL;
    if (p != wanted) { /* kernels before 4.17 take the address for a hint */
        errno = EEXIST;
        return NULL;
    }
    return mprotect(p + guard, size, PROT_READ | PROT_WRITE) ? NULL : p + guard;
}

enum { GUARD = 64 << 10 };

/* The guards of the data window are as far as a displacement from a register that points into it can reach;
 * less where address space is limited. */
static uint8_t* map_data(bool* wide) {
    for (size_t guard = (size_t)2 << 30; guard >= GUARD; guard /= 8) {
        uint8_t* data = map(ptl_machine.places->data, PTL_DATA_SIZE, guard, MAP_PRIVATE);
        *wide = guard == (size_t)2 << 30;
        if (data || errno != ENOMEM) return data;
    }
    return NULL;
}

int ptl_memory_open(ptl_memory* m) {
    const ptl_places* at = ptl_machine.places;
    *m = (ptl_memory){
        .code = map(at->code, PTL_CODE_SIZE, GUARD, MAP_PRIVATE),
        .frame = map(at->frame, PTL_FRAME_SIZE, GUARD, MAP_PRIVATE),
        .slot = map(at->slot, sizeof(ptl_slot), GUARD, MAP_SHARED),
    };
    m->data = map_data(&m->wide_guards);
    if (!m->code || !m->data || !m->frame || !m->slot) return -1;
    for (size_t i = 0; i < PTL_DATA_SIZE; i += 8) memcpy(m->data + i, &(uint64_t){PTL_DATA_PATTERN}, 8);
    return ptl_memory_writable(m, false);
}

int ptl_memory_writable(const ptl_memory* m, bool writable) {
    if (mprotect(m->code, PTL_CODE_SIZE, PROT_READ | (writable ? PROT_WRITE : PROT_EXEC))) return -1;
    char* code = (char*)m->code;
    if (!writable)
        __builtin___clear_cache(code, code + PTL_CODE_SIZE); /* what is written is not yet fetched */
    return 0;
}

void ptl_memory_clear_slot(const ptl_memory* m, uint32_t visits) {
    memset(m->slot, 0, offsetof(ptl_slot, visit) + visits * sizeof(ptl_visit));
}
