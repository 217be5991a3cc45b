/* Certified cuts; the mathematics is in cut.h, and so are the names. */
#include "amoget/model/cut.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* A transition's activity, and whether it is process1: not a phase before it. */
enum { COUNTED = 128, ACTIVITY = 127 };

/* "process12" -> 23, see amoget_durations: takes come after all else. */
static uint8_t code_of(const char *action, int32_t stages)
{
    int32_t number = atoi(action + strcspn(action, "0123456789"));
    if (action[0] == 'm')
        return (uint8_t)(2 * (number - 1));
    if (action[0] == 't')
        return (uint8_t)(2 * stages + number - 1);
    return (uint8_t)((2 * number - 1) | (strcmp(action, "process1") == 0 ? COUNTED : 0));
}

void cut_workspace_free(CutWorkspace *w)
{
    mem_free_all(w->code, w->tag, w->inflow, w->exit);
    *w = (CutWorkspace){0};
}

PepaStatus cut_workspace_new(CutWorkspace *w, const PepaChain *chain, const Shape *shape,
                             PepaError *err)
{
    _Static_assert((int)MOST_ACTIVITIES <= (int)COUNTED, "a code has 7 bits for the activity");
    PepaChainInfo info = pepa_chain_info(chain);
    PepaTransitions t;
    PepaStatus status = pepa_chain_transitions(chain, &t, err);
    if (status != PEPA_OK)
        return status;
    *w = (CutWorkspace){.row = t.row,
                        .target = t.target,
                        .shape = *shape,
                        .states = (int32_t)info.states};
    uint8_t *by_action = NULL;
    if (!(mem_new(w->code, info.transitions) && mem_new(w->tag, info.transitions) &&
          mem_new(w->inflow, info.states) && mem_new(w->exit, info.states) &&
          mem_new(by_action, info.actions))) {
        cut_workspace_free(w);
        return error_memory(err);
    }
    for (int32_t a = 0; a < info.actions; a++)
        by_action[a] = code_of(pepa_chain_action_name(chain, a), shape->stages);
    for (int64_t k = 0; k < info.transitions; k++)
        w->code[k] = by_action[pepa_transition_action(&t, k)];
    mem_free(by_action);
    return PEPA_OK;
}

/* The solution, and what is summed up over it. */
typedef struct {
    const CutWorkspace *work;
    const int64_t *row;
    const int32_t *target;
    const double *pi, *h;
    double rate[MOST_ACTIVITIES];
    double share[MOST_ACTIVITIES];   /* S */
    double items, jumps;             /* X, R */
    double unbalanced, inconsistent; /* G, E */
} Sums;

static double rate(const Sums *s, int64_t k)
{
    return s->rate[s->work->code[k] & ACTIVITY];
}

/* ---- tags --------------------------------------------------------------------------------- */

/* a by h.  The weights may all be 0, or no numbers, if h is wrong: any law will do. */
static void first_tags(const Sums *s)
{
    const CutWorkspace *w = s->work;
    for (int32_t i = 0; i < w->states; i++) {
        int64_t begin = s->row[i], end = s->row[i + 1];
        double total = 0;
        for (int64_t k = begin; k < end; k++) {
            double gain = s->h[s->target[k]] - s->h[i] + (w->code[k] & COUNTED ? 1 : 0);
            w->tag[k] = gain > 0 ? rate(s, k) * gain : 0;
            total += w->tag[k];
        }
        bool good = total > 0 && total <= DBL_MAX;
        for (int64_t k = begin; k < end; k++)
            w->tag[k] = good ? w->tag[k] / total : 1.0 / (double)(end - begin);
    }
}

/* t(i) by activity, of those that run in state i. */
static void law_of_next(const Sums *s, int32_t i, double law[MOST_ACTIVITIES])
{
    const CutWorkspace *w = s->work;
    const int64_t begin = s->row[i], end = s->row[i + 1];
    uint64_t runs[2] = {0, 0};
    for (int64_t k = begin; k < end; k++) {
        int32_t a = w->code[k] & ACTIVITY;
        runs[a / 64] |= (uint64_t)1 << a % 64;
        law[a] = 0;
    }
    for (int64_t k = begin; k < end; k++) {
        const int32_t ends = w->code[k] & ACTIVITY, next = s->target[k];
        const double chance = rate(s, k) / w->exit[i];
        for (int64_t l = s->row[next]; l < s->row[next + 1]; l++) {
            int32_t b = w->code[l] & ACTIVITY; /* b == ends: enabled by itself */
            law[runs[b / 64] >> b % 64 & 1 ? b : ends] += chance * w->tag[l];
        }
    }
}

