/* Orders of plain values, for qsort and bsearch. */
#ifndef PTL_BASE_ORDER_H
#define PTL_BASE_ORDER_H

/* double; uint32_t; uint64_t; const char*. */
int ptl_ascending_numbers(const void* a, const void* b);
int ptl_ascending_words(const void* a, const void* b);
int ptl_ascending_longs(const void* a, const void* b);
int ptl_ascending_texts(const void* a, const void* b);

#endif
