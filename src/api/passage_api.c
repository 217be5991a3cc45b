/* Passage times. */
#include "pepa_passage.h"

#include <math.h>
#include <string.h>

#include "api/passage_ends.h"
#include "api/queries.h"
#include "base/processes.h"
#include "measure/passage.h"
#include "measure/shared.h"
#include "measure/spread_until.h"

struct PepaPassage {
    PepaSettings set;
    Shared part; /* of a chain that processes share */
    Passage *passage;
    uint8_t *action, *state; /* what ends it, of which one is NULL */
    PassageMoments moments;
    bool known; /* the moments are */
};

void pepa_passage_free(PepaPassage *p)
{
    if (!p)
        return;
    passage_free(p->passage);
    shared_free(&p->part);
    mem_free_all(p->action, p->state, p);
}

PepaStatus passage_ends_actions(const Chain *c, const char *const *name, size_t count,
                                uint8_t **mark, PepaError *err)
{
    const Model *model = c->model;
    if (!mem_new_zeroed(*mark, model->action_count))
        return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        int32_t a = 0;
        while (name[i] && a < model->action_count && strcmp(model->actions[a], name[i]) != 0)
            a++;
        if (!name[i] || a == model->action_count)
            return error_set(err, PEPA_EARG, "the model has no action `%s`",
                             name[i] ? name[i] : "");
        const bool immediate = system_levels(c->system, a) >> LEVEL_IMMEDIATE & 1;
        if (immediate && a == ACTION_TAU)
            return error_set(err, PEPA_EARG,
                             "some hidden actions are immediate: passages that begin or end with "
                             "`tau` need a probe on actions that are not hidden, such as "
                             "`a:start, b:stop`");
        if (immediate)
            return error_set(err, PEPA_EARG,
                             "`%s` is immediate: passages that begin or end with it need a probe, "
                             "such as `a:start, %s:stop`",
                             name[i], name[i]);
        (*mark)[a] = 1;
    }
    return PEPA_OK;
}

static PepaStatus mark_states(const PepaChain *chain, const PepaPredicate *predicate,
                              uint8_t **mark, PepaError *err)
{
    const Chain *c = chain->chain;
    Expressions *e = NULL;
    if (!mem_new(*mark, c->state_count))
        return error_memory(err);
    if (predicate->owner != chain->owner)
        return error_set(err, PEPA_EARG, "the chain was derived from another model");
    PepaStatus status = expressions_new(&e, &predicate->query, c, err); /* of own states */
    if (status == PEPA_OK)
        status = expressions_states(e, &c->now, &(int32_t){0}, 1, mark, err);
    expressions_free(e);
    return status;
}

/* Of what starts or ends passages, one is marked. */
static PepaStatus mark(const PepaChain *chain, const char *const *name, size_t count,
                       const PepaPredicate *predicate, uint8_t **action, uint8_t **state,
                       PepaError *err)
{
    return predicate ? mark_states(chain, predicate, state, err)
                     : passage_ends_actions(chain->chain, name, count, action, err);
}

PepaStatus passage_ends_check(const PepaPassageEnds *e, const char *function, PepaError *err)
{
    int from = (e->from_actions > 0) + (e->from != NULL) + (e->from_start != 0);
    int to = (e->to_actions > 0) + (e->to != NULL);
    if ((e->from_actions && !e->from_action) || (e->to_actions && !e->to_action))
        return error_null(err, function);
    if (!ALL_ZERO(e->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaPassageEnds: reserved words must be 0; is the library older than "
                         "pepa_passage.h?");
    if (from == 1 && to == 1)
        return PEPA_OK;
    return error_set(err, PEPA_EARG, "%s of a passage is %s", from == 1 ? "the end" : "the start",
                     (from == 1 ? to : from) ? "given twice" : "missing");
}

/* Of processes that share the chain, their own part of it. */
static PepaStatus check_steady(const Chain *c, const double *pi, PepaError *err)
{
    const double most_off = 1e-6;
    double sum = 0;
    for (int64_t i = 0; i < c->state_count; i++) {
        if (!isfinite(pi[i]) || pi[i] < 0)
            return error_set(err, PEPA_EARG,
                             "`pi` is not the steady state of the chain: %g of state %lld", pi[i],
                             (long long)i);
        sum += pi[i];
    }
    if (!c->spread && !(fabs(sum - 1) <= most_off))
        return error_set(err, PEPA_EARG, "`pi` is not the steady state of the chain: its sum is %g",
                         sum);
    return PEPA_OK;
}

static PepaStatus no_steady(PepaError *err, const char *function, const char *argument,
                            const char *by)
{
    return error_set(err, PEPA_EARG,
                     "%s: `%s` is NULL, and passages in the long run begin with the steady state: "
                     "%s finds it; or set from_start",
                     function, argument, by);
}

static PepaStatus find_start(const PepaChain *chain, const double *pi, const PepaPassageEnds *ends,
                             double *start, PepaError *err)
{
    const Chain *c = chain->chain;
    uint8_t *action = NULL, *state = NULL;
    if (ends->from_start) {
        if (c->spread)
            spread_until_begin(c, c->now.term, start);
        else
            chain_begin(c, c->now.term, start);
        return PEPA_OK;
    }
    PepaStatus status = check_steady(c, pi, err);
    if (status == PEPA_OK)
        status =
            mark(chain, ends->from_action, ends->from_actions, ends->from, &action, &state, err);
    status = processes_agree(c->spread ? c->spread->processes : NULL, status, err);
    if (status == PEPA_OK)
        status = passage_start(c, c->now.term, pi, &(PassageEnd){state, action}, start, err);
    mem_free_all(action, state);
    return status;
}

/* By processes together; NULL: alone. */
static PepaStatus open_passage(PepaPassage **out, const PepaChain *chain,
                               const PepaProcesses *processes, const double *pi,
                               const PepaPassageEnds *ends, const PepaSettings *set, PepaError *err)
{
    PepaPassage *p = mem_calloc(1, sizeof *p);
    double *start = mem_alloc((size_t)chain->chain->state_count, sizeof *start);
    PepaStatus status = p && start ? settings_complete(&p->set, set, err) : error_memory(err);
    status = processes_agree(processes, status, err);
    if (status == PEPA_OK && processes)
        status = shared_part_new(&p->part, chain->chain, processes, p->set.memory, err);
    if (status == PEPA_OK)
        status = find_start(chain, pi, ends, start, err);
    if (status == PEPA_OK)
        status =
            mark(chain, ends->to_action, ends->to_actions, ends->to, &p->action, &p->state, err);
    status = processes_agree(processes, status, err);
    if (status == PEPA_OK)
        status =
            passage_new(&p->passage, processes ? &p->part.part : chain->chain, &chain->chain->now,
                        &(PassageEnd){p->state, p->action}, start, &p->set, err);
    mem_free(start);
    if (status == PEPA_OK)
        *out = p;
    else
        pepa_passage_free(p);
    return status;
}

PepaStatus pepa_passage_new(PepaPassage **out, const PepaChain *chain, const double *pi,
                            const PepaPassageEnds *ends, const PepaSettings *set, PepaError *err)
{
    if (!out || !chain || !ends)
        return error_null(err, "pepa_passage_new");
    if (!pi && !ends->from_start)
        return no_steady(err, "pepa_passage_new", "pi", "pepa_solve_steady");
    PepaStatus status = passage_ends_check(ends, "pepa_passage_new", err);
    if (status == PEPA_OK)
        status = chain_is_whole(chain, err);
    return status == PEPA_OK ? open_passage(out, chain, NULL, pi, ends, set, err) : status;
}

static PepaStatus check_shared(const PepaChain *chain, const PepaSettings *set, PepaError *err)
{
    const PepaMethod method = set ? set->solve.method : PEPA_AUTO;
    if (!chain->chain->spread)
        return error_limit(
            err, PEPA_EARG, PEPA_LIMIT_MATRIX,
            "processes share passages of chains of which each has rows; a whole chain a "
            "process handles alone: pepa_passage_new");
    if (!flow_method_is_shared(method))
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_METHOD,
                           "processes do not share the method %s", pepa_method_name(method));
    return PEPA_OK;
}

