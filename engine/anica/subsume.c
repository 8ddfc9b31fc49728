#include "anica/subsume.h"

typedef struct search {
    const ptl_abstract *a, *b;
    uint32_t fits[PTL_BLOCK_LENGTH_MAX]; /* C2: bit j of fits[i] if instruction j of b may stand for i of a */
    uint8_t map[PTL_BLOCK_LENGTH_MAX];
} search;

/* Tells whether instruction j of b represents only schemes that instruction i of a does. */
static bool fits(const search* s, size_t i, size_t j) {
    const uint64_t *mine = s->a->sets[i].words, *theirs = s->b->sets[j].words;
    ptl_span span = s->b->spans[j];
    for (uint32_t w = span.from; w < span.to; w++)
        if (theirs[w] & ~mine[w]) return false;
    return true;
}

/* C2. False if some instruction of a fits nowhere. */
static bool find_fits(search* s) {
    for (size_t i = 0; i < s->a->length; i++) {
        s->fits[i] = 0;
        for (size_t j = 0; j < s->b->length; j++)
            if (fits(s, i, j)) s->fits[i] |= UINT32_C(1) << j;
        if (!s->fits[i]) return false;
    }
    return true;
}

/* C3 for the constraints of which instruction i is the later one; those before it are mapped. */
static bool aliasing_holds(const search* s, size_t i) {
    for (size_t k = 0; k < s->a->alias_count; k++) {
        const ptl_alias* mine = &s->a->aliases[k];
        if (mine->b.instruction != i) continue;
        ptl_operand_ref x = {s->map[mine->a.instruction], mine->a.operand};
        ptl_operand_ref y = {s->map[i], mine->b.operand};
        const ptl_alias* theirs = ptl_abstract_alias(s->b, x, y);
        if (!theirs || theirs->kind != mine->kind) return false;
    }
    return true;
}

/* Maps instructions i, i + 1, ... of a. C1 and C4: seen from map[0], each lies further on than the one before
 * it, and none comes round to map[0] again; `from` is how far. */
static bool map_rest(search* s, size_t i, size_t from) {
    size_t n = s->b->length, left = s->a->length - i;
    if (left == 0) return true;
    for (size_t offset = from; offset + left <= n; offset++) {
        s->map[i] = (uint8_t)((s->map[0] + offset) % n);
        if ((s->fits[i] >> s->map[i] & 1) && aliasing_holds(s, i) && map_rest(s, i + 1, offset + 1))
            return true;
    }
    return false;
}

bool ptl_subsumes(const ptl_abstract* a, const ptl_abstract* b, uint8_t* map) {
    search s = {.a = a, .b = b};
    if (a->length == 0 || a->length > b->length || !find_fits(&s)) return a->length == 0;
    for (size_t start = 0; start < b->length; start++) {
        s.map[0] = (uint8_t)start;
        if (!(s.fits[0] >> start & 1) || !aliasing_holds(&s, 0) || !map_rest(&s, 1, 1)) continue;
        for (size_t i = 0; i < a->length && map; i++) map[i] = s.map[i];
        return true;
    }
    return false;
}
