/* Solutions that processes share. */
#include "pepa_shared.h"

#include <string.h>

#include "api/queries.h"
#include "base/processes.h"
#include "measure/shared.h"

struct PepaShared {
    const PepaChain *owner;
    Shared shared;
};

PepaStatus pepa_shared_solve(PepaShared **out, const PepaChain *chain,
                             const PepaProcesses *processes, const PepaSettings *set,
                             PepaInfo *info, PepaError *err)
{
    if (!out || !chain || !processes)
        return error_null(err, "pepa_shared_solve");
    if (!processes_talk(processes))
        return error_set(err, PEPA_EARG,
                         "pepa_shared_solve: the processes are not as they should be");
    PepaSettings all;
    PepaShared *s = mem_calloc(1, sizeof *s);
    PepaStatus status = s ? settings_complete(&all, set, err) : error_memory(err);
    status = shared_agree(processes, status, err);
    if (status == PEPA_OK) {
        s->owner = chain;
        status = shared_solve(&s->shared, chain->chain, processes, &all, info, err);
    }
    if (status == PEPA_OK)
        *out = s;
    else
        pepa_shared_free(s);
    return status;
}

void pepa_shared_free(PepaShared *shared)
{
    if (!shared)
        return;
    shared_free(&shared->shared);
    mem_free(shared);
}

PepaSharedPart pepa_shared_part(const PepaShared *shared)
{
    const Shared *s = &shared->shared;
    return (
        PepaSharedPart){.states = s->share.own, .copies = s->share.all - s->share.own, .pi = s->pi};
}

PepaStatus pepa_shared_throughputs(const PepaShared *shared, double *per_time, PepaError *err)
{
    if (!shared || !per_time)
        return error_null(err, "pepa_shared_throughputs");
    shared_action_flow(&shared->shared, per_time);
    return PEPA_OK;
}

static PepaStatus mean_counts(const PepaShared *shared, double *mean, PepaError *err)
{
    const LocalIds *ids = &shared->owner->ids;
    const int32_t positions = shared->owner->chain->system->position_count;
    double *apart = mem_alloc((size_t)ids->offset_apart[positions], sizeof *apart);
    PepaStatus status =
        shared_agree(shared->shared.processes, apart ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = shared_mean_counts(&shared->shared, ids->offset_apart, apart, err);
    if (status == PEPA_OK)
        local_ids_fold(ids, positions, apart, mean);
    mem_free(apart);
    return status;
}

PepaStatus pepa_shared_utilisations(const PepaShared *shared, double *share, PepaError *err)
{
    if (!shared || !share)
        return error_null(err, "pepa_shared_utilisations");
    PepaStatus status = mean_counts(shared, share, err);
    if (status == PEPA_OK)
        local_ids_shares(&shared->owner->ids, shared->owner->chain->system, share);
    return status;
}

PepaStatus pepa_shared_populations(const PepaShared *shared, double *mean, PepaError *err)
{
    if (!shared || !mean)
        return error_null(err, "pepa_shared_populations");
    const LocalIds *ids = &shared->owner->ids;
    const int32_t positions = shared->owner->chain->system->position_count;
    double *each = mem_alloc((size_t)ids->offset[positions], sizeof *each);
    PepaStatus status =
        shared_agree(shared->shared.processes, each ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = mean_counts(shared, each, err);
    if (status == PEPA_OK)
        local_ids_sum(ids, positions, each, mean);
    mem_free(each);
    return status;
}

PepaStatus pepa_shared_values(const PepaShared *shared, const PepaMeasures *measures, double *value,
                              PepaError *err)
{
    if (!shared || !measures || !value)
        return error_null(err, "pepa_shared_values");
    if (measures->owner != shared->owner->owner)
        return error_set(err, PEPA_EARG, "the measures are of another model than the chain");
    Expressions *e = NULL;
    const Shared *s = &shared->shared;
    PepaStatus status = expressions_new(&e, &measures->query, &s->part, err);
    status = shared_agree(s->processes, status, err);
    if (status == PEPA_OK)
        status = shared_values(s, e, value, err);
    expressions_free(e);
    return status;
}
