/* core.bench: measuring sessions, hardware counters. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bench/event.h"
#include "bench/session.h"
#include "bench/ticks.h"
#include "lua/bench_bind.h"
#include "lua/bind.h"

static const ptl_lua_class session_class;

typedef struct handle {
    ptl_session* session;
    size_t events; /* counted in its runs */
} handle;

static handle* check_session(lua_State* L) {
    return ptl_lua_check(L, 1, &session_class);
}

enum { CPUS_MAX = 1024 };

/* The path of the program that runs measured code, pushed: it stands beside this module. */
static const char* push_worker(lua_State* L) {
    static const char here;
    Dl_info module;
    const char* slash = dladdr(&here, &module) ? strrchr(module.dli_fname, '/') : NULL;
    if (!slash) return lua_pushstring(L, "./worker");
    lua_pushlstring(L, module.dli_fname, (size_t)(slash - module.dli_fname));
    return lua_pushfstring(L, "%s/worker", lua_tostring(L, -1));
}

/* The list in the field `cpus` of the table at index 1; how many there are. */
static size_t read_cpus(lua_State* L, int* cpus) {
    size_t n = 0;
    if (ptl_lua_field(L, 1, "cpus") == LUA_TTABLE)
        for (lua_Integer i = 1; n < CPUS_MAX && ptl_lua_item(L, -1, i) != LUA_TNIL; i++) {
            lua_Integer cpu = luaL_checkinteger(L, -1);
            luaL_argcheck(L, cpu >= 0 && cpu < CPUS_MAX, 1, "cpus must be numbers of processors");
            cpus[n++] = (int)cpu;
            lua_pop(L, 1);
        }
    lua_settop(L, 1);
    return n;
}

/* open{cpu=-1, cpus={}, seed=1, adders=0, patience=10, pointers=false, uncalibrated=false} -> session | nil,
 * message, status cpu: the processor to measure on, -1 to choose among cpus (all of one kind; none: whatever
 * this process may use) and to change when it is disturbed; adders: additions a cycle that this processor is
 * known for, 0 if it is not; patience: seconds to wait for quiet, per batch of 64 experiments; uncalibrated:
 * code only gets its status. */
static int l_open(lua_State* L) {
    int cpus[CPUS_MAX];
    lua_Integer cpu = ptl_lua_range_field(L, 1, "cpu", -1, -1, CPUS_MAX - 1,
                                          "cpu must be the number of a processor, or -1");
    ptl_session_options o = {
        .cpu = (int)cpu,
        .seed = (uint64_t)ptl_lua_integer_field(L, 1, "seed", 1),
        .adders = (unsigned)ptl_lua_integer_field(L, 1, "adders", 0),
        .uncalibrated = ptl_lua_boolean_field(L, 1, "uncalibrated", false),
        .cpus = cpus,
        .cpu_count = read_cpus(L, cpus),
        .patience = ptl_lua_number_field(L, 1, "patience", 10),
        .pointers = ptl_lua_boolean_field(L, 1, "pointers", false),
    };
    o.worker = push_worker(L); /* stays on the stack */
    handle* h = ptl_lua_new(L, &session_class, sizeof *h, 0);
    ptl_lua_try(L, ptl_session_open(&h->session, &o, ptl_lua_error()));
    return 1;
}

/* session:operands(other): what registers hold at the start of loop bodies from now on; other: a boolean. */
static int l_operands(lua_State* L) {
    ptl_session_operands(check_session(L)->session, lua_toboolean(L, 2));
    return 0;
}

