/* core.isa: assembler text to instructions and back. */
#include "isa/codec.h"
#include "isa/parse.h"
#include "isa/text_format.h"
#include "lua/isa_bind.h"

void ptl_lua_push_instructions(lua_State* L, const ptl_architecture* a, const unsigned char* code,
                               size_t size) {
    lua_newtable(L);
    for (size_t offset = 0, length; offset < size; offset += length) {
        ptl_instance instance;
        char text[PTL_TEXT_SIZE];
        ptl_lua_try(L, ptl_decode(a, code + offset, size - offset, &instance, &length, ptl_lua_error()));
        ptl_lua_try(L, ptl_format_instruction(a, code + offset, length, text, ptl_lua_error()));
        lua_createtable(L, 0, 4);
        ptl_lua_set_string(L, "scheme", instance.scheme.name);
        ptl_lua_set_string(L, "text", text);
        ptl_lua_set_bytes(L, "bytes", code + offset, length);
        ptl_lua_set_integer(L, "offset", (lua_Integer)offset);
        ptl_lua_append(L);
    }
}

/* {bytes=, instructions=} of the code. */
static int push_decoded(lua_State* L, const ptl_architecture* a, const void* code, size_t size) {
    lua_createtable(L, 0, 2);
    ptl_lua_set_bytes(L, "bytes", code, size);
    ptl_lua_push_instructions(L, a, code, size);
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
    size_t length;
    const char* text = luaL_checklstring(L, 1, &length);
    const ptl_architecture* a = ptl_lua_opt_architecture(L, 2);
    ptl_code* code = ptl_lua_new(L, &code_class, sizeof *code, 0);
    ptl_lua_try(L, ptl_assemble_text(a, text, length, code, ptl_lua_error()));
    return push_decoded(L, a, code->bytes, code->size);
}

/* decode(bytes[, architecture]) -> the same | nil, message, status */
int ptl_lua_isa_decode(lua_State* L) {
    size_t size;
    const char* code = luaL_checklstring(L, 1, &size);
    return push_decoded(L, ptl_lua_opt_architecture(L, 2), code, size);
}
