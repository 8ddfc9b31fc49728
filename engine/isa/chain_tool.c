#include "isa/chain_tool.h"

#include <string.h>

#include "isa/architecture.h"

ptl_status ptl_tool_scheme(ptl_chain_state* s, ptl_tool tool, const ptl_scheme** out, ptl_error* error) {
    const ptl_architecture* a = s->policy->architecture;
    const char* name = a->chains->tools[tool];
    *out = &s->tools[tool];
    if (s->known[tool]) return PTL_OK;
    if (!name || !a->scheme_from_name(name, &s->tools[tool]))
        return ptl_fail(error, PTL_INTERNAL, name, NULL, "no instruction to build chains with");
    s->tools[tool].architecture = a;
    s->known[tool] = true;
    return PTL_OK;
}

ptl_status ptl_tool_instance(ptl_chain_state* s, ptl_tool tool, unsigned first, unsigned second,
                             ptl_instance* out, ptl_error* error) {
    const ptl_scheme* scheme = NULL;
    memset(out, 0, sizeof *out);
    ptl_status status = ptl_tool_scheme(s, tool, &scheme, error);
    if (status) return status;
    out->scheme = *scheme;
    for (unsigned k = 0; k < scheme->visible_count; k++) {
        const ptl_operand* o = &scheme->operands[k];
        if (o->kind == PTL_REGISTER)
            out->values[k].reg = ptl_register_in_class(
                scheme->architecture, (ptl_register_class)o->register_class, k == 0 ? first : second);
    }
    return PTL_OK;
}

static bool is_memory(const ptl_operand* o) {
    return o->kind == PTL_MEMORY || o->kind == PTL_ADDRESS;
}

/* The sum of the base and a number, where no operand is an address: add x0, x28, 64. */
static ptl_status add_to_base(ptl_chain_state* s, ptl_tool tool, unsigned number, int64_t displacement,
                              ptl_instance* out, ptl_error* error) {
    ptl_status status = ptl_tool_instance(s, tool, number, s->policy->memory_base, out, error);
    for (unsigned k = 0; k < out->scheme.visible_count && !status; k++)
        if (out->scheme.operands[k].kind == PTL_IMMEDIATE) out->values[k].number = displacement;
    return status;
}

ptl_status ptl_tool_memory(ptl_chain_state* s, ptl_tool tool, unsigned number, int64_t displacement,
                           ptl_instance* out, ptl_error* error) {
    const ptl_architecture* a = s->policy->architecture;
    ptl_status status = ptl_tool_instance(s, tool, number, number, out, error);
    if (status) return status;
    for (unsigned k = 0; k < out->scheme.visible_count; k++) {
        const ptl_operand* o = &out->scheme.operands[k];
        if (!is_memory(o)) continue;
        if (a->address(&out->scheme, o, s->policy, displacement, true, &out->values[k])) return PTL_OK;
        return ptl_fail(error, PTL_INTERNAL, out->scheme.name, NULL, "it cannot say an address");
    }
    return add_to_base(s, tool, number, displacement, out, error);
}
