/* A64 on a machine that executes it: what instructions read and write is what their schemes say. Every scheme
 * that user mode may run without leaving its place is executed with many states; then one register, flag or
 * the memory is changed, and what else changes with it tells that it was read. Elsewhere there is nothing to
 * test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#if defined(__aarch64__)

#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "isa/accesses.h"
#include "isa/architecture.h"
#include "isa/catalogue.h"

enum { MEMORY = 1024, BASE = 28, STATES = 10, NZCV_SHIFT = 28 };

/* x0 to x25 and x28 are loaded and stored; x26 and x27 are the harness's. */
typedef struct state {
    uint64_t x[32];
    uint64_t v[32][2];
    uint64_t nzcv;
    uint8_t memory[MEMORY];
} state;

void ptl_test_execute(state* s, const void* code);

/* Loads the state, calls the code (one instruction, ret), stores the state. */
__asm__(
    ".text\n"
    "ptl_test_execute:\n"
    "  stp x29, x30, [sp, #-160]!\n"
    "  stp x19, x20, [sp, #16]\n  stp x21, x22, [sp, #32]\n  stp x23, x24, [sp, #48]\n"
    "  stp x25, x26, [sp, #64]\n  stp x27, x28, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, "
    "#144]\n"
    "  mov x26, x0\n  mov x27, x1\n"
    "  ldr x0, [x26, #768]\n  msr nzcv, x0\n  add x0, x26, #256\n"
    "  ld1 {v0.2d, v1.2d, v2.2d, v3.2d}, [x0], #64\n  ld1 {v4.2d, v5.2d, v6.2d, v7.2d}, [x0], #64\n"
    "  ld1 {v8.2d, v9.2d, v10.2d, v11.2d}, [x0], #64\n  ld1 {v12.2d, v13.2d, v14.2d, v15.2d}, [x0], #64\n"
    "  ld1 {v16.2d, v17.2d, v18.2d, v19.2d}, [x0], #64\n  ld1 {v20.2d, v21.2d, v22.2d, v23.2d}, [x0], #64\n"
    "  ld1 {v24.2d, v25.2d, v26.2d, v27.2d}, [x0], #64\n  ld1 {v28.2d, v29.2d, v30.2d, v31.2d}, [x0]\n"
    "  ldp x0, x1, [x26]\n  ldp x2, x3, [x26, #16]\n  ldp x4, x5, [x26, #32]\n  ldp x6, x7, [x26, #48]\n"
    "  ldp x8, x9, [x26, #64]\n  ldp x10, x11, [x26, #80]\n  ldp x12, x13, [x26, #96]\n  ldp x14, x15, [x26, "
    "#112]\n"
    "  ldp x16, x17, [x26, #128]\n  ldp x18, x19, [x26, #144]\n  ldp x20, x21, [x26, #160]\n"
    "  ldp x22, x23, [x26, #176]\n  ldp x24, x25, [x26, #192]\n  ldr x28, [x26, #224]\n"
    "  blr x27\n"
    "  stp x0, x1, [x26]\n  stp x2, x3, [x26, #16]\n  stp x4, x5, [x26, #32]\n  stp x6, x7, [x26, #48]\n"
    "  stp x8, x9, [x26, #64]\n  stp x10, x11, [x26, #80]\n  stp x12, x13, [x26, #96]\n  stp x14, x15, [x26, "
    "#112]\n"
    "  stp x16, x17, [x26, #128]\n  stp x18, x19, [x26, #144]\n  stp x20, x21, [x26, #160]\n"
    "  stp x22, x23, [x26, #176]\n  stp x24, x25, [x26, #192]\n  str x28, [x26, #224]\n"
    "  mrs x0, nzcv\n  str x0, [x26, #768]\n  add x0, x26, #256\n"
    "  st1 {v0.2d, v1.2d, v2.2d, v3.2d}, [x0], #64\n  st1 {v4.2d, v5.2d, v6.2d, v7.2d}, [x0], #64\n"
    "  st1 {v8.2d, v9.2d, v10.2d, v11.2d}, [x0], #64\n  st1 {v12.2d, v13.2d, v14.2d, v15.2d}, [x0], #64\n"
    "  st1 {v16.2d, v17.2d, v18.2d, v19.2d}, [x0], #64\n  st1 {v20.2d, v21.2d, v22.2d, v23.2d}, [x0], #64\n"
    "  st1 {v24.2d, v25.2d, v26.2d, v27.2d}, [x0], #64\n  st1 {v28.2d, v29.2d, v30.2d, v31.2d}, [x0]\n"
    "  ldp x19, x20, [sp, #16]\n  ldp x21, x22, [sp, #32]\n  ldp x23, x24, [sp, #48]\n"
    "  ldp x25, x26, [sp, #64]\n  ldp x27, x28, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, "
    "#144]\n"
    "  ldp x29, x30, [sp], #160\n"
    "  ret\n");

/* What of the state: registers, flags (bit 0 is n), memory. */
typedef struct parts {
    uint32_t x, v, flags;
    bool memory;
} parts;

