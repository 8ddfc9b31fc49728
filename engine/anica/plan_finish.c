#include <string.h>

#include "anica/plan.h"

/* A scheme being tried out. */
typedef struct trial {
    const ptl_scheme* scheme;
    const ptl_policy* policy;
    ptl_plan* plan;
} trial;

enum { SAMPLE_SLOT = 1, SAMPLE_SHIFT = 6 }; /* a displacement of 64, as ptl_template_make wants it */

/* Other registers for other variants, distinct ones as far as there are enough. Variant 0 leaves out the
 * registers that some encodings have short forms for (rax). */
static void spread(const ptl_plan* plan, unsigned variant, uint8_t* values) {
    uint32_t used[PTL_SPACES + 1] = {0};
    for (unsigned k = 0; k < plan->operand_count; k++) {
        const ptl_plan_operand* o = &plan->operands[k];
        values[k] = o->role == PTL_ROLE_FIXED ? o->value : SAMPLE_SLOT;
        if (o->role == PTL_ROLE_FREE && o->space == PTL_SPACE_MEMORY && !(o->allowed >> SAMPLE_SLOT & 1))
            values[k] = (uint8_t)__builtin_ctz(o->allowed | UINT32_C(1) << 31);
        if (o->role != PTL_ROLE_FREE || o->space == PTL_SPACE_MEMORY) continue;
        uint32_t left = o->allowed & ~used[o->space];
        if (!left) left = o->allowed;
        unsigned number = variant + 1;
        while (!(left >> number % 32 & 1)) number++;
        values[k] = (uint8_t)(number % 32);
        used[o->space] |= UINT32_C(1) << values[k];
    }
}

static bool decodes_to(const ptl_instance* instance, const uint8_t* bytes, size_t size) {
    ptl_instance back;
    size_t n;
    return !ptl_decode(instance->scheme.architecture, bytes, size, &back, &n, NULL) && n == size &&
           ptl_instance_equal(instance, &back);
}

static void make_instance(const trial* t, const uint8_t* values, ptl_instance* out) {
    ptl_plan_instance(t->scheme, t->policy, values, SAMPLE_SHIFT, out);
    ptl_immediate_set(out, (ptl_immediate)t->plan->immediate, t->policy);
}

static bool encoder_knows(const trial* t, const uint8_t* values) {
    ptl_instance instance;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t n;
    make_instance(t, values, &instance);
    return !ptl_encode(&instance, bytes, &n, NULL);
}

/* Tells whether these values make an instruction. Where the template's code is not what was wanted but the
 * encoder's is, the template is given up. */
static bool works(const trial* t, const uint8_t* values) {
    ptl_instance instance;
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    if (t->plan->has_code) {
        make_instance(t, values, &instance);
        const ptl_architecture* a = t->scheme->architecture;
        if (decodes_to(&instance, bytes, ptl_template_write(a, &t->plan->code, values, SAMPLE_SHIFT, bytes)))
            return true;
    }
    if (!encoder_knows(t, values)) return false;
    t->plan->has_code = false;
    return true;
}

static bool is_free_register(const ptl_plan_operand* o) {
    return o->role == PTL_ROLE_FREE && o->space != PTL_SPACE_MEMORY;
}

/* The same register wherever one may be chosen and the first such operand's is allowed. */
static void make_equal(const ptl_plan* plan, unsigned first, unsigned last, uint8_t* values) {
    const ptl_plan_operand* a = &plan->operands[first];
    for (unsigned l = first + 1; l <= last; l++) {
        const ptl_plan_operand* b = &plan->operands[l];
        if (is_free_register(b) && a->space == b->space && (b->allowed >> values[first] & 1))
            values[l] = values[first];
    }
}

/* Gathers, complex multiplications and others want some registers to differ. */
static void find_distinct(const trial* t) {
    ptl_plan_operand* operands = t->plan->operands;
    unsigned count = t->plan->operand_count;
    uint8_t values[PTL_OPERANDS_MAX];
    spread(t->plan, 0, values);
    for (unsigned k = 0; k < count; k++)
        if (is_free_register(&operands[k])) make_equal(t->plan, k, count - 1, values);
    if (works(t, values)) return; /* the usual case: all may be the same */
    for (unsigned k = 0; k < count; k++) {
        for (unsigned l = k + 1; l < count; l++) {
            const ptl_plan_operand *a = &operands[k], *b = &operands[l];
            spread(t->plan, 0, values);
            if (!is_free_register(a) || !is_free_register(b) || a->space != b->space) continue;
            if (!(b->allowed >> values[k] & 1)) continue;
            values[l] = values[k];
            if (!works(t, values)) operands[k].distinct |= (uint16_t)(1u << l);
        }
    }
}

/* Registers of all kinds in all places: low, high, highest, with all bits set. Where one does not work, it is
 * not allowed. (That every register works in every place is up to a test.) */
static void try_registers(const trial* t) {
    static const uint8_t variants[] = {6, 11, 14, 20, 30};
    uint8_t values[PTL_OPERANDS_MAX];
    for (unsigned v = 0; v < sizeof variants && !t->plan->unusable; v++) {
        spread(t->plan, variants[v], values);
        if (works(t, values)) continue;
        for (unsigned k = 0; k < t->plan->operand_count; k++) {
            ptl_plan_operand* o = &t->plan->operands[k];
            if (is_free_register(o)) o->allowed &= ~(UINT32_C(1) << values[k]);
            if (!o->allowed) t->plan->unusable = "registers of which none can be encoded";
        }
    }
}

void ptl_plan_finish(const ptl_scheme* scheme, const ptl_policy* policy, ptl_plan* plan) {
    trial t = {scheme, policy, plan};
    uint8_t values[PTL_OPERANDS_MAX], bytes[PTL_INSTRUCTION_MAX];
    ptl_instance instance;
    size_t n;
    if (plan->unusable) return;
    spread(plan, 0, values);
    make_instance(&t, values, &instance);
    if (ptl_encode(&instance, bytes, &n, NULL)) {
        plan->unusable = "a form that the encoder does not know";
        return;
    }
    plan->has_code = ptl_template_make(&instance, bytes, n, &plan->code);
    try_registers(&t);
    if (!plan->unusable) find_distinct(&t);
}
