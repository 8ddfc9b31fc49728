/* Tells where things are in the worker on x86-64. */
#ifndef PTL_WORKER_X86_64_X86_PLACES_H
#define PTL_WORKER_X86_64_X86_PLACES_H

#include "worker/layout.h"

#define PTL_X86_FRAME_AT UINT64_C(0x300000000000)
#define PTL_X86_PAGE_AT UINT64_C(0x500000000000)

static const ptl_places ptl_x86_places = {
    .code = UINT64_C(0x100000000000),
    .data = UINT64_C(0x200000000000),
    .frame = PTL_X86_FRAME_AT,
    .slot = UINT64_C(0x400000000000),
    .page = PTL_X86_PAGE_AT,
};

#endif
