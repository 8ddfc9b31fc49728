/* Orders of plain numbers, for qsort. */
#ifndef PTL_BASE_ORDER_H
#define PTL_BASE_ORDER_H

/* double; uint32_t. */
int ptl_ascending_numbers(const void* a, const void* b);
int ptl_ascending_words(const void* a, const void* b);

#endif
