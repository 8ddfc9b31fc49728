/* core.isa.policy: the table of arch/NAME/policy.lua as a ptl_policy. */
#include <stdio.h>
#include <string.h>

#include "lua/isa_bind.h"

static const ptl_lua_class policy_class = {.name = "portolan.isa.policy", .what = "policy"};

/* Everything below reports through here; `field` is the path of what is wrong. */
__attribute__((noreturn)) static void wrong(lua_State* L, const char* field, const char* mend,
                                            const char* name) {
    ptl_lua_bad(L, field, mend, "the policy has a wrong value '%.40s'", name ? name : "?");
}

/* Pushes t[name]; how long it is as a list, 0 if it is no table. */
static lua_Integer push_list(lua_State* L, int index, const char* name) {
    return ptl_lua_field(L, index, name) == LUA_TTABLE ? (lua_Integer)ptl_lua_length(L, -1) : 0;
}

/* The register at the top of the stack by its name; pops it. */
static uint8_t pop_register(lua_State* L, const ptl_architecture* a, ptl_file file, const char* field) {
    size_t length = 0;
    const char* name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    unsigned number, r = name ? a->register_number(name, length) : 0;
    if (!r || ptl_register_place(a, r, &number) != file) {
        char mend[80];
        snprintf(mend, sizeof mend, "write names of its registers, like %s",
                 ptl_file_register_name(a, file, 1));
        wrong(L, field, mend, name);
    }
    lua_pop(L, 1);
    return (uint8_t)number;
}

/* The list of registers in field `name` of the table on top; a missing one is empty. */
static void read_registers(lua_State* L, const ptl_architecture* a, ptl_file file, const char* name,
                           ptl_register_set* set) {
    lua_Integer n = push_list(L, -1, name);
    for (lua_Integer i = 1; i <= n; i++) {
        ptl_lua_item(L, -1, i);
        uint8_t number = pop_register(L, a, file, name);
        if (set->count == 32) wrong(L, name, "use each register once", "...");
        set->numbers[set->count++] = number;
    }
    lua_pop(L, 1);
}

static void read_file(lua_State* L, ptl_file file, ptl_policy* policy) {
    const ptl_architecture* a = policy->architecture;
    for (int use = 0; use < PTL_USES; use++)
        read_registers(L, a, file, ptl_use_name((ptl_use)use), &policy->sets[file][use]);
    ptl_register_set reserved = {0};
    read_registers(L, a, file, "reserved", &reserved);
    for (unsigned i = 0; i < reserved.count; i++) policy->reserved[file] |= 1u << reserved.numbers[i];
}

