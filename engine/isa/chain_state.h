/* Holds what the parts of building a chain share. Internal to engine/isa. */
#ifndef PTL_ISA_CHAIN_STATE_H
#define PTL_ISA_CHAIN_STATE_H

#include "isa/chain_edge.h"
#include "isa/chain_rules.h"

/* Memory operands are here, in bytes from the base on. Each has a cell, as wide as the widest operand. */
enum {
    PTL_CHAIN_CELL = 64,
    PTL_CHAIN_POINTER = 0,  /* holds its own address; what carriers lead to as bases */
    PTL_CHAIN_ZERO = 64,    /* holds 0; what carriers lead to as indices. What moves leads there, too */
    PTL_CHAIN_READ = 128,   /* read beside the carrier */
    PTL_CHAIN_OTHER = 512,  /* written or updated beside the carrier */
    PTL_CHAIN_CARRY = 2048, /* carriers in memory */
    PTL_CHAIN_END = 4096,
    PTL_CHAIN_STEP = 64 /* what lea adds to its base: without a displacement some cores take it for a move;
                           by how much addresses move that move by themselves */
};

/* Tells where the carrier is now. */
typedef struct ptl_carrier {
    uint8_t kind; /* as of the edge */
    uint8_t file, number;
    uint32_t displacement; /* of a memory cell */
    int32_t offset;        /* of an address: by how much links of lea have moved it */
    uint32_t flag;
} ptl_carrier;

/* A base that moves, and is not the carrier: it is set ahead of the instance. */
typedef struct ptl_new_base {
    bool is_wanted;
    uint8_t number;
    int64_t displacement; /* from the memory's base */
} ptl_new_base;

typedef struct ptl_chain_state {
    const ptl_link* links;
    size_t n;
    const ptl_policy* policy;
    ptl_edge edges[PTL_LINKS_MAX];
    bool addresses;              /* some carrier is an address: constants are 0 */
    bool moves;                  /* some address moves by itself: cells at PTL_CHAIN_STEP hold addresses */
    bool legacy;                 /* vectors by legacy SSE, or by VEX and EVEX */
    uint32_t fixed[PTL_FILES];   /* registers that schemes fix: a bit per number */
    uint32_t written[PTL_FILES]; /* those of them that links write */
    uint32_t flags_written;
    ptl_register_set constants[PTL_FILES], carriers[PTL_FILES], spares[PTL_FILES];
    uint32_t now, used[PTL_FILES][32];
    uint32_t cells[3];  /* taken so far: to read, others, carriers */
    ptl_new_base fresh; /* of the link that is being added */
    bool known[PTL_TOOLS];
    ptl_scheme tools[PTL_TOOLS];
} ptl_chain_state;

#endif
