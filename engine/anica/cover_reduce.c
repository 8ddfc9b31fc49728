#include "anica/cover_reduce.h"

#include <stdlib.h>
#include <string.h>

size_t ptl_cover_words(size_t sets) {
    return (sets + 63) / 64;
}

static bool has(const uint64_t* row, size_t i) {
    return row[i / 64] >> (i % 64) & 1;
}

/* Rows of `words` words and a weight, sorted as bytes: the weight is behind the words. */
typedef struct table {
    uint64_t* data;
    size_t rows, words;
} table;

static uint64_t* row_of(const table* t, size_t j) {
    return t->data + j * (t->words + 1);
}

/* The order that is asked for is any total one; qsort_r's context is the number of words. */
static int compare(const void* a, const void* b, void* words) {
    return memcmp(a, b, *(const size_t*)words * sizeof(uint64_t));
}

/* Equal rows become one, empty ones none. */
static void merge(table* t) {
    qsort_r(t->data, t->rows, (t->words + 1) * sizeof *t->data, compare, &t->words);
    size_t n = 0;
    for (size_t j = 0; j < t->rows; j++) {
        const uint64_t* row = row_of(t, j);
        bool empty = true;
        for (size_t w = 0; w < t->words; w++) empty = empty && !row[w];
        if (empty) continue;
        if (n && !compare(row_of(t, n - 1), row, &t->words)) {
            row_of(t, n - 1)[t->words] += row[t->words];
        } else {
            if (n != j) memcpy(row_of(t, n), row, (t->words + 1) * sizeof *row);
            n++;
        }
    }
    t->rows = n;
}

/* inside[a * sets + b]: every row of a is one of b. */
static void containment(const table* t, size_t sets, bool* inside) {
    memset(inside, true, sets * sets);
    for (size_t j = 0; j < t->rows; j++) {
        const uint64_t* row = row_of(t, j);
        for (size_t a = 0; a < sets; a++) {
            if (!has(row, a)) continue;
            for (size_t b = 0; b < sets; b++) inside[a * sets + b] = inside[a * sets + b] && has(row, b);
        }
    }
}

/* Sets that are within no other one; of equal ones the first. */
static size_t undominated(const bool* inside, size_t sets, size_t* original) {
    size_t n = 0;
    for (size_t a = 0; a < sets; a++) {
        bool needed = true;
        for (size_t b = 0; b < sets && needed; b++)
            needed = a == b || !inside[a * sets + b] || (inside[b * sets + a] && a < b);
        if (needed) original[n++] = a;
    }
    return n;
}

/* Keeps the columns of the sets that are left. */
static void project(const table* from, table* to, const size_t* original, size_t sets) {
    for (size_t j = 0; j < from->rows; j++) {
        const uint64_t* source = row_of(from, j);
        uint64_t* row = row_of(to, j);
        memset(row, 0, to->words * sizeof *row);
        for (size_t i = 0; i < sets; i++)
            if (has(source, original[i])) row[i / 64] |= UINT64_C(1) << (i % 64);
        row[to->words] = source[from->words];
    }
    to->rows = from->rows;
}

static bool take(ptl_cover_core* core, const table* t) {
    core->classes = t->rows;
    core->rows = malloc((t->rows * t->words + 1) * sizeof *core->rows);
    core->weights = malloc((t->rows + 1) * sizeof *core->weights);
    if (!core->rows || !core->weights) return false;
    for (size_t j = 0; j < t->rows; j++) {
        memcpy(core->rows + j * t->words, row_of(t, j), t->words * sizeof *core->rows);
        core->weights[j] = (uint32_t)row_of(t, j)[t->words];
    }
    return true;
}

static bool reduce(ptl_cover_core* core, const ptl_cover* c, table* all, table* left, bool* inside) {
    for (size_t j = 0; j < c->elements; j++) {
        memcpy(row_of(all, j), c->rows + j * all->words, all->words * sizeof *all->data);
        row_of(all, j)[all->words] = 1;
    }
    merge(all);
    containment(all, c->sets, inside);
    core->sets = undominated(inside, c->sets, core->original);
    left->words = core->words = ptl_cover_words(core->sets);
    left->data = malloc((all->rows * (left->words + 1) + 1) * sizeof *left->data);
    if (!left->data) return false;
    project(all, left, core->original, core->sets);
    merge(left);
    return take(core, left);
}

ptl_status ptl_cover_reduce(ptl_cover_core* core, const ptl_cover* c, ptl_error* error) {
    *core = (ptl_cover_core){0};
    table all = {.rows = c->elements, .words = ptl_cover_words(c->sets)}, left = {0};
    all.data = malloc((c->elements * (all.words + 1) + 1) * sizeof *all.data);
    bool* inside = malloc(c->sets * c->sets + 1);
    core->original = malloc((c->sets + 1) * sizeof *core->original);
    bool fine = all.data && inside && core->original && reduce(core, c, &all, &left, inside);
    free(all.data);
    free(left.data);
    free(inside);
    if (fine) return PTL_OK;
    ptl_cover_core_free(core);
    return ptl_no_memory(error, "for the sets");
}

void ptl_cover_core_free(ptl_cover_core* core) {
    free(core->original);
    free(core->rows);
    free(core->weights);
    *core = (ptl_cover_core){0};
}
