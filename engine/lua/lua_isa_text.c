/* core.isa: assembler text to instructions and back. */
#include "lua/lua_isa_text.h"
#include "isa/codec.h"
#include "isa/parse.h"
#include "isa/text_format.h"
#include "lua/isa_bind.h"

ptl_status ptl_lua_push_instructions(lua_State* L, const ptl_architecture* a, const unsigned char* code,
                                     size_t size, ptl_error* error) {
    size_t offset = 0, length;
    lua_newtable(L);
    for (lua_Integer i = 1; offset < size; i++, offset += length) {
        ptl_instance instance;
        char text[PTL_TEXT_SIZE];
        ptl_status status = ptl_decode(a, code + offset, size - offset, &instance, &length, error);
        if (!status) status = ptl_format_instruction(a, code + offset, length, text, error);
        if (status) {
            lua_pop(L, 1);
            return status;
        }
        lua_createtable(L, 0, 4);
        ptl_lua_set_string(L, "scheme", instance.scheme.name);
        ptl_lua_set_string(L, "text", text);
        ptl_lua_set_bytes(L, "bytes", code + offset, length);
        ptl_lua_set_integer(L, "offset", (lua_Integer)offset);
        lua_rawseti(L, -2, i);
    }
    return PTL_OK;
}

/* {bytes=, instructions=} of the string at this index. */
static int push_decoded(lua_State* L, const ptl_architecture* a, int index) {
    ptl_error error;
    size_t size;
    const char* bytes = lua_tolstring(L, index, &size);
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, index);
    lua_setfield(L, -2, "bytes");
    if (ptl_lua_push_instructions(L, a, (const unsigned char*)bytes, size, &error)) {
        return ptl_lua_failure(L, &error);
    }
    lua_setfield(L, -2, "instructions");
    return 1;
}

static void free_code(void* code) {
    ptl_code_free(code);
}

static const ptl_lua_class code_class = {.name = "portolan.code", .what = "code", .free = free_code};

/* assemble(text[, architecture]) -> {bytes=, instructions={{scheme=, text=, bytes=, offset=}, ...}} | nil,
 * message, status */
int ptl_lua_isa_assemble(lua_State* L) {
    ptl_error error;
    size_t length;
    const char* text = luaL_checklstring(L, 1, &length);
    const ptl_architecture* a = ptl_lua_opt_architecture(L, 2);
    lua_settop(L, 1);
    ptl_code* code = ptl_lua_new(L, &code_class, sizeof *code, 0);
    if (ptl_assemble_text(a, text, length, code, &error)) return ptl_lua_failure(L, &error);
    lua_pushlstring(L, (const char*)code->bytes, code->size);
    return push_decoded(L, a, 3);
}

/* decode(bytes[, architecture]) -> the same | nil, message, status */
int ptl_lua_isa_decode(lua_State* L) {
    luaL_checkstring(L, 1);
    const ptl_architecture* a = ptl_lua_opt_architecture(L, 2);
    lua_settop(L, 1);
    return push_decoded(L, a, 1);
}
