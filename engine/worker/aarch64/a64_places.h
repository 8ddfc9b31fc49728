/* Tells where things are in the worker on AArch64: below 512 GiB, as small kernels give programs no more (39
 * bits of address), and below two thirds of that, from where on they put programs. */
#ifndef PTL_WORKER_AARCH64_A64_PLACES_H
#define PTL_WORKER_AARCH64_A64_PLACES_H

#include "worker/layout.h"

#define PTL_A64_FRAME_AT UINT64_C(0x3000000000)
#define PTL_A64_PAGE_AT UINT64_C(0x5000000000)

static const ptl_places ptl_a64_places = {
    .code = UINT64_C(0x1000000000),
    .data = UINT64_C(0x2000000000),
    .frame = PTL_A64_FRAME_AT,
    .slot = UINT64_C(0x4000000000),
    .page = PTL_A64_PAGE_AT,
};

#endif
