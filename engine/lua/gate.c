/* The gate: every call from Lua goes through it.
 *
 * While a binding runs, no code of Lua's runs, but what it calls back itself:
 *
 * - no metamethods: the tables among its arguments are copied, nested ones too, with raw access; what is
 *   shared or cyclic stays so, metatables do not come along. What the copies hold nobody else can change.
 * - no finalizers: the collector gets credit for as much memory as it can count, and owes it again at the
 *   end. (Stopping and restarting it would start a new cycle of collection with every call.) A collection in
 *   an emergency takes the credit away, so that finalizers may run after all: they find the gate shut.
 *
 * While the binding calls back, the gate is open, and the object whose method it is cannot be used. A call
 * is protected: whatever error ends it, gate and collector are as they were. What a user can cause is no
 * error for Lua: it is raised to end the binding wherever it is (ptl_lua_fail), and returned from here. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "lua/bind.h"

/* A call of ours that has called back into Lua. */
typedef struct outside {
    const void* object;
    const struct outside* next;
} outside;

/* Of this thread of the system: a Lua state runs in one at a time. */
PTL_LUA_PER_THREAD struct {
    bool shut;                /* a binding runs */
    bool credited;            /* the collector owes us */
    const outside* outsiders; /* calls that wait for a callback, newest first */
    ptl_error* error;         /* of the call at hand, and what a failure is raised as */
} gate;

static void shut(lua_State* L) {
    gate.shut = true;
    gate.credited = lua_gc(L, LUA_GCISRUNNING) == 1; /* -1 in a finalizer: no others run */
    if (gate.credited) lua_gc(L, LUA_GCSTEP, -INT_MAX);
}

static void open(lua_State* L) {
    bool credited = gate.credited;
    gate.shut = gate.credited = false;
    if (credited) lua_gc(L, LUA_GCSTEP, INT_MAX); /* finalizers may run here */
}

bool ptl_lua_in_use(const void* object) {
    const outside* o = gate.outsiders;
    while (o && o->object != object) o = o->next;
    return o != NULL;
}

int ptl_lua_callback(lua_State* L, int arguments, int results) {
    outside here = {lua_touserdata(L, 1), gate.outsiders};
    gate.outsiders = &here;
    open(L);
    int status = lua_pcall(L, arguments, results, 0);
    shut(L);
    gate.outsiders = here.next;
    return status;
}

enum { NESTED_MOST = 100, PRESIZED_MOST = 65536 };

/* Replaces the table on top of the stack by its copy. At memo: nil, or copies of nested tables by originals.
 */
static void copy_table(lua_State* L, int memo, int depth) {
    if (depth > NESTED_MOST) luaL_error(L, "a table with more than %d levels of tables", NESTED_MOST);
    luaL_checkstack(L, 10, "a table with too many levels");
    int original = lua_gettop(L);
    size_t n = lua_rawlen(L, original);
    lua_createtable(L, n < PRESIZED_MOST ? (int)n : PRESIZED_MOST, 0);
    if (depth > 0) { /* now, for cycles */
        lua_pushvalue(L, original);
        lua_pushvalue(L, original + 1);
        lua_rawset(L, memo);
    }
    for (lua_pushnil(L); lua_next(L, original); lua_rawset(L, original + 1)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2); /* key, key, value */
        if (!lua_istable(L, -1)) continue;
        if (lua_isnil(L, memo)) {
            lua_newtable(L);
            lua_replace(L, memo);
        }
        lua_pushvalue(L, -1);
        if (lua_rawget(L, memo) == LUA_TNIL) {
            lua_pop(L, 1);
            copy_table(L, memo, depth + 1);
        } else {
            lua_remove(L, -2);
        }
    }
    lua_remove(L, original);
}

static void copy_arguments(lua_State* L) {
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        if (!lua_istable(L, i)) continue;
        if (lua_gettop(L) == n) lua_pushnil(L); /* the memo of all arguments */
        lua_pushvalue(L, i);
        copy_table(L, n + 1, 0);
        lua_replace(L, i);
    }
    lua_settop(L, n);
}

