#include "lua/bind.h"

int ptl_lua_failure(lua_State* L, const ptl_error* error) {
    char line[700];
    lua_pushnil(L);
    lua_pushstring(L, ptl_error_line(error, line, sizeof line));
    lua_pushstring(L, ptl_status_name(error->status));
    return 3;
}

static void check_table(lua_State* L, int index) {
    if (lua_istable(L, index)) return;
    if (index > 0) luaL_checktype(L, index, LUA_TTABLE);
    luaL_error(L, "a table was expected, not a %s", luaL_typename(L, index));
}

int ptl_lua_field(lua_State* L, int index, const char* name) {
    check_table(L, index);
    index = lua_absindex(L, index);
    lua_pushstring(L, name);
    return lua_rawget(L, index);
}

int ptl_lua_item(lua_State* L, int index, lua_Integer i) {
    check_table(L, index);
    return lua_rawgeti(L, index, i);
}

bool ptl_lua_whole_field(lua_State* L, int index, const char* name, lua_Integer* value) {
    int is_integer;
    ptl_lua_field(L, index, name);
    *value = lua_tointegerx(L, -1, &is_integer);
    lua_pop(L, 1);
    return is_integer;
}

lua_Integer ptl_lua_integer_item(lua_State* L, int index, lua_Integer i) {
    ptl_lua_item(L, index, i);
    lua_Integer value = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

size_t ptl_lua_length(lua_State* L, int index) {
    check_table(L, index);
    lua_Unsigned n = lua_rawlen(L, index);
    if (n > INT32_MAX) luaL_error(L, "a list of impossible length");
    return (size_t)n;
}

lua_Integer ptl_lua_within(lua_State* L, int index, lua_Integer low, lua_Integer high) {
    lua_Integer n = luaL_checkinteger(L, index);
    if (n < low || n > high) luaL_argerror(L, index, "out of range");
    return n;
}

size_t ptl_lua_check_position(lua_State* L, int index, size_t n, const char* what) {
    lua_Integer i = luaL_checkinteger(L, index);
    luaL_argcheck(L, i >= 1 && (lua_Unsigned)i <= n, index, what);
    return (size_t)i - 1;
}

static int push_field(lua_State* L, int index, const char* name) {
    if (lua_isnoneornil(L, index)) return 0;
    if (ptl_lua_field(L, index, name) != LUA_TNIL) return 1;
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

bool ptl_lua_boolean_field(lua_State* L, int index, const char* name, bool otherwise) {
    if (!push_field(L, index, name)) return otherwise;
    bool value = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return value;
}

lua_Integer ptl_lua_range_field(lua_State* L, int index, const char* name, lua_Integer otherwise,
                                lua_Integer low, lua_Integer high) {
    lua_Integer value = ptl_lua_integer_field(L, index, name, otherwise);
    if (value < low || value > high)
        luaL_argerror(L, index, lua_pushfstring(L, "option '%s' must be from %I to %I", name, low, high));
    return value;
}

unsigned ptl_lua_threads_field(lua_State* L, int index) {
    return (unsigned)ptl_lua_range_field(L, index, "threads", 0, 0, 1024);
}

void ptl_lua_set_integer(lua_State* L, const char* name, lua_Integer value) {
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

void ptl_lua_set_number(lua_State* L, const char* name, double value) {
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void ptl_lua_set_string(lua_State* L, const char* name, const char* value) {
    lua_pushstring(L, value);
    lua_setfield(L, -2, name);
}

void ptl_lua_set_boolean(lua_State* L, const char* name, bool value) {
    lua_pushboolean(L, value);
    lua_setfield(L, -2, name);
}

void ptl_lua_set_bytes(lua_State* L, const char* name, const void* bytes, size_t size) {
    lua_pushlstring(L, bytes, size);
    lua_setfield(L, -2, name);
}

void ptl_lua_put_integer(lua_State* L, lua_Integer i, lua_Integer value) {
    lua_pushinteger(L, value);
    lua_rawseti(L, -2, i);
}

void ptl_lua_put_number(lua_State* L, lua_Integer i, double value) {
    lua_pushnumber(L, value);
    lua_rawseti(L, -2, i);
}

void ptl_lua_put_string(lua_State* L, lua_Integer i, const char* value) {
    lua_pushstring(L, value);
    lua_rawseti(L, -2, i);
}

void ptl_lua_add_string(lua_State* L, const char* value) {
    ptl_lua_put_string(L, (lua_Integer)lua_rawlen(L, -1) + 1, value);
}

int ptl_lua_push_indices(lua_State* L, const size_t* indices, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) ptl_lua_put_integer(L, (lua_Integer)k + 1, (lua_Integer)indices[k] + 1);
    return 1;
}

void ptl_lua_push_numbers(lua_State* L, const double* numbers, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) ptl_lua_put_number(L, (lua_Integer)k + 1, numbers[k]);
}

void ptl_lua_push_words(lua_State* L, const uint32_t* words, size_t n) {
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) ptl_lua_put_integer(L, (lua_Integer)k + 1, words[k]);
}

int ptl_lua_done(lua_State* L, ptl_status status, const ptl_error* error) {
    if (status) return ptl_lua_failure(L, error);
    lua_pushboolean(L, 1);
    return 1;
}
