/* Machine code around a measured loop body: what every architecture's folder provides, as a table.
 *
 * All targets are built on every host, so that what they generate can be tested anywhere; only the host's
 * code runs. bench/x86_64 and bench/aarch64 say which registers mean what. */
#ifndef PTL_BENCH_CODEGEN_H
#define PTL_BENCH_CODEGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/layout.h"
#include "worker/protocol.h"

enum { PTL_KERNEL_ALIGN = 64 };

/* The largest body, and the most code ahead of it. */
enum { PTL_BODY_MAX = 64 << 10, PTL_AHEAD_SIZE_MAX = 1024 };

/* What surrounds the body takes at most this many bytes. */
enum { PTL_KERNEL_OVERHEAD = 1024 };

/* A function is made of this. */
typedef struct ptl_loop_code {
    const uint8_t* body;
    size_t size;
    const uint8_t* ahead; /* runs once, after registers are initialised and ahead of both passes; or NULL */
    size_t ahead_size;
    unsigned vector_bits; /* widest vector register to initialise: 0, 128, 256 or 512 */
    bool keeps_stack;     /* the target's register stack_base starts as what the stack pointer starts as */
} ptl_loop_code;

/* A block of real code needs this to start from (docs/measuring.md). */
typedef struct ptl_block_setup {
    unsigned vector_bits; /* widest vector register to initialise: 0, 128, 256 or 512 */
    bool writes;          /* it writes to memory: the page is filled anew for every iteration */
    bool x87;             /* it uses the x87 stack or MMX registers, which are emptied for every iteration */
} ptl_block_setup;

/* Registers hold this when a loop body starts. */
typedef struct ptl_start {
    uint64_t vector;    /* every 8 bytes of vector registers */
    uint64_t gpr, step; /* general register r: gpr + step * r */
    bool pointers;      /* general registers are pointers into the data window instead */
} ptl_start;

/* The body of a reference loop. */
typedef struct ptl_reference_body {
    /* Writes it (PTL_REFERENCE_BODY_MAX bytes fit) and returns the bytes written; *units is the number of
     * chain links or instructions. */
    size_t (*write)(uint8_t* out, unsigned* units);
    unsigned vector_bits; /* as in ptl_loop_code */
} ptl_reference_body;

enum { PTL_REFERENCE_BODY_MAX = 8192 };

typedef struct ptl_target {
    const char* architecture; /* "x86_64", "aarch64" */
    const ptl_places* places; /* the addresses in its code */
    unsigned stack_base;      /* number of the register that keeps what the stack pointer starts as */
    unsigned fewest_adders;   /* that a core of interest has; one that seems to have fewer is shared */

    /* The frame that its code starts from. */
    void (*set_frame)(ptl_frame* f, const ptl_start* start);

    /* A function without arguments, of the platform's calling convention: it saves what its caller needs,
     * initialises registers from the frame, flushes subnormals to zero, and runs the loop twice: `warm_up`
     * iterations, then `timed` ones. Time stamps are taken right before and after each pass, behind a fence;
     * what a pass leaves in the registers is what the next one starts from. Returns what is left of the loop
     * counter: 0, unless the body derailed.
     *
     * Written to out (size + ahead_size + PTL_KERNEL_OVERHEAD bytes must fit) as it will run `at` bytes into
     * the code (a multiple of PTL_KERNEL_ALIGN), with the frame at places->frame. Returns the bytes written.
     */
    size_t (*kernel)(uint8_t* out, uint64_t at, const ptl_loop_code* loop);

    /* The same for straight code that owns all registers and starts from the same state in every iteration:
     * all general registers, the stack pointer among them, and all words of the page hold PTL_PAGE_PATTERN.
     * What the iteration does beside the body is the same for any body, and fenced off from it, so that the
     * difference of two bodies of so many copies is what the further copies take. */
    size_t (*block)(uint8_t* out, uint64_t at, const uint8_t* body, size_t size,
                    const ptl_block_setup* setup);

    /* By PTL_CHAIN (dependent multiplications), PTL_ADD_CHAIN (dependent additions: 1 cycle each),
     * PTL_SENTINEL (independent integer operations that any adder runs), and, from PTL_CONTROL on, loops
     * whose throughput is a whole number of cycles, or of instructions a cycle, on any core: these
     * operations, NOPs, multiplications, loads of 64 bits within a cache line, integer additions of vectors.
     */
    const ptl_reference_body* bodies; /* PTL_REFERENCES of them */
} ptl_target;

/* By the architecture's name; NULL if there is no such target. */
const ptl_target* ptl_target_by_name(const char* architecture);

/* The one whose code runs here; NULL if there is none. */
const ptl_target* ptl_target_host(void);

#endif