ptl_error* ptl_lua_error(void) {
    return gate.error;
}

void ptl_lua_fail(lua_State* L) {
    lua_pushlightuserdata(L, gate.error);
    lua_error(L);
    __builtin_unreachable();
}

/* Pushes what the call returns after ptl_lua_fail: nil, "what (where); mend", the name of the status. */
static int push_failure(lua_State* L, const ptl_error* error) {
    char line[700];
    lua_pushnil(L);
    lua_pushstring(L, ptl_error_line(error, line, sizeof line));
    lua_pushstring(L, ptl_status_name(error->status));
    return 3;
}

static int run_as_is(lua_State* L) {
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int run(lua_State* L) {
    copy_arguments(L);
    return run_as_is(L);
}

static bool is_run(lua_State* L, lua_Debug* at) {
    lua_getinfo(L, "f", at);
    lua_CFunction f = lua_tocfunction(L, -1);
    lua_pop(L, 1);
    return f == run || f == run_as_is;
}

/* luaL_argerror does not know the name of what the gate calls: pushes its message with the name that the
 * caller used. */
static void push_named(lua_State* L, const char* message, const lua_Debug* called) {
    static const char format[] = "bad argument #%d to '?' %n";
    const char* name = called->name ? called->name : "?";
    int argument, length = 0;
    if (sscanf(message, format, &argument, &length) != 1 || !length) {
        lua_pushstring(L, message);
        return;
    }
    if (strcmp(called->namewhat, "method") == 0) argument--;
    if (argument > 0)
        lua_pushfstring(L, "bad argument #%d to '%s' %s", argument, name, message + length);
    else
        lua_pushfstring(L, "calling '%s' on bad self %s", name, message + length);
}

/* Handles messages: what a binding itself raised gets the place and the name of its call. */
static int place(lua_State* L) {
    lua_Debug raiser, called;
    if (lua_type(L, 1) != LUA_TSTRING || !lua_getstack(L, 1, &raiser) || !is_run(L, &raiser)) return 1;
    if (!lua_getstack(L, 2, &called) || !lua_getinfo(L, "n", &called)) return 1;
    luaL_where(L, 3); /* above: this one, run, the gate */
    push_named(L, lua_tostring(L, 1), &called);
    lua_concat(L, 2);
    return 1;
}

/* Lua calls this; its upvalue is the closure of run. */
static int enter(lua_State* L) {
    if (gate.shut) return luaL_error(L, "a finalizer called Portolan in the middle of another call");
    int n = lua_gettop(L);
    luaL_checkstack(L, 2, NULL);
    lua_pushcfunction(L, place);
    lua_insert(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 2);
    const outside* outsiders = gate.outsiders;
    ptl_error error, *outer = gate.error;
    gate.error = &error;
    shut(L);
    int status = lua_pcall(L, n, LUA_MULTRET, 1);
    gate.error = outer;
    gate.outsiders = outsiders;
    open(L);
    if (status == LUA_OK) return lua_gettop(L) - 1;
    return lua_touserdata(L, -1) == &error ? push_failure(L, &error) : lua_error(L);
}

/* Puts functions into the table on top, but for `own` values above it, which they share as upvalues. */
static void add(lua_State* L, const luaL_Reg* functions, lua_CFunction how, int own) {
    for (; functions->name; functions++) {
        lua_pushcfunction(L, functions->func);
        for (int k = 0; k < own; k++) lua_pushvalue(L, -1 - own);
        lua_pushcclosure(L, how, 1 + own);
        lua_pushcclosure(L, enter, 1);
        lua_setfield(L, -2 - own, functions->name);
    }
    lua_pop(L, own);
}

void ptl_lua_functions(lua_State* L, const luaL_Reg* functions) {
    add(L, functions, run, 0);
}

void ptl_lua_functions_with(lua_State* L, const luaL_Reg* functions) {
    add(L, functions, run, 1);
}

void ptl_lua_changing_functions(lua_State* L, const luaL_Reg* functions) {
    add(L, functions, run_as_is, 0);
}
