/* Methods; checks the caller's settings, and replaces zeros by defaults. */
#include <math.h>
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "base/intern.h"

static const struct {
    const char *name, *about;
} methods[PEPA_METHOD_COUNT] = {
    [PEPA_AUTO] = {"auto", "chosen by size; falls back to the next method when one stalls"},
    [PEPA_DIRECT] = {"direct", "sparse LU factorisation, refined"},
    [PEPA_GTH] = {"gth",
                  "elimination without subtractions, dense or sparse by size: every digit counts"},
    [PEPA_GAUSS_SEIDEL] = {"gauss-seidel",
                           "sweeps over the states in an order that suits the model"},
    [PEPA_SOR] = {"sor", "Gauss-Seidel with adaptive relaxation"},
    [PEPA_JACOBI] = {"jacobi", "damped Jacobi iteration"},
    [PEPA_POWER] = {"power", "power iteration on the uniformised chain"},
    [PEPA_BICGSTAB] = {"bicgstab", "stabilised bi-conjugate gradients, preconditioned"},
    [PEPA_GMRES] = {"gmres", "restarted GMRES, preconditioned"},
    [PEPA_MULTILEVEL] = {"multilevel", "groups of states, and groups of groups: for slow chains"},
    [PEPA_IDR] = {"idr", "induced dimension reduction, IDR(4), preconditioned"},
};

const char *pepa_method_name(PepaMethod method)
{
    return (unsigned)method < PEPA_METHOD_COUNT ? methods[method].name : NULL;
}

const char *pepa_method_about(PepaMethod method)
{
    return (unsigned)method < PEPA_METHOD_COUNT ? methods[method].about : NULL;
}

PepaStatus pepa_method_find(const char *name, PepaMethod *method, PepaError *err)
{
    const char *names[PEPA_METHOD_COUNT];
    if (!name || !method)
        return error_null(err, "pepa_method_find");
    for (int i = 0; i < PEPA_METHOD_COUNT; i++) {
        if (strcmp(name, methods[i].name) == 0) {
            *method = (PepaMethod)i;
            return PEPA_OK;
        }
        names[i] = methods[i].name;
    }
    const char *meant = suggest(name, names, PEPA_METHOD_COUNT);
    return error_set(err, PEPA_EARG, "unknown method `%s`%s%s%s", name,
                     meant ? "; did you mean `" : "", meant ? meant : "", meant ? "`?" : "");
}

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

static PepaStatus check_keeping(const PepaKeeping *k, PepaError *err)
{
    if (k && !ALL_ZERO(k->reserved))
        return error_set(err, PEPA_EARG, "settings: reserved words of keeping must be 0");
    if (k && !(k->due && k->begin && k->piece && k->end))
        return error_set(err, PEPA_EARG, "settings: keeping needs due, begin, piece and end");
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
    PepaStatus status = check_solve(&all.solve, err);
    return status == PEPA_OK ? check_keeping(all.solve.keeping, err) : status;
}

PepaStatus times_check(const double *time, size_t count, PepaError *err)
{
    if (!time || count == 0)
        return error_set(err, PEPA_EARG, "no times are given");
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(time[i]) || time[i] < 0)
            return error_set(err, PEPA_EARG, "time %g: times are finite numbers from 0 on",
                             time[i]);
        if (i > 0 && time[i] < time[i - 1])
            return error_set(err, PEPA_EARG, "times must ascend: %g comes after %g", time[i],
                             time[i - 1]);
    }
    return PEPA_OK;
}
