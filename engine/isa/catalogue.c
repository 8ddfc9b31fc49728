#include "isa/catalogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "isa/architecture.h"

struct ptl_catalogue {
    ptl_scheme* schemes;
    size_t count, capacity;
    uint32_t* index; /* hash of the name -> position + 1; 0: free */
    size_t index_size;
    size_t conflicts;
};

static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
    return x ^ (x >> 29);
}

static uint64_t hash_name(const char* name) {
    uint64_t h = 0xCBF29CE484222325u;
    for (; *name; name++) h = (h ^ (uint8_t)*name) * 0x100000001B3u;
    return mix(h);
}

static bool append(ptl_catalogue* c, const ptl_scheme* s) {
    if (!ptl_room(&c->schemes, &c->capacity, c->count + 1, sizeof *c->schemes)) return false;
    c->schemes[c->count++] = *s;
    return true;
}

typedef struct walk {
    ptl_catalogue* catalogue;
    const ptl_architecture* architecture;
    bool out_of_memory;
} walk;

static bool visit(void* context, const ptl_scheme* met) {
    walk* w = context;
    w->out_of_memory = !append(w->catalogue, met);
    if (!w->out_of_memory) w->catalogue->schemes[w->catalogue->count - 1].architecture = w->architecture;
    return !w->out_of_memory;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const ptl_scheme*)a)->name, ((const ptl_scheme*)b)->name);
}

/* Sorted, one scheme per name. */
static void merge_encodings(ptl_catalogue* c) {
    if (c->count) qsort(c->schemes, c->count, sizeof *c->schemes, by_name);
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (kept && !strcmp(c->schemes[kept - 1].name, c->schemes[k].name))
            c->conflicts += memcmp(&c->schemes[kept - 1], &c->schemes[k], sizeof *c->schemes) != 0;
        else
            c->schemes[kept++] = c->schemes[k];
    }
    c->count = kept;
}

static bool build_index(ptl_catalogue* c) {
    c->index_size = 1024;
    while (c->index_size < 2 * c->count) c->index_size *= 2;
    c->index = calloc(c->index_size, sizeof *c->index);
    if (!c->index) return false;
    for (size_t k = 0; k < c->count; k++) {
        size_t at = hash_name(c->schemes[k].name) & (c->index_size - 1);
        while (c->index[at]) at = (at + 1) & (c->index_size - 1);
        c->index[at] = (uint32_t)(k + 1);
    }
    return true;
}

static bool fill(ptl_catalogue* c, const ptl_architecture* architecture, unsigned sets) {
    walk w = {.catalogue = c, .architecture = architecture};
    if (!architecture->each_scheme(sets, visit, &w) || w.out_of_memory) return false;
    merge_encodings(c);
    return build_index(c);
}

ptl_status ptl_catalogue_new(ptl_catalogue** out, const ptl_architecture* architecture, unsigned sets,
                             ptl_error* error) {
    *out = NULL;
    ptl_catalogue* c = calloc(1, sizeof *c);
    if (!c || !fill(c, architecture, sets)) {
        ptl_catalogue_free(c);
        return ptl_no_memory(error, "for the catalogue of instruction schemes");
    }
    *out = c;
    return PTL_OK;
}

void ptl_catalogue_free(ptl_catalogue* c) {
    if (!c) return;
    free(c->schemes);
    free(c->index);
    free(c);
}

size_t ptl_catalogue_count(const ptl_catalogue* c) {
    return c->count;
}

const ptl_scheme* ptl_catalogue_at(const ptl_catalogue* c, size_t index) {
    return index < c->count ? &c->schemes[index] : NULL;
}

const ptl_scheme* ptl_catalogue_find(const ptl_catalogue* c, const char* name) {
    size_t at = hash_name(name) & (c->index_size - 1);
    for (; c->index[at]; at = (at + 1) & (c->index_size - 1)) {
        const ptl_scheme* s = &c->schemes[c->index[at] - 1];
        if (!strcmp(s->name, name)) return s;
    }
    return NULL;
}

size_t ptl_catalogue_conflicts(const ptl_catalogue* c) {
    return c->conflicts;
}
