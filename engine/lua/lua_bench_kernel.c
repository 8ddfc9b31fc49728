/* core.bench: kernels from tables, and measurements as tables. */
#include "bench/session.h"
#include "lua/bench_bind.h"
#include "lua/bind.h"
#include "worker/request.h"

/* The field `pages` of the kernel at `at`, a list of addresses, as a list for the session, which the table at
 * `anchor` keeps; NULL without the field. */
static ptl_page_list* check_pages(lua_State* L, int at, int anchor, unsigned group) {
    if (ptl_lua_field(L, at, "pages") != LUA_TTABLE) {
        lua_pop(L, 1);
        return NULL;
    }
    size_t n = ptl_lua_length(L, -1);
    if (n > PTL_PAGES_MAX)
        luaL_error(L, "experiment %d: at most %d pages can be mapped", (int)group + 1, PTL_PAGES_MAX);
    ptl_page_list* list = lua_newuserdatauv(L, sizeof *list, 0);
    list->count = n;
    list->apart = ptl_lua_boolean_field(L, at, "apart", false);
    lua_rawseti(L, anchor, (lua_Integer)lua_rawlen(L, anchor) + 1);
    for (size_t i = 0; i < n; i++) {
        ptl_lua_item(L, -1, (lua_Integer)i + 1);
        lua_Integer page = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
        if (!ptl_request_page((uint64_t)page))
            luaL_error(L, "experiment %d: pages must be addresses of pages", (int)group + 1);
        list->page[i] = (uint64_t)page;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return list;
}

/* The code in a field of the table on top, which keeps it alive; NULL if there is none. */
static const uint8_t* code_field(lua_State* L, const char* name, size_t* size) {
    const uint8_t* code = NULL;
    if (ptl_lua_field(L, -1, name) == LUA_TSTRING) code = (const uint8_t*)lua_tolstring(L, -1, size);
    lua_pop(L, 1);
    return code;
}

/* Reads one kernel table at the top of the stack. */
static ptl_kernel check_kernel(lua_State* L, unsigned group) {
    size_t size = 0, ahead_size = 0;
    luaL_checktype(L, -1, LUA_TTABLE);
    const uint8_t* body = code_field(L, "bytes", &size);
    const uint8_t* ahead = code_field(L, "ahead", &ahead_size);
    if (!body) luaL_error(L, "experiment %d: a kernel's bytes must be a string", (int)group + 1);
    if (ahead_size > PTL_AHEAD_SIZE_MAX)
        luaL_error(L, "experiment %d: at most %d bytes can run ahead of a loop", (int)group + 1,
                   PTL_AHEAD_SIZE_MAX);
    int at = lua_absindex(L, -1);
    lua_Integer copies = ptl_lua_integer_field(L, at, "copies", 1);
    lua_Integer bits = ptl_lua_integer_field(L, at, "vector_bits", 256);
    if (bits < 0 || bits > 512)
        luaL_error(L, "experiment %d: vector_bits must be from 0 to 512", (int)group + 1);
    if (copies < 1 || copies > INT32_MAX || size == 0)
        luaL_error(L, "experiment %d: a kernel needs bytes and at least one copy", (int)group + 1);
    return (ptl_kernel){
        .body = body,
        .size = size,
        .copies = (unsigned)copies,
        .group = group,
        .vector_bits = (unsigned)bits,
        .keeps_stack = ptl_lua_boolean_field(L, at, "keeps_stack", false),
        .ahead = ahead,
        .ahead_size = ahead_size,
        .foreign = !ptl_lua_boolean_field(L, at, "generated", false),
        .writes = ptl_lua_boolean_field(L, at, "writes", false),
        .x87 = ptl_lua_boolean_field(L, at, "x87", false),
        .probe = ptl_lua_boolean_field(L, at, "probe", false),
    };
}

size_t ptl_lua_count_kernels(lua_State* L, int index, size_t groups) {
    size_t n = 0;
    for (size_t g = 0; g < groups; g++) {
        ptl_lua_item(L, index, (lua_Integer)g + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        size_t variants = ptl_lua_length(L, -1);
        if (variants == 0) luaL_error(L, "experiment %d has no kernel", (int)g + 1);
        n += variants;
        lua_pop(L, 1);
    }
    return n;
}

/* All kernels of a group share the pages of the first one. */
static void share_pages(lua_State* L, ptl_kernel* k, const ptl_kernel* first, int anchor) {
    ptl_page_list* own = check_pages(L, lua_gettop(L), anchor, k->group);
    if (k != first && !own != !first->pages)
        luaL_error(L, "experiment %d: all of its kernels must have pages, or none", (int)k->group + 1);
    k->pages = k == first ? own : first->pages;
}

void ptl_lua_read_kernels(lua_State* L, int index, size_t groups, int anchor, ptl_kernel* out) {
    for (size_t g = 0; g < groups; g++) {
        const ptl_kernel* first = out;
        ptl_lua_item(L, index, (lua_Integer)g + 1);
        lua_Integer variants = (lua_Integer)ptl_lua_length(L, -1);
        for (lua_Integer v = 1; v <= variants; v++, out++) {
            ptl_lua_item(L, -1, v);
            *out = check_kernel(L, (unsigned)g);
            share_pages(L, out, first, anchor);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static void push_pages(lua_State* L, const ptl_page_list* pages) {
    lua_createtable(L, (int)pages->count, 0);
    for (size_t i = 0; i < pages->count; i++)
        ptl_lua_put_integer(L, (lua_Integer)i + 1, (lua_Integer)pages->page[i]);
    lua_setfield(L, -2, "pages");
}

void ptl_lua_push_measurement(lua_State* L, const ptl_measurement* m, size_t events,
                              const ptl_kernel* kernels, const ptl_page_list* pages) {
    lua_createtable(L, 0, 8);
    ptl_lua_set_string(L, "status", ptl_bench_status_name(m->status));
    ptl_lua_set_integer(L, "n", m->accepted);
    ptl_lua_set_integer(L, "rejected", m->rejected);
    if (m->unsteady) ptl_lua_set_boolean(L, "unsteady", 1);
    if (m->low > 0) {
        lua_createtable(L, 0, 2);
        ptl_lua_set_number(L, "low", m->low);
        ptl_lua_set_number(L, "high", m->high);
        lua_setfield(L, -2, "range");
    }
    if (pages) push_pages(L, pages);
    if (pages && m->status == PTL_BENCH_MEMORY && m->fault != PTL_NO_ADDRESS)
        ptl_lua_set_integer(L, "fault", (lua_Integer)m->fault);
    if (m->status == PTL_BENCH_OK && m->cycles > 0) ptl_lua_set_number(L, "cycles", m->cycles);
    if (m->accepted) {
        ptl_lua_set_number(L, "spread", m->spread);
        ptl_lua_set_number(L, "error", m->error);
        ptl_lua_set_number(L, "share", m->share);
        if (m->slow_cycles > 0) {
            lua_createtable(L, 0, 2);
            ptl_lua_set_number(L, "cycles", m->slow_cycles);
            ptl_lua_set_number(L, "share", m->slow_share);
            lua_setfield(L, -2, "slow");
        }
        ptl_lua_set_number(L, "frequency", m->frequency);
        unsigned first = m->kernel; /* variants are numbered within their experiment, from 1 */
        while (first > 0 && kernels[first - 1].group == kernels[m->kernel].group) first--;
        ptl_lua_set_integer(L, "variant", m->kernel - first + 1);
    }
    if (m->counter > 0) ptl_lua_set_number(L, "counter_cycles", m->counter);
    if (!m->counted) return;
    ptl_lua_push_numbers(L, m->event, events);
    lua_setfield(L, -2, "counts");
}