/* Pushes the share of windows of each length that is undisturbed: list of {cycles=, share=}. */
static void push_weather(lua_State* L, const ptl_weather* w) {
    lua_createtable(L, PTL_WEATHER_LENGTHS, 0);
    for (int i = 0; i < PTL_WEATHER_LENGTHS; i++) {
        lua_createtable(L, 0, 2);
        ptl_lua_set_number(L, "cycles", w->cycles[i]);
        ptl_lua_set_number(L, "share", w->share[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Pushes what keeps measured code in, as a set of words. */
static void push_layers(lua_State* L, uint32_t layers) {
    static const struct {
        uint32_t bit;
        const char* name;
    } all[] = {{PTL_LAYER_SECCOMP, "seccomp"},
               {PTL_LAYER_PRIVILEGES, "privileges"},
               {PTL_LAYER_LANDLOCK, "landlock"},
               {PTL_LAYER_NAMESPACES, "namespaces"},
               {PTL_LAYER_LIMITS, "limits"},
               {PTL_LAYER_GUARDS, "guards"},
               {PTL_LAYER_CAPABILITIES, "capabilities"},
               {PTL_LAYER_EMULATOR, "emulator"}};
    lua_createtable(L, 0, sizeof all / sizeof *all);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ptl_lua_set_boolean(L, all[i].name, (layers & all[i].bit) != 0);
    }
}

/* session:describe() -> {sentinel = cycles per add, imul_latency, tsc_hz, tsc_granularity (ticks by which it
 * steps), coarseness (how many times as long as usual samples are), quiet_share (when it was
 * calibrated), accepted, rejected (readings of controls so far), weather = {{cycles=, share=}, ...},
 * long_cycles (of passes), layers = {seccomp=, privileges=, landlock=,
 * namespaces=, limits=, guards=, capabilities=: what keeps measured code in; emulator=: it runs in
 * qemu, which has no seccomp}}. weather and long_cycles are
 * there once something was measured. */
static int l_describe(lua_State* L) {
    const ptl_session* s = check_session(L)->session;
    const ptl_calibration* c = ptl_session_calibration(s);
    unsigned long accepted, rejected;
    ptl_session_noise(s, &accepted, &rejected);
    lua_newtable(L);
    const ptl_weather* w = ptl_session_weather(s);
    ptl_lua_set_number(L, "sentinel", c->alu_cycles);
    ptl_lua_set_number(L, "imul_latency", c->imul_latency);
    ptl_lua_set_number(L, "tsc_hz", c->tsc_hz);
    ptl_lua_set_number(L, "tsc_granularity", c->granularity);
    ptl_lua_set_integer(L, "coarseness", c->coarseness);
    if (w->cycles[0] > 0) {
        push_weather(L, w);
        lua_setfield(L, -2, "weather");
        ptl_lua_set_number(L, "long_cycles", w->cycles[w->best]);
    }
    ptl_lua_set_number(L, "quiet_share", c->quiet_share);
    push_layers(L, ptl_session_layers(s));
    lua_setfield(L, -2, "layers");
    ptl_lua_set_integer(L, "accepted", (lua_Integer)accepted);
    ptl_lua_set_integer(L, "rejected", (lua_Integer)rejected);
    return 1;
}

/* Calls the function at index 3. An error must not jump over the engine: it waits there, in the place of the
 * function, until the run is over. */
static void call_progress(void* context, size_t done, size_t groups, double quiet) {
    lua_State* L = context;
    if (!lua_isfunction(L, 3)) return;
    lua_pushvalue(L, 3);
    lua_pushinteger(L, (lua_Integer)done);
    lua_pushinteger(L, (lua_Integer)groups);
    lua_pushnumber(L, quiet);
    if (ptl_lua_callback(L, 3, 0) != LUA_OK) lua_replace(L, 3);
}

/* session:run(experiments[, progress]) -> list of results, status name
 * experiments: list of lists of kernels (variants) {bytes=, copies=, vector_bits=, keeps_stack=, generated=,
 * ahead=}; generated: made by Portolan from schemes; all other code has processes of its own; ahead: bytes
 * of code that runs once ahead of the loop; with pages = list of addresses:
 * code that touches memory anywhere, with these pages, and those found to be missing, mapped onto
 * one; apart=: each has memory of its own instead; writes=, x87=: what it does; probe=: only its status is
 * wanted, and its pages. progress(done, all, quiet share). A result: {pages (all that are mapped), fault (of
 * "memory fault" with pages: the address, if the processor gives one)}, {status, unsteady (unstable by
 * itself), range ({low, high}: cycles that a tenth and half of the readings of unsteady code are faster
 * than), cycles (per experiment), spread, n, rejected, frequency (Hz), variant, counts (of the events of
 * session:count, per copy of the experiment, with its share of the loop's own instructions)}. */
static int l_run(lua_State* L) {
    handle* h = check_session(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    luaL_argcheck(L, lua_isnil(L, 3) || lua_isfunction(L, 3), 3, "must be a function");
    bool with_progress = !lua_isnil(L, 3);
    size_t groups = ptl_lua_length(L, 2), n = ptl_lua_count_kernels(L, 2, groups);
    /* userdata, so that an error in the middle leaks nothing */
    ptl_kernel* kernels = lua_newuserdatauv(L, (n + 1) * sizeof *kernels, 0);
    ptl_measurement* out = lua_newuserdatauv(L, (groups + 1) * sizeof *out, 0);
    lua_newtable(L); /* keeps lists of pages */
    ptl_lua_read_kernels(L, 2, groups, lua_gettop(L), kernels);
    ptl_status status =
        ptl_session_run(h->session, kernels, n, groups, out, call_progress, L, ptl_lua_error());
    if (with_progress && !lua_isfunction(L, 3)) {
        lua_pushvalue(L, 3);
        return lua_error(L);
    }
    if (status != PTL_INTERRUPTED) ptl_lua_try(L, status);
    lua_createtable(L, (int)groups, 0);
    for (size_t g = 0, k = 0; g < groups; g++) {
        ptl_lua_push_measurement(L, &out[g], h->events, kernels, kernels[k].pages);
        while (k < n && kernels[k].group == g) k++;
        lua_rawseti(L, -2, (lua_Integer)g + 1);
    }
    lua_pushstring(L, ptl_status_name(status));
    return 2;
}

/* session:count{event, ...} -> true | nil, message, status: which events further runs count, by libpfm4's
 * names, at most 4; none of them if there is a message. */
static int l_count(lua_State* L) {
    handle* h = check_session(L);
    luaL_checktype(L, 2, LUA_TTABLE);
    const char* events[PTL_EVENTS_MAX];
    size_t n = ptl_lua_length(L, 2);
    luaL_argcheck(L, n <= PTL_EVENTS_MAX, 2, "at most 4 events can be counted at once");
    for (size_t k = 0; k < n; k++) {
        events[k] = ptl_lua_text_item(L, 2, (lua_Integer)k + 1);
        luaL_argcheck(L, events[k], 2, "events must be names");
    }
    h->events = 0;
    ptl_lua_try(L, ptl_session_count(h->session, events, n, ptl_lua_error()));
    h->events = n;
    return ptl_lua_boolean(L, true);
}

static const luaL_Reg session_methods[] = {
    {"run", l_run}, {"count", l_count}, {"describe", l_describe}, {"operands", l_operands}, {NULL, NULL},
};

static void free_session(void* object) {
    ptl_session_close(((handle*)object)->session);
}

static const ptl_lua_class session_class = {.name = "portolan.bench.session",
                                            .what = "session",
                                            .free = free_session,
                                            .methods = session_methods,
                                            .close = "close"};

/* coarseness(hz[, granularity = 1]) -> how many times as long as usual samples are with a counter of so many
 * ticks a second that steps by `granularity` of them. */
static int l_coarseness(lua_State* L) {
    ptl_ticks t = {.hz = luaL_checknumber(L, 1), .granularity = luaL_optnumber(L, 2, 1)};
    luaL_argcheck(L, t.hz >= 1e6 && t.hz <= 1e12, 1, "must be ticks a second, 1e6 to 1e12");
    luaL_argcheck(L, t.granularity >= 1 && t.granularity <= t.hz / 1e6, 2,
                  "must be ticks, at most a microsecond");
    return ptl_lua_integer(L, ptl_ticks_coarseness(&t));
}

/* counter([event = cycles]) -> true | nil, reason: can this event (libpfm4's name) be counted in user mode?
 */
static int l_counter(lua_State* L) {
    ptl_counter c;
    ptl_lua_try(L, ptl_event_open(&c, luaL_optstring(L, 1, PTL_CYCLES), ptl_lua_error()));
    ptl_counter_close(&c);
    return ptl_lua_boolean(L, true);
}

/* event(name) -> type, config of perf_event_open(2) | nil, message, status: what libpfm4 makes of an event's
 * name on this processor, counters or not. */
static int l_event(lua_State* L) {
    struct perf_event_attr attribute;
    ptl_lua_try(L, ptl_event_encode(luaL_checkstring(L, 1), &attribute, ptl_lua_error()));
    lua_pushinteger(L, (lua_Integer)attribute.type);
    lua_pushinteger(L, (lua_Integer)attribute.config);
    return 2;
}

static const luaL_Reg functions[] = {
    {"open", l_open}, {"coarseness", l_coarseness}, {"counter", l_counter}, {"event", l_event}, {NULL, NULL},
};

/* Pushes what code that is added to blocks may rest on. */
static void push_layout(lua_State* L) {
    lua_createtable(L, 0, 4);
    ptl_lua_set_integer(L, "scratch",
                        (lua_Integer)(ptl_target_host()->places->frame + offsetof(ptl_frame, scratch)));
    ptl_lua_set_integer(L, "pattern", PTL_PAGE_PATTERN);
    ptl_lua_set_integer(L, "pages", PTL_PAGES_MAX);
    ptl_lua_set_integer(L, "code", PTL_CODE_SIZE);
}

/* core.bench.open; core.bench.architecture = that of this machine, "x86_64" or "aarch64"; core.bench.layout =
 * {scratch = address of 4 words that code added to a block may use, pattern = what registers and memory hold
 * when a block with pages starts, pages = how many it may have, code = bytes from the first of any kernel
 * within which there may be code} */
int ptl_open_bench(lua_State* L) {
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    push_layout(L);
    lua_setfield(L, -2, "layout");
    ptl_lua_set_string(L, "architecture", ptl_target_host()->architecture);
    return 1;
}
