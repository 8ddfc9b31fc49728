/* core.evo: what PMEvo has to explain, as Lua holds it; mappings as text. */
#include "evo/text.h"
#include "lua/evo.h"

static void free_problem(void* object) {
    ptl_evo_problem_free(object);
}

const ptl_lua_class ptl_lua_problem_class = {
    .name = "portolan.evo.problem", .what = "problem", .free = free_problem};

const ptl_evo_problem* ptl_lua_check_evo_problem(lua_State* L, int index) {
    return ptl_lua_check(L, index, &ptl_lua_problem_class);
}

void ptl_lua_push_evo_text(lua_State* L, const ptl_evo_usage* usages, size_t schemes) {
    luaL_Buffer b;
    char* out = luaL_buffinitsize(L, &b, ptl_evo_text_size(usages, schemes));
    luaL_pushresultsize(&b, ptl_evo_text_write(usages, schemes, out));
}

ptl_evo_usage* ptl_lua_read_evo_text(lua_State* L, int index, const ptl_evo_problem* p, bool whole) {
    const char* text = luaL_checkstring(L, index);
    ptl_evo_usage* usages = lua_newuserdatauv(L, p->schemes * sizeof *usages, 0);
    ptl_error error;
    if (ptl_evo_text_read(p, text, whole, usages, ptl_lua_error())) luaL_argerror(L, index, error.what);
    return usages;
}
