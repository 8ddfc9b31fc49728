/* core.model: throughput by the linear program. */
#include "lua/model.h"
#include "model/lp.h"

/* m:lp(experiment[, exact]) -> inverse throughput in cycles by the linear program of Theorem 3.12, R_max
 * included; exact: over rationals (lp.h) | nil, message, status. */
int ptl_lua_model_lp(lua_State* L) {
    ptl_lua_mapping* m = ptl_lua_check_mapping(L, 1);
    ptl_error error;
    double cycles;
    ptl_status s = ptl_lua_read_experiment(L, 2, m, 1, &error);
    if (!s) s = ptl_lp_throughput(&m->mapping, &m->experiment, lua_toboolean(L, 3), &cycles, NULL, &error);
    if (s) return ptl_lua_failure(L, &error);
    lua_pushnumber(L, cycles);
    return 1;
}
