#include "isa/chain_memory.h"

#include "isa/architecture.h"
#include "isa/chain_registers.h"

/* Cells of memory operands: to read, written or updated beside the carrier, carriers. */
typedef enum cell { CELL_READ, CELL_OTHER, CELL_CARRY } cell;

static const uint32_t first_cells[] = {PTL_CHAIN_READ, PTL_CHAIN_OTHER, PTL_CHAIN_CARRY, PTL_CHAIN_END};

static uint32_t count_of(cell kind) {
    return (first_cells[kind + 1] - first_cells[kind]) / PTL_CHAIN_CELL;
}

static uint32_t take_cell(ptl_chain_state* s, cell kind) {
    return first_cells[kind] + s->cells[kind]++ % count_of(kind) * PTL_CHAIN_CELL;
}

static const ptl_link* next_of(const ptl_chain_state* s, size_t k) {
    return &s->links[(k + 1) % s->n];
}

static ptl_move move_of(const ptl_scheme* s, unsigned k) {
    const ptl_architecture* a = s->architecture;
    return a->move && s->operands[k].kind == PTL_MEMORY ? a->move(s, &s->operands[k]) : (ptl_move){0};
}

/* Exactly [memory base + displacement]. */
static bool put(const ptl_chain_state* s, const ptl_scheme* scheme, unsigned k, uint32_t at, ptl_value* v) {
    return scheme->architecture->address(scheme, &scheme->operands[k], s->policy, at, true, v);
}

static bool reaches(const ptl_chain_state* s, const ptl_scheme* scheme, unsigned k, uint32_t at) {
    ptl_value ignored = {0};
    return move_of(scheme, k).moves || put(s, scheme, k, at, &ignored);
}

uint32_t ptl_chain_carrier_cell(ptl_chain_state* s, size_t k) {
    const ptl_link *link = &s->links[k], *next = next_of(s, k);
    uint32_t at = take_cell(s, CELL_CARRY);
    for (uint32_t i = 0; i < count_of(CELL_CARRY); i++, at = take_cell(s, CELL_CARRY))
        if (reaches(s, link->scheme, link->to.operand, at) &&
            reaches(s, next->scheme, next->from.operand, at))
            break;
    return at;
}

/* An operand of link k works with this. */
typedef struct work {
    ptl_chain_state* s;
    size_t k;
    unsigned operand;
    const ptl_link* link;
    const ptl_operand* o;
    const ptl_carrier *in, *out;
} work;

static bool is_from(const work* w, ptl_place_kind kind) {
    return w->link->from.kind == kind && w->link->from.operand == w->operand;
}

static bool is_to(const work* w, ptl_place_kind kind) {
    return w->link->to.kind == kind && w->link->to.operand == w->operand;
}

/* One of the cells of a kind: where it is written, one that can be said exactly. */
static bool put_beside(const work* w, ptl_value* value) {
    const ptl_scheme* scheme = w->link->scheme;
    if (!ptl_operand_writes(w->o))
        return scheme->architecture->address(scheme, w->o, w->s->policy, take_cell(w->s, CELL_READ), false,
                                             value);
    for (uint32_t i = 0; i < count_of(CELL_OTHER); i++)
        if (put(w->s, scheme, w->operand, take_cell(w->s, CELL_OTHER), value)) return true;
    return false;
}

/* Where an index has no room for a displacement, it leads to an address, which is no index for the next link.
 */
static bool put_indexed(const work* w, ptl_value* value) {
    bool is_read = w->o->kind != PTL_ADDRESS;
    if (is_read && put(w->s, w->link->scheme, w->operand, PTL_CHAIN_ZERO, value)) return true;
    if (is_read && next_of(w->s, w->k)->from.kind == PTL_PLACE_INDEX) return false;
    return put(w->s, w->link->scheme, w->operand, PTL_CHAIN_POINTER, value);
}

/* [base + displacement]: what is read at an address that is the carrier has a place of its own; what is
 * written has many, as one would be a dependency of its own. */
static bool put_cell(const work* w, ptl_value* value) {
    const ptl_scheme* scheme = w->link->scheme;
    if (is_from(w, PTL_PLACE_MEMORY)) return put(w->s, scheme, w->operand, w->in->displacement, value);
    if (is_to(w, PTL_PLACE_MEMORY)) return put(w->s, scheme, w->operand, w->out->displacement, value);
    if (ptl_operand_writes(w->o)) return put_beside(w, value);
    if (is_from(w, PTL_PLACE_BASE))
        return put(w->s, scheme, w->operand, w->o->kind == PTL_ADDRESS ? PTL_CHAIN_STEP : PTL_CHAIN_POINTER,
                   value);
    return is_from(w, PTL_PLACE_INDEX) ? put_indexed(w, value) : put_beside(w, value);
}

