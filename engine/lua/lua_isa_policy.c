/* core.isa.policy: the table of arch/NAME/policy.lua as a ptl_policy. */
#include <stdio.h>
#include <string.h>

#include "lua/isa_bind.h"
#include "lua/lua_isa_text.h"

static const ptl_lua_class policy_class = {.name = "portolan.isa.policy", .what = "policy"};

/* Everything below reports through here; `field` is the path of what is wrong. */
static ptl_status wrong(ptl_error* error, const char* field, const char* mend, const char* name) {
    return ptl_fail(error, PTL_BAD_INPUT, field, mend, "the policy has a wrong value '%.40s'",
                    name ? name : "?");
}

/* Pushes t[name]; true if it is a table. */
static int push_table(lua_State* L, int index, const char* name) {
    return ptl_lua_field(L, index, name) == LUA_TTABLE;
}

/* The register at the top of the stack by its name; pops it. */
static ptl_status pop_register(lua_State* L, const ptl_architecture* a, ptl_file file, const char* field,
                               unsigned* number, ptl_error* error) {
    size_t length = 0;
    const char* name = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    unsigned r = name ? a->register_number(name, length) : 0;
    ptl_status status = PTL_OK;
    if (!r || ptl_register_place(a, r, number) != file) {
        char mend[80];
        snprintf(mend, sizeof mend, "write names of its registers, like %s",
                 ptl_file_register_name(a, file, 1));
        status = wrong(error, field, mend, name);
    }
    lua_pop(L, 1);
    return status;
}

/* The list of registers in field `name` of the table on top; a missing one is empty. */
static ptl_status read_registers(lua_State* L, const ptl_architecture* a, ptl_file file, const char* name,
                                 ptl_register_set* set, ptl_error* error) {
    ptl_status status = PTL_OK;
    lua_Integer n = push_table(L, -1, name) ? (lua_Integer)ptl_lua_length(L, -1) : 0;
    for (lua_Integer i = 1; i <= n && !status; i++) {
        unsigned number;
        ptl_lua_item(L, -1, i);
        status = pop_register(L, a, file, name, &number, error);
        if (!status && set->count == 32) status = wrong(error, name, "use each register once", "...");
        if (!status) set->numbers[set->count++] = (uint8_t)number;
    }
    lua_pop(L, 1);
    return status;
}

static ptl_status read_file(lua_State* L, ptl_file file, ptl_policy* policy, ptl_error* error) {
    ptl_status status = PTL_OK;
    for (int use = 0; use < PTL_USES && !status; use++) {
        status = read_registers(L, policy->architecture, file, ptl_use_name((ptl_use)use),
                                &policy->sets[file][use], error);
    }
    ptl_register_set reserved = {0};
    if (!status) status = read_registers(L, policy->architecture, file, "reserved", &reserved, error);
    for (unsigned i = 0; i < reserved.count; i++) policy->reserved[file] |= 1u << reserved.numbers[i];
    return status;
}

