/* Solutions that processes share. */
#include "pepa_shared.h"

#include <string.h>

#include "api/queries.h"
#include "api/steady.h"
#include "base/processes.h"
#include "measure/expression_intervals.h"
#include "measure/shared.h"

struct PepaShared {
    const PepaChain *owner;
    Shared shared;
};

/* What its bottom components tell, which only a solution knows of rows. */
static PepaStatus review(const PepaShared *s, const PepaSettings *set, PepaError *err)
{
    Chain chain = *s->owner->chain;
    DiagList diags = {0};
    chain.bottom = s->shared.bottom;
    chain.bottom_count = s->shared.ends.count;
    PepaStatus status = chain_review_bottoms(&chain, &diags, err);
    if (status == PEPA_OK)
        status = diagnose_all(&diags, &s->owner->owner->model->source, set->derive.diagnose,
                              set->user, status, err);
    diag_free(&diags);
    return processes_agree(s->shared.processes, status, err);
}

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
    status = processes_agree(processes, status, err);
    if (status == PEPA_OK) {
        s->owner = chain;
        status = shared_solve(&s->shared, chain->chain, processes, &all, info, err);
    }
    if (status == PEPA_OK && s->shared.bottom)
        status = review(s, &all, err);
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
    return (PepaSharedPart){.states = s->own, .copies = s->copies, .pi = s->pi};
}

int32_t pepa_shared_bottoms(const PepaShared *shared)
{
    return shared->shared.ends.count > 0 ? shared->shared.ends.count : 1;
}

PepaSharedBottom pepa_shared_bottom(const PepaShared *shared, int32_t bottom)
{
    const SpreadEnds *ends = &shared->shared.ends;
    if (bottom < 0 || bottom >= pepa_shared_bottoms(shared))
        return (PepaSharedBottom){0};
    if (ends->count == 0)
        return (PepaSharedBottom){.probability = 1, .states = chain_states(shared->owner->chain)};
    return (PepaSharedBottom){.probability = ends->probability[bottom],
                              .states = (int64_t)ends->states[bottom]};
}

/* Cells of a state that one of the processes has go to all. */
static PepaStatus find_cells(const Shared *s, double number, int32_t *cells, PepaError *err)
{
    const PepaProcesses *p = s->processes;
    const int32_t count = s->part.system->cell_count;
    const int64_t state = (int64_t)number / p->count;
    const bool mine = (int64_t)number % p->count == p->rank;
    double *told = NULL;
    const bool ok = mem_new_zeroed(told, count) && (!mine || chain_cells(&s->part, state, cells));
    const PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    for (int32_t i = 0; i < count && mine && status == PEPA_OK; i++)
        told[i] = cells[i];
    if (status == PEPA_OK)
        spread_reduce(p, p->sum, told, count);
    for (int32_t i = 0; i < count && status == PEPA_OK; i++)
        cells[i] = (int32_t)told[i];
    mem_free(told);
    return status;
}

