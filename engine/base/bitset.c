#include "base/bitset.h"

static size_t words_of(size_t bits) {
    return (bits + 63) / 64;
}

ptl_bitset ptl_bitset_new(ptl_arena* a, size_t bits) {
    return (ptl_bitset){bits, ptl_arena_array(a, words_of(bits), sizeof(uint64_t))};
}

void ptl_bitset_add(ptl_bitset* s, size_t i) {
    s->words[i / 64] |= UINT64_C(1) << (i % 64);
}
bool ptl_bitset_has(const ptl_bitset* s, size_t i) {
    return s->words[i / 64] >> (i % 64) & 1;
}

void ptl_bitset_fill(ptl_bitset* s) {
    for (size_t w = 0; w < words_of(s->bits); w++) s->words[w] = ~UINT64_C(0);
    if (s->bits % 64) s->words[s->bits / 64] = (UINT64_C(1) << (s->bits % 64)) - 1;
}

size_t ptl_bitset_count(const ptl_bitset* s) {
    size_t n = 0;
    for (size_t w = 0; w < words_of(s->bits); w++) n += (size_t)__builtin_popcountll(s->words[w]);
    return n;
}

bool ptl_bitset_subset(const ptl_bitset* a, const ptl_bitset* b) {
    for (size_t w = 0; w < words_of(a->bits); w++)
        if (a->words[w] & ~b->words[w]) return false;
    return true;
}

void ptl_bitset_and(ptl_bitset* a, const ptl_bitset* b) {
    for (size_t w = 0; w < words_of(a->bits); w++) a->words[w] &= b->words[w];
}

void ptl_bitset_or(ptl_bitset* a, const ptl_bitset* b) {
    for (size_t w = 0; w < words_of(a->bits); w++) a->words[w] |= b->words[w];
}

size_t ptl_bitset_next(const ptl_bitset* s, size_t from) {
    for (size_t w = from / 64; w < words_of(s->bits); w++) {
        uint64_t word = s->words[w];
        if (w == from / 64) word &= ~UINT64_C(0) << (from % 64);
        if (word) return w * 64 + (size_t)__builtin_ctzll(word);
    }
    return s->bits;
}
