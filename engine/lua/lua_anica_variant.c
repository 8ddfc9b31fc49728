/* core.anica: variants of schemes by what their immediate is like (anica/immediate.h). */
#include "lua/anica_bind.h"
#include "lua/isa_bind.h"
#include "lua/lua_isa_text.h"

/* Pushes the name of a variant. */
static void push_name(lua_State* L, const char* scheme, ptl_immediate immediate) {
    char name[PTL_NAME_SIZE];
    lua_pushstring(L, ptl_variant_name(scheme, immediate, name) ? name : scheme);
}

/* variants(scheme name, policy) -> list of names: the scheme's own if it has no immediate, else one for each
 * kind that the immediate can be of | nil, message, status. */
int ptl_lua_anica_variants(lua_State* L) {
    ptl_error error;
    ptl_scheme scheme;
    const ptl_policy* policy = ptl_lua_to_policy(L, 2, &error);
    if (!policy || ptl_scheme_from_name(luaL_checkstring(L, 1), &scheme, &error))
        return ptl_lua_failure(L, &error);
    unsigned kinds = ptl_immediate_kinds(&scheme, policy);
    lua_Integer n = 0;
    lua_newtable(L);
    if (!kinds) kinds = 1u << PTL_IMMEDIATE_ANY;
    for (int kind = 0; kind < PTL_IMMEDIATES; kind++) {
        if (!(kinds >> kind & 1)) continue;
        push_name(L, scheme.name, (ptl_immediate)kind);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* variant(name) -> name of the scheme, "0" | "1" | "small" | "wide" or nil. */
int ptl_lua_anica_variant(lua_State* L) {
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
int ptl_lua_anica_elements(lua_State* L) {
    size_t size, used;
    const uint8_t* bytes = (const uint8_t*)luaL_checklstring(L, 1, &size);
    const ptl_architecture* architecture = ptl_lua_opt_architecture(L, 2);
    lua_Integer n = 0;
    ptl_error error;
    lua_newtable(L);
    for (size_t at = 0; at < size; at += used) {
        ptl_instance instance;
        if (ptl_decode(architecture, bytes + at, size - at, &instance, &used, &error))
            return ptl_lua_failure(L, &error);
        push_name(L, instance.scheme.name, ptl_immediate_of(&instance));
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}