static void read_files(lua_State* L, int index, ptl_policy* policy) {
    if (ptl_lua_field(L, index, "registers") != LUA_TTABLE)
        wrong(L, "registers", "it is a table", "registers");
    for (int file = 0; file < PTL_FILES; file++) {
        if (ptl_lua_field(L, -1, ptl_file_name((ptl_file)file)) == LUA_TTABLE)
            read_file(L, (ptl_file)file, policy);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* A whole number within [0, 2^20] in field `name` of the table on top. */
static uint32_t read_number(lua_State* L, const char* name) {
    lua_Integer n;
    if (!ptl_lua_whole_field(L, -1, name, &n) || n < 0 || n > 1 << 20)
        wrong(L, name, "write a number of bytes", name);
    return (uint32_t)n;
}

static void read_memory(lua_State* L, int index, ptl_policy* policy) {
    const ptl_architecture* a = policy->architecture;
    if (ptl_lua_field(L, index, "memory") != LUA_TTABLE) wrong(L, "memory", "it is a table", "memory");
    ptl_lua_field(L, -1, "base");
    policy->memory_base = pop_register(L, a, PTL_FILE_GPR, "memory.base");
    policy->memory_bytes = read_number(L, "bytes");
    ptl_lua_field(L, index, "vector_index");
    policy->vector_index = pop_register(L, a, PTL_FILE_VECTOR, "vector_index");
    lua_pop(L, 1);
}

static void read_range(lua_State* L, const char* name, ptl_range* range) {
    if (ptl_lua_field(L, -1, name) != LUA_TTABLE)
        wrong(L, "layouts", "give each a read, written, updated range", name);
    range->first = read_number(L, "first");
    range->bytes = read_number(L, "bytes");
    range->stride = read_number(L, "stride");
    lua_pop(L, 1);
}

static void read_layout(lua_State* L, ptl_layout* layout) {
    if (!lua_istable(L, -1)) wrong(L, "layouts", "it is a list of tables", NULL);
    const char* name = ptl_lua_text_field(L, -1, "name");
    size_t length = name ? strlen(name) : 0;
    if (length == 0 || length >= sizeof layout->name)
        wrong(L, "layouts", "name each layout in at most 23 characters", NULL);
    memcpy(layout->name, name, length + 1);
    for (int use = 0; use < PTL_USES; use++) read_range(L, ptl_use_name((ptl_use)use), &layout->ranges[use]);
}

static void read_layouts(lua_State* L, int index, ptl_policy* policy) {
    lua_Integer n = push_list(L, index, "layouts");
    if (n > PTL_LAYOUTS_MAX) wrong(L, "layouts", "declare at most 8", "layouts");
    for (lua_Integer i = 1; i <= n; i++) {
        ptl_lua_item(L, -1, i);
        read_layout(L, &policy->layouts[policy->layout_count++]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static unsigned mnemonic_at(lua_State* L, const ptl_architecture* a, int index, const char* field) {
    size_t length = 0;
    const char* name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    unsigned mnemonic = name ? a->mnemonic_number(name, length) : 0;
    if (!mnemonic) wrong(L, field, "write mnemonics", name);
    return mnemonic;
}

static void read_merging(lua_State* L, int index, ptl_policy* policy) {
    lua_Integer n = push_list(L, index, "merging");
    for (lua_Integer i = 1; i <= n; i++) {
        ptl_lua_item(L, -1, i);
        unsigned mnemonic = mnemonic_at(L, policy->architecture, -1, "merging");
        policy->merging[mnemonic / 8] |= (uint8_t)(1u << mnemonic % 8);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void read_immediates(lua_State* L, int index, ptl_policy* policy) {
    bool given = ptl_lua_field(L, index, "immediates") == LUA_TTABLE;
    if (given) lua_pushnil(L);
    for (; given && lua_next(L, -2); lua_pop(L, 1)) {
        unsigned mnemonic = mnemonic_at(L, policy->architecture, -2, "immediates");
        if (policy->immediate_count == PTL_IMMEDIATES_MAX || !lua_isinteger(L, -1))
            wrong(L, "immediates", "at most 64 whole numbers by mnemonic", lua_tostring(L, -2));
        policy->immediates[policy->immediate_count].mnemonic = (uint16_t)mnemonic;
        policy->immediates[policy->immediate_count++].value = lua_tointeger(L, -1);
    }
    lua_pop(L, 1);
}

/* Pushes a policy compiled from the table at index. */
static const ptl_policy* push_policy(lua_State* L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    ptl_policy* policy = ptl_lua_new(L, &policy_class, sizeof *policy, 0);
    policy->architecture = ptl_lua_architecture_field(L, index);
    policy->lend = ptl_lua_boolean_field(L, index, "lend", false);
    read_files(L, index, policy);
    read_memory(L, index, policy);
    read_layouts(L, index, policy);
    read_merging(L, index, policy);
    read_immediates(L, index, policy);
    ptl_lua_try(L, ptl_policy_check(policy, ptl_lua_error()));
    return policy;
}

const ptl_policy* ptl_lua_to_policy(lua_State* L, int index) {
    const ptl_policy* policy = ptl_lua_test(L, index, &policy_class);
    return policy ? policy : push_policy(L, index);
}

/* policy(table) -> compiled policy, accepted wherever the table is; nil, message if the table is wrong. */
int ptl_lua_isa_policy(lua_State* L) {
    push_policy(L, 1);
    return 1;
}
