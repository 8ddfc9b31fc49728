#include "lua/bind.h"

int ptl_lua_failure(lua_State* L, const ptl_error* e) {
    char line[700];
    lua_pushnil(L);
    lua_pushstring(L, ptl_error_line(e, line, sizeof line));
    lua_pushstring(L, ptl_status_name(e->status));
    return 3;
}

static int push_field(lua_State* L, int index, const char* name) {
    if (lua_isnoneornil(L, index)) return 0;
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getfield(L, index, name) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    return 0;
}

double ptl_lua_number_field(lua_State* L, int index, const char* name, double otherwise) {
    if (!push_field(L, index, name)) return otherwise;
    int is_number;
    double value = lua_tonumberx(L, -1, &is_number);
    if (!is_number) luaL_error(L, "option '%s' must be a number", name);
    lua_pop(L, 1);
    return value;
}

lua_Integer ptl_lua_integer_field(lua_State* L, int index, const char* name, lua_Integer otherwise) {
    if (!push_field(L, index, name)) return otherwise;
    int is_integer;
    lua_Integer value = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer) luaL_error(L, "option '%s' must be a whole number", name);
    lua_pop(L, 1);
    return value;
}

int ptl_lua_boolean_field(lua_State* L, int index, const char* name, int otherwise) {
    if (!push_field(L, index, name)) return otherwise;
    int value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

size_t ptl_lua_length(lua_State* L, int index) {
    lua_Integer n = luaL_len(L, index);
    if (n < 0 || n > INT32_MAX) luaL_error(L, "a list of impossible length");
    return (size_t)n;
}

void ptl_lua_set_class(lua_State* L, const char* name, const luaL_Reg* meta, const luaL_Reg* methods) {
    if (luaL_newmetatable(L, name)) {
        luaL_setfuncs(L, meta, 0);
        lua_newtable(L);
        luaL_setfuncs(L, methods, 0);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
}