static ptl_status read_files(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    ptl_status status = PTL_OK;
    if (!push_table(L, index, "registers")) status = wrong(error, "registers", "it is a table", "registers");
    for (int file = 0; file < PTL_FILES && !status; file++) {
        if (push_table(L, -1, ptl_file_name((ptl_file)file)))
            status = read_file(L, (ptl_file)file, policy, error);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return status;
}

/* A whole number within [0, 2^20] in field `name` of the table on top. */
static ptl_status read_number(lua_State* L, const char* name, uint32_t* value, ptl_error* error) {
    lua_Integer n;
    if (!ptl_lua_whole_field(L, -1, name, &n) || n < 0 || n > 1 << 20)
        return wrong(error, name, "write a number of bytes", name);
    *value = (uint32_t)n;
    return PTL_OK;
}

static ptl_status read_memory(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    unsigned base = 0, vector = 0;
    ptl_status status = PTL_OK;
    if (!push_table(L, index, "memory")) status = wrong(error, "memory", "it is a table", "memory");
    if (!status) {
        ptl_lua_field(L, -1, "base");
        status = pop_register(L, policy->architecture, PTL_FILE_GPR, "memory.base", &base, error);
    }
    if (!status) status = read_number(L, "bytes", &policy->memory_bytes, error);
    lua_pop(L, 1);
    if (status) return status;
    ptl_lua_field(L, index, "vector_index");
    status = pop_register(L, policy->architecture, PTL_FILE_VECTOR, "vector_index", &vector, error);
    policy->memory_base = (uint8_t)base;
    policy->vector_index = (uint8_t)vector;
    return status;
}

static ptl_status read_range(lua_State* L, const char* name, ptl_range* range, ptl_error* error) {
    ptl_status status = PTL_OK;
    if (!push_table(L, -1, name))
        status = wrong(error, "layouts", "give each a read, written, updated range", name);
    if (!status) status = read_number(L, "first", &range->first, error);
    if (!status) status = read_number(L, "bytes", &range->bytes, error);
    if (!status) status = read_number(L, "stride", &range->stride, error);
    lua_pop(L, 1);
    return status;
}

static ptl_status read_layout(lua_State* L, ptl_layout* layout, ptl_error* error) {
    if (!lua_istable(L, -1)) return wrong(error, "layouts", "it is a list of tables", NULL);
    ptl_lua_field(L, -1, "name");
    const char* name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    size_t length = strlen(name);
    if (length < sizeof layout->name) memcpy(layout->name, name, length + 1);
    lua_pop(L, 1);
    if (!layout->name[0]) return wrong(error, "layouts", "name each layout in at most 23 characters", NULL);
    ptl_status status = PTL_OK;
    for (int use = 0; use < PTL_USES && !status; use++) {
        status = read_range(L, ptl_use_name((ptl_use)use), &layout->ranges[use], error);
    }
    return status;
}

static ptl_status read_layouts(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    ptl_status status = PTL_OK;
    lua_Integer n = push_table(L, index, "layouts") ? (lua_Integer)ptl_lua_length(L, -1) : 0;
    if (n > PTL_LAYOUTS_MAX) status = wrong(error, "layouts", "declare at most 8", "layouts");
    for (lua_Integer i = 1; i <= n && !status; i++) {
        ptl_lua_item(L, -1, i);
        status = read_layout(L, &policy->layouts[policy->layout_count++], error);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return status;
}

static ptl_status mnemonic_at(lua_State* L, const ptl_architecture* a, int index, const char* field,
                              unsigned* out, ptl_error* error) {
    size_t length = 0;
    const char* name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &length) : NULL;
    *out = name ? a->mnemonic_number(name, length) : 0;
    return *out ? PTL_OK : wrong(error, field, "write mnemonics", name);
}

static ptl_status read_merging(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    ptl_status status = PTL_OK;
    lua_Integer n = push_table(L, index, "merging") ? (lua_Integer)ptl_lua_length(L, -1) : 0;
    for (lua_Integer i = 1; i <= n && !status; i++) {
        unsigned mnemonic;
        ptl_lua_item(L, -1, i);
        status = mnemonic_at(L, policy->architecture, -1, "merging", &mnemonic, error);
        policy->merging[mnemonic / 8] |= (uint8_t)(1u << mnemonic % 8);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return status;
}

static ptl_status read_immediates(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    ptl_status status = PTL_OK;
    if (!push_table(L, index, "immediates")) {
        lua_pop(L, 1);
        return PTL_OK;
    }
    lua_pushnil(L);
    while (!status && lua_next(L, -2)) {
        unsigned mnemonic;
        status = mnemonic_at(L, policy->architecture, -2, "immediates", &mnemonic, error);
        if (!status && (policy->immediate_count == PTL_IMMEDIATES_MAX || !lua_isinteger(L, -1))) {
            status = wrong(error, "immediates", "at most 64 whole numbers by mnemonic", lua_tostring(L, -2));
        }
        if (!status) {
            policy->immediates[policy->immediate_count].mnemonic = (uint16_t)mnemonic;
            policy->immediates[policy->immediate_count++].value = lua_tointeger(L, -1);
        }
        lua_pop(L, 1);
    }
    if (status) lua_pop(L, 1); /* the key */
    lua_pop(L, 1);
    return status;
}

static ptl_status read_policy(lua_State* L, int index, ptl_policy* policy, ptl_error* error) {
    memset(policy, 0, sizeof *policy);
    policy->architecture = ptl_lua_architecture_field(L, index);
    policy->lend = ptl_lua_boolean_field(L, index, "lend", false);
    ptl_status status = read_files(L, index, policy, error);
    if (!status) status = read_memory(L, index, policy, error);
    if (!status) status = read_layouts(L, index, policy, error);
    if (!status) status = read_merging(L, index, policy, error);
    if (!status) status = read_immediates(L, index, policy, error);
    return status ? status : ptl_policy_check(policy, error);
}

/* Pushes a policy compiled from the table at index, or nothing. */
static const ptl_policy* push_policy(lua_State* L, int index, ptl_error* error) {
    ptl_policy* policy = ptl_lua_new(L, &policy_class, sizeof *policy, 0);
    int top = lua_gettop(L);
    ptl_status status = read_policy(L, index, policy, error);
    lua_settop(L, top);
    if (status) {
        lua_pop(L, 1);
        return NULL;
    }
    return policy;
}

const ptl_policy* ptl_lua_to_policy(lua_State* L, int index, ptl_error* error) {
    const ptl_policy* policy = ptl_lua_test(L, index, &policy_class);
    if (policy) return policy;
    luaL_checktype(L, index, LUA_TTABLE);
    return push_policy(L, index, error);
}

/* policy(table) -> compiled policy, accepted wherever the table is; nil, message if the table is wrong. */
int ptl_lua_isa_policy(lua_State* L) {
    ptl_error error;
    luaL_checktype(L, 1, LUA_TTABLE);
    if (!push_policy(L, 1, &error)) return ptl_lua_failure(L, &error);
    return 1;
}
