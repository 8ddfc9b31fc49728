#include "lua/bind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/order.h"

void ptl_lua_try(lua_State* L, ptl_status status) {
    if (status) ptl_lua_fail(L);
}

void ptl_lua_bad(lua_State* L, const char* where, const char* mend, const char* fmt, ...) {
    char what[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    ptl_fail(ptl_lua_error(), PTL_BAD_INPUT, where, mend, "%s", what);
    ptl_lua_fail(L);
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

lua_Integer ptl_lua_within(lua_State* L, int index, lua_Integer low, lua_Integer high, const char* what) {
    lua_Integer n = luaL_checkinteger(L, index);
    luaL_argcheck(L, n >= low && n <= high, index, what);
    return n;
}

const char* ptl_lua_text_field(lua_State* L, int index, const char* name) {
    const char* text = ptl_lua_field(L, index, name) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

const char* ptl_lua_text_item(lua_State* L, int index, lua_Integer i) {
    const char* text = ptl_lua_item(L, index, i) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

size_t ptl_lua_check_position(lua_State* L, int index, size_t n, const char* what) {
    lua_Integer i = luaL_checkinteger(L, index);
    luaL_argcheck(L, i >= 1 && (lua_Unsigned)i <= n, index, what);
    return (size_t)i - 1;
}

const char** ptl_lua_push_names(lua_State* L, int index, size_t* count) {
    size_t n = 0;
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1), n++)
        if (lua_type(L, -2) != LUA_TSTRING) return NULL;
    const char** names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
    *count = 0;
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) names[(*count)++] = lua_tostring(L, -2);
    if (n > 1) qsort(names, n, sizeof *names, ptl_ascending_texts);
    return names;
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
                                lua_Integer low, lua_Integer high, const char* what) {
    lua_Integer value = ptl_lua_integer_field(L, index, name, otherwise);
    if (value >= low && value <= high) return value;
    if (!what) what = lua_pushfstring(L, "option '%s' must be from %I to %I", name, low, high);
    return luaL_argerror(L, index, what);
}

unsigned ptl_lua_threads_field(lua_State* L, int index) {
    return (unsigned)ptl_lua_range_field(L, index, "threads", 0, 0, 1024, NULL);
}

void ptl_lua_keep(lua_State* L, int index, int n) {
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, n);
}

int ptl_lua_integer(lua_State* L, lua_Integer value) {
    lua_pushinteger(L, value);
    return 1;
}

int ptl_lua_number(lua_State* L, double value) {
    lua_pushnumber(L, value);
    return 1;
}

int ptl_lua_boolean(lua_State* L, bool value) {
    lua_pushboolean(L, value);
    return 1;
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

void ptl_lua_append(lua_State* L) {
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

void ptl_lua_add_string(lua_State* L, const char* value) {
    lua_pushstring(L, value);
    ptl_lua_append(L);
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

int ptl_lua_done(lua_State* L, ptl_status status) {
    ptl_lua_try(L, status);
    return ptl_lua_boolean(L, true);
}
