/* core.isa: instruction schemes, listings, checks. */
#include "isa/catalogue.h"
#include "isa/codec.h"
#include "isa/listing.h"
#include "lua/isa_bind.h"

/* scheme(name) -> scheme table | nil, message, status */
static int l_scheme(lua_State* L) {
    ptl_scheme s;
    ptl_lua_try(L, ptl_scheme_from_name(luaL_checkstring(L, 1), &s, ptl_lua_error()));
    ptl_lua_push_scheme(L, &s);
    return 1;
}

static void free_catalogue(void* object) {
    ptl_catalogue_free(*(ptl_catalogue**)object);
}

/* Pushes a collectable catalogue of the sets. */
static ptl_catalogue* push_catalogue(lua_State* L, const ptl_architecture* architecture, unsigned sets) {
    static const ptl_lua_class class = {
        .name = "portolan.catalogue", .what = "catalogue", .free = free_catalogue};
    ptl_catalogue** c = ptl_lua_new(L, &class, sizeof *c, 0);
    ptl_lua_try(L, ptl_catalogue_new(c, architecture, sets, ptl_lua_error()));
    return *c;
}

/* The sets that the options at index ask for. Options that name an architecture and no set ask for its
 * default. */
static unsigned check_sets(lua_State* L, int index, const ptl_architecture* a) {
    unsigned sets = 0;
    if (lua_isnoneornil(L, index)) return a->default_sets;
    bool named = ptl_lua_field(L, index, "architecture") != LUA_TNIL, any = false;
    lua_pop(L, 1);
    for (unsigned k = 0; a->sets[k]; k++) {
        any |= ptl_lua_field(L, index, a->sets[k]) != LUA_TNIL;
        if (lua_toboolean(L, -1)) sets |= 1u << k;
        lua_pop(L, 1);
    }
    return named && !any ? a->default_sets : sets;
}

/* schemes{architecture =, [set] = true, ...} -> list of scheme tables by name; without argument: the default
 * sets (of x86-64 legacy and vex; 3DNow! comes with legacy, XOP with vex). */
static int l_schemes(lua_State* L) {
    const ptl_architecture* architecture = ptl_lua_architecture_field(L, 1);
    ptl_catalogue* c = push_catalogue(L, architecture, check_sets(L, 1, architecture));
    size_t n = ptl_catalogue_count(c);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        ptl_lua_push_scheme(L, ptl_catalogue_at(c, k));
        lua_rawseti(L, -2, (lua_Integer)k + 1);
    }
    return 1;
}

static void free_listing(void* object) {
    ptl_listing_free(*(ptl_listing**)object);
}

static ptl_listing* push_listing(lua_State* L, const ptl_architecture* architecture) {
    static const ptl_lua_class class = {.name = "portolan.listing", .what = "listing", .free = free_listing};
    ptl_listing** l = ptl_lua_new(L, &class, sizeof *l, 0);
    ptl_lua_try(L, ptl_listing_new(l, architecture, ptl_lua_error()));
    return *l;
}

/* t.bytes = hexadecimal digits, of the table on top. */
static void set_hex(lua_State* L, const uint8_t* bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    luaL_Buffer b;
    char* out = luaL_buffinitsize(L, &b, 2 * n);
    for (size_t k = 0; k < n; k++) out[2 * k] = digits[bytes[k] >> 4], out[2 * k + 1] = digits[bytes[k] & 15];
    luaL_pushresultsize(&b, 2 * n);
    lua_setfield(L, -2, "bytes");
}

/* listing(bytes[, "att"[, architecture]]) -> list of {offset =, bytes = hex, text = Intel syntax, or AT&T; of
 * other architectures their own} */
static int l_listing(lua_State* L) {
    size_t size, offset = 0;
    const uint8_t* bytes = (const uint8_t*)luaL_checklstring(L, 1, &size);
    static const char* const syntaxes[] = {"intel", "att", NULL};
    bool att = luaL_checkoption(L, 2, "intel", syntaxes) == 1;
    ptl_line line;
    ptl_listing* l = push_listing(L, ptl_lua_opt_architecture(L, 3));
    lua_newtable(L);
    for (; offset < size; offset += line.size) {
        (att ? ptl_listing_att_line : ptl_listing_line)(l, bytes + offset, size - offset, offset, &line);
        lua_createtable(L, 0, 3);
        ptl_lua_set_integer(L, "offset", (lua_Integer)offset);
        set_hex(L, bytes + offset, line.size);
        ptl_lua_set_string(L, "text", line.text);
        ptl_lua_append(L);
    }
    return 1;
}

/* sample(name[, variant = 0]) -> bytes of an instruction of this scheme | nil, message, status */
static int l_sample(lua_State* L) {
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t size;
    ptl_scheme s;
    ptl_instance sample;
    unsigned variant = (unsigned)(luaL_optinteger(L, 2, 0) & 0xFFFF);
    ptl_lua_try(L, ptl_scheme_from_name(luaL_checkstring(L, 1), &s, ptl_lua_error()));
    ptl_instance_sample(&s, variant, &sample);
    ptl_lua_try(L, ptl_encode(&sample, bytes, &size, ptl_lua_error()));
    lua_pushlstring(L, (const char*)bytes, size);
    return 1;
}