PepaStatus pepa_shared_bottom_text(const PepaShared *shared, int32_t bottom, char **text,
                                   PepaError *err)
{
    if (!shared || !text || bottom < 0 || bottom >= pepa_shared_bottoms(shared))
        return error_set(err, PEPA_EARG, "pepa_shared_bottom_text: no component %d, or NULL",
                         bottom);
    const Shared *s = &shared->shared;
    const PepaChain *owner = shared->owner;
    if (s->ends.count == 0)
        return pepa_chain_state_text(owner, owner->chain->initial, text, err);
    const System *system = s->part.system;
    int32_t *cells = mem_alloc((size_t)system->cell_count, sizeof *cells);
    Text out = {0};
    PepaStatus status = processes_agree(s->processes, cells ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = find_cells(s, s->ends.first[bottom], cells, err);
    if (status == PEPA_OK)
        system_state_text(system, cells, &out);
    if (status == PEPA_OK && out.failed)
        status = error_memory(err);
    status = processes_agree(s->processes, status, err);
    mem_free(cells);
    if (status == PEPA_OK)
        *text = out.text;
    else
        text_free(&out);
    return status;
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
        processes_agree(shared->shared.processes, apart ? PEPA_OK : error_memory(err), err);
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
        processes_agree(shared->shared.processes, each ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = mean_counts(shared, each, err);
    if (status == PEPA_OK)
        local_ids_sum(ids, positions, each, mean);
    mem_free(each);
    return status;
}

static PepaStatus join(Expressions **out, const PepaShared *shared, const PepaMeasures *measures,
                       PepaError *err)
{
    const Shared *s = &shared->shared;
    if (measures->owner != shared->owner->owner)
        return error_set(err, PEPA_EARG, "the measures are of another model than the chain");
    return processes_agree(s->processes, expressions_new(out, &measures->query, &s->part, err),
                           err);
}

PepaStatus pepa_shared_values(const PepaShared *shared, const PepaMeasures *measures, double *value,
                              PepaError *err)
{
    if (!shared || !measures || !value)
        return error_null(err, "pepa_shared_values");
    Expressions *e = NULL;
    PepaStatus status = join(&e, shared, measures, err);
    if (status == PEPA_OK)
        status = shared_values(&shared->shared, e, value, err);
    expressions_free(e);
    return status;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

typedef struct {
    PepaSettings set;
    Encloser by;
} Enclosing;

static PepaStatus enclosing(Enclosing *e, PepaShared *shared, const PepaSettings *set,
                            PepaError *err)
{
    const PepaProcesses *p = shared->shared.processes;
    const PepaStatus status = processes_agree(p, settings_complete(&e->set, set, err), err);
    return status == PEPA_OK ? shared_encloser(&shared->shared, &e->set, &e->by, err)
                             : status;
}

PepaStatus pepa_shared_throughput_bounds(PepaShared *shared, const PepaSettings *set,
                                         const char *action, double *low, double *high,
                                         PepaError *err)
{
    if (!shared || !action || !low || !high)
        return error_null(err, "pepa_shared_throughput_bounds");
    const Chain *chain = shared->owner->chain;
    Enclosing e;
    PepaInfo unseen;
    Interval found = {0};
    int32_t place = 0;
    double *by_action = NULL;
    PepaStatus status = steady_find_action(chain, action, &place, err);
    if (status == PEPA_OK)
        status = enclosing(&e, shared, set, err);
    if (status != PEPA_OK)
        return status;
    const bool ok = mem_new_zeroed(by_action, chain->model->action_count);
    status = processes_agree(shared->shared.processes, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        by_action[chain->actions[place]] = 1;
        status = enclose(&e.by, &chain->now, &e.set, shared->shared.pi,
                         &(Reward){.by_action = by_action}, 0, &found, &unseen, err);
    }
    if (status == PEPA_OK) {
        *low = found.low;
        *high = found.high;
    }
    mem_free(by_action);
    return status;
}

PepaStatus pepa_shared_measure_bounds(PepaShared *shared, const PepaSettings *set,
                                      const PepaMeasures *measures, double *low, double *high,
                                      PepaError *err)
{
    if (!shared || !measures || !low || !high)
        return error_null(err, "pepa_shared_measure_bounds");
    const Shared *s = &shared->shared;
    const int32_t count = pepa_measures_count(measures);
    Enclosing by;
    PepaInfo unseen;
    Expressions *e = NULL;
    Interval *item = NULL;
    PepaStatus status = join(&e, shared, measures, err);
    if (status == PEPA_OK)
        status = enclosing(&by, shared, set, err);
    if (status == PEPA_OK)
        status =
            processes_agree(s->processes, mem_new(item, count) ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status =
            expressions_intervals(&(Bounding){by.by, e, &s->part.now, &by.set, s->pi, &unseen, err},
                                  item);
    for (int32_t i = 0; i < count && status == PEPA_OK; i++) {
        low[i] = item[i].low;
        high[i] = item[i].high;
    }
    mem_free(item);
    expressions_free(e);
    return status;
}
