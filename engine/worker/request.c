#include "worker/request.h"

static bool all_below(const uint32_t* list, size_t n, uint32_t bound) {
    for (size_t i = 0; i < n; i++)
        if (list[i] >= bound) return false;
    return true;
}

static bool is_sound(const ptl_request* r) {
    const uint32_t minutes = 600000, cycles = 1 << 24;
    const ptl_segments* g = &r->segments;
    for (size_t i = 0; i < 1 + r->events; i++)
        if ((i > 0 || r->cycles) && r->attribute[i].size != sizeof r->attribute[i]) return false;
    return g->chain_iterations > 0 && g->chain_iterations < cycles && g->chain_cycles > 0 &&
           g->sentinel_iterations > 0 && g->sentinel_iterations < cycles && g->long_cycles > 0 &&
           g->long_cycles < cycles && r->stop_ms <= r->deadline_ms && r->deadline_ms > 0 &&
           r->deadline_ms <= minutes && r->cpu >= -1;
}

bool ptl_request_page(uint64_t page) {
    const uint64_t first = 64 << 10, end = UINT64_C(1) << 47;
    return page % PTL_PAGE_SIZE == 0 && page >= first && page < end;
}

static bool are_pages(const uint64_t* pages, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!ptl_request_page(pages[i])) return false;
    return true;
}

size_t ptl_request_size(size_t pages, size_t kernels, size_t planned) {
    return sizeof(ptl_request) + 8 * pages + 4 * (2 * kernels + planned);
}

bool ptl_request_read(const void* payload, size_t size, size_t code_size, ptl_plan* plan) {
    const ptl_request* r = payload;
    if (size < sizeof *r || r->kernels < PTL_REFERENCES || r->kernels > PTL_KERNELS_MAX || r->planned == 0 ||
        r->planned > PTL_PLAN_MAX || r->events > PTL_EVENTS_MAX || r->pages > PTL_PAGES_MAX ||
        (r->pages > 0 && !r->mapped))
        return false;
    if (size != ptl_request_size(r->pages, r->kernels, r->planned) || !is_sound(r)) return false;
    const uint64_t* pages = (const uint64_t*)(const void*)(r + 1);
    const uint32_t* offsets = (const uint32_t*)(const void*)(pages + r->pages);
    *plan = (ptl_plan){.request = r,
                       .pages = pages,
                       .offsets = offsets,
                       .iterations = offsets + r->kernels,
                       .order = offsets + 2 * (size_t)r->kernels};
    return are_pages(pages, r->pages) && all_below(plan->offsets, r->kernels, (uint32_t)code_size) &&
           all_below(plan->iterations, r->kernels, PTL_ITERATIONS_MAX + 1) &&
           all_below(plan->order, r->planned, r->kernels);
}
