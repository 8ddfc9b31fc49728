/* Declares what all bindings share. A binding checks arguments, calls, pushes results; nothing else.
 *
 * Whatever Lua hands over may be hostile: tables with metamethods, finalizers that close what is being read,
 * handles of the wrong kind. So there is one way in, the gate (gate.c), and one kind of handle (handle.c):
 *
 * - Functions are registered by ptl_lua_functions and ptl_lua_class only. The gate copies the tables among
 *   their arguments with raw access, keeps the collector from running finalizers, and refuses calls from
 *   within a call: no code of Lua's runs while a binding does.
 * - Tables are read with raw access (ptl_lua_field, ptl_lua_item, ptl_lua_length, lua_raw...).
 * - Lua is called back by ptl_lua_callback only: the object whose method calls is in use meanwhile.
 * - Memory of C's that must outlive a call into Lua belongs to a userdata: an error is a jump.
 *
 * tests/bindings.lua checks this. */
#ifndef PTL_LUA_BIND_H
#define PTL_LUA_BIND_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/rng.h"

/* Of a thread of the system, and there as soon as the module is: where memory for it is made at the first
 * use, the C library ends the program if there is none. */
#define PTL_LUA_PER_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

/* Returns the place where functions of the engine put the error of the call at hand. */
ptl_error* ptl_lua_error(void);

/* Ends the call, from wherever in it, with that error, which is what a user can cause: it returns nil, "what
 * (where); mend" and the name of the status. A jump, as luaL_error. */
__attribute__((noreturn)) void ptl_lua_fail(lua_State* L);

/* The same if a function of the engine failed. */
void ptl_lua_try(lua_State* L, ptl_status status);

/* The same with PTL_BAD_INPUT; the arguments are those of ptl_fail. */
__attribute__((noreturn, format(printf, 4, 5))) void ptl_lua_bad(lua_State* L, const char* where,
                                                                 const char* mend, const char* fmt, ...);

/* A kind of handle. */
typedef struct ptl_lua_class {
    const char* name;           /* of its metatable */
    const char* what;           /* for messages: "search" */
    void (*free)(void* object); /* frees what the object owns, also of one that is half made; or NULL */
    const luaL_Reg* methods;    /* or NULL */
    const luaL_Reg* changing;   /* methods that change the tables they get (see below), or NULL */
    const luaL_Reg* meta;       /* metamethods besides __gc, or NULL */
    const char* close;          /* name of the method that closes it, besides its collection; or NULL */
} ptl_lua_class;

/* Pushes an object of the class, all zero, with so many user values. */
void* ptl_lua_new(lua_State* L, const ptl_lua_class* class, size_t size, int user_values);

/* Gives the class methods that are defined above it. */
void ptl_lua_methods(lua_State* L, const ptl_lua_class* class, const luaL_Reg* methods);

/* The object at index; an error if there is none of this class, if it is closed or in use. */
void* ptl_lua_check(lua_State* L, int index, const ptl_lua_class* class);

/* The same; NULL if there is no open object of this class. */
void* ptl_lua_test(lua_State* L, int index, const ptl_lua_class* class);

/* Puts functions into the table on top of the stack. */
void ptl_lua_functions(lua_State* L, const luaL_Reg* functions);

/* The same with a table of their own on top, which they find at PTL_LUA_OWN; it is popped. */
void ptl_lua_functions_with(lua_State* L, const luaL_Reg* functions);
#define PTL_LUA_OWN lua_upvalueindex(2)

/* The same for functions that change the tables that they get: these are not copied. Raw access only! */
void ptl_lua_changing_functions(lua_State* L, const luaL_Reg* functions);

/* Like lua_pcall without a handler, for a function that a binding got as an argument. The object at index 1
 * is in use meanwhile. */
int ptl_lua_callback(lua_State* L, int arguments, int results);

/* Refuses a call by a finalizer in the middle of another call, and objects that are in use; see gate.c. */
bool ptl_lua_in_use(const void* object);

/* Pushes what owns an empty arena, and frees it in the end. */
ptl_arena* ptl_lua_arena(lua_State* L);

/* Pushes what owns a block of malloc's: *ptl_lua_block(L) = memory. */
void** ptl_lua_memory(lua_State* L);

/* The rng at a stack position, or an argument error. */
ptl_rng* ptl_lua_check_rng(lua_State* L, int index);