typedef struct harness {
    uint8_t* area; /* the memory is in its middle */
    uint32_t* code;
    uint64_t seed;
} harness;

static sigjmp_buf fault;

static void on_fault(int signal) {
    siglongjmp(fault, signal);
}

static uint64_t next_random(harness* h) {
    h->seed ^= h->seed << 13;
    h->seed ^= h->seed >> 7;
    h->seed ^= h->seed << 17;
    return h->seed * UINT64_C(0x9E3779B97F4A7C15);
}

/* Any bits, small integers, numbers with point of 32 and 64 bits, small bytes: each makes other instructions
 * tell. */
static uint64_t random_value(harness* h, unsigned kind) {
    uint64_t bits = next_random(h), small = 0;
    float single[2] = {(float)(bits % 1000) / 7 + 1, (float)(bits >> 20 & 1023) / 9 - 50};
    double wide = (double)(bits % 100000) / 7 - 5000;
    switch (kind % 5) {
    case 0: return bits;
    case 1: return bits % 200;
    case 2: memcpy(&bits, single, sizeof bits); return bits;
    case 3: memcpy(&bits, &wide, sizeof bits); return bits;
    default:
        for (unsigned k = 0; k < 8; k++) small |= (bits >> 8 * k & 31) << 8 * k;
        return small;
    }
}

static uint8_t* memory_of(const harness* h) {
    return h->area + 4096;
}

static void fill(harness* h, unsigned kind, uint32_t indices, state* s) {
    for (unsigned k = 0; k < 32; k++) {
        s->x[k] = indices >> k & 1 ? 0 : random_value(h, kind);
        s->v[k][0] = random_value(h, kind);
        s->v[k][1] = random_value(h, kind);
    }
    for (unsigned at = 0; at < MEMORY; at += 8) {
        uint64_t value = random_value(h, kind);
        memcpy(s->memory + at, &value, 8);
    }
    s->nzcv = (next_random(h) & 15) << NZCV_SHIFT;
    s->x[BASE] = (uint64_t)(uintptr_t)(memory_of(h) + MEMORY / 2);
}

static void execute(const harness* h, const state* in, state* out) {
    *out = *in;
    memcpy(memory_of(h), in->memory, MEMORY);
    ptl_test_execute(out, h->code);
    memcpy(out->memory, memory_of(h), MEMORY);
}

static uint32_t flags_of(uint64_t nzcv) { /* n, z, c, v from bit 0 on */
    uint32_t bits = (uint32_t)(nzcv >> NZCV_SHIFT);
    return (bits >> 3 & 1) | (bits >> 1 & 2) | (bits << 1 & 4) | (bits << 3 & 8);
}

static parts differences(const state* a, const state* b) {
    parts d = {.flags = flags_of(a->nzcv ^ b->nzcv), .memory = memcmp(a->memory, b->memory, MEMORY) != 0};
    for (unsigned k = 0; k <= BASE; k++)
        if (k < 26 || k == BASE) d.x |= (uint32_t)(a->x[k] != b->x[k]) << k;
    for (unsigned k = 0; k < 32; k++) d.v |= (uint32_t)(memcmp(a->v[k], b->v[k], 16) != 0) << k;
    return d;
}

/* Changes one thing: x0 to x25, v0 to v31, four flags, memory. False if there is no such number. */
enum { THINGS = 26 + 32 + 4 + 1 };

static parts change(harness* h, unsigned thing, unsigned kind, state* s) {
    parts changed = {0};
    if (thing < 26) {
        s->x[thing] = kind & 1 ? random_value(h, kind) : s->x[thing] ^ UINT64_C(1) << next_random(h) % 64;
        changed.x = UINT32_C(1) << thing;
    } else if (thing < 58) {
        s->v[thing - 26][0] = random_value(h, kind);
        s->v[thing - 26][1] ^= UINT64_C(1) << next_random(h) % 64;
        changed.v = UINT32_C(1) << (thing - 26);
    } else if (thing < 62) {
        changed.flags = UINT32_C(1) << (thing - 58);
        s->nzcv ^= UINT64_C(1) << (NZCV_SHIFT + 3 - (thing - 58));
    } else {
        for (unsigned at = 0; at < MEMORY; at++) s->memory[at] = (uint8_t)next_random(h);
        changed.memory = true;
    }
    return changed;
}

/* Something else differs than what was changed, or what the instruction writes there. */
static bool was_read(parts changed, parts differ, parts written) {
    if (changed.memory)
        return differ.x || differ.v || differ.flags; /* memory that is stored hides what was there */
    return (differ.x & ~(changed.x & ~written.x)) || (differ.v & ~(changed.v & ~written.v)) ||
           (differ.flags & ~(changed.flags & ~written.flags)) || differ.memory;
}

