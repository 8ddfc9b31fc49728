#include "predict/what_if.h"

static ptl_status ask(ptl_block_work* w, const ptl_block_change* change, double* cycles, ptl_error* error) {
    ptl_block_bounds b;
    ptl_status s = ptl_block_bounds_of(w, change, &b, error);
    *cycles = s ? 0 : b.cycles;
    return s;
}

ptl_status ptl_cycles_without(ptl_block_work* w, ptl_premises premises, uint32_t item, double* cycles,
                              ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = premises;
    change.without = item;
    return ask(w, &change, cycles, error);
}

ptl_status ptl_cycles_with_port(ptl_block_work* w, ptl_premises premises, unsigned port, double* cycles,
                                ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = premises;
    change.copied_port = (int)port;
    return ask(w, &change, cycles, error);
}

ptl_status ptl_cycles_with_slot(ptl_block_work* w, ptl_premises premises, double* cycles, ptl_error* error) {
    ptl_block_change change = PTL_BLOCK_UNCHANGED;
    change.premises = premises;
    change.more_slots = 1;
    return ask(w, &change, cycles, error);
}
