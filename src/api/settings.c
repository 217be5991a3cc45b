/* Checks the caller's settings, and replaces zeros by defaults. */
#include "api/handles.h"
#include "base/error.h"

bool all_zero(const uint64_t *words, size_t count)
{
    uint64_t any = 0;
    for (size_t i = 0; i < count; i++)
        any |= words[i];
    return any == 0;
}

static PepaStatus check_solve(const PepaSolve *solve, PepaError *err)
{
    bool sweeps = solve->method == PEPA_AUTO || solve->method == PEPA_SOR ||
                  solve->method == PEPA_GAUSS_SEIDEL;
    bool krylov = solve->method == PEPA_AUTO || solve->method == PEPA_BICGSTAB ||
                  solve->method == PEPA_GMRES || solve->method == PEPA_IDR;
    if (!pepa_method_name(solve->method))
        return error_set(err, PEPA_EARG, "settings: unknown method %d", (int)solve->method);
    if (!(solve->tolerance > 0 && solve->tolerance < 1))
        return error_set(err, PEPA_EARG, "settings: the tolerance must be between 0 and 1");
    if ((unsigned)solve->matrix > PEPA_MATRIX_FREE)
        return error_set(err, PEPA_EARG, "settings: unknown form of the matrix %d",
                         (int)solve->matrix);
    if ((unsigned)solve->precondition >= PEPA_PRECONDITION_COUNT)
        return error_set(err, PEPA_EARG, "settings: unknown preconditioner %d",
                         (int)solve->precondition);
    if (solve->matrix == PEPA_MATRIX_FREE && !sweeps)
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_MATRIX,
                           "the method %s needs a matrix by rows", pepa_method_name(solve->method));
    if (solve->precondition != PEPA_PRECONDITION_AUTO && !krylov)
        return error_set(err, PEPA_EARG,
                         "the method %s is not preconditioned; bicgstab, gmres, idr and auto are",
                         pepa_method_name(solve->method));
    if (solve->max_iter < 0)
        return error_set(err, PEPA_EARG, "settings: max_iter must be >= 0");
    return PEPA_OK;
}

PepaStatus settings_complete(PepaSettings *out, const PepaSettings *given, PepaError *err)
{
    PepaSettings all = given ? *given : (PepaSettings){0};
    if (all.threads == 0)
        all.threads = 1;
    if (all.solve.tolerance == 0)
        all.solve.tolerance = 1e-10;
    *out = all;
    if (!ALL_ZERO(all.reserved) || !ALL_ZERO(all.derive.reserved) || !ALL_ZERO(all.solve.reserved))
        return error_set(err, PEPA_EARG,
                         "settings: reserved words must be 0; is the library older than pepa.h?");
    if (all.threads < 0 || all.memory < 0 || all.derive.max_states < 0)
        return error_set(err, PEPA_EARG, "settings: threads, memory and max_states must be >= 0");
    if ((unsigned)all.derive.explore > PEPA_EXPLORE_AUTO)
        return error_set(err, PEPA_EARG, "settings: unknown way to explore %d",
                         (int)all.derive.explore);
    return check_solve(&all.solve, err);
}
