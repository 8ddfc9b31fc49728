/* Fuzzes a reader that is written in Lua: each target defines `chunk`, Lua code that returns a function(text). The function
 * may do with any text what it likes, except raise an error.
 *
 * libFuzzer cannot see which branches of Lua code a text reaches. A line hook tells it, through its extra counters: one for
 * each pair of lines that ran one after the other.
 *
 * A target of C code defines COVERAGE_OF_C: lines of Lua do not count. A target may define NEW_STATE, how it makes a Lua state,
 * and FRESH_STATES: one of its own for every text, which is closed after it.
 */
#ifndef PTL_TESTS_LUA_HARNESS_H
#define PTL_TESTS_LUA_HARNESS_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

#ifndef COVERAGE_OF_C
#define COUNTERS 8192
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

static size_t previous;

static void on_line(lua_State* state, lua_Debug* where) {
    lua_getinfo(state, "S", where);
    size_t line = ((uintptr_t)where->source >> 4) * 31 + (size_t)where->currentline * 2654435761u;
    uint8_t* counter = &counters[(line ^ previous) % COUNTERS];
    if (*counter < UINT8_MAX) ++*counter;
    previous = line >> 1;
}
#endif

static lua_State* L;

static void stop(const char* what) {
    fprintf(stderr, "%s: %s\n", what, luaL_tolstring(L, -1, NULL));
    abort();
}

#ifndef NEW_STATE
#define NEW_STATE luaL_newstate()
#endif

static void open_state(void) {
    L = NEW_STATE;
    if (!L) abort();
    luaL_openlibs(L);
    if (luaL_dostring(L, chunk)) stop("the target itself is broken");
#ifndef COVERAGE_OF_C
    lua_sethook(L, on_line, LUA_MASKLINE, 0);
#endif
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    (void)argc, (void)argv;
    open_state();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
#ifndef COVERAGE_OF_C
    previous = 0;
#endif
    lua_pushvalue(L, 1);
    lua_pushlstring(L, (const char*)bytes, size);
    if (lua_pcall(L, 1, 0, 0)) stop("an error was raised");
    lua_settop(L, 1);
#ifdef FRESH_STATES
    lua_close(L);
    open_state();
#endif
    return 0;
}

#endif
