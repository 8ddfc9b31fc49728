/* Declares what the parts of core.anica share. */
#ifndef PTL_LUA_ANICA_BIND_H
#define PTL_LUA_ANICA_BIND_H

#include "anica/abstract.h"
#include "anica/immediate.h"
#include "anica/sampler.h"
#include "lua/bind.h"

extern const ptl_lua_class ptl_lua_domain_class, ptl_lua_abstract_class;

/* A block's machine code, decoded. */
typedef struct ptl_lua_block {
    size_t length;
    ptl_instance instances[PTL_BLOCK_LENGTH_MAX];
    uint32_t schemes[PTL_BLOCK_LENGTH_MAX]; /* PTL_NO_NAME: outside of the universe */
} ptl_lua_block;

/* A domain as Lua holds it. */
typedef struct ptl_lua_domain {
    ptl_domain* domain;
    ptl_sampler* sampler; /* NULL without a policy */
} ptl_lua_domain;

ptl_domain* ptl_lua_check_domain(lua_State* L, int index);

/* The feature with the 1-based number at index, or an argument error. */
ptl_lattice* ptl_lua_check_feature(lua_State* L, const ptl_domain* d, int index, uint8_t* feature);

/* An abstract block of this domain, or an argument error. With d NULL: of any. */
const ptl_abstract* ptl_lua_check_abstract(lua_State* L, int index, const ptl_domain* d);

/* The domain of the abstract block at index; it is pushed. */
ptl_domain* ptl_lua_push_domain_of(lua_State* L, int index);

/* The sampler of that domain, which is pushed; NULL if it has none. */
const ptl_sampler* ptl_lua_push_sampler_of(lua_State* L, int index);

/* Pushes an abstract block of the domain at index, all top. */
ptl_abstract* ptl_lua_new_abstract(lua_State* L, int domain, size_t length, size_t alias_count);

/* Decodes the string at index; 1 to 16 instructions. */
void ptl_lua_read_block(lua_State* L, int index, const ptl_domain* d, ptl_lua_block* out);

/* t[name] = {instruction, operand}, from 1, of the table on top of the stack. */
void ptl_lua_set_operand(lua_State* L, const char* name, ptl_operand_ref x);

/* The value of a node as Lua has it (see portolan.anica.domain); nil for top. */
void ptl_lua_push_node(lua_State* L, ptl_lattice* l, ptl_node node);
/* The node of the value at index, or a failure (ptl_lua_bad) if there is none; `where` is for the message. */
ptl_node ptl_lua_to_node(lua_State* L, int index, ptl_lattice* l, const char* where);

/* Methods of domains (features), of abstract blocks (order, samples; expansions). */
extern const luaL_Reg ptl_lua_feature_methods[], ptl_lua_abstract_methods[], ptl_lua_expand_methods[];

/* represent(block), top(n), decode(table), subsumers(list, list) of domains. */
int ptl_lua_anica_represent(lua_State* L);
int ptl_lua_anica_top(lua_State* L);
int ptl_lua_anica_decode(lua_State* L);
int ptl_lua_anica_subsumers(lua_State* L);

/* Appends features from the list of tables at index to the domain. */
void ptl_lua_read_features(lua_State* L, int index, ptl_domain* d);

#endif
