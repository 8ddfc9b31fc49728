/* core.anica: expansions of abstract blocks. */
#include "anica/expand.h"

#include "lua/anica_bind.h"

/* Sets what the step does to the node: which member of a set it drops, or the old and the new value. */
static void set_change(lua_State* L, ptl_lattice* l, ptl_node node, ptl_step step) {
    if (ptl_lattice_kind_of(l) == PTL_LATTICE_SUBSET && step != PTL_STEP_TOP) {
        ptl_lua_set_string(L, "dropped", ptl_lattice_atoms(l)->texts[step]);
        return;
    }
    ptl_node next = ptl_lattice_take(l, node, step);
    if (next == PTL_NO_NODE) luaL_error(L, "no memory");
    ptl_lua_push_node(L, l, node);
    lua_setfield(L, -2, "from");
    ptl_lua_push_node(L, l, next);
    lua_setfield(L, -2, "to");
}

static void push_expansion(lua_State* L, const ptl_domain* d, const ptl_abstract* a, const ptl_expansion* e) {
    lua_createtable(L, 0, 8); /* Lua adds key and text */
    if (e->of_alias) {
        ptl_lua_set_operand(L, "a", e->a);
        ptl_lua_set_operand(L, "b", e->b);
        return;
    }
    ptl_lattice* l = d->features[e->feature];
    ptl_lua_set_integer(L, "instruction", e->instruction + 1);
    ptl_lua_set_integer(L, "number", e->feature + 1);
    ptl_lua_set_integer(L, "step", e->step == PTL_STEP_TOP ? -1 : (lua_Integer)e->step);
    set_change(L, l, a->nodes[e->instruction * d->feature_count + e->feature], e->step);
}

/* block:expansions() -> list, always in the same order, of {instruction =, number = of the feature, step =,
 * from
 * =, to =, dropped =} or {a =, b =}: the constraint on this pair goes. */
static int l_expansions(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    ptl_error error;
    size_t n;
    if (ptl_expansion_count(d, a, &n, ptl_lua_error())) return luaL_error(L, "%s", error.what);
    ptl_expansion* list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
    if (ptl_expansion_list(d, a, list, ptl_lua_error())) return luaL_error(L, "%s", error.what);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        push_expansion(L, d, a, &list[k]);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

/* A whole number in field `name` (a string or position) of the table on top, in low ... high. */
static lua_Integer field(lua_State* L, const char* name, lua_Integer low, lua_Integer high) {
    lua_Integer n;
    if (!ptl_lua_whole_field(L, -1, name, &n) || n < low || n > high)
        luaL_error(L, "'%s' of an expansion is wrong", name);
    return n;
}

static ptl_operand_ref reference(lua_State* L, const char* name) {
    lua_Integer parts[2] = {0, 0};
    if (ptl_lua_field(L, -1, name) != LUA_TTABLE) luaL_error(L, "an expansion of aliasing has no '%s'", name);
    for (int k = 0; k < 2; k++) {
        parts[k] = ptl_lua_integer_item(L, -1, k + 1);
        if (parts[k] < 1 || parts[k] > UINT8_MAX) luaL_error(L, "'%s' of an expansion is wrong", name);
    }
    lua_pop(L, 1);
    return (ptl_operand_ref){(uint8_t)(parts[0] - 1), (uint8_t)(parts[1] - 1)};
}

/* The expansion in the table on top. */
static ptl_expansion to_expansion(lua_State* L, const ptl_domain* d) {
    if (!lua_istable(L, -1)) luaL_error(L, "an expansion must be a table");
    bool of_alias = ptl_lua_field(L, -1, "instruction") == LUA_TNIL;
    lua_pop(L, 1);
    if (of_alias) {
        ptl_operand_ref a = reference(L, "a");
        return (ptl_expansion){.of_alias = true, .a = a, .b = reference(L, "b")};
    }
    lua_Integer step = field(L, "step", -1, UINT32_MAX);
    return (ptl_expansion){
        .instruction = (uint8_t)(field(L, "instruction", 1, PTL_BLOCK_LENGTH_MAX) - 1),
        .feature = (uint8_t)(field(L, "number", 1, (lua_Integer)d->feature_count) - 1),
        .step = step < 0 ? PTL_STEP_TOP : (ptl_step)step,
    };
}

/* block:expand({expansion, ...}) -> abstract block with all of them applied; those that do not apply (any
 * more) are ignored. */
static int l_expand(lua_State* L) {
    const ptl_abstract* a = ptl_lua_check_abstract(L, 1, NULL);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    const ptl_domain* d = ptl_lua_push_domain_of(L, 1);
    size_t n = ptl_lua_length(L, 2);
    ptl_error error;
    ptl_expansion* list = lua_newuserdatauv(L, (n + 1) * sizeof *list, 0);
    for (size_t k = 0; k < n; k++) {
        ptl_lua_item(L, 2, (lua_Integer)k + 1);
        list[k] = to_expansion(L, d);
        lua_pop(L, 1);
    }
    ptl_abstract* out = ptl_lua_new_abstract(L, 3, a->length, a->alias_count);
    if (ptl_expand(d, a, list, n, out, ptl_lua_error())) return luaL_error(L, "%s", error.what);
    return 1;
}

const luaL_Reg ptl_lua_expand_methods[] = {
    {"expansions", l_expansions},
    {"expand", l_expand},
    {NULL, NULL},
};
