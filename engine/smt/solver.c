#include "smt/solver.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "smt/watch.h"

/* Z3's default handler ends the process; with this one the error code is asked for after the call. */
static void no_abort(Z3_context c, Z3_error_code code) {
    (void)c;
    (void)code;
}

void ptl_solver_stick(ptl_solver* s, ptl_status status, const char* what) {
    if (!s->failure.status) ptl_fail(&s->failure, status, "solver", NULL, "%s", what);
}

bool ptl_solver_well(ptl_solver* s) {
    if (s->failure.status) return false;
    Z3_error_code code = Z3_get_error_code(s->context);
    if (code == Z3_OK) return true;
    ptl_solver_stick(s, code == Z3_MEMOUT_FAIL ? PTL_NO_MEMORY : PTL_INTERNAL,
                     Z3_get_error_msg(s->context, code));
    return false;
}

/* Z3 says that there is no memory by throwing. What C++ needs for that in each thread is had now: later there
 * may be none, and the C library then ends the process. (Of libstdc++, which Z3 brings along.) */
__attribute__((weak)) extern void* __cxa_get_globals(void);

static void prepare_to_throw(void) {
    if (__cxa_get_globals) __cxa_get_globals();
}

bool ptl_solver_open(ptl_solver* s, const char* logic, uint64_t seed) {
    prepare_to_throw();
    Z3_config config = Z3_mk_config();
    Z3_set_param_value(config, "model", "true");
    s->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    if (!s->context) return false;
    Z3_set_error_handler(s->context, no_abort);
    Z3_solver solver = logic ? Z3_mk_solver_for_logic(s->context, Z3_mk_string_symbol(s->context, logic))
                             : Z3_mk_simple_solver(s->context);
    if (!solver || !ptl_solver_well(s)) return false;
    Z3_solver_inc_ref(s->context, solver);
    s->solver = solver;
    Z3_params params = Z3_mk_params(s->context);
    Z3_params_inc_ref(s->context, params);
    Z3_params_set_uint(s->context, params, Z3_mk_string_symbol(s->context, "random_seed"),
                       (unsigned)(seed & 0x7fffffff));
    Z3_solver_set_params(s->context, s->solver, params);
    Z3_params_dec_ref(s->context, params);
    return ptl_solver_well(s);
}

void ptl_solver_drop_answer(ptl_solver* s) {
    if (s->model) Z3_model_dec_ref(s->context, s->model);
    if (s->core) Z3_ast_vector_dec_ref(s->context, s->core);
    s->model = NULL;
    s->core = NULL;
}

bool ptl_solver_is_lost(const ptl_solver* s) {
    return s->failure.status == PTL_NO_MEMORY;
}

void ptl_solver_close(ptl_solver* s) {
    if (!s->context || ptl_solver_is_lost(s)) return;
    ptl_solver_drop_answer(s);
    if (s->solver) Z3_solver_dec_ref(s->context, s->solver);
    Z3_del_context(s->context);
}

ptl_status ptl_solver_failure(const ptl_solver* s, ptl_error* error) {
    if (!s->failure.status) return ptl_fail(error, PTL_INTERNAL, "solver", NULL, "Z3 did not start");
    if (error) *error = s->failure;
    return s->failure.status;
}

static void keep_answer(ptl_solver* s, Z3_lbool answer) {
    if (answer == Z3_L_TRUE) {
        Z3_model model = Z3_solver_get_model(s->context, s->solver);
        if (!ptl_solver_well(s)) return;
        Z3_model_inc_ref(s->context, model);
        s->model = model;
    } else if (answer == Z3_L_FALSE) {
        Z3_ast_vector core = Z3_solver_get_unsat_core(s->context, s->solver);
        if (!ptl_solver_well(s)) return;
        Z3_ast_vector_inc_ref(s->context, core);
        s->core = core;
    }
}

static Z3_lbool solve(ptl_solver* s, const Z3_ast* assumptions, unsigned n, ptl_status* reason) {
    ptl_solver_drop_answer(s);
    double start = ptl_now();
    ptl_watch watch;
    ptl_watch_start(&watch, s->context, s->deadline);
    Z3_lbool answer = Z3_solver_check_assumptions(s->context, s->solver, n, assumptions);
    *reason = ptl_watch_end(&watch);
    keep_answer(s, answer);
    s->seconds += ptl_now() - start;
    s->checks++;
    return answer;
}

ptl_status ptl_solver_check(ptl_solver* s, const Z3_ast* assumptions, unsigned n, bool* sat,
                            ptl_error* error) {
    *sat = false;
    ptl_status reason = PTL_OK;
    Z3_lbool answer = Z3_L_UNDEF;
    if (ptl_interrupted()) return ptl_fail(error, PTL_INTERRUPTED, NULL, NULL, "interrupted");
    if (s->deadline > 0 && ptl_now() >= s->deadline)
        return ptl_fail(error, PTL_LIMIT, NULL, NULL, "out of time");
    if (ptl_solver_well(s)) answer = solve(s, assumptions, n, &reason);
    if (answer == Z3_L_UNDEF && reason)
        return ptl_fail(error, reason, NULL, NULL, reason == PTL_LIMIT ? "out of time" : "interrupted");
    if (answer == Z3_L_UNDEF && ptl_solver_well(s))
        return ptl_fail(error, PTL_LIMIT, NULL, NULL, "Z3 can't tell: %s",
                        Z3_solver_get_reason_unknown(s->context, s->solver));
    *sat = answer == Z3_L_TRUE;
    if (s->failure.status && error) *error = s->failure;
    return s->failure.status;
}

bool ptl_solver_in_core(const ptl_solver* s, Z3_ast assumption) {
    unsigned size = s->core ? Z3_ast_vector_size(s->context, s->core) : 0;
    for (unsigned j = 0; j < size; j++) /* the vector holds its members */
        if (Z3_is_eq_ast(s->context, Z3_ast_vector_get(s->context, s->core, j), assumption)) return true;
    return false;
}

void ptl_solver_symbol(char text[PTL_SYMBOL_SIZE], uint64_t number, const char* format, va_list arguments) {
    enum { NUMBER = 24 };
    int length = vsnprintf(text, PTL_SYMBOL_SIZE - NUMBER, format, arguments);
    if (length >= PTL_SYMBOL_SIZE - NUMBER) length = PTL_SYMBOL_SIZE - NUMBER - 1;
    snprintf(text + length, NUMBER, "_%" PRIu64, number);
}
