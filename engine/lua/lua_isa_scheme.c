/* Schemes and their places as Lua tables. */
#include "isa/breaker.h"
#include "isa/companions.h"
#include "isa/place.h"
#include "isa/stack.h"
#include "lua/isa_bind.h"

/* Only true ones: an absent flag reads as nil, which is false. */
static void set_flag(lua_State* L, const char* key, bool value) {
    if (value) ptl_lua_set_boolean(L, key, 1);
}

static const char* kind_name(unsigned kind) {
    static const char* const names[] = {"register", "memory", "address", "immediate", "relative"};
    return names[kind];
}

static const char* visibility_name(unsigned visibility) {
    static const char* const names[] = {"explicit", "implicit", "hidden"};
    return names[visibility];
}

static const char* access_name(const ptl_operand* o) {
    static const char* const names[] = {"", "r", "w", "rw"};
    return names[(ptl_operand_reads(o) ? 1 : 0) + (ptl_operand_writes(o) ? 2 : 0)];
}

static void push_operand(lua_State* L, const ptl_architecture* a, const ptl_operand* o) {
    lua_createtable(L, 0, 8);
    ptl_lua_set_string(L, "kind", kind_name(o->kind));
    ptl_lua_set_string(L, "visibility", visibility_name(o->visibility));
    ptl_lua_set_string(L, "access", access_name(o));
    set_flag(L, "conditional", (o->access & (PTL_COND_READ | PTL_COND_WRITE)) != 0);
    ptl_lua_set_integer(L, "width", o->width);
    if (o->kind == PTL_REGISTER)
        ptl_lua_set_string(L, "class", ptl_register_class_name((ptl_register_class)o->register_class));
    else if (o->register_class)
        ptl_lua_set_string(L, "index", ptl_register_class_name((ptl_register_class)o->register_class));
    if (o->fixed) ptl_lua_set_string(L, "fixed", a->register_name(o->fixed));
    if (o->has_constant) ptl_lua_set_integer(L, "constant", o->constant);
    if (o->element_width) ptl_lua_set_integer(L, "element_width", o->element_width);
    if (o->source_count > 1) ptl_lua_set_integer(L, "source_count", o->source_count);
    set_flag(L, "mask", o->is_mask);
    set_flag(L, "broadcast", o->broadcast != 0);
    set_flag(L, "absolute", o->is_moffs);
    set_flag(L, "signed", o->is_signed);
}

static void set_operands(lua_State* L, const ptl_scheme* s) {
    lua_createtable(L, s->operand_count, 0);
    for (unsigned k = 0; k < s->operand_count; k++) {
        push_operand(L, s->architecture, &s->operands[k]);
        lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "operands");
}

/* t[key] = list of the names of the bits that are set; those without a name are left out. */
static void set_flags(lua_State* L, const char* key, const char* const names[32], uint32_t mask) {
    lua_newtable(L);
    for (unsigned bit = 0; bit < 32; bit++)
        if ((mask & (UINT32_C(1) << bit)) && names[bit]) ptl_lua_add_string(L, names[bit]);
    lua_setfield(L, -2, key);
}

/* companions = {names in the order of the code}, behind = how many of them stand behind an instance */
static void set_companions(lua_State* L, const ptl_scheme* s) {
    ptl_companions c = ptl_scheme_companions(s);
    if (c.count == 0) return;
    lua_createtable(L, (int)c.count, 0);
    for (unsigned i = 0; i < c.count; i++) ptl_lua_add_string(L, c.schemes[i]);
    lua_setfield(L, -2, "companions");
    ptl_lua_set_integer(L, "behind", (lua_Integer)(c.count - c.ahead));
}

void ptl_lua_push_scheme(lua_State* L, const ptl_scheme* s) {
    static const char* const prefixes[32] = {"lock", "rep",     "repe",     "repne",
                                             "bnd",  "notrack", "xacquire", "xrelease"};
    lua_createtable(L, 0, 16);
    ptl_lua_set_string(L, "name", s->name);
    ptl_lua_set_string(L, "architecture", s->architecture->name);
    ptl_lua_set_string(L, "mnemonic", s->architecture->mnemonic_name(s->mnemonic));
    ptl_lua_set_string(L, "encoding", ptl_encoding_name((ptl_encoding)s->encoding));
    set_flags(L, "prefixes", prefixes, s->prefixes);
    set_operands(L, s);
    set_flags(L, "flags_read", s->architecture->flags, s->flags_read);
    set_flags(L, "flags_written", s->architecture->flags, s->flags_written);
    ptl_lua_set_string(L, "category", s->category);
    ptl_lua_set_string(L, "isa_set", s->isa_set);
    ptl_lua_set_string(L, "extension", s->extension);
    if (s->operand_width) ptl_lua_set_integer(L, "operand_width", s->operand_width);
    set_flag(L, "updates_fixed", ptl_scheme_updates_fixed(s));
    uint8_t numbers[PTL_BREAKERS_MAX];
    int breakers = ptl_scheme_breakers(s, 0, numbers);
    int ahead = (breakers > 0 ? breakers : 0) + ptl_scheme_spacers(s);
    if (ahead > 0) ptl_lua_set_integer(L, "breakers", ahead);
    set_flag(L, "unbreakable", breakers < 0);
    set_flag(L, "taken", ptl_scheme_spacers(s) > 0);
    set_companions(L, s);
    if (ptl_scheme_stack_bytes(s)) ptl_lua_set_integer(L, "stack_bytes", ptl_scheme_stack_bytes(s));
    set_flag(L, "masked", s->is_masked);
    set_flag(L, "zeroing", s->is_zeroing);
    set_flag(L, "rounding", s->is_rounding);
    set_flag(L, "sae", s->is_sae);
    set_flag(L, "branch", s->branch_type != 0);
}

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
    set_flag(L, "input", p->input);
    set_flag(L, "output", p->output);
}

/* places(scheme name) -> list of {place = text, kind =, operand = its number, class =, file =, fixed = name
 * of the register that the scheme fixes, input = true or nil, output = true or nil} | nil, message, status */
int ptl_lua_isa_places(lua_State* L) {
    ptl_scheme s;
    ptl_place places[PTL_PLACES_MAX];
    ptl_lua_try(L, ptl_scheme_from_name(luaL_checkstring(L, 1), &s, ptl_lua_error()));
    unsigned n = ptl_places(&s, places);
    lua_createtable(L, (int)n, 0);
    for (unsigned i = 0; i < n; i++) {
        push_place(L, &s, &places[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}
