/* What a model does up to given times. */
#include "pepa_transient.h"

#include "api/queries.h"
#include "base/clock.h"
#include "base/processes.h"
#include "measure/shared.h"
#include "measure/transient.h"
#include "pepa_shared.h"

static PepaStatus check_at(const PepaTransient *at, PepaError *err)
{
    if (!ALL_ZERO(at->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaTransient: reserved words must be 0; is the library older than "
                         "pepa_transient.h?");
    return times_check(at->time, at->count, err);
}

static void tell(PepaTransientInfo *info, const TransientFound *found, double start)
{
    if (info)
        *info = (PepaTransientInfo){.error_bound = found->error_bound,
                                    .steps = found->steps,
                                    .stationary = found->stationary,
                                    .rate = found->rate,
                                    .seconds = clock_seconds() - start,
                                    .solves = found->solves};
}

PepaStatus pepa_transient_measures(const PepaChain *chain, const PepaMeasures *measures,
                                   const PepaTransient *at, const PepaSettings *set, double *value,
                                   PepaTransientInfo *info, PepaError *err)
{
    if (!chain || !measures || !at || !value)
        return error_null(err, "pepa_transient_measures");
    PepaSettings all;
    Expressions *e = NULL;
    TransientFound found = {.stationary = -1};
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check_at(at, err);
    if (status == PEPA_OK)
        status = query_join(&e, &measures->query, measures->owner, chain, err);
    if (status == PEPA_OK) {
        TransientJob job = {chain->chain, &chain->chain->now, &all,
                            at->time,     at->count,          all.solve.tolerance};
        status = transient_measures(&job, e, at->accumulated != 0, value, &found, err);
    }
    if (status == PEPA_OK)
        tell(info, &found, start);
    expressions_free(e);
    return status;
}

/* On a view of the chain. */
static PepaStatus measure_part(const Shared *part, const PepaMeasures *measures,
                               const PepaTransient *at, const PepaSettings *all, double *value,
                               TransientFound *found, PepaError *err)
{
    Expressions *e = NULL;
    const TransientJob job = {&part->part, &part->part.now, all,
                              at->time,    at->count,       all->solve.tolerance};
    PepaStatus status = expressions_new(&e, &measures->query, &part->part, err);
    status = processes_agree(part->processes, status, err);
    if (status == PEPA_OK)
        status = transient_measures(&job, e, at->accumulated != 0, value, found, err);
    expressions_free(e);
    return status;
}

PepaStatus pepa_shared_transient(const PepaChain *chain, const PepaProcesses *processes,
                                 const PepaMeasures *measures, const PepaTransient *at,
                                 const PepaSettings *set, double *value, PepaTransientInfo *info,
                                 PepaError *err)
{
    if (!chain || !processes || !measures || !at || !value)
        return error_null(err, "pepa_shared_transient");
    if (!processes_talk(processes))
        return error_set(err, PEPA_EARG,
                         "pepa_shared_transient: the processes are not as they should be");
    PepaSettings all;
    Shared part = {0};
    TransientFound found = {.stationary = -1};
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check_at(at, err);
    if (status == PEPA_OK && measures->owner != chain->owner)
        status = error_set(err, PEPA_EARG, "the measures are of another model than the chain");
    status = processes_agree(processes, status, err);
    if (status == PEPA_OK && shared_is_for_one(chain->chain, processes, &all))
        status = shared_for_one(processes, err);
    if (status == PEPA_OK)
        status = shared_part_new(&part, chain->chain, processes, all.memory, err);
    if (status == PEPA_OK)
        status = measure_part(&part, measures, at, &all, value, &found, err);
    if (status == PEPA_OK)
        tell(info, &found, start);
    shared_free(&part);
    return status;
}

PepaStatus pepa_transient_distribution(const PepaChain *chain, double time, const PepaSettings *set,
                                       double *p, PepaTransientInfo *info, PepaError *err)
{
    if (!chain || !p)
        return error_null(err, "pepa_transient_distribution");
    PepaSettings all;
    TransientFound found = {.stationary = -1};
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = times_check(&time, 1, err);
    if (status == PEPA_OK)
        status = chain_is_whole(chain, err);
    if (status == PEPA_OK) {
        TransientJob job = {chain->chain, &chain->chain->now, &all, &time, 1, all.solve.tolerance};
        status = transient_distribution(&job, p, &found, err);
    }
    if (status == PEPA_OK)
        tell(info, &found, start);
    return status;
}
