#include "algebra/canonical.h"

#include <stdio.h>
#include <string.h>

#include "algebra/canonical_search.h"
#include "algebra/congruence.h"

/* One row per class of equal usage: in which order they come depends on the names of schemes alone. */
static ptl_status find_rows(const ptl_mapping* m, ptl_arena* arena, ptl_congruence* classes, ptl_rows* rows,
                            ptl_error* error) {
    ptl_status s = ptl_congruence_find(m, false, arena, classes, error);
    if (s) return s;
    *rows = (ptl_rows){.row = ptl_arena_array(arena, classes->count + 1, sizeof *rows->row),
                       .count = classes->count};
    if (!rows->row) return ptl_no_memory(error, "for the canonical form");
    for (size_t i = 0; i < rows->count; i++) {
        rows->row[i] = &m->schemes[classes->first[i]];
        rows->uops += rows->row[i]->uop_count;
    }
    return PTL_OK;
}

/* A line of the key: the length of the scheme's name and the name, which so may hold anything, then its uops,
 * each as count*places, places in hexadecimal. Returns its length; with out = NULL nothing is written. */
static size_t write_line(char* out, const char* name, const ptl_uop* uops, uint32_t count) {
    char number[48];
    size_t length = (size_t)snprintf(number, sizeof number, "%zu:", strlen(name)), total = length;
    if (out) memcpy(out, number, length);
    if (out) memcpy(out + total, name, strlen(name));
    total += strlen(name);
    for (uint32_t j = 0; j < count; j++) {
        length = (size_t)snprintf(number, sizeof number, " %u*%x", uops[j].count, uops[j].ports);
        if (out) memcpy(out + total, number, length);
        total += length;
    }
    if (out) out[total] = '\n';
    return total + 1;
}

/* The key for this order of ports; NULL: no memory. */
static const char* write_key(const ptl_mapping* m, const ptl_congruence* classes, const ptl_rows* rows,
                             const unsigned* place, ptl_arena* arena) {
    ptl_uop* form = ptl_arena_array(arena, rows->uops + 1, sizeof *form);
    size_t* start = ptl_arena_array(arena, rows->count + 1, sizeof *start);
    if (!form || !start) return NULL;
    ptl_rows_form(rows, place, form);
    for (size_t i = 0; i < rows->count; i++) start[i + 1] = start[i] + rows->row[i]->uop_count;
    char* key = NULL;
    for (int pass = 0; pass < 2; pass++) { /* how long, then write */
        size_t length = 0;
        for (size_t i = 0; i < classes->known; i++) {
            const ptl_usage* u = &m->schemes[classes->by_name[i]];
            const ptl_uop* uops = form + start[classes->class_of[classes->by_name[i]]];
            length += write_line(key ? key + length : NULL, u->name, uops, u->uop_count);
        }
        if (!key && !(key = ptl_arena_alloc(arena, length + 1))) return NULL;
    }
    return key;
}

/* FNV-1a. */
static uint64_t digest_of(const char* key) {
    uint64_t h = 0xcbf29ce484222325u;
    for (; *key; key++) h = (h ^ (unsigned char)*key) * 0x100000001b3u;
    return h;
}

ptl_status ptl_canonical_form(const ptl_mapping* m, ptl_arena* arena, ptl_canonical* out, ptl_error* error) {
    *out = (ptl_canonical){0};
    ptl_congruence classes;
    ptl_rows rows;
    unsigned place[PTL_PORTS_MAX] = {0};
    ptl_ports used = ptl_mapping_used_ports(m);
    ptl_status s = find_rows(m, arena, &classes, &rows, error);
    if (!s) s = ptl_canonical_search(&rows, used, arena, place, &out->steps, error);
    if (s) return s;
    out->used = ptl_ports_count(used);
    for (unsigned k = 0, rest = out->used; k < m->port_count; k++)
        out->order[used >> k & 1 ? place[k] : rest++] = k;
    out->key = write_key(m, &classes, &rows, place, arena);
    if (!out->key) return ptl_no_memory(error, "for the canonical form");
    out->digest = digest_of(out->key);
    return PTL_OK;
}
