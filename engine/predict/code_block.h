/* A block of code: its decoded instructions under a model, and what follows from their order.
 *
 * An item is an instruction. A need says that an item waits for another one, of this iteration or of the one
 * before, or of up to three before if it is through memory: through which register, flag or memory, and from
 * which place to which. Which stores a load waits for, and what is known of addresses, are premises. */
#ifndef PTL_PREDICT_CODE_BLOCK_H
#define PTL_PREDICT_CODE_BLOCK_H

#include "isa/item_form.h"
#include "predict/block_model.h"

#define PTL_CODE_BLOCK_ITEMS_MAX 4096
#define PTL_NO_ITEM UINT32_MAX
#define PTL_BLOCK_ITERATIONS                                                                                 \
    4 /* that are gone through for what waits for memory: a need goes back 3 at most */

typedef enum ptl_aliasing {
    PTL_ALIAS_SAME, /* loads wait for the last store to their address, as far as sums of registers tell
                     * (block_values.h); other addresses are different ones */
    PTL_ALIAS_NO,   /* for none */
    PTL_ALIAS_ALL   /* for the last store */
} ptl_aliasing;

typedef enum ptl_start {
    PTL_START_APART, /* nothing is known of what registers and memory hold first */
    PTL_START_ALIKE  /* all general registers and all words of memory hold one number, as where blocks of real
                      * programs are measured without their data: as many copies in straight code */
} ptl_start;

typedef struct ptl_premises {
    ptl_aliasing aliasing;
    ptl_start start;
} ptl_premises;

typedef struct ptl_item {
    char name[PTL_NAME_SIZE]; /* of its scheme */
    uint32_t scheme;          /* in the mapping; PTL_NO_SCHEME */
    uint32_t offset, size;    /* of its code */
    const ptl_architecture* architecture;
    uint16_t mnemonic;
    int8_t stack_bytes; /* by which it moves the stack pointer, as cores follow at rename: push, pop, call,
                           ret; 0 */
    bool is_push;       /* what it writes is below the stack pointer: push, call */
    bool is_indexed;    /* an address in memory has an index */
    uint8_t shape;      /* ptl_shape */
    bool is_jump;       /* conditional */
    bool to_start;      /* a jump to the block's first byte */
    int8_t top_moves;   /* of registers that are counted from a top (isa/register_stack.h) */
    bool swaps;
    bool one_source; /* all registers that it reads as values are one, and they are several operands */
    ptl_item_form form;
    ptl_value computed; /* of lea */
    ptl_accesses accesses;
} ptl_item;

/* Registers are numbered by file and number, then come flags, then memory. */
#define PTL_RESOURCE_FLAGS (PTL_FILES * 32u)
#define PTL_RESOURCE_MEMORY (PTL_RESOURCE_FLAGS + 32u)
#define PTL_RESOURCES (PTL_RESOURCE_MEMORY + 1u)

typedef struct ptl_need {
    uint32_t from, to; /* items */
    uint8_t out, in;   /* places: of `from` and of `to` */
    uint8_t resource;
    uint8_t distance; /* iterations */
    bool looked_up;   /* of memory: the load gets it by its address, even if the core renames memory */
    bool outside;     /* of memory: the store has not all bytes of the load */
    bool apart;       /* of memory: the load begins elsewhere than the store */
    bool stays;       /* outside, and both are to each other as in the iteration before */
} ptl_need;

/* Holds what an item asks for, where it stands. */
typedef struct ptl_item_use {
    uint32_t slots;
    int16_t dropped; /* of this entry of the scheme's uops one less, as another item does its work; or -1 */
    bool left_out;   /* asked to be */
    bool executes;   /* false: none of its uops does: not known, or an idiom */
    bool known;
    bool of_load;       /* what it writes waits for a load, its own or another */
    bool awaited;       /* an addition that gives its result to one, or gets one */
    bool late;          /* its results are, as its flags are those of an instruction that gives them late */
    bool gives_sum;     /* of floating point: an addition, or a move of its result that no port executes */
    bool fused;         /* with the item before it: it takes no slots */
    bool with_next;     /* a copy that is one slot with the item behind it, which works on it */
    double crossings;   /* lines that its loads cross, at best, in an iteration of a loop */
    bool lacks_latency; /* something waits through it for which no latency is known: it counts as 0 */
} ptl_item_use;

typedef struct ptl_code_block {
    const ptl_block_model* model;
    ptl_item* items;
    uint32_t count;
    bool is_loop; /* the last item jumps to the first */
    ptl_item_use* uses;
    ptl_need* needs;
    size_t need_count;
    const ptl_memory_renaming* renaming; /* of code of its kind */
    double memory_cycles; /* that the first cache takes for an iteration at least (block_memory.h) */
    size_t item_capacity, use_capacity, need_capacity;
} ptl_code_block;

#define PTL_CODE_BLOCK_EMPTY ((ptl_code_block){0})

/* Decodes code. The block may be used again and again, for any code and model. PTL_BAD_INPUT,
 * PTL_UNSUPPORTED: not decoded; PTL_LIMIT: too many instructions; PTL_NO_MEMORY. */
ptl_status ptl_code_block_decode(ptl_code_block* b, const ptl_block_model* m, const uint8_t* code,
                                 size_t size, ptl_error* error);

/* Fills uses and needs as if item `without` (or PTL_NO_ITEM) were not there. PTL_NO_MEMORY. */
ptl_status ptl_code_block_link(ptl_code_block* b, ptl_premises premises, uint32_t without, ptl_error* error);

/* The unit that an item's scheme, which is known, keeps busy. Of the jump that closes a loop none, where the
 * model tells what taken branches take: the scheme was measured not taken. */
uint32_t ptl_code_block_unit(const ptl_code_block* b, uint32_t item);

void ptl_code_block_free(ptl_code_block* b);

#endif
