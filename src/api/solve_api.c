/* Methods, settings, the steady state and its measures. */
#include <string.h>

#include "api/handles.h"
#include "base/intern.h"
#include "measure/longrun.h"
#include "measure/measures.h"
#include "measure/sensitivity.h"

static const struct {
    const char *name, *about;
} methods[PEPA_METHOD_COUNT] = {
    [PEPA_AUTO] = {"auto", "chosen by size; falls back to the next method when one stalls"},
    [PEPA_DIRECT] = {"direct", "sparse LU factorisation (KLU), refined"},
    [PEPA_GTH] = {"gth",
                  "dense elimination without subtractions: every digit counts; small models"},
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
    int nearest = 0, least = 4;
    if (!name || !method)
        return error_set(err, PEPA_EARG, "pepa_method_find: an argument is NULL");
    for (int i = 0; i < PEPA_METHOD_COUNT; i++) {
        if (strcmp(name, methods[i].name) == 0) {
            *method = (PepaMethod)i;
            return PEPA_OK;
        }
        int distance = name_distance(name, methods[i].name, least);
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return error_set(err, PEPA_EARG, "unknown method `%s`%s%s%s", name,
                     least < 4 ? "; did you mean `" : "", least < 4 ? methods[nearest].name : "",
                     least < 4 ? "`?" : "");
}

PepaSettings pepa_settings_default(void)
{
    return (PepaSettings){.method = PEPA_AUTO, .tolerance = 1e-10, .aggregate = 1, .threads = 1};
}

PepaStatus settings_check(const PepaSettings *set, PepaError *err)
{
    if (!pepa_method_name(set->method))
        return error_set(err, PEPA_EARG, "settings: unknown method %d", (int)set->method);
    if (!(set->tolerance > 0 && set->tolerance < 1))
        return error_set(err, PEPA_EARG, "settings: the tolerance must be between 0 and 1");
    if ((unsigned)set->explore > PEPA_EXPLORE_AUTO)
        return error_set(err, PEPA_EARG, "settings: unknown way to explore %d", (int)set->explore);
    if ((unsigned)set->matrix > PEPA_MATRIX_FREE)
        return error_set(err, PEPA_EARG, "settings: unknown form of the matrix %d",
                         (int)set->matrix);
    if (set->matrix == PEPA_MATRIX_FREE && set->method != PEPA_AUTO && set->method != PEPA_SOR &&
        set->method != PEPA_GAUSS_SEIDEL)
        return error_set(
            err, PEPA_EARG,
            "the method %s takes the matrix by rows: --matrix explicit, compact or auto",
            pepa_method_name(set->method));
    if ((unsigned)set->precondition >= PEPA_PRECONDITION_COUNT)
        return error_set(err, PEPA_EARG, "settings: unknown preconditioner %d",
                         (int)set->precondition);
    if (set->precondition != PEPA_PRECONDITION_AUTO && set->method != PEPA_AUTO &&
        set->method != PEPA_BICGSTAB && set->method != PEPA_GMRES && set->method != PEPA_IDR)
        return error_set(err, PEPA_EARG,
                         "the method %s is not preconditioned; bicgstab, gmres, idr and auto are",
                         pepa_method_name(set->method));
    if (set->memory < 0)
        return error_set(err, PEPA_EARG, "settings: memory is a number of bytes, or 0: no limit");
    if (set->max_iter < 0 || set->max_states < 0 || set->threads < 1)
        return error_set(err, PEPA_EARG,
                         "settings: max_iter >= 0, max_states >= 0 and threads >= 1 are needed");
    return PEPA_OK;
}

struct PepaSteady {
    const Chain *chain;
    LongRun *run;
    Sensitivity *sensitivity; /* NULL until it is asked for */
};

PepaStatus pepa_steady_new(PepaSteady **out, const PepaChain *handle, PepaError *err)
{
    if (!out || !handle)
        return error_set(err, PEPA_EARG, "pepa_steady_new: an argument is NULL");
    PepaSteady *steady = mem_calloc(1, sizeof *steady);
    if (!steady)
        return error_memory(err);
    steady->chain = handle->chain;
    PepaStatus status = longrun_new(&steady->run, handle->chain, err);
    if (status == PEPA_OK)
        *out = steady;
    else
        pepa_steady_free(steady);
    return status;
}

void pepa_steady_free(PepaSteady *steady)
{
    if (!steady)
        return;
    sensitivity_free(steady->sensitivity);
    longrun_free(steady->run);
    mem_free(steady);
}

PepaStatus pepa_steady_solve(PepaSteady *steady, const PepaSettings *set, double *pi,
                             PepaInfo *info, PepaError *err)
{
    if (!steady || !pi)
        return error_set(err, PEPA_EARG, "pepa_steady_solve: an argument is NULL");
    PepaSettings plain = pepa_settings_default();
    if (!set)
        set = &plain;
    PepaStatus status = settings_check(set, err);
    if (status != PEPA_OK)
        return status;
    if (set->matrix == PEPA_MATRIX_FREE && !steady->chain->diagram)
        return error_set(err, PEPA_EARG,
                         "a chain explored one by one has its matrix by rows: --matrix explicit, "
                         "compact or auto");
    return longrun_solve(steady->run, set, pi, info, err);
}

PepaStatus pepa_solve_steady(const PepaChain *handle, const PepaSettings *set, double *pi,
                             PepaInfo *info, PepaError *err)
{
    if (!handle || !pi)
        return error_set(err, PEPA_EARG, "pepa_solve_steady: an argument is NULL");
    PepaSettings plain = pepa_settings_default();
    PepaSteady *steady = NULL;
    PepaStatus status = longrun_room(handle->chain, set ? set : &plain, err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&steady, handle, err);
    if (status == PEPA_OK)
        status = pepa_steady_solve(steady, set, pi, info, err);
    pepa_steady_free(steady);
    return status;
}

void pepa_throughputs(const PepaChain *handle, const double *pi, double *per_time)
{
    measure_throughputs(handle->chain, pi, per_time);
}

/* The chain's number of an action that occurs. */
static PepaStatus find_action(const Chain *c, const char *name, int32_t *action, PepaError *err)
{
    int32_t found = 0;
    while (found < c->action_count && strcmp(c->model->actions[c->actions[found]], name) != 0)
        found++;
    if (found == c->action_count)
        return error_set(err, PEPA_EARG, "no action `%s` occurs in the model", name);
    *action = found;
    return PEPA_OK;
}

PepaStatus pepa_throughput(const PepaChain *handle, const double *pi, const char *action,
                           double *per_time, PepaError *err)
{
    if (!handle || !pi || !action || !per_time)
        return error_set(err, PEPA_EARG, "pepa_throughput: an argument is NULL");
    const Chain *c = handle->chain;
    int32_t found;
    PepaStatus status = find_action(c, action, &found, err);
    if (status != PEPA_OK)
        return status;
    *per_time = measure_throughput(c, pi, found);
    return PEPA_OK;
}

PepaStatus pepa_steady_sensitivities(PepaSteady *steady, const PepaSettings *set, const double *pi,
                                     const char *action, double *potential, double *derivative,
                                     PepaInfo *info, PepaError *err)
{
    if (!steady || !pi || !action || !derivative)
        return error_set(err, PEPA_EARG, "pepa_steady_sensitivities: an argument is NULL");
    PepaSettings plain = pepa_settings_default();
    if (!set)
        set = &plain;
    PepaSettings within = *set;
    const Chain *chain = steady->chain;
    int32_t found = 0;
    PepaStatus status = settings_check(set, err);
    if (status == PEPA_OK)
        status = find_action(chain, action, &found, err);
    if (status == PEPA_OK && chain->diagram)
        status = error_set(err, PEPA_EARG, "sensitivities take a chain explored one by one");
    if (status == PEPA_OK && chain->bottom_count > 1)
        status = error_set(err, PEPA_EARG,
                           "the chain has %d bottom components: sensitivities are there for chains "
                           "with one only",
                           chain->bottom_count);
    if (status == PEPA_OK)
        status = sensitivity_room(chain, set, &within.memory, err);
    if (status == PEPA_OK && !steady->sensitivity)
        status = sensitivity_new(&steady->sensitivity, chain, steady->run, err);
    if (status == PEPA_OK)
        status = sensitivity_solve(steady->sensitivity, &within, pi, found, potential, derivative,
                                   info, err);
    return status;
}

PepaStatus pepa_utilisations(const PepaChain *handle, const double *pi, double *share,
                             PepaError *err)
{
    if (!handle || !pi || !share)
        return error_set(err, PEPA_EARG, "pepa_utilisations: an argument is NULL");
    const System *s = handle->chain->system;
    PepaStatus status = measure_mean_counts(handle->chain, handle->offset, pi, share, err);
    for (int32_t p = 0; p < s->position_count && status == PEPA_OK; p++)
        for (int32_t i = handle->offset[p]; i < handle->offset[p + 1]; i++)
            share[i] /= s->position_copies[p];
    return status;
}

PepaStatus pepa_populations(const PepaChain *handle, const double *pi, double *mean, PepaError *err)
{
    if (!handle || !pi || !mean)
        return error_set(err, PEPA_EARG, "pepa_populations: an argument is NULL");
    int32_t counts = handle->offset[handle->chain->system->position_count];
    double *each = mem_alloc((size_t)counts, sizeof *each);
    if (!each)
        return error_memory(err);
    PepaStatus status = measure_mean_counts(handle->chain, handle->offset, pi, each, err);
    if (status == PEPA_OK) {
        memset(mean, 0, (size_t)handle->local_states * sizeof *mean);
        for (int32_t i = 0; i < counts; i++)
            mean[handle->local[i]] += each[i];
    }
    mem_free(each);
    return status;
}
