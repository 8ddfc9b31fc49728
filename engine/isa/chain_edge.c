#include "isa/chain_edge.h"

#include <stdio.h>

#include "isa/architecture.h"

static bool is_register(unsigned kind) {
    return kind == PTL_PLACE_REGISTER || kind == PTL_PLACE_BASE || kind == PTL_PLACE_INDEX;
}

bool ptl_link_keeps(const ptl_link* link) {
    if (link->from.kind != link->to.kind || link->to.kind == PTL_PLACE_FLAG) return false;
    if (link->from.operand == link->to.operand) return true;
    ptl_file from = ptl_file_of_class((ptl_register_class)link->from.register_class);
    ptl_file to = ptl_file_of_class((ptl_register_class)link->to.register_class);
    return link->same && link->to.kind == PTL_PLACE_REGISTER && link->to.input && from == to;
}

/* The number of the register that the scheme fixes at this place; -1 if it is to choose. */
static int fixed_number(const ptl_scheme* s, const ptl_place* p) {
    unsigned number;
    const ptl_operand* o = &s->operands[p->operand];
    const ptl_architecture* a = s->architecture;
    unsigned r = o->fixed;
    if (p->kind == PTL_PLACE_INDEX)
        r = o->visibility == PTL_HIDDEN && a->hidden_index ? a->hidden_index(s) : 0;
    if (!r || ptl_register_place(a, r, &number) == PTL_FILES) return -1;
    return (int)number;
}

static bool is_hidden(const ptl_scheme* s, const ptl_place* p) {
    return s->operands[p->operand].visibility == PTL_HIDDEN;
}

/* "the flag cf", "a vector register", ... */
static void describe(const ptl_architecture* a, const ptl_place* p, char text[32]) {
    static const char* const files[PTL_FILES] = {"a general", "a vector", "a mask", "an MMX", "an x87"};
    char name[PTL_PLACE_SIZE];
    ptl_place_write(a, p, name);
    ptl_file file = ptl_file_of_class((ptl_register_class)p->register_class);
    if (p->kind == PTL_PLACE_FLAG)
        snprintf(text, 32, "the flag %s", name);
    else if (file == PTL_FILES)
        snprintf(text, 32, "memory");
    else
        snprintf(text, 32, "%s register", files[file]);
}

static ptl_status mismatch(const ptl_link* a, size_t k, const ptl_link* b, size_t next, ptl_error* error) {
    char left[32], read[32];
    describe(a->scheme->architecture, &a->to, left);
    describe(a->scheme->architecture, &b->from, read);
    return ptl_fail(error, PTL_BAD_INPUT, a->scheme->name,
                    "put an instruction between them that carries one to the other",
                    "link %zu leaves %s, link %zu reads %s", k + 1, left, next + 1, read);
}

static ptl_status find_edge(const ptl_link* links, size_t n, size_t k, ptl_edge* e, ptl_error* error) {
    size_t next = (k + 1) % n;
    const ptl_link *a = &links[k], *b = &links[next];
    const ptl_place *to = &a->to, *from = &b->from;
    *e = (ptl_edge){.kind = to->kind, .file = PTL_FILES, .number = -1, .flag = to->flag};
    if (to->kind == PTL_PLACE_FLAG || to->kind == PTL_PLACE_MEMORY) {
        if (from->kind != to->kind || from->flag != to->flag) return mismatch(a, k, b, next, error);
        if (to->kind == PTL_PLACE_MEMORY && (is_hidden(a->scheme, to) || is_hidden(b->scheme, from)))
            e->number = 0;
        return PTL_OK;
    }
    e->kind = PTL_PLACE_REGISTER; /* a base that is written back is one */
    e->file = (uint8_t)ptl_file_of_class((ptl_register_class)to->register_class);
    if (!is_register(from->kind) || ptl_file_of_class((ptl_register_class)from->register_class) != e->file)
        return mismatch(a, k, b, next, error);
    int left = fixed_number(a->scheme, to), read = fixed_number(b->scheme, from);
    if (left >= 0 && read >= 0 && left != read)
        return ptl_fail(error, PTL_UNSUPPORTED, a->scheme->name, "put a move between them",
                        "link %zu leaves one fixed register, link %zu reads another", k + 1, next + 1);
    e->number = (int8_t)(left >= 0 ? left : read);
    return PTL_OK;
}

/* A link that keeps the carrier has the same register, or cell, before and behind it. */
static ptl_status unify(const ptl_link* link, size_t k, ptl_edge* before, ptl_edge* behind,
                        ptl_error* error) {
    if (!ptl_link_keeps(link)) return PTL_OK;
    if (before->number >= 0 && behind->number >= 0 && before->number != behind->number)
        return ptl_fail(error, PTL_UNSUPPORTED, link->scheme->name, "put a move beside it",
                        "link %zu keeps the carrier in one register, its neighbours fix two", k + 1);
    if (before->number < 0) before->number = behind->number;
    behind->number = before->number;
    return PTL_OK;
}

ptl_status ptl_chain_edges(const ptl_link* links, size_t n, ptl_edge* edges, ptl_error* error) {
    ptl_status status = PTL_OK;
    for (size_t k = 0; k < n && !status; k++) status = find_edge(links, n, k, &edges[k], error);
    for (size_t i = 0; i < 2 * n && !status; i++) { /* twice: a fixed number goes round in both directions */
        size_t k = i < n ? i : 2 * n - 1 - i;
        status = unify(&links[k], k, &edges[(k + n - 1) % n], &edges[k], error);
    }
    for (size_t k = 0; k < n && !status; k++)
        status = unify(&links[k], k, &edges[(k + n - 1) % n], &edges[k], error);
    return status;
}

ptl_status ptl_chain_first(const ptl_link* links, const ptl_edge* edges, size_t n, size_t* first,
                           ptl_error* error) {
    int best = 0;
    uint32_t kept = links[0].scheme->architecture->chains->flags_kept;
    for (size_t k = 0; k < n; k++) {
        const ptl_edge* into = &edges[(k + n - 1) % n];
        bool lost = into->kind == PTL_PLACE_FLAG && !(into->flag & kept);
        bool address = links[k].from.kind == PTL_PLACE_BASE || links[k].from.kind == PTL_PLACE_INDEX;
        int worth = lost ? 0 : into->kind != PTL_PLACE_REGISTER ? 1 : address ? 3 : 2;
        if (worth > best) best = worth, *first = k;
    }
    if (best > 0) return PTL_OK;
    return ptl_fail(error, PTL_UNSUPPORTED, links[0].scheme->name, "carry it through a register somewhere",
                    "all carriers are flags that the loop itself writes");
}