/* The first failure of a scheme's samples, or PTL_OK and one encoding of it. Encoding includes decoding back.
 */
static ptl_status round_trip(const char* name, unsigned variants, ptl_scheme* s, uint8_t* bytes, size_t* n,
                             ptl_error* error) {
    ptl_instance sample;
    ptl_status status = ptl_scheme_from_name(name, s, error);
    for (unsigned v = variants; v-- > 0 && !status;) {
        ptl_instance_sample(s, v, &sample);
        status = ptl_encode(&sample, bytes, n, error);
    }
    return status;
}

/* Appends {scheme =, message =} to the list on the top. */
static void add_failure(lua_State* L, const char* name, const ptl_error* error) {
    lua_createtable(L, 0, 2);
    ptl_lua_set_string(L, "scheme", name);
    ptl_lua_set_string(L, "message", error->what);
    ptl_lua_append(L);
}

/* Appends Capstone's other opinion to the list on the top. */
static void add_opinion(lua_State* L, const char* name, ptl_opinion opinion, const uint8_t* bytes, size_t n,
                        const ptl_line* theirs) {
    static const char* const verdicts[] = {"same", "mnemonic", "length", "unknown"};
    lua_createtable(L, 0, 5);
    ptl_lua_set_string(L, "scheme", name);
    ptl_lua_set_string(L, "verdict", verdicts[opinion]);
    set_hex(L, bytes, n);
    ptl_lua_set_string(L, "theirs", theirs->mnemonic);
    ptl_lua_set_integer(L, "their_length", (lua_Integer)theirs->size);
    ptl_lua_append(L);
}

/* One scheme, with the list of failures and the list of other opinions on the top; 1 if Capstone agrees. */
static int check_scheme(lua_State* L, ptl_listing* l, const char* name, unsigned variants) {
    uint8_t bytes[PTL_INSTRUCTION_MAX];
    size_t size;
    ptl_scheme s;
    ptl_line theirs;
    if (round_trip(name, variants, &s, bytes, &size, ptl_lua_error())) {
        lua_pushvalue(L, -2);
        add_failure(L, name, ptl_lua_error());
        lua_pop(L, 1);
        return 0;
    }
    ptl_opinion opinion = ptl_listing_check(l, &s, bytes, size, &theirs);
    if (opinion != PTL_SAME) add_opinion(L, name, opinion, bytes, size, &theirs);
    return opinion == PTL_SAME;
}

/* The architecture of the first name in the list at index 1 that is a scheme's; all others must be of it. */
static const ptl_architecture* architecture_of(lua_State* L) {
    const ptl_architecture* found = NULL;
    ptl_scheme s;
    for (lua_Integer k = 1, n = (lua_Integer)ptl_lua_length(L, 1); k <= n; k++) {
        const char* name = ptl_lua_text_item(L, 1, k);
        if (!name || ptl_scheme_from_name(name, &s, NULL)) continue;
        luaL_argcheck(L, !found || found == s.architecture, 1, "schemes of two architectures");
        found = s.architecture;
    }
    return found ? found : ptl_architecture_default();
}

/* check(list of scheme names[, variants = 14]) -> {instances =, failures = {{scheme =, message =}...}, same
 * =, different = {{scheme =, verdict = "mnemonic" | "length" | "unknown", bytes = hex, theirs =, their_length
 * =}...}}: encodes `variants` samples of each scheme and decodes them back; asks Capstone about one. */
static int l_check(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer variants = luaL_optinteger(L, 2, 14);
    luaL_argcheck(L, variants >= 1 && variants <= 1000, 2, "must be in 1 ... 1000");
    ptl_listing* l = push_listing(L, architecture_of(L));
    lua_Integer n = (lua_Integer)ptl_lua_length(L, 1), same = 0;
    lua_createtable(L, 0, 4);
    lua_newtable(L);
    lua_newtable(L);
    for (lua_Integer k = 1; k <= n; k++) {
        const char* name = ptl_lua_text_item(L, 1, k);
        luaL_argcheck(L, name, 1, "must be a list of names");
        same += check_scheme(L, l, name, (unsigned)variants);
    }
    lua_setfield(L, -3, "different");
    lua_setfield(L, -2, "failures");
    ptl_lua_set_integer(L, "same", same);
    ptl_lua_set_integer(L, "instances", n * variants);
    return 1;
}

static const luaL_Reg functions[] = {
    {"scheme", l_scheme},
    {"schemes", l_schemes},
    {"listing", l_listing},
    {"check", l_check},
    {"sample", l_sample},
    {"assemble", ptl_lua_isa_assemble},
    {"decode", ptl_lua_isa_decode},
    {"policy", ptl_lua_isa_policy},
    {"accesses", ptl_lua_isa_accesses},
    {"rename", ptl_lua_isa_rename},
    {"places", ptl_lua_isa_places},
    {"chain", ptl_lua_isa_chain},
    {NULL, NULL},
};

int ptl_open_isa(lua_State* L) {
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    ptl_lua_isa_architecture(L);
    ptl_lua_isa_allocate(L);
    return 1;
}
