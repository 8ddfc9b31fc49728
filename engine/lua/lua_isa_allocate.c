/* core.isa: schemes and experiments to machine code (Algorithm 3.1). */
#include "isa/sequence.h"
#include "isa/stack.h"
#include "lua/isa_bind.h"

/* The scheme of this name, remembered in the table that is table of these functions (PTL_LUA_OWN). */
static const ptl_scheme* find_scheme(lua_State* L, const char* name) {
    const ptl_scheme* known =
        ptl_lua_field(L, PTL_LUA_OWN, name) == LUA_TUSERDATA ? lua_touserdata(L, -1) : NULL;
    lua_pop(L, 1);
    if (known) return known;
    ptl_scheme* scheme = lua_newuserdatauv(L, sizeof *scheme, 0);
    ptl_lua_try(L, ptl_scheme_from_name(name, scheme, ptl_lua_error()));
    lua_setfield(L, PTL_LUA_OWN, name);
    return scheme;
}

/* The layout named at index, or the policy's first one. */
static unsigned find_layout(lua_State* L, int index, const ptl_policy* policy) {
    const char* name = luaL_optstring(L, index, policy->layouts[0].name);
    int at = ptl_policy_layout(policy, name);
    if (at < 0) ptl_lua_bad(L, name, "use one of the policy's", "no such layout");
    return (unsigned)at;
}

/* One call works on this; it is in a userdata of Lua's, which collects it whatever happens. */
typedef struct body {
    size_t n, size;
    const ptl_scheme** sequence;
    ptl_instance* instances;
    uint8_t* code;
    size_t ahead_size, restore_size;
    uint8_t ahead[PTL_SETUP_SIZE], restore[PTL_SETUP_SIZE];
} body;

static body* new_body(lua_State* L, size_t n) {
    size_t bytes = sizeof(body) + n * (sizeof(ptl_scheme*) + sizeof(ptl_instance) + PTL_INSTANCE_SIZE);
    body* b = lua_newuserdatauv(L, bytes, 0);
    b->n = n;
    b->size = b->ahead_size = b->restore_size = 0;
    b->instances = (ptl_instance*)(b + 1);
    b->sequence = (const ptl_scheme**)(b->instances + n);
    b->code = (uint8_t*)(b->sequence + n);
    return b;
}

static void generate(lua_State* L, body* b, const ptl_policy* policy, unsigned layout) {
    ptl_error* error = ptl_lua_error();
    ptl_lua_try(L, ptl_allocate(b->sequence, b->n, policy, layout, b->instances, error));
    ptl_lua_try(L, ptl_setup_instances(b->instances, b->n, policy, layout, b->ahead, sizeof b->ahead,
                                       &b->ahead_size, error));
    ptl_lua_try(L, ptl_restore_instances(b->instances, b->n, policy, layout, b->restore, sizeof b->restore,
                                         &b->restore_size, error));
    ptl_lua_try(L, ptl_assemble_instances(b->instances, b->n, policy, b->code, b->n * PTL_INSTANCE_SIZE,
                                          &b->size, NULL, error));
}

static bool moves_stack(const body* b) {
    for (size_t i = 0; i < b->n; i++)
        if (ptl_scheme_moves_stack(b->sequence[i])) return true;
    return false;
}

/* `restore`: the code behind the instances of a loop body that takes back what they move; `ahead`: the code
 * that runs once ahead of the loop (isa/sequence.h), if there must be any; `keeps_stack`: the loop needs what
 * the stack pointer starts as (isa/stack.h). */
static void push_code(lua_State* L, const body* b) {
    lua_createtable(L, 0, 8);
    if (b->ahead_size) ptl_lua_set_bytes(L, "ahead", b->ahead, b->ahead_size);
    if (b->restore_size) ptl_lua_set_bytes(L, "restore", b->restore, b->restore_size);
    if (moves_stack(b)) ptl_lua_set_boolean(L, "keeps_stack", true);
    ptl_lua_set_bytes(L, "bytes", b->code, b->size);
    ptl_lua_set_integer(L, "count", (lua_Integer)b->n);
    ptl_lua_set_integer(L, "vector_bits", ptl_instances_vector_bits(b->instances, b->n));
}

