/* core.anica: abstract domains. */
#include "lua/anica_bind.h"
#include "lua/lua_isa_text.h"

/* The schemes of the names in the list at index, in memory that Lua collects, which is pushed. */
static ptl_status read_schemes(lua_State* L, int index, ptl_scheme** out, size_t* n, ptl_error* error) {
    ptl_status status = PTL_OK;
    *n = ptl_lua_length(L, index);
    *out = lua_newuserdatauv(L, (*n + 1) * sizeof **out, 0);
    for (size_t i = 0; i < *n && !status; i++) {
        if (ptl_lua_item(L, index, (lua_Integer)i + 1) != LUA_TSTRING)
            luaL_argerror(L, index, "a list of scheme names is expected");
        status = ptl_scheme_from_name(lua_tostring(L, -1), &(*out)[i], error);
        lua_pop(L, 1);
    }
    return status;
}

/* domain({scheme name, ...}, {feature, ...}[, policy for drawing blocks]) -> domain | nil, message, status. A
 * feature is {kind = "singleton" | "edit" | "log" | "subset", bound = K, values = {f(scheme), ...}}, a value
 * being a string, a number (log) or a list of strings (subset), or false if it is not known; or {kind =
 * "graph", labels = {string, ...}, successors = {{node, ...}, ...}, members = {{scheme, ...}, ...},
 * representations = {node,
 * ...}} with nodes and schemes as positions in labels and the list of schemes, 0 for top. */
static int l_domain(lua_State* L) {
    ptl_error error;
    ptl_scheme* schemes;
    size_t n;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    const ptl_policy* policy = NULL;
    if (!lua_isnil(L, 3) && !(policy = ptl_lua_to_policy(L, 3, &error))) return ptl_lua_failure(L, &error);
    if (read_schemes(L, 1, &schemes, &n, &error)) return ptl_lua_failure(L, &error);
    ptl_lua_domain* d = ptl_lua_new(L, &ptl_lua_domain_class, sizeof *d, 0);
    ptl_status status = ptl_domain_new(&d->domain, schemes, n, &error);
    if (!status) status = ptl_lua_read_features(L, 2, d->domain, &error);
    if (!status) status = ptl_domain_seal(d->domain, &error);
    if (!status && policy) status = ptl_sampler_new(&d->sampler, schemes, n, policy, &error);
    return status ? ptl_lua_failure(L, &error) : 1;
}

/* domain:index(scheme name) -> position in the universe, or nil. */
static int l_index(lua_State* L) {
    uint32_t index = ptl_domain_index(ptl_lua_check_domain(L, 1), luaL_checkstring(L, 2));
    if (index == PTL_NO_NAME) return 0;
    lua_pushinteger(L, (lua_Integer)index + 1);
    return 1;
}

static const luaL_Reg domain_methods[] = {
    {"index", l_index},
    {"represent", ptl_lua_anica_represent},
    {"top", ptl_lua_anica_top},
    {"decode", ptl_lua_anica_decode},
    {"subsumers", ptl_lua_anica_subsumers},
    {NULL, NULL},
};

static const luaL_Reg functions[] = {
    {"domain", l_domain},
    {NULL, NULL},
};

int ptl_open_anica(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_domain_class, domain_methods);
    ptl_lua_methods(L, &ptl_lua_domain_class, ptl_lua_feature_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_abstract_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_expand_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_sample_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_subsume_methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