static bool choose_resting(const work* w, ptl_value* value) {
    const ptl_architecture* a = w->link->scheme->architecture;
    if (!put_cell(w, value)) return false;
    if (is_from(w, PTL_PLACE_BASE)) {
        unsigned number = 0;
        ptl_register_place(a, value->base, &number);
        if (number != w->s->policy->memory_base) return false; /* the carrier holds the address of that one */
        value->base = ptl_register_in_class(a, (ptl_register_class)a->address_class, w->in->number);
        if (w->o->kind != PTL_ADDRESS) value->number -= w->in->offset;
    } else if (is_from(w, PTL_PLACE_INDEX)) {
        ptl_register_class class = (ptl_register_class)w->link->from.register_class;
        value->index = ptl_register_in_class(a, class, w->in->number);
        if (!value->scale) value->scale = 1;
    }
    return true;
}

/* Returns by how many bytes an instance of a chain moves its address; 0 where a register tells it. */
static int32_t step_of(const ptl_scheme* s, const ptl_move* m) {
    if (m->bytes) return m->bytes;
    return s->operands[m->amount].kind == PTL_REGISTER ? 0 : PTL_CHAIN_STEP;
}

bool ptl_chain_is_amount(const ptl_scheme* scheme, unsigned operand) {
    for (unsigned k = 0; k < scheme->visible_count; k++) {
        ptl_move m = move_of(scheme, k);
        if (m.moves && m.amount == operand && operand != k) return !m.bytes;
    }
    return false;
}

/* A base that moves by itself: the carrier, or one that is set anew ahead of every instance. */
static bool choose_moving(const work* w, const ptl_move* m, ptl_value* value) {
    ptl_chain_state* s = w->s;
    const ptl_architecture* a = w->link->scheme->architecture;
    ptl_register_class class = (ptl_register_class)a->address_class;
    int32_t step = step_of(w->link->scheme, m);
    if (m->amount == w->operand) value->number = step;
    if (is_from(w, PTL_PLACE_BASE)) {
        value->base = ptl_register_in_class(a, class, w->in->number);
        return w->link->to.kind != PTL_PLACE_MEMORY;
    }
    int number = is_to(w, PTL_PLACE_BASE) ? w->out->number
                                          : ptl_chain_take(s, PTL_FILE_GPR, &s->spares[PTL_FILE_GPR], 0);
    if (number < 0) return false;
    uint32_t at = is_from(w, PTL_PLACE_MEMORY) ? w->in->displacement
                  : is_to(w, PTL_PLACE_MEMORY) ? w->out->displacement
                  : ptl_operand_writes(w->o)   ? take_cell(s, CELL_OTHER)
                                               : take_cell(s, CELL_READ);
    value->base = ptl_register_in_class(a, class, (unsigned)number);
    s->fresh = (ptl_new_base){true, (uint8_t)number, (int64_t)at - (m->ahead ? step : 0)};
    return true;
}

bool ptl_chain_memory(ptl_chain_state* s, size_t k, unsigned operand, const ptl_carrier* in,
                      const ptl_carrier* out, ptl_value* value) {
    const ptl_link* link = &s->links[k];
    const work w = {s, k, operand, link, &link->scheme->operands[operand], in, out};
    ptl_move m = move_of(link->scheme, operand);
    return m.moves ? choose_moving(&w, &m, value) : choose_resting(&w, value);
}

bool ptl_chain_makes_base(const ptl_chain_state* s, size_t k) {
    const ptl_chain_rules* rules = s->policy->architecture->chains;
    return rules->makes_base && rules->makes_base(s->links[k].scheme) &&
           next_of(s, k)->from.kind == PTL_PLACE_BASE;
}

int32_t ptl_chain_offset_behind(const ptl_chain_state* s, size_t k, int32_t offset) {
    const ptl_link* link = &s->links[k];
    if (link->scheme->operands[link->from.operand].kind == PTL_ADDRESS)
        return link->from.kind == PTL_PLACE_BASE ? offset + PTL_CHAIN_STEP : 0;
    if (link->to.kind == PTL_PLACE_BASE && link->from.kind == PTL_PLACE_BASE) {
        ptl_move m = move_of(link->scheme, link->to.operand);
        return offset + step_of(link->scheme, &m);
    }
    if (ptl_chain_makes_base(s, k)) return 0;
    return link->from.kind == PTL_PLACE_REGISTER && link->to.kind == PTL_PLACE_REGISTER ? offset : 0;
}