/* instantiate({scheme name, ...}, policy[, layout name]) -> {bytes=, count=, vector_bits=, restore=, ahead=,
 * keeps_stack=, instructions=
 * {{scheme=, text=, bytes=, offset=}, ...}} | nil, message, status. One instance per name, in order. */
static int l_instantiate(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 3);
    lua_Integer n = (lua_Integer)ptl_lua_length(L, 1);
    luaL_argcheck(L, n <= PTL_SEQUENCE_MAX, 1, "too many schemes");
    const ptl_policy* policy = ptl_lua_to_policy(L, 2);
    unsigned layout = find_layout(L, 3, policy);
    body* b = new_body(L, (size_t)n);
    for (lua_Integer i = 0; i < n; i++) {
        const char* name = ptl_lua_text_item(L, 1, i + 1);
        luaL_argcheck(L, name, 1, "a list of scheme names is expected");
        b->sequence[i] = find_scheme(L, name);
    }
    generate(L, b, policy, layout);
    push_code(L, b);
    ptl_lua_push_instructions(L, policy->architecture, b->code, b->size);
    lua_setfield(L, -2, "instructions");
    return 1;
}

/* The experiment at index 1: the names of its schemes, sorted (the order of a Lua table is not reproducible),
 * how many there are of each, and in all. They are pushed. */
static const char** check_experiment(lua_State* L, size_t* n, unsigned** counts, size_t* length) {
    static const char expected[] = "an experiment maps scheme names to positive counts";
    luaL_checktype(L, 1, LUA_TTABLE);
    const char** names = ptl_lua_push_names(L, 1, n);
    luaL_argcheck(L, names, 1, expected);
    *counts = lua_newuserdatauv(L, (*n + 1) * sizeof **counts, 0);
    *length = 0;
    for (size_t i = 0; i < *n; i++) {
        lua_Integer count;
        luaL_argcheck(L, ptl_lua_whole_field(L, 1, names[i], &count) && count >= 1, 1, expected);
        luaL_argcheck(L, count <= PTL_SEQUENCE_MAX - (lua_Integer)*length, 1, "too many instructions");
        (*counts)[i] = (unsigned)count;
        *length += (size_t)count;
    }
    return names;
}

/* Fills the sequence of the body: the experiment's schemes, evenly interleaved. */
static void interleave(lua_State* L, const char** names, const unsigned* counts, size_t n, size_t copies,
                       body* b) {
    const ptl_scheme** schemes = lua_newuserdatauv(L, (n + 1) * sizeof *schemes, 0);
    uint16_t* order = lua_newuserdatauv(L, (b->n + 1) * sizeof *order, 0);
    for (size_t i = 0; i < n; i++) schemes[i] = find_scheme(L, names[i]);
    ptl_lua_try(L, ptl_experiment_sequence(counts, n, copies, order, ptl_lua_error()));
    for (size_t j = 0; j < b->n; j++) b->sequence[j] = schemes[order[j]];
}

/* kernel({[scheme name] = count, ...}, policy, about how many instructions[, layout name]) ->
 * {bytes=, copies= of the experiment, count= of instructions, vector_bits=, restore=, ahead=, keeps_stack=} |
 * nil, message, status */
static int l_kernel(lua_State* L) {
    size_t n, length, target = (size_t)ptl_lua_within(L, 3, 0, PTL_SEQUENCE_MAX, "out of range");
    lua_settop(L, 4);
    const ptl_policy* policy = ptl_lua_to_policy(L, 2);
    unsigned layout = find_layout(L, 4, policy);
    unsigned* counts;
    const char** names = check_experiment(L, &n, &counts, &length);
    luaL_argcheck(L, n > 0, 1, "the experiment is empty");
    size_t copies = ptl_experiment_copies(length, target);
    body* b = new_body(L, copies * length);
    interleave(L, names, counts, n, copies, b);
    generate(L, b, policy, layout);
    push_code(L, b);
    ptl_lua_set_integer(L, "copies", (lua_Integer)copies);
    return 1;
}

static const luaL_Reg functions[] = {
    {"instantiate", l_instantiate},
    {"kernel", l_kernel},
    {NULL, NULL},
};

void ptl_lua_isa_allocate(lua_State* L) {
    lua_newtable(L); /* the schemes seen so far, by name */
    ptl_lua_functions_with(L, functions);
}