/* a = t, state by state.  In states of short duration, a by h is a small difference of large
 * numbers; the states that follow know better. */
static void sweep_tags(const Sums *s)
{
    const CutWorkspace *w = s->work;
    double law[MOST_ACTIVITIES];
    for (int32_t i = w->states; i-- > 0;) {
        law_of_next(s, i, law);
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
            w->tag[k] = law[w->code[k] & ACTIVITY];
    }
}

/* |t(i) - a(i)|_1 / 2 */
static double mismatch(const Sums *s, int32_t i)
{
    const CutWorkspace *w = s->work;
    double law[MOST_ACTIVITIES], off = 0;
    law_of_next(s, i, law);
    for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
        off += fabs(law[w->code[k] & ACTIVITY] - w->tag[k]);
    return off / 2;
}

/* ---- the cut ------------------------------------------------------------------------------ */

static void find_flows(const Sums *s)
{
    const CutWorkspace *w = s->work;
    memset(w->inflow, 0, (size_t)w->states * sizeof *w->inflow);
    for (int32_t i = 0; i < w->states; i++) {
        w->exit[i] = 0;
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++) {
            w->inflow[s->target[k]] += s->pi[i] * rate(s, k);
            w->exit[i] += rate(s, k);
        }
    }
}

static void sum_up(Sums *s)
{
    const CutWorkspace *w = s->work;
    for (int32_t i = 0; i < w->states; i++) {
        double flow = s->pi[i] * w->exit[i];
        s->unbalanced += fabs(w->inflow[i] - flow) / 2;
        if (!(flow > 0))
            continue;
        s->jumps += flow;
        s->inconsistent += flow * mismatch(s, i);
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++) {
            s->share[w->code[k] & ACTIVITY] += s->pi[i] * w->tag[k];
            s->items += w->code[k] & COUNTED ? s->pi[i] * rate(s, k) : 0;
        }
    }
}

static bool usable(const CutWorkspace *w, const double *pi, const double *potential)
{
    bool good = true;
    for (int32_t i = 0; i < w->states && good; i++)
        good = pi[i] >= 0 && isfinite(potential[i]);
    return good;
}

/* Rounding, u = DBL_EPSILON / 2.  Sums of N positive terms, each computed with a few operations,
 * are right to (N + 256) u.  The terms of G and E are differences of sums of at most
 * MOST_ACTIVITIES terms, whose errors are at most 2 MOST_ACTIVITIES u times the flow, or the
 * probability 1. */
void cut_certify(const CutWorkspace *w, const double *seconds, const double *pi,
                 const double *potential, double *slope)
{
    int32_t activities = shape_activities(&w->shape);
    Sums s = {.work = w, .row = w->row, .target = w->target, .pi = pi, .h = potential};
    memset(slope, 0, (size_t)activities * sizeof *slope);
    if (!usable(w, pi, potential))
        return;
    for (int32_t k = 0; k < activities; k++)
        s.rate[k] = (k % 2 && k < 2 * w->shape.stages ? w->shape.phases[k / 2] : 1) / seconds[k];
    find_flows(&s);
    first_tags(&s);
    sweep_tags(&s);
    sum_up(&s);
    const double sums = ((double)w->states + 256) * DBL_EPSILON, u = MOST_ACTIVITIES * DBL_EPSILON;
    double jumps = s.jumps * (1 + sums), reach = 2.0 * w->shape.stages;
    double g = s.unbalanced * (1 + sums) + u * jumps;
    double e = fmin(s.inconsistent * (1 + sums) + u * jumps, jumps);
    double loss = 2 * e * (3 * reach * log(2) + log(jumps / e)) * (1 + sums);
    double items = (s.items + reach * g) * (1 + 2 * sums);
    for (int32_t k = 0; k < activities; k++) {
        double kept = s.share[k] * (1 - 2 * sums) / seconds[k] - loss;
        slope[k] = kept > 0 && items > 0 && items <= DBL_MAX ? kept / items : 0;
    }
}
