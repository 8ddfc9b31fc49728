/* core.evo.mpi: islands as processes (Open MPI or another; built with -DPTL_MPI=ON). Without it there is no
 * such table. */
#include "lua/evo.h"

#ifdef PTL_MPI
#include <mpi.h>
#include <stdlib.h>

static int failure(lua_State* L, const char* call, int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (MPI_Error_string(code, text, &length)) length = 0;
    return luaL_error(L, "%s: %s", call, length ? text : "failed");
}

/* open() -> rank of this process from 0, number of processes. */
static int l_open(lua_State* L) {
    int there, level, rank, size, code = MPI_Initialized(&there);
    if (!code && !there) code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    if (!code) code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (!code) code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!code) code = MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (code) return failure(L, "MPI_Init_thread", code);
    lua_pushinteger(L, rank);
    lua_pushinteger(L, size);
    return 2;
}

/* gather(text) -> list of the texts of all processes, by rank. All of them must call it. */
static int l_gather(lua_State* L) {
    size_t length;
    const char* text = luaL_checklstring(L, 1, &length);
    luaL_argcheck(L, length < 1 << 28, 1, "too long");
    int size, own = (int)length, code = MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (code) return failure(L, "MPI_Comm_size", code);
    int* lengths = lua_newuserdatauv(L, 2 * (size_t)size * sizeof *lengths, 0);
    int* places = lengths + size;
    code = MPI_Allgather(&own, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    if (code) return failure(L, "MPI_Allgather", code);
    size_t all = 0;
    for (int i = 0; i < size; i++) {
        places[i] = (int)all;
        all += (size_t)lengths[i];
        if (all > INT32_MAX) return luaL_error(L, "MPI: the texts of all processes are too long");
    }
    char* texts = lua_newuserdatauv(L, all + 1, 0);
    code = MPI_Allgatherv(text, own, MPI_CHAR, texts, lengths, places, MPI_CHAR, MPI_COMM_WORLD);
    if (code) return failure(L, "MPI_Allgatherv", code);
    lua_createtable(L, size, 0);
    for (int i = 0; i < size; i++) {
        lua_pushlstring(L, texts + places[i], (size_t)lengths[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* close(): no calls after it. */
static int l_close(lua_State* L) {
    int code = MPI_Finalize();
    return code ? failure(L, "MPI_Finalize", code) : 0;
}

static const luaL_Reg functions[] = {
    {"open", l_open}, {"gather", l_gather}, {"close", l_close}, {NULL, NULL}};

void ptl_lua_evo_mpi(lua_State* L) {
    lua_newtable(L);
    ptl_lua_functions(L, functions);
    lua_setfield(L, -2, "mpi");
}
#else
void ptl_lua_evo_mpi(lua_State* L) {
    (void)L;
}
#endif
