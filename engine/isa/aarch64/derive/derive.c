#include "isa/aarch64/derive/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/aarch64/derive/access.h"
#include "isa/aarch64/derive/discover.h"
#include "isa/aarch64/derive/hand.h"
#include "isa/aarch64/derive/name.h"
#include "isa/aarch64/derive/walk.h"
#include "isa/aarch64/field.h"

/* Shapes that were met, by hash. */
#define SEEN 16384

typedef struct walker {
    ptl_probe probe;
    ptl_derivation* out;
    uint64_t* seen;
    unsigned seen_count;
    char* message;
    size_t message_size;
} walker;

static ptl_derived* add(walker* w) {
    ptl_derivation* d = w->out;
    if (d->count == d->capacity) {
        unsigned capacity = d->capacity ? 2 * d->capacity : 1024;
        ptl_derived* forms = realloc(d->forms, capacity * sizeof *forms);
        if (!forms) {
            snprintf(w->message, w->message_size, "no memory for %u forms", capacity);
            return NULL;
        }
        d->forms = forms;
        d->capacity = capacity;
    }
    ptl_derived* added = &d->forms[d->count++];
    memset(added, 0, sizeof *added);
    return added;
}

/* True if the shape is new. */
static bool remember(walker* w, const ptl_shape* shape) {
    char key[256];
    uint64_t hash = 0xCBF29CE484222325u;
    ptl_shape_key(shape, key, sizeof key);
    for (const char* c = key; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001B3u;
    hash |= 1;
    size_t at = hash >> 32 & (SEEN - 1);
    while (w->seen[at] && w->seen[at] != hash) at = (at + 1) & (SEEN - 1);
    if (w->seen[at] || w->seen_count == SEEN / 2) return false;
    w->seen[at] = hash;
    w->seen_count++;
    return true;
}

static bool visit(void* context, uint32_t word) {
    walker* w = context;
    ptl_shape shape;
    if (!ptl_probe_shape(&w->probe, word, &shape) || ptl_hand_has(word) || !remember(w, &shape)) return true;
    ptl_derived* form = add(w);
    return form && ptl_discover(&w->probe, word, &shape, form, w->message, w->message_size);
}

/* Instructions of `narrow` that are also instructions of the wider form: an alias, if that has another name.
 * Forms with the same mnemonic are schemes of their own: without shift, with a shift of 0. */
static bool is_alias_of(const ptl_derived* narrow, const ptl_derived* wide) {
    return narrow->form.mask != wide->form.mask && (wide->form.mask & ~narrow->form.mask) == 0 &&
           (narrow->form.value & wide->form.mask) == wide->form.value &&
           strcmp(narrow->mnemonic, wide->mnemonic) != 0;
}

static void drop_aliases(ptl_derivation* d) {
    unsigned kept = 0;
    for (unsigned k = 0; k < d->count; k++)
        for (unsigned other = 0; other < d->count && !d->forms[k].is_dropped; other++)
            d->forms[k].is_dropped = is_alias_of(&d->forms[k], &d->forms[other]);
    for (unsigned k = 0; k < d->count; k++)
        if (!d->forms[k].is_dropped) d->forms[kept++] = d->forms[k];
    d->count = kept;
}

static bool complete(walker* w, ptl_derived* d) {
    for (unsigned k = 0; k < d->form.operand_count; k++) {
        ptl_a64_operand* o = &d->form.operands[k];
        if (o->kind == PTL_A64_IMMEDIATE || o->kind == PTL_A64_RELATIVE)
            o->width = (uint16_t)ptl_a64_field_width(&o->fields[PTL_A64_VALUE]);
    }
    if (ptl_derive_access(&w->probe, d) && ptl_derive_name(d)) return true;
    snprintf(w->message, w->message_size, "%s (word %08x): no description", d->mnemonic, d->word);
    return false;
}

static int by_name(const void* a, const void* b) {
    return strcmp(((const ptl_derived*)a)->name, ((const ptl_derived*)b)->name);
}

static bool finish(walker* w) {
    ptl_derivation* d = w->out;
    drop_aliases(d);
    for (unsigned k = 0; k < ptl_hand_count(); k++) {
        ptl_derived* form = add(w);
        if (!form) return false;
        ptl_hand_form(k, form);
    }
    for (unsigned k = 0; k < d->count; k++)
        if (!complete(w, &d->forms[k])) return false;
    qsort(d->forms, d->count, sizeof *d->forms, by_name);
    for (unsigned k = 0; k < d->count; k++) {
        d->forms[k].form.name = d->forms[k].name;
        if (k == 0 || strcmp(d->forms[k - 1].name, d->forms[k].name) != 0) continue;
        snprintf(w->message, w->message_size, "two forms are called %s (words %08x, %08x)", d->forms[k].name,
                 d->forms[k - 1].word, d->forms[k].word);
        return false;
    }
    return true;
}

bool ptl_derive(ptl_derivation* out, char* message, size_t message_size) {
    walker w = {.out = out, .message = message, .message_size = message_size};
    memset(out, 0, sizeof *out);
    snprintf(message, message_size, "Capstone does not know AArch64");
    if (!ptl_probe_open(&w.probe)) return false;
    w.seen = calloc(SEEN, sizeof *w.seen);
    bool done = w.seen && ptl_a64_walk(visit, &w) && finish(&w);
    out->decoded = w.probe.asked;
    free(w.seen);
    ptl_probe_close(&w.probe);
    return done;
}

void ptl_derivation_free(ptl_derivation* d) {
    free(d->forms);
    memset(d, 0, sizeof *d);
}
