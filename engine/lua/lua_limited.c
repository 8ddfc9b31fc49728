/* core.base.limited: runs Lua code that came from a file, for a limited time and with limited memory.
 *
 * The time is what this thread has worked: on a busy machine code that ends would else be said to loop for
 * ever. It is looked at by a hook that counts instructions, so a single call of C code (a pattern that
 * backtracks) is not ended early. It begins with the first look: most calls are over before that, and to look
 * takes longer than they do. Once the time is up the hook raises its error with every instruction: a
 * loop around pcall does not outlive it. The memory is Lua's own: while the code runs, a stand-in for the
 * allocator counts what it takes.
 */
#include <stddef.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "lua/base.h"

enum { INSTRUCTIONS = 10000 }; /* between two looks at the clock */

typedef enum { WITHIN, TOO_LONG, INTERRUPTED } verdict;

typedef struct limits {
    struct limits* outer;     /* of the call around this one */
    double seconds, deadline; /* 0: not looked at yet */
    lua_Alloc allocate;       /* what was in place before, as the hook */
    void* allocator;
    lua_Hook hook;
    int mask, count;
    ptrdiff_t used, most; /* bytes */
    verdict verdict;
} limits;

static const char key = 0; /* registry[&key]: the innermost limits that are in force */

static limits* current(lua_State* L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &key);
    limits* l = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return l;
}

static void set_current(lua_State* L, limits* l) {
    lua_pushlightuserdata(L, l);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

static void* allocate(void* context, void* block, size_t old, size_t new) {
    limits* l = context;
    ptrdiff_t more = (ptrdiff_t) new - (block ? (ptrdiff_t)old : 0);
    if (more > 0 && l->used + more > l->most) return NULL;
    void* result = l->allocate(l->allocator, block, old, new);
    if (result || new == 0) l->used += more;
    return result;
}

/* Is the time of these limits, or of those around them, up? */
static bool is_late(limits* l) {
    double now = ptl_worked();
    bool late = false;
    for (; l; l = l->outer) {
        if (l->deadline == 0) l->deadline = now + l->seconds;
        late = late || now > l->deadline;
    }
    return late;
}

static void look(lua_State* L, lua_Debug* event) {
    limits* l = current(L);
    if (!l) return;
    if (event->event != LUA_HOOKCOUNT) {
        if (l->hook && (l->mask & (1 << event->event))) l->hook(L, event);
        return;
    }
    if (l->verdict == WITHIN && ptl_interrupted()) l->verdict = INTERRUPTED;
    if (l->verdict == WITHIN && is_late(l)) l->verdict = TOO_LONG;
    if (l->verdict == WITHIN) return;
    lua_sethook(L, look, LUA_MASKCOUNT, 1);
    luaL_error(L, "the time is up");
}

static void begin(lua_State* L, limits* l) {
    l->outer = current(L);
    l->hook = lua_gethook(L), l->mask = lua_gethookmask(L), l->count = lua_gethookcount(L);
    l->allocate = lua_getallocf(L, &l->allocator);
    set_current(L, l);
    lua_setallocf(L, allocate, l);
    lua_sethook(L, look, LUA_MASKCOUNT | (l->hook == look ? 0 : l->mask), INSTRUCTIONS);
}

static void end(lua_State* L, const limits* l) {
    lua_setallocf(L, l->allocate, l->allocator);
    lua_sethook(L, l->hook, l->mask, l->count);
    set_current(L, l->outer);
}

/* Puts why the call failed in the place of its error, which is on top, if a limit was the reason. */
static void explain(lua_State* L, int status, verdict v, ptrdiff_t most) {
    if (v == INTERRUPTED) {
        lua_pushliteral(L, "interrupted");
    } else if (v == TOO_LONG) {
        lua_pushliteral(L, "it takes too long; does it loop for ever?");
    } else if (status == LUA_ERRMEM) {
        lua_pushfstring(L, "it needs more than %d MiB of memory", (int)(most >> 20));
    } else {
        return;
    }
    lua_replace(L, -2);
}

/* limited(seconds, bytes, f, ...) -> true, what f returns; or false and the error: f's own, or the limit that
 * it exceeded. */
int ptl_lua_limited(lua_State* L) {
    limits l = {.seconds = luaL_checknumber(L, 1), .most = (ptrdiff_t)luaL_checkinteger(L, 2)};
    luaL_checktype(L, 3, LUA_TFUNCTION);
    luaL_checkstack(L, 4, "arguments");
    begin(L, &l);
    int status = ptl_lua_callback(L, lua_gettop(L) - 3, LUA_MULTRET);
    end(L, &l);
    if (status == LUA_OK && l.verdict == WITHIN) {
        lua_pushboolean(L, 1);
        lua_replace(L, 2);
        return lua_gettop(L) - 1;
    }
    if (status == LUA_OK) lua_pushnil(L); /* it caught the error and went on */
    explain(L, status, l.verdict, l.most);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}
