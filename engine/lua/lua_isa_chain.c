/* core.isa: chains of dependent instances to machine code. */
#include <string.h>

#include "isa/architecture.h"
#include "isa/chain.h"
#include "isa/sequence.h"
#include "lua/isa_bind.h"

enum { TARGET_MAX = 1000 }; /* links of a body: room for what cuts dependencies is taken for all of them */

/* One call works on this; it is in a userdata of Lua's, which collects it whatever happens. */
typedef struct job {
    ptl_link links[PTL_LINKS_MAX];
    ptl_scheme schemes[PTL_LINKS_MAX];
    ptl_chain chain;
    size_t code_capacity;
    uint8_t* code;
} job;

/* The text in field `name` of the table on top, or an argument error. */
static const char* text_field(lua_State* L, const char* name) {
    const char* text = ptl_lua_text_field(L, -1, name);
    luaL_argcheck(L, text, 1, "a link is {scheme = name, from = place, to = place}");
    return text;
}

/* Reads the link on top of the stack. */
static void read_link(lua_State* L, ptl_link* link, ptl_scheme* scheme) {
    luaL_argcheck(L, lua_istable(L, -1), 1, "a list of links is expected");
    const char *name = text_field(L, "scheme"), *from = text_field(L, "from"), *to = text_field(L, "to");
    *link = (ptl_link){.scheme = scheme, .same = ptl_lua_boolean_field(L, -1, "same", false)};
    ptl_lua_try(L, ptl_scheme_from_name(name, scheme, ptl_lua_error()));
    ptl_lua_try(L, ptl_place_find(scheme, from, &link->from, ptl_lua_error()));
    ptl_lua_try(L, ptl_place_find(scheme, to, &link->to, ptl_lua_error()));
}

static job* new_job(lua_State* L, size_t links, size_t rounds) {
    size_t instances = links * rounds * (PTL_CUTS_MAX + 1 + PTL_BEHIND_MAX);
    size_t code = instances * PTL_INSTRUCTION_MAX + PTL_SETUP_SIZE;
    job* j = lua_newuserdatauv(L, sizeof *j + instances * sizeof(ptl_instance) + code, 0);
    j->chain.body = (ptl_instance*)(j + 1);
    j->code = (uint8_t*)(j->chain.body + instances);
    j->code_capacity = code;
    return j;
}

/* {scheme name = how many of it a round has to cut dependencies} */
static void push_cuts(lua_State* L, const ptl_chain* c, size_t links) {
    lua_newtable(L);
    for (size_t i = 0; i < c->each; i++) {
        bool is_link = false;
        for (size_t k = 0; k < links; k++) is_link |= c->position[k] == i;
        if (is_link) continue;
        const char* name = c->body[i].scheme.name;
        ptl_lua_set_integer(L, name, ptl_lua_integer_field(L, -1, name, 0) + 1);
    }
}

/* The links that read further flags with the carrier, as a list of their numbers; nothing if there are none.
 */
static void set_together(lua_State* L, const ptl_chain* c, size_t links) {
    size_t together[PTL_LINKS_MAX], n = 0;
    for (size_t k = 0; k < links; k++)
        if (c->together[k]) together[n++] = k;
    if (n == 0) return;
    ptl_lua_push_indices(L, together, n);
    lua_setfield(L, -2, "together");
}

/* Field `name`: code behind the first `begun` bytes of j->code, and these. */
static void set_code(lua_State* L, job* j, const char* name, size_t begun, const ptl_instance* list,
                     size_t n) {
    size_t size = 0;
    ptl_lua_try(L, ptl_assemble_instances(list, n, NULL, j->code + begun, j->code_capacity - begun, &size,
                                          NULL, ptl_lua_error()));
    ptl_lua_set_bytes(L, name, j->code, begun + size);
}

/* Sets what runs once: what registers and memory of the architecture need, then what the chain needs. */
static void set_ahead(lua_State* L, job* j, const ptl_policy* policy) {
    const ptl_chain* c = &j->chain;
    const ptl_chain_rules* rules = policy->architecture->chains;
    size_t begun = 0;
    if (rules->setup)
        ptl_lua_try(
            L, rules->setup(c->body, c->count, policy, j->code, PTL_SETUP_SIZE, &begun, ptl_lua_error()));
    set_code(L, j, "ahead", begun, c->ahead, c->ahead_count);
}

/* chain({{scheme = name, from = place, to = place, same = boolean}, ...}, policy, about how many
 * links, up to 1000)
 * -> {bytes =, ahead = code that runs once ahead of the loop, copies = rounds in it, count = instructions,
 * vector_bits =, cuts = {scheme name = count a round}, together = numbers of links that read further flags
 * with the carrier, or nil} | nil, message, status. At least two rounds. */
int ptl_lua_isa_chain(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer target = ptl_lua_within(L, 3, 0, TARGET_MAX, "out of range");
    lua_settop(L, 3);
    size_t n = ptl_lua_length(L, 1);
    luaL_argcheck(L, n >= 1 && n <= PTL_LINKS_MAX, 1, "a chain has from 1 to 32 links");
    const ptl_policy* policy = ptl_lua_to_policy(L, 2);
    size_t rounds = (size_t)target / n > 2 ? (size_t)target / n : 2;
    job* j = new_job(L, n, rounds);
    for (size_t k = 0; k < n; k++) {
        ptl_lua_item(L, 1, (lua_Integer)k + 1);
        read_link(L, &j->links[k], &j->schemes[k]);
        lua_pop(L, 1);
    }
    ptl_lua_try(L, ptl_chain_build(j->links, n, rounds, policy, &j->chain, ptl_lua_error()));
    lua_createtable(L, 0, 6);
    set_code(L, j, "bytes", 0, j->chain.body, j->chain.count);
    set_ahead(L, j, policy);
    push_cuts(L, &j->chain, n);
    lua_setfield(L, -2, "cuts");
    set_together(L, &j->chain, n);
    ptl_lua_set_integer(L, "copies", (lua_Integer)rounds);
    ptl_lua_set_integer(L, "count", (lua_Integer)j->chain.count);
    ptl_lua_set_integer(L, "vector_bits", ptl_instances_vector_bits(j->chain.body, j->chain.count));
    return 1;
}