static void observe(harness* h, uint32_t indices, parts declared, parts* read, parts* written) {
    static state in, other, out, other_out;
    for (unsigned round = 0; round < STATES; round++) {
        fill(h, round, indices, &in);
        execute(h, &in, &out);
        parts w = differences(&in, &out);
        written->x |= w.x, written->v |= w.v, written->flags |= w.flags, written->memory |= w.memory;
        for (unsigned thing = 0; thing < THINGS; thing++) {
            if (thing < 26 && indices >> thing & 1) continue;
            other = in;
            parts changed = change(h, thing, round, &other);
            execute(h, &other, &other_out);
            if (!was_read(changed, differences(&out, &other_out), declared)) continue;
            read->x |= changed.x, read->v |= changed.v, read->flags |= changed.flags,
                read->memory |= changed.memory;
        }
    }
}

/* Left out: what leaves its place or the program, and exclusive stores, whose outcome is the machine's. */
static bool can_run(const ptl_scheme* s) {
    static const char* const never[] = {"SYSTEM", "EXCEPTION", "BRANCH", "PREFETCH"};
    for (unsigned k = 0; k < 4; k++)
        if (!strcmp(s->category, never[k])) return false;
    if (!strncmp(s->name, "stx", 3) || !strncmp(s->name, "stlx", 4) || !strncmp(s->name, "adr", 3))
        return false;
    unsigned long has = getauxval(AT_HWCAP); /* bits 3 to 7 */
    const char* const features[] = {"AES", "PMULL", "SHA1", "SHA2", "CRC32"};
    for (unsigned k = 0; k < 5; k++)
        if (!strcmp(s->extension, features[k]) && !(has >> (3 + k) & 1)) return false;
    return strstr(s->name, "[pc,") == NULL;
}

static void check_scheme(harness* h, const ptl_scheme* s) {
    ptl_instance instance;
    ptl_accesses a;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t n;
    parts declared = {0}, read = {0}, written = {0};
    ptl_instance_sample(s, 0, &instance);
    assert_int_equal(ptl_encode(&instance, bytes, &n, NULL), PTL_OK);
    ptl_accesses_of(&instance, &a);
    declared.x = a.written[PTL_FILE_GPR], declared.v = a.written[PTL_FILE_VECTOR],
    declared.flags = a.flags_written;
    memcpy(h->code, bytes, 4);
    h->code[1] = UINT32_C(0xD65F03C0); /* ret */
    __builtin___clear_cache((char*)h->code, (char*)(h->code + 2));
    int signal = sigsetjmp(fault, 1);
    if (signal) fail_msg("%s: signal %d", s->name, signal);
    observe(h, a.address[PTL_FILE_GPR], declared, &read, &written);
    bool reads_memory = a.memory_count && a.memory[0].reads,
         writes_memory = a.memory_count && a.memory[0].writes;
    if ((read.x & ~a.read[PTL_FILE_GPR]) || (read.v & ~a.read[PTL_FILE_VECTOR]) ||
        (read.flags & ~a.flags_read) || (read.memory && !reads_memory))
        fail_msg("%s reads x %08x, v %08x, flags %x, memory %d, and does not say so", s->name, read.x, read.v,
                 read.flags, read.memory);
    if ((written.x & ~declared.x) || (written.v & ~declared.v) || (written.flags & ~declared.flags) ||
        (written.memory && !writes_memory))
        fail_msg("%s writes x %08x, v %08x, flags %x, memory %d, and does not say so", s->name, written.x,
                 written.v, written.flags, written.memory);
    /* the other way: what is said to be written is, and mostly (comparisons that are never true, conditions)
     * what is read */
    if ((declared.x & ~written.x) ||
        (declared.v & ~written.v && !strstr(s->name, "cmeq") && !strstr(s->name, "cmtst")) ||
        (writes_memory && !written.memory))
        fail_msg("%s never writes what it says", s->name);
    if ((a.read[PTL_FILE_GPR] & ~a.address[PTL_FILE_GPR] & ~read.x) && !strstr(s->name, "cond"))
        fail_msg("%s never reads x %08x", s->name, a.read[PTL_FILE_GPR] & ~read.x);
    if (reads_memory && !read.memory) fail_msg("%s never reads memory", s->name);
}

static void schemes_do_what_they_say(void** unused) {
    (void)unused;
    harness h = {.seed = 20};
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_NODEFER};
    ptl_catalogue* c;
    unsigned run = 0;
    h.area = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    h.code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(h.area != MAP_FAILED && h.code != MAP_FAILED);
    sigaction(SIGILL, &action, NULL), sigaction(SIGSEGV, &action, NULL), sigaction(SIGBUS, &action, NULL);
    assert_int_equal(ptl_catalogue_new(&c, &ptl_aarch64, 3, NULL), PTL_OK);
    for (size_t k = 0; k < ptl_catalogue_count(c); k++) {
        if (!can_run(ptl_catalogue_at(c, k))) continue;
        check_scheme(&h, ptl_catalogue_at(c, k));
        run++;
    }
    print_message("%u schemes executed\n", run);
    assert_true(run > 2500);
    ptl_catalogue_free(c);
    munmap(h.area, 3 * 4096);
    munmap(h.code, 4096);
}

#else

static void schemes_do_what_they_say(void** unused) {
    (void)unused;
    skip();
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(schemes_do_what_they_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