PepaStatus pepa_shared_passage(PepaPassage **out, const PepaChain *chain,
                               const PepaProcesses *processes, const PepaShared *shared,
                               const PepaPassageEnds *ends, const PepaSettings *set, PepaError *err)
{
    if (!out || !chain || !processes || !ends)
        return error_null(err, "pepa_shared_passage");
    if (!shared && !ends->from_start)
        return no_steady(err, "pepa_shared_passage", "shared", "pepa_shared_solve");
    if (!processes_talk(processes))
        return error_set(err, PEPA_EARG,
                         "pepa_shared_passage: the processes are not as they should be");
    PepaStatus status = passage_ends_check(ends, "pepa_shared_passage", err);
    if (status == PEPA_OK)
        status = check_shared(chain, set, err);
    if (status != PEPA_OK)
        return status;
    const double *pi = shared ? pepa_shared_part(shared).pi : NULL;
    return open_passage(out, chain, processes, pi, ends, set, err);
}

PepaStatus pepa_passage_at(PepaPassage *p, double t, double *cdf, double *pdf, double *error,
                           PepaError *err)
{
    double found[3];
    if (!p)
        return error_null(err, "pepa_passage_at");
    if (!isfinite(t) || t < 0)
        return error_set(err, PEPA_EARG, "time %g: times are finite numbers from 0 on", t);
    PepaStatus status = passage_at(p->passage, t, &found[0], &found[1], &found[2], err);
    double *out[] = {cdf, pdf, error};
    for (int i = 0; i < 3 && status == PEPA_OK; i++)
        if (out[i])
            *out[i] = found[i];
    return status;
}

static PepaStatus find_moments(PepaPassage *p, PepaError *err)
{
    PepaStatus status = p->known ? PEPA_OK : passage_moments(p->passage, &p->moments, err);
    p->known = status == PEPA_OK;
    return status;
}

PepaStatus pepa_passage_moments(PepaPassage *p, PepaPassageMoments *moments, PepaError *err)
{
    if (!p || !moments)
        return error_null(err, "pepa_passage_moments");
    PepaStatus status = find_moments(p, err);
    if (status == PEPA_OK)
        *moments = (PepaPassageMoments){.ends = p->moments.ends,
                                        .mean = p->moments.mean,
                                        .variance = p->moments.variance,
                                        .deviation = p->moments.deviation};
    return status;
}

PepaStatus pepa_passage_quantile(PepaPassage *p, double share, double *t, PepaError *err)
{
    if (!p || !t)
        return error_null(err, "pepa_passage_quantile");
    if (!(share > 0 && share < 1))
        return error_set(err, PEPA_EARG, "a quantile is of a share between 0 and 1, not %g", share);
    PepaStatus status = find_moments(p, err);
    double found;
    if (status == PEPA_OK)
        status = passage_quantile(p->passage, share, &p->moments, &found, err);
    if (status == PEPA_OK)
        *t = found;
    return status;
}

int64_t pepa_passage_steps(const PepaPassage *p)
{
    return passage_steps(p->passage);
}

int64_t pepa_passage_solves(const PepaPassage *p)
{
    return passage_solves(p->passage);
}
