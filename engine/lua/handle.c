/* Handles: userdata with a metatable per class. A closed one gets another metatable, so that whoever checks
 * for the class learns of it, whatever closed it: a call, or the collector (Lua hands finalized objects to
 * finalizers of others). */
#include <stdlib.h>
#include <string.h>

#include "lua/bind.h"

/* Returns the key under which the registry has the metatable of a class's closed handles. */
static const void* closed_key(const ptl_lua_class* class) {
    return &class->what;
}

static bool has_metatable(lua_State* L, int index, const void* key) {
    if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return false;
    lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same;
}

void* ptl_lua_test(lua_State* L, int index, const ptl_lua_class* class) {
    return has_metatable(L, index, class) ? lua_touserdata(L, index) : NULL;
}

void* ptl_lua_check(lua_State* L, int index, const ptl_lua_class* class) {
    void* object = ptl_lua_test(L, index, class);
    if (!object && has_metatable(L, index, closed_key(class))) luaL_error(L, "%s is closed", class->what);
    if (!object) luaL_typeerror(L, index, class->name);
    if (ptl_lua_in_use(object)) luaL_error(L, "%s is in use", class->what);
    return object;
}

/* The object on top of the stack gets the metatable of the closed ones; what it owned is freed. */
static void end(lua_State* L, void* object, const ptl_lua_class* class) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, closed_key(class));
    lua_setmetatable(L, -2);
    if (class->free) class->free(object);
}

/* Closes the object at index 1, whose class is an upvalue: from now on ptl_lua_check says so. Closed ones
 * stay closed. */
static int close(lua_State* L) {
    const ptl_lua_class* class = lua_touserdata(L, PTL_LUA_OWN);
    if (has_metatable(L, 1, closed_key(class))) return 0;
    void* object = ptl_lua_check(L, 1, class);
    lua_settop(L, 1);
    end(L, object, class);
    return 0;
}

/* __gc; its upvalue is the class. */
static int collect(lua_State* L) {
    const ptl_lua_class* class = lua_touserdata(L, lua_upvalueindex(1));
    void* object = ptl_lua_test(L, 1, class);
    lua_settop(L, 1);
    if (object) end(L, object, class);
    return 0;
}

/* Puts the table on top of the stack, and under it that of closed handles, into the registry; pops them. */
static void set_metatables(lua_State* L, const ptl_lua_class* class) {
    for (int k = 0; k < 2; k++) {
        lua_pushstring(L, class->name);
        lua_setfield(L, -2, "__name");
        lua_pushboolean(L, 0);
        lua_setfield(L, -2, "__metatable"); /* nobody changes it, nor calls __gc */
        lua_rawsetp(L, LUA_REGISTRYINDEX, k ? closed_key(class) : class);
    }
}

/* Puts it under this name into the table on top. */
static void add_close(lua_State* L, const ptl_lua_class* class, const char* name) {
    const luaL_Reg function[] = {{name, close}, {NULL, NULL}};
    lua_pushlightuserdata(L, (void*)class);
    ptl_lua_functions_with(L, function);
}

static void make_class(lua_State* L, const ptl_lua_class* class) {
    lua_newtable(L);
    lua_newtable(L);
    lua_newtable(L);
    if (class->methods) ptl_lua_functions(L, class->methods);
    if (class->changing) ptl_lua_changing_functions(L, class->changing);
    if (class->close) add_close(L, class, class->close);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "__index");
    lua_setfield(L, -2, "__index");
    if (class->meta) ptl_lua_functions(L, class->meta);
    if (class->close) add_close(L, class, "__close");
    lua_pushlightuserdata(L, (void*)class);
    lua_pushcclosure(L, collect, 1);
    lua_setfield(L, -2, "__gc");
    set_metatables(L, class);
}

/* Pushes the metatable of the class. */
static void push_class(lua_State* L, const ptl_lua_class* class) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, closed_key(class)) == LUA_TNIL) make_class(L, class);
    lua_pop(L, 1);
    lua_rawgetp(L, LUA_REGISTRYINDEX, class);
}

void ptl_lua_methods(lua_State* L, const ptl_lua_class* class, const luaL_Reg* methods) {
    push_class(L, class);
    ptl_lua_field(L, -1, "__index");
    ptl_lua_functions(L, methods);
    lua_pop(L, 2);
}

void* ptl_lua_new(lua_State* L, const ptl_lua_class* class, size_t size, int user_values) {
    push_class(L, class);
    void* object = lua_newuserdatauv(L, size, user_values);
    memset(object, 0, size);
    lua_insert(L, -2);
    lua_setmetatable(L, -2);
    return object;
}

static void free_arena(void* arena) {
    ptl_arena_release(arena);
}

ptl_arena* ptl_lua_arena(lua_State* L) {
    static const ptl_lua_class class = {.name = "portolan.arena", .what = "arena", .free = free_arena};
    ptl_arena* arena = ptl_lua_new(L, &class, sizeof *arena, 0);
    *arena = PTL_ARENA_EMPTY;
    return arena;
}

static void free_memory(void* memory) {
    free(*(void**)memory);
}

void** ptl_lua_memory(lua_State* L) {
    static const ptl_lua_class class = {.name = "portolan.memory", .what = "memory", .free = free_memory};
    return ptl_lua_new(L, &class, sizeof(void*), 0);
}
