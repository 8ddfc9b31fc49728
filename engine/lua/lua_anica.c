/* core.anica: abstract domains. */
#include <string.h>

#include "isa/architecture.h"
#include "lua/anica_bind.h"
#include "lua/lua_isa_text.h"

/* A universe: schemes, and what the first immediate of each is like. */
typedef struct universe {
    size_t count;
    ptl_scheme* schemes;
    uint8_t* immediates;
} universe;

static ptl_status read_element(const char* name, ptl_scheme* scheme, uint8_t* immediate, ptl_error* error) {
    char plain[PTL_NAME_SIZE];
    *immediate = (uint8_t)ptl_variant_split(name, plain);
    ptl_status status = ptl_scheme_from_name(*immediate ? plain : name, scheme, error);
    if (status || !*immediate || ptl_immediate_operand(scheme) >= 0) return status;
    return ptl_fail(error, PTL_BAD_INPUT, name, "name the scheme alone", "the scheme has no immediate");
}

/* The universe of the names in the list at index, in memory that Lua collects, which is pushed. */
static ptl_status read_universe(lua_State* L, int index, universe* out, ptl_error* error) {
    ptl_status status = PTL_OK;
    size_t n = out->count = ptl_lua_length(L, index);
    out->schemes = lua_newuserdatauv(L, (n + 1) * (sizeof *out->schemes + 1), 0);
    out->immediates = (uint8_t*)(out->schemes + n + 1);
    for (size_t i = 0; i < n && !status; i++) {
        if (ptl_lua_item(L, index, (lua_Integer)i + 1) != LUA_TSTRING)
            luaL_argerror(L, index, "a list of scheme names is expected");
        status = read_element(lua_tostring(L, -1), &out->schemes[i], &out->immediates[i], error);
        lua_pop(L, 1);
    }
    return status;
}

/* The domain goes by the names of variants. It has copies of the schemes, and encodes nothing. */
static void write_names(universe* u) {
    char name[PTL_NAME_SIZE];
    for (size_t i = 0; i < u->count; i++) {
        if (ptl_variant_name(u->schemes[i].name, (ptl_immediate)u->immediates[i], name))
            memcpy(u->schemes[i].name, name, sizeof name);
    }
}

/* domain({name of a scheme or a variant, ...}, {feature, ...}[, policy for drawing blocks]) -> domain | nil,
 * message, status. Variants are named as "shl r64, imm8 = 0", "= 1", "= small" and "= wide"
 * (anica/immediate.h). A feature is {kind = "singleton" | "edit" | "log" | "subset", bound = K, values =
 * {f(scheme), ...}}, a value being a string, a number (log) or a list of strings (subset), or false if it is
 * not known; or {kind = "graph", labels = {string, ...}, successors = {{node, ...}, ...}, members = {{scheme,
 * ...}, ...}, representations = {node,
 * ...}} with nodes and schemes as positions in labels and the list of schemes, 0 for top. */
static int l_domain(lua_State* L) {
    ptl_error error;
    universe u;
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    const ptl_policy* policy = NULL;
    if (!lua_isnil(L, 3) && !(policy = ptl_lua_to_policy(L, 3, &error))) return ptl_lua_failure(L, &error);
    if (read_universe(L, 1, &u, &error)) return ptl_lua_failure(L, &error);
    ptl_lua_domain* d = ptl_lua_new(L, &ptl_lua_domain_class, sizeof *d, 0);
    ptl_status status =
        policy ? ptl_sampler_new(&d->sampler, u.schemes, u.immediates, u.count, policy, &error) : PTL_OK;
    write_names(&u);
    if (!status) status = ptl_domain_new(&d->domain, u.schemes, u.count, &error);
    if (!status) status = ptl_lua_read_features(L, 2, d->domain, &error);
    if (!status) status = ptl_domain_seal(d->domain, &error);
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
    {"variants", ptl_lua_anica_variants},
    {"variant", ptl_lua_anica_variant},
    {"elements", ptl_lua_anica_elements},
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