/* Pushes t[name], t[i] of the table at index, with raw access; their type. An error if there is no table. */
int ptl_lua_field(lua_State* L, int index, const char* name);
int ptl_lua_item(lua_State* L, int index, lua_Integer i);

/* The raw length of the list at index; an error if there is no table, or memory could not hold so many. */
size_t ptl_lua_length(lua_State* L, int index);

/* t[name] of the table at index as a whole number; false if it is none. */
bool ptl_lua_whole_field(lua_State* L, int index, const char* name, lua_Integer* value);

/* t[i] of the table at index as a whole number; 0 if it is none. */
lua_Integer ptl_lua_integer_item(lua_State* L, int index, lua_Integer i);

/* The string t[name], t[i] of the table at index, which keeps it alive; NULL if it is none. */
const char* ptl_lua_text_field(lua_State* L, int index, const char* name);
const char* ptl_lua_text_item(lua_State* L, int index, lua_Integer i);

/* Pushes a userdata with the sorted keys of the table at index: neither an order nor sums may depend on
 * hashes. NULL if a key is no string. */
const char** ptl_lua_push_names(lua_State* L, int index, size_t* count);

/* A whole number in [low, high] at a stack position; `what` is the argument error. */
lua_Integer ptl_lua_within(lua_State* L, int index, lua_Integer low, lua_Integer high, const char* what);

/* Returns which of n things the number from 1 at a stack position means, counted from 0; `what` is the
 * argument error. */
size_t ptl_lua_check_position(lua_State* L, int index, size_t n, const char* what);

/* Optional fields of an options table at index (which may be nil or none). */
double ptl_lua_number_field(lua_State* L, int index, const char* name, double otherwise);
lua_Integer ptl_lua_integer_field(lua_State* L, int index, const char* name, lua_Integer otherwise);
bool ptl_lua_boolean_field(lua_State* L, int index, const char* name, bool otherwise);

/* The same for a whole number in [low, high]; `what` is the argument error, NULL one that names all of it. */
lua_Integer ptl_lua_range_field(lua_State* L, int index, const char* name, lua_Integer otherwise,
                                lua_Integer low, lua_Integer high, const char* what);

/* The option `threads`: 0, one per processor, if left out. */
unsigned ptl_lua_threads_field(lua_State* L, int index);

/* t[name] = value, of the table on top of the stack. */
void ptl_lua_set_integer(lua_State* L, const char* name, lua_Integer value);
void ptl_lua_set_number(lua_State* L, const char* name, double value);
void ptl_lua_set_string(lua_State* L, const char* name, const char* value);
void ptl_lua_set_boolean(lua_State* L, const char* name, bool value);
void ptl_lua_set_bytes(lua_State* L, const char* name, const void* bytes, size_t size);

/* t[i] = value, the same. */
void ptl_lua_put_integer(lua_State* L, lua_Integer i, lua_Integer value);
void ptl_lua_put_number(lua_State* L, lua_Integer i, double value);
void ptl_lua_put_string(lua_State* L, lua_Integer i, const char* value);

/* Pops a value and appends it to the list that is on top then. */
void ptl_lua_append(lua_State* L);

/* Appends to the list on top of the stack. */
void ptl_lua_add_string(lua_State* L, const char* value);

/* Push what a function with one such result returns. Return 1. */
int ptl_lua_integer(lua_State* L, lua_Integer value);
int ptl_lua_number(lua_State* L, double value);
int ptl_lua_boolean(lua_State* L, bool value);

/* The value at index is user value n of the userdata on top. */
void ptl_lua_keep(lua_State* L, int index, int n);

/* Pushes n indices from 0 as a list of numbers from 1. Returns 1. */
int ptl_lua_push_indices(lua_State* L, const size_t* indices, size_t n);

/* Pushes n numbers as a list. */
void ptl_lua_push_numbers(lua_State* L, const double* numbers, size_t n);
void ptl_lua_push_words(lua_State* L, const uint32_t* words, size_t n);

/* Ends a function without results: ptl_lua_try, then true. */
int ptl_lua_done(lua_State* L, ptl_status status);

/* One subtable of portolan.core each; they leave it on the stack and return 1. */
int ptl_open_base(lua_State* L);
int ptl_open_model(lua_State* L);
int ptl_open_isa(lua_State* L);
int ptl_open_bench(lua_State* L);
int ptl_open_smt(lua_State* L);
int ptl_open_anica(lua_State* L);
int ptl_open_evo(lua_State* L);
int ptl_open_predict(lua_State* L);

#endif
