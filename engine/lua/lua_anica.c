/* core.anica: abstract domains; variants of schemes by what their immediate is like (anica/immediate.h). */
#include <string.h>

#include "isa/architecture.h"
#include "lua/anica_bind.h"
#include "lua/isa_bind.h"

/* A universe: schemes, and what the first immediate of each is like. */
typedef struct universe {
    size_t count;
    ptl_scheme* schemes;
    uint8_t* immediates;
} universe;

static void read_element(lua_State* L, const char* name, ptl_scheme* scheme, uint8_t* immediate) {
    char plain[PTL_NAME_SIZE];
    *immediate = (uint8_t)ptl_variant_split(name, plain);
    ptl_lua_try(L, ptl_scheme_from_name(*immediate ? plain : name, scheme, ptl_lua_error()));
    if (*immediate && ptl_immediate_operand(scheme) < 0)
        ptl_lua_bad(L, name, "name the scheme alone", "the scheme has no immediate");
}

/* The universe of the names in the list at index, in memory that Lua collects, which is pushed. */
static universe read_universe(lua_State* L, int index) {
    universe u = {.count = ptl_lua_length(L, index)};
    u.schemes = lua_newuserdatauv(L, (u.count + 1) * (sizeof *u.schemes + 1), 0);
    u.immediates = (uint8_t*)(u.schemes + u.count + 1);
    for (size_t i = 0; i < u.count; i++) {
        const char* name = ptl_lua_text_item(L, index, (lua_Integer)i + 1);
        luaL_argcheck(L, name, index, "a list of scheme names is expected");
        read_element(L, name, &u.schemes[i], &u.immediates[i]);
    }
    return u;
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
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    const ptl_policy* policy = lua_isnil(L, 3) ? NULL : ptl_lua_to_policy(L, 3);
    universe u = read_universe(L, 1);
    ptl_lua_domain* d = ptl_lua_new(L, &ptl_lua_domain_class, sizeof *d, 0);
    int self = lua_gettop(L);
    if (policy)
        ptl_lua_try(L,
                    ptl_sampler_new(&d->sampler, u.schemes, u.immediates, u.count, policy, ptl_lua_error()));
    write_names(&u);
    ptl_lua_try(L, ptl_domain_new(&d->domain, u.schemes, u.count, ptl_lua_error()));
    ptl_lua_read_features(L, 2, d->domain);
    ptl_lua_try(L, ptl_domain_seal(d->domain, ptl_lua_error()));
    lua_settop(L, self);
    return 1;
}

/* domain:index(scheme name) -> position in the universe, or nil. */
static int l_index(lua_State* L) {
    uint32_t index = ptl_domain_index(ptl_lua_check_domain(L, 1), luaL_checkstring(L, 2));
    if (index == PTL_NO_NAME) return 0;
    return ptl_lua_integer(L, (lua_Integer)index + 1);
}

/* Pushes the name of a variant. */
static void push_name(lua_State* L, const char* scheme, ptl_immediate immediate) {
    char name[PTL_NAME_SIZE];
    lua_pushstring(L, ptl_variant_name(scheme, immediate, name) ? name : scheme);
}

/* variants(scheme name, policy) -> list of names: the scheme's own if it has no immediate, else one for each
 * kind that the immediate can be of | nil, message, status. */
static int l_variants(lua_State* L) {
    ptl_scheme scheme;
    const ptl_policy* policy = ptl_lua_to_policy(L, 2);
    ptl_lua_try(L, ptl_scheme_from_name(luaL_checkstring(L, 1), &scheme, ptl_lua_error()));
    unsigned kinds = ptl_immediate_kinds(&scheme, policy);
    lua_newtable(L);
    if (!kinds) kinds = 1u << PTL_IMMEDIATE_ANY;
    for (int kind = 0; kind < PTL_IMMEDIATES; kind++) {
        if (!(kinds >> kind & 1)) continue;
        push_name(L, scheme.name, (ptl_immediate)kind);
        ptl_lua_append(L);
    }
    return 1;
}

/* variant(name) -> name of the scheme, "0" | "1" | "small" | "wide" or nil. */
static int l_variant(lua_State* L) {
    char scheme[PTL_NAME_SIZE];
    const char* name = luaL_checkstring(L, 1);
    ptl_immediate immediate = ptl_variant_split(name, scheme);
    if (immediate == PTL_IMMEDIATE_ANY) {
        lua_pushvalue(L, 1);
        return 1;
    }
    lua_pushstring(L, scheme);
    lua_pushstring(L, ptl_immediate_name(immediate));
    return 2;
}

/* elements(machine code[, architecture]) -> list of the variant of each instruction | nil, message, status.
 */
static int l_elements(lua_State* L) {
    size_t size, used;
    const uint8_t* bytes = (const uint8_t*)luaL_checklstring(L, 1, &size);
    const ptl_architecture* architecture = ptl_lua_opt_architecture(L, 2);
    lua_newtable(L);
    for (size_t at = 0; at < size; at += used) {
        ptl_instance instance;
        ptl_lua_try(L, ptl_decode(architecture, bytes + at, size - at, &instance, &used, ptl_lua_error()));
        push_name(L, instance.scheme.name, ptl_immediate_of(&instance));
        ptl_lua_append(L);
    }
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
    {"domain", l_domain}, {"variants", l_variants}, {"variant", l_variant}, {"elements", l_elements},
    {NULL, NULL},
};

int ptl_open_anica(lua_State* L) {
    ptl_lua_methods(L, &ptl_lua_domain_class, domain_methods);
    ptl_lua_methods(L, &ptl_lua_domain_class, ptl_lua_feature_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_abstract_methods);
    ptl_lua_methods(L, &ptl_lua_abstract_class, ptl_lua_expand_methods);
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    return 1;
}
