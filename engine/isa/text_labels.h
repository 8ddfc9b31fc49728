/* Labels of an assembler text: names to instruction numbers. A hash table with open addressing. */
#ifndef PTL_ISA_TEXT_LABELS_H
#define PTL_ISA_TEXT_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptl_label {
    const char* name; /* in the text; NULL: free place */
    size_t length;
    uint32_t instruction; /* the one that follows the label */
} ptl_label;

typedef struct ptl_labels {
    ptl_label* places;
    size_t capacity, count; /* capacity is a power of two */
} ptl_labels;

/* The label, or NULL. */
const ptl_label* ptl_labels_find(const ptl_labels* labels, const char* name, size_t length);

/* 0 when memory is out. The name must not be in the table yet. */
bool ptl_labels_add(ptl_labels* labels, ptl_label label);

void ptl_labels_free(ptl_labels* labels);

#endif
