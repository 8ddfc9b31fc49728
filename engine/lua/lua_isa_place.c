/* core.isa: places of schemes. */
#include "isa/place.h"
#include "lua/isa_bind.h"
#include "lua/lua_isa_text.h"

static void push_place(lua_State* L, const ptl_scheme* s, const ptl_place* p) {
    char text[PTL_PLACE_SIZE];
    ptl_place_write(s->architecture, p, text);
    lua_createtable(L, 0, 8);
    ptl_lua_set_string(L, "place", text);
    ptl_lua_set_string(L, "kind", ptl_place_kind_name((ptl_place_kind)p->kind));
    if (p->kind != PTL_PLACE_FLAG) ptl_lua_set_integer(L, "operand", p->operand + 1);
    if (p->register_class) {
        ptl_register_class class = (ptl_register_class)p->register_class;
        ptl_lua_set_string(L, "class", ptl_register_class_name(class));
        ptl_lua_set_string(L, "file", ptl_file_name(ptl_file_of_class(class)));
    }
    const ptl_operand* o = &s->operands[p->operand];
    bool fixed = o->fixed && (p->kind == PTL_PLACE_REGISTER || p->kind == PTL_PLACE_BASE);
    if (fixed) ptl_lua_set_string(L, "fixed", s->architecture->register_name(o->fixed));
    if (p->input) ptl_lua_set_boolean(L, "input", true);
    if (p->output) ptl_lua_set_boolean(L, "output", true);
}

/* places(scheme name) -> list of {place = text, kind =, operand = its number, class =, file =, fixed = name
 * of the register that the scheme fixes, input = true or nil, output = true or nil} | nil, message, status */
int ptl_lua_isa_places(lua_State* L) {
    ptl_error error;
    ptl_scheme s;
    ptl_place places[PTL_PLACES_MAX];
    if (ptl_scheme_from_name(luaL_checkstring(L, 1), &s, &error)) return ptl_lua_failure(L, &error);
    unsigned n = ptl_places(&s, places);
    lua_createtable(L, (int)n, 0);
    for (unsigned i = 0; i < n; i++) {
        push_place(L, &s, &places[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
