#include "isa/text_labels.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a with a final mix: the low bits choose the place. */
static size_t hash(const char* name, size_t length) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32);
}

static ptl_label* place_of(const ptl_labels* labels, const char* name, size_t length) {
    size_t at = hash(name, length) & (labels->capacity - 1);
    for (;; at = (at + 1) & (labels->capacity - 1)) {
        ptl_label* place = &labels->places[at];
        if (!place->name || (place->length == length && memcmp(place->name, name, length) == 0)) return place;
    }
}

const ptl_label* ptl_labels_find(const ptl_labels* labels, const char* name, size_t length) {
    if (labels->capacity == 0) return NULL;
    const ptl_label* place = place_of(labels, name, length);
    return place->name ? place : NULL;
}

static bool grow(ptl_labels* labels) {
    ptl_labels larger = {.capacity = labels->capacity ? labels->capacity * 2 : 16};
    larger.places = calloc(larger.capacity, sizeof *larger.places);
    if (!larger.places) return false;
    for (size_t i = 0; i < labels->capacity; i++) {
        const ptl_label* old = &labels->places[i];
        if (old->name) *place_of(&larger, old->name, old->length) = *old;
    }
    larger.count = labels->count;
    free(labels->places);
    *labels = larger;
    return true;
}

bool ptl_labels_add(ptl_labels* labels, ptl_label label) {
    if (labels->count * 2 >= labels->capacity && !grow(labels)) return false;
    *place_of(labels, label.name, label.length) = label;
    labels->count++;
    return true;
}

void ptl_labels_free(ptl_labels* labels) {
    free(labels->places);
    *labels = (ptl_labels){0};
}
