/* core.anica: domains and abstract blocks as Lua holds them. */
#include "lua/anica_bind.h"

static void free_domain(void* object) {
    ptl_lua_domain* d = object;
    ptl_domain_free(d->domain);
    ptl_sampler_free(d->sampler);
}

const ptl_lua_class ptl_lua_domain_class = {
    .name = "portolan.anica.domain", .what = "domain", .free = free_domain};

const ptl_lua_class ptl_lua_abstract_class = {.name = "portolan.anica.abstract", .what = "abstract block"};

ptl_domain* ptl_lua_check_domain(lua_State* L, int index) {
    return ((ptl_lua_domain*)ptl_lua_check(L, index, &ptl_lua_domain_class))->domain;
}

ptl_lattice* ptl_lua_check_feature(lua_State* L, const ptl_domain* d, int index, uint8_t* feature) {
    size_t f = ptl_lua_check_position(L, index, d->feature_count, "no such feature");
    if (feature) *feature = (uint8_t)f;
    return d->features[f];
}

const ptl_abstract* ptl_lua_check_abstract(lua_State* L, int index, const ptl_domain* d) {
    const ptl_abstract* a = ptl_lua_check(L, index, &ptl_lua_abstract_class);
    const ptl_domain* own = ptl_lua_push_domain_of(L, index); /* an error if it is closed */
    lua_pop(L, 1);
    if (d && own != d) luaL_argerror(L, index, "it is of another domain");
    return a;
}

ptl_domain* ptl_lua_push_domain_of(lua_State* L, int index) {
    lua_getiuservalue(L, index, 1);
    return ptl_lua_check_domain(L, -1);
}

const ptl_sampler* ptl_lua_push_sampler_of(lua_State* L, int index) {
    lua_getiuservalue(L, index, 1);
    return ((ptl_lua_domain*)ptl_lua_check(L, -1, &ptl_lua_domain_class))->sampler;
}

ptl_abstract* ptl_lua_new_abstract(lua_State* L, int domain, size_t length, size_t alias_count) {
    ptl_domain* d = ptl_lua_check_domain(L, domain);
    void* memory = ptl_lua_new(L, &ptl_lua_abstract_class, ptl_abstract_bytes(d, length, alias_count), 1);
    ptl_abstract* a = ptl_abstract_place(d, memory, length, alias_count);
    ptl_lua_keep(L, domain, 1);
    return a;
}

void ptl_lua_set_operand(lua_State* L, const char* name, ptl_operand_ref x) {
    lua_createtable(L, 2, 0);
    ptl_lua_put_integer(L, 1, x.instruction + 1);
    ptl_lua_put_integer(L, 2, x.operand + 1);
    lua_setfield(L, -2, name);
}

/* The place of an instruction in the universe: under its scheme's name, or under that of a variant. */
static uint32_t index_of(const ptl_domain* d, const ptl_instance* instance) {
    char name[PTL_NAME_SIZE];
    uint32_t index = ptl_domain_index(d, instance->scheme.name);
    ptl_immediate immediate = ptl_immediate_of(instance);
    if (index != PTL_NO_NAME || immediate == PTL_IMMEDIATE_ANY) return index;
    if (!ptl_variant_name(instance->scheme.name, immediate, name)) return PTL_NO_NAME;
    return ptl_domain_index(d, name);
}

void ptl_lua_read_block(lua_State* L, int index, const ptl_domain* d, ptl_lua_block* out) {
    size_t size, offset = 0, used;
    const uint8_t* bytes = (const uint8_t*)luaL_checklstring(L, index, &size);
    for (out->length = 0; offset < size; offset += used) {
        if (out->length == PTL_BLOCK_LENGTH_MAX)
            ptl_lua_bad(L, "block", "use a shorter one", "more than %d instructions", PTL_BLOCK_LENGTH_MAX);
        ptl_instance* at = &out->instances[out->length];
        ptl_lua_try(L, ptl_decode(ptl_domain_architecture(d), bytes + offset, size - offset, at, &used,
                                  ptl_lua_error()));
        out->schemes[out->length++] = index_of(d, at);
    }
    if (!out->length) ptl_lua_bad(L, "block", "give at least one instruction", "an empty block");
}
