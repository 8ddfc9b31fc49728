/* core.model: batches of experiments, for one mapping and for populations. */
#include <string.h>

#include "lua/model.h"
#include "model/batch_mappings.h"

static const ptl_lua_class batch_class;

/* Experiments over the schemes of the mapping they were read for: its user value. */
static ptl_batch* check_batch(lua_State* L, int index) {
    return ptl_lua_check(L, index, &batch_class);
}

static void free_batch(void* object) {
    ptl_batch_free(object);
}

static int l_size(lua_State* L) {
    return ptl_lua_integer(L, (lua_Integer)check_batch(L, 1)->size);
}

static const luaL_Reg meta[] = {{"__len", l_size}, {NULL, NULL}};

static const ptl_lua_class batch_class = {
    .name = "portolan.batch", .what = "batch", .free = free_batch, .meta = meta};

/* core.model.batch(mapping, {experiment, ...}) -> batch | nil, message, status. */
int ptl_lua_model_batch(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    ptl_batch* b = ptl_lua_new(L, &batch_class, sizeof *b, 1);
    *b = PTL_BATCH_EMPTY;
    ptl_lua_keep(L, 1, 1);
    lua_Integer n = (lua_Integer)ptl_lua_length(L, 2);
    for (lua_Integer i = 1; i <= n; i++) {
        ptl_lua_item(L, 2, i);
        ptl_lua_read_experiment(L, -1, m, 1);
        ptl_lua_try(L, ptl_batch_add(b, &m->experiment, ptl_lua_error()));
        lua_pop(L, 1);
    }
    return 1;
}

static ptl_kernel kernel_option(lua_State* L, int options) {
    ptl_kernel k = PTL_KERNEL_AUTO;
    if (lua_isnoneornil(L, options)) return k;
    luaL_checktype(L, options, LUA_TTABLE);
    if (ptl_lua_field(L, options, "kernel") != LUA_TNIL) k = ptl_kernel_named(luaL_checkstring(L, -1));
    if (k == PTL_KERNEL_COUNT) luaL_error(L, "option 'kernel' must be auto, scalar, avx2 or avx512");
    lua_pop(L, 1);
    return k;
}

/* Experiments of a batch are numbers of schemes: the other mapping must number the same schemes alike. */
static void check_schemes(lua_State* L, int batch, const ptl_mapping* m) {
    lua_getiuservalue(L, batch, 1);
    const ptl_mapping* own = &ptl_lua_check_mapping(L, -1)->mapping;
    bool same = own == m || own->scheme_count == m->scheme_count;
    for (size_t i = 0; same && own != m && i < m->scheme_count; i++)
        same = !strcmp(own->schemes[i].name, m->schemes[i].name);
    if (!same) luaL_error(L, "the batch was read for a mapping with other schemes");
    lua_pop(L, 1);
}

/* m:throughputs(batch[, {kernel=}]) -> list of inverse throughputs in cycles | nil, message, status. The
 * kernel is "auto", "scalar", "avx2" or "avx512" (kernel.h). */
int ptl_lua_model_throughputs(lua_State* L) {
    const ptl_mapping* m = &ptl_lua_check_mapping(L, 1)->mapping;
    const ptl_batch* b = check_batch(L, 2);
    ptl_kernel kernel = kernel_option(L, 3);
    check_schemes(L, 2, m);
    double* cycles = lua_newuserdatauv(L, (b->size + 1) * sizeof *cycles, 0);
    ptl_port_sets sets = PTL_PORT_SETS_EMPTY;
    ptl_load_tree tree = PTL_LOAD_TREE_EMPTY;
    ptl_status s = ptl_port_sets_unions(&sets, m, ptl_lua_error());
    if (!s) s = ptl_load_tree_fill(&tree, &sets, m, ptl_lua_error());
    if (!s) s = ptl_batch_run(b, &tree, kernel, cycles, ptl_lua_error());
    ptl_load_tree_free(&tree);
    ptl_port_sets_free(&sets);
    ptl_lua_try(L, s);
    ptl_batch_keep_busy(b, m, cycles);
    ptl_lua_push_numbers(L, cycles, b->size);
    return 1;
}

typedef struct matrix {
    double* cycles;
    size_t columns;
} matrix;

static void collect(void* context, size_t i, const double* cycles) {
    const matrix* m = context;
    memcpy(m->cycles + i * m->columns, cycles, m->columns * sizeof *cycles);
}

/* core.model.population({mapping, ...}, batch[, {threads=, kernel=}]) -> for each mapping the list that
 * m:throughputs(batch) gives | nil, message, status. threads: 0, one per processor, if left out. */
int ptl_lua_model_population(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    const ptl_batch* b = check_batch(L, 2);
    ptl_kernel kernel = kernel_option(L, 3);
    unsigned threads = ptl_lua_threads_field(L, 3);
    size_t n = ptl_lua_length(L, 1);
    const ptl_mapping** mappings = lua_newuserdatauv(L, (n + 1) * sizeof *mappings, 0);
    for (size_t i = 0; i < n; i++) {
        ptl_lua_item(L, 1, (lua_Integer)i + 1);
        mappings[i] = &ptl_lua_check_mapping(L, -1)->mapping; /* stays in the caller's list */
        check_schemes(L, 2, mappings[i]);
        lua_pop(L, 1);
    }
    if (b->size && n > SIZE_MAX / sizeof(double) / b->size) return luaL_error(L, "too many results");
    matrix result = {lua_newuserdatauv(L, (n * b->size + 1) * sizeof(double), 0), b->size};
    ptl_pool* pool;
    ptl_lua_try(L, ptl_pool_new(&pool, threads, ptl_lua_error()));
    ptl_status s = ptl_batch_mappings_run(pool, mappings, n, b, kernel, collect, &result, ptl_lua_error());
    ptl_pool_free(pool);
    ptl_lua_try(L, s);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        ptl_lua_push_numbers(L, result.cycles + i * b->size, b->size);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* core.model.kernels() -> list of the names of the kernels that this processor can run, slowest first. */
int ptl_lua_model_kernels(lua_State* L) {
    lua_newtable(L);
    for (ptl_kernel k = PTL_KERNEL_SCALAR; k < PTL_KERNEL_COUNT; k++)
        if (ptl_kernel_of(k)) ptl_lua_add_string(L, ptl_kernel_of(k)->name);
    return 1;
}
