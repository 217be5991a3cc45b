/* The steady state and its measures. */
#include <string.h>

#include "api/handles.h"
#include "base/intern.h"
#include "measure/longrun.h"
#include "measure/measures.h"
#include "api/steady.h"

PepaStatus pepa_steady_new(PepaSteady **out, const PepaChain *handle, PepaError *err)
{
    if (!out || !handle)
        return error_null(err, "pepa_steady_new");
    PepaStatus status = chain_is_whole(handle, err);
    if (status != PEPA_OK)
        return status;
    PepaSteady *steady = mem_calloc(1, sizeof *steady);
    if (!steady)
        return error_memory(err);
    steady->owner = handle;
    steady->chain = handle->chain;
    status = longrun_new(&steady->run, handle->chain, steady_form(handle->chain), err);
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
        return error_null(err, "pepa_steady_solve");
    PepaSettings all;
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK && all.solve.matrix == PEPA_MATRIX_FREE && steady->chain->row)
        status = error_limit(err, PEPA_EARG, PEPA_LIMIT_MATRIX,
                             "the matrix of a chain %s is kept by rows",
                             steady->chain->diagram ? "with states that are left for ever"
                                                    : "explored one by one");
    if (status == PEPA_OK)
        status = longrun_solve(steady->run, &steady->chain->now, &all, pi, info, err);
    return status;
}

PepaStatus pepa_solve_steady(const PepaChain *handle, const PepaSettings *set, double *pi,
                             PepaInfo *info, PepaError *err)
{
    if (!handle || !pi)
        return error_null(err, "pepa_solve_steady");
    PepaSettings all;
    PepaSteady *steady = NULL;
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = longrun_check_memory(handle->chain, &all, err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&steady, handle, err);
    if (status == PEPA_OK)
        status = pepa_steady_solve(steady, set, pi, info, err);
    pepa_steady_free(steady);
    return status;
}

void pepa_throughputs(const PepaChain *handle, const double *pi, double *per_time)
{
    const Chain *c = handle->chain;
    chain_action_flow(c, c->now.term, pi, per_time);
}

PepaStatus steady_find_action(const Chain *c, const char *name, int32_t *action, PepaError *err)
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
        return error_null(err, "pepa_throughput");
    const Chain *c = handle->chain;
    int32_t found;
    PepaStatus status = chain_is_whole(handle, err);
    if (status == PEPA_OK)
        status = steady_find_action(c, action, &found, err);
    if (status != PEPA_OK)
        return status;
    *per_time = chain_flow_of(c, c->now.term, pi, found);
    return PEPA_OK;
}

PepaStatus steady_differentiable(PepaSteady *steady, const PepaSettings *set, PepaSettings *within,
                                 PepaError *err)
{
    const Chain *chain = steady->chain;
    PepaSettings all;
    PepaStatus status = settings_complete(&all, set, err);
    *within = all;
    if (status == PEPA_OK)
        status = sensitivity_check_memory(chain, &all, &within->memory, err);
    if (status == PEPA_OK && !steady->sensitivity)
        status = sensitivity_new(&steady->sensitivity, chain, steady->run, err);
    return status;
}

PepaStatus pepa_steady_sensitivities(PepaSteady *steady, const PepaSettings *set, const double *pi,
                                     const char *action, double *potential, double *derivative,
                                     PepaInfo *info, PepaError *err)
{
    if (!steady || !pi || !action || !derivative)
        return error_null(err, "pepa_steady_sensitivities");
    PepaSettings within;
    const Chain *chain = steady->chain;
    int32_t found = 0;
    double *by_action = NULL;
    PepaStatus status = steady_find_action(chain, action, &found, err);
    if (status == PEPA_OK)
        status = steady_differentiable(steady, set, &within, err);
    if (status == PEPA_OK && !mem_new_zeroed(by_action, chain->model->action_count))
        status = error_memory(err);
    if (status == PEPA_OK) {
        by_action[chain->actions[found]] = 1;
        status =
            sensitivity_solve(steady->sensitivity, &chain->now, &within, pi,
                              &(Reward){.by_action = by_action}, potential, derivative, info, err);
    }
    mem_free(by_action);
    return status;
}

/* The mean count vector. */
static PepaStatus mean_counts(const PepaChain *handle, const double *pi, double *mean,
                              PepaError *err)
{
    const int32_t positions = handle->chain->system->position_count;
    PepaStatus status = chain_is_whole(handle, err);
    if (status != PEPA_OK)
        return status;
    double *apart = mem_alloc((size_t)handle->ids.offset_apart[positions], sizeof *apart);
    status = apart ? measure_mean_counts(handle->chain, handle->ids.offset_apart, pi, apart, err)
                   : error_memory(err);
    if (status == PEPA_OK)
        local_ids_fold(&handle->ids, positions, apart, mean);
    mem_free(apart);
    return status;
}

PepaStatus pepa_utilisations(const PepaChain *handle, const double *pi, double *share,
                             PepaError *err)
{
    if (!handle || !pi || !share)
        return error_null(err, "pepa_utilisations");
    PepaStatus status = mean_counts(handle, pi, share, err);
    if (status == PEPA_OK)
        local_ids_shares(&handle->ids, handle->chain->system, share);
    return status;
}

PepaStatus pepa_populations(const PepaChain *handle, const double *pi, double *mean, PepaError *err)
{
    if (!handle || !pi || !mean)
        return error_null(err, "pepa_populations");
    const int32_t positions = handle->chain->system->position_count;
    double *each = mem_alloc((size_t)handle->ids.offset[positions], sizeof *each);
    if (!each)
        return error_memory(err);
    PepaStatus status = mean_counts(handle, pi, each, err);
    if (status == PEPA_OK)
        local_ids_sum(&handle->ids, positions, each, mean);
    mem_free(each);
    return status;
}
