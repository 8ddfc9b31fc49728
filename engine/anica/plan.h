/* Holds what the sampler has to know of a scheme under a policy: which values its operands may have, and how
 * to write its machine code. Internal to engine/anica. */
#ifndef PTL_ANICA_PLAN_H
#define PTL_ANICA_PLAN_H

#include "anica/alias.h"
#include "anica/block.h"
#include "anica/immediate.h"
#include "isa/template.h"

typedef enum ptl_role {
    PTL_ROLE_NONE,    /* nothing to choose, cannot alias */
    PTL_ROLE_FIXED,   /* can alias, but its value is given */
    PTL_ROLE_FREE,    /* can alias, a value is chosen */
    PTL_ROLE_ADDRESS, /* cannot alias, a slot is chosen: lea */
} ptl_role;

/* Memory of different shapes is never syntactically identical. */
enum { PTL_SHAPE_PLAIN, PTL_SHAPE_XLAT, PTL_SHAPE_VECTOR /* + register class of the index */ };

typedef struct ptl_plan_operand {
    uint8_t role;      /* ptl_role */
    uint8_t space;     /* ptl_alias_space */
    uint8_t value;     /* fixed: register number, or PTL_AT_REGISTER + base; otherwise PTL_NO_VALUE */
    uint8_t shape;     /* of memory */
    uint32_t allowed;  /* bit per number of a register, or per slot of memory, that may be chosen */
    uint16_t distinct; /* bit per later operand that must be another register, or it is no instruction */
} ptl_plan_operand;

typedef struct ptl_plan {
    const char* unusable; /* NULL, or what it has that cannot be chosen */
    uint8_t operand_count;
    uint8_t slot_shift; /* log2 of the bytes of its widest memory operand */
    uint8_t immediate;  /* ptl_immediate: what its first immediate is like; ANY: the policy's */
    ptl_plan_operand operands[PTL_OPERANDS_MAX];
    bool has_code; /* the template is there; otherwise the encoder is asked */
    ptl_template code;
} ptl_plan;

/* Fills all of the plan but code and distinct from the scheme's operands. Its immediate is the policy's. */
void ptl_plan_operands(const ptl_scheme* scheme, const ptl_policy* policy, ptl_plan* out);

/* Fills the rest: tries registers, finds out which must be distinct, makes the template and holds it to the
 * encoder. */
void ptl_plan_finish(const ptl_scheme* scheme, const ptl_policy* policy, ptl_plan* plan);

/* The instance with these values (see ptl_block) and the policy's immediates. */
void ptl_plan_instance(const ptl_scheme* scheme, const ptl_policy* policy, const uint8_t* values,
                       unsigned slot_shift, ptl_instance* out);

#endif
