/* core.isa: architectures. */
#include <stdio.h>

#include "lua/isa_bind.h"

/* An argument error with the names that there are. */
static const ptl_architecture* unknown(lua_State* L, int index, const char* name) {
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    lua_pushfstring(L, "no architecture '%s'; there are:", name);
    luaL_addvalue(&b);
    for (const ptl_architecture* const* a = ptl_architectures; *a; a++) {
        luaL_addchar(&b, ' ');
        luaL_addstring(&b, (*a)->name);
    }
    luaL_pushresult(&b);
    luaL_argerror(L, index, lua_tostring(L, -1));
    return NULL;
}

const ptl_architecture* ptl_lua_opt_architecture(lua_State* L, int index) {
    if (lua_isnoneornil(L, index)) return ptl_architecture_default();
    const char* name = luaL_checkstring(L, index);
    const ptl_architecture* a = ptl_architecture_by_name(name);
    return a ? a : unknown(L, index, name);
}

const ptl_architecture* ptl_lua_architecture_field(lua_State* L, int index) {
    if (lua_isnoneornil(L, index)) return ptl_architecture_default();
    luaL_checktype(L, index, LUA_TTABLE);
    int type = ptl_lua_field(L, index, "architecture");
    const char* name = type == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1);
    const ptl_architecture* a = type == LUA_TSTRING ? ptl_architecture_by_name(name)
                                : type == LUA_TNIL  ? ptl_architecture_default()
                                                    : NULL;
    if (!a) return unknown(L, index, name);
    lua_pop(L, 1);
    return a;
}

/* architectures() -> list of names, in the order in which names of schemes are looked up */
static int l_architectures(lua_State* L) {
    lua_newtable(L);
    for (const ptl_architecture* const* a = ptl_architectures; *a; a++) ptl_lua_add_string(L, (*a)->name);
    return 1;
}

/* sets([architecture]) -> list of the names of the catalogue's sets, list of those that are its default */
static int l_sets(lua_State* L) {
    const ptl_architecture* a = ptl_lua_opt_architecture(L, 1);
    lua_newtable(L);
    for (unsigned k = 0; a->sets[k]; k++) ptl_lua_add_string(L, a->sets[k]);
    lua_newtable(L);
    for (unsigned k = 0; a->sets[k]; k++)
        if (a->default_sets >> k & 1) ptl_lua_add_string(L, a->sets[k]);
    return 2;
}

static const luaL_Reg functions[] = {
    {"architectures", l_architectures},
    {"sets", l_sets},
    {NULL, NULL},
};

void ptl_lua_isa_architecture(lua_State* L) {
    const ptl_architecture* host = ptl_architecture_host();
    ptl_lua_functions(L, functions);
    if (host) ptl_lua_set_string(L, "host", host->name);
    ptl_lua_set_string(L, "default", ptl_architecture_default()->name);
}
