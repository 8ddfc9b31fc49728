/* core.isa: what instructions read and write, and the same code with other registers. */
#include "isa/accesses.h"
#include "isa/rename.h"
#include "lua/isa_bind.h"

/* t[key] = list of the names of registers. */
static void set_registers(lua_State* L, const ptl_architecture* a, const char* key,
                          const uint32_t bits[PTL_FILES]) {
    lua_newtable(L);
    for (int file = 0; file < PTL_FILES; file++)
        for (unsigned k = 0; k < ptl_file_size(a, (ptl_file)file); k++)
            if (bits[file] >> k & 1) ptl_lua_add_string(L, ptl_file_register_name(a, (ptl_file)file, k));
    lua_setfield(L, -2, key);
}

/* t[key] = the register that stands for all that alias with it, or its own name if it is in no file (rip,
 * fs). */
static void set_register(lua_State* L, const ptl_architecture* a, const char* key, uint16_t name) {
    unsigned number;
    ptl_file file = name ? ptl_register_place(a, name, &number) : PTL_FILES;
    const char* known = file == PTL_FILES ? a->register_name(name) : ptl_file_register_name(a, file, number);
    if (name) ptl_lua_set_string(L, key, known);
}

static void set_memory(lua_State* L, const ptl_architecture* architecture, const ptl_accesses* a) {
    lua_createtable(L, (int)a->memory_count, 0);
    for (unsigned k = 0; k < a->memory_count; k++) {
        const ptl_memory_access* m = &a->memory[k];
        lua_createtable(L, 0, 8);
        set_register(L, architecture, "base", m->address.base);
        set_register(L, architecture, "index", m->address.index);
        set_register(L, architecture, "segment", m->address.segment);
        ptl_lua_set_integer(L, "scale", m->address.index ? m->address.scale : 0);
        ptl_lua_set_integer(L, "displacement", m->address.number);
        ptl_lua_set_integer(L, "bytes", m->bytes);
        ptl_lua_set_boolean(L, "reads", m->reads);
        ptl_lua_set_boolean(L, "writes", m->writes);
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    lua_setfield(L, -2, "memory");
}

/* What is near an instruction that ends at `end` is where it is of the code, whichever instruction says so.
 */
static void place_in_code(const ptl_architecture* architecture, ptl_accesses* a, size_t end) {
    for (unsigned k = 0; k < a->memory_count; k++) {
        ptl_value* address = &a->memory[k].address;
        if (ptl_is_instruction_pointer(architecture, address->base)) address->number += (int64_t)end;
    }
}

static void push_accesses(lua_State* L, const ptl_instance* instance, size_t end) {
    const ptl_architecture* architecture = instance->scheme.architecture;
    ptl_accesses a;
    ptl_accesses_of(instance, &a);
    place_in_code(architecture, &a, end);
    lua_createtable(L, 0, 7);
    ptl_lua_set_string(L, "scheme", instance->scheme.name);
    set_registers(L, architecture, "read", a.read);
    set_registers(L, architecture, "address", a.address);
    set_registers(L, architecture, "written", a.written);
    ptl_lua_set_integer(L, "flags_read", a.flags_read);
    ptl_lua_set_integer(L, "flags_written", a.flags_written);
    set_memory(L, architecture, &a);
}

/* accesses(bytes[, architecture]) -> per instruction {scheme =, read = names of registers, address = those of
 * addresses of memory, written = names, flags_read = bits, flags_written = bits, memory = {{base =, index =,
 * segment =, scale =, displacement =, bytes =, reads =, writes =}, ...}} | nil, message, status. A register
 * has the name of the widest that aliases with it, vector registers that of the narrowest: "rax", "xmm3",
 * "k1". With the base rip, displacements count from the first byte of the code. */
int ptl_lua_isa_accesses(lua_State* L) {
    size_t size, n;
    const uint8_t* code = (const uint8_t*)luaL_checklstring(L, 1, &size);
    const ptl_architecture* architecture = ptl_lua_opt_architecture(L, 2);
    lua_newtable(L);
    for (size_t at = 0; at < size; at += n) {
        ptl_instance instance;
        ptl_lua_try(L, ptl_decode(architecture, code + at, size - at, &instance, &n, ptl_lua_error()));
        push_accesses(L, &instance, at + n);
        ptl_lua_append(L);
    }
    return 1;
}

/* rename(bytes, turn[, architecture]) -> the same code with other registers (isa/rename.h), turn 1 ... 3 |
 * nil, message, status */
int ptl_lua_isa_rename(lua_State* L) {
    size_t size, written;
    const uint8_t* code = (const uint8_t*)luaL_checklstring(L, 1, &size);
    lua_Integer turn = ptl_lua_within(L, 2, 1, PTL_RENAMINGS, "out of range");
    luaL_argcheck(L, size <= 1 << 20, 1, "too much code");
    const ptl_architecture* architecture = ptl_lua_opt_architecture(L, 3);
    size_t capacity = size * PTL_INSTRUCTION_MAX;
    uint8_t* out = lua_newuserdatauv(L, capacity + 1, 0);
    ptl_lua_try(
        L, ptl_rename(architecture, code, size, (unsigned)turn, out, capacity, &written, ptl_lua_error()));
    lua_pushlstring(L, (const char*)out, written);
    return 1;
}
