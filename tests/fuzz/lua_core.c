/* Any bytes as a program of calls of portolan.core (lua_core.lua, which is beside this file): nothing may crash, leak what is
 * not Lua's, or leave the module unusable.
 *
 * Lua's memory is bounded, and allocations fail where the program says so. Long work is ended as by Ctrl-C.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lua.h>

static const char chunk[] = "return assert(loadfile(os.getenv 'PORTOLAN_SOURCE' .. '/tests/fuzz/lua_core.lua'))(...)";

static lua_State* new_state(void);

#define NEW_STATE new_state()
#define FRESH_STATES
#define COVERAGE_OF_C
#include "lua_harness.h"

const char* __asan_default_options(void);

/* Absurd sizes get no memory, as on a machine without endless swap. */
const char* __asan_default_options(void) {
    return "allocator_may_return_null=1:max_allocation_size_mb=256";
}

enum { MEMORY = 256 << 20 };

static size_t used;
static long allowed = -1; /* allocations until some fail; negative: none will */
static long failing;      /* how many fail then */

static void* allocate(void* context, void* block, size_t old, size_t size) {
    (void)context;
    if (!block) old = 0;
    if (size == 0) {
        free(block);
        used -= old;
        return NULL;
    }
    if (size > old) {
        if (allowed == 0 && failing > 0) {
            failing--;
            return NULL;
        }
        if (allowed > 0) allowed--;
        if (used + (size - old) > MEMORY) return NULL;
    }
    void* grown = realloc(block, size);
    if (grown) used += size - old;
    return grown;
}

/* starve(after, how many): that many allocations fail after so many; starve(): none. */
static int starve(lua_State* state) {
    failing = (long)luaL_optinteger(state, 2, 0);
    allowed = (long)luaL_optinteger(state, 1, -1);
    return 0;
}

static _Atomic double began; /* of the text at hand; 0: between texts */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* As a user who has waited for long enough; a second time would end the process. */
static void* watch(void* nothing) {
    for (double told = 0;; usleep(20000)) {
        double since = atomic_load(&began);
        if (since == 0 || since == told || now() - since < 0.5) continue;
        told = since;
        kill(getpid(), SIGINT);
    }
    return nothing;
}

/* busy(boolean): the watch is on. */
static int busy(lua_State* state) {
    atomic_store(&began, lua_toboolean(state, 1) ? now() : 0);
    return 0;
}

/* The module stays loaded when a state is closed: coverage is counted by module. */
static void keep_module(void) {
    static bool kept;
    pthread_t watcher;
    if (kept) return;
    kept = true;
    char path[1024];
    const char* build = getenv("PORTOLAN_BUILD");
    snprintf(path, sizeof path, "%s/clib/portolan/core.so", build ? build : ".");
    if (!dlopen(path, RTLD_NOW)) abort();
    if (pthread_create(&watcher, NULL, watch, NULL)) abort();
}

static lua_State* new_state(void) {
    keep_module();
    used = 0;
    allowed = -1;
    lua_State* state = lua_newstate(allocate, NULL);
    if (!state) abort();
    lua_register(state, "starve", starve);
    lua_register(state, "busy", busy);
    return state;
}
