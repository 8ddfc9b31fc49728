/* Nodes of a lattice, each made once: an open hash table of nodes by key. */
#include <stdlib.h>
#include <string.h>

#include "anica/lattice_kind.h"

static uint32_t hash_of(ptl_key key) {
    uint32_t h = 2166136261u;
    for (size_t k = 0; k < key.n; k++) h = ((h ^ key.words[k]) * 16777619u) ^ (h >> 15);
    return h ^ (h >> 13);
}

static bool same_key(ptl_key a, ptl_key b) {
    return a.n == b.n && (a.n == 0 || memcmp(a.words, b.words, a.n * sizeof *a.words) == 0);
}

/* The slot that holds the key, or the free one where it belongs. Top is in no slot. */
static uint32_t* slot_of(const ptl_lattice* l, ptl_key key) {
    uint32_t mask = l->slot_count - 1, at = hash_of(key) & mask;
    while (l->slots[at] && !same_key(l->nodes[l->slots[at]]->key, key)) at = (at + 1) & mask;
    return &l->slots[at];
}

static bool grow(ptl_lattice* l) {
    uint32_t capacity = l->capacity ? l->capacity * 2 : 32;
    ptl_lattice_node** nodes = realloc(l->nodes, capacity * sizeof *nodes);
    if (!nodes) return false;
    l->nodes = nodes;
    uint32_t* slots = calloc((size_t)capacity * 2, sizeof *slots);
    if (!slots) return false;
    free(l->slots);
    l->slots = slots;
    l->slot_count = capacity * 2;
    l->capacity = capacity;
    for (uint32_t node = 1; node < l->count; node++) *slot_of(l, l->nodes[node]->key) = node;
    return true;
}

ptl_node ptl_lattice_intern(ptl_lattice* l, const uint32_t* words, size_t n) {
    ptl_key key = {words, n};
    if (n == 0 && l->count) return PTL_TOP;
    if (n != 0 && !l->rules->is_key(l, key)) return PTL_NO_NODE;
    if (l->count == l->capacity && !grow(l)) return PTL_NO_NODE;
    uint32_t* slot = n ? slot_of(l, key) : NULL;
    if (slot && *slot) return *slot;
    ptl_lattice_node* node = ptl_arena_alloc(&l->arena, sizeof *node);
    uint32_t* copy = ptl_arena_array(&l->arena, n, sizeof *copy);
    if (!node || !copy) return PTL_NO_NODE;
    if (n) memcpy(copy, words, n * sizeof *copy);
    node->key = (ptl_key){copy, n};
    l->nodes[l->count] = node;
    if (slot) *slot = l->count;
    return l->count++;
}
