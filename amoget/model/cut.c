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
    mem_free_all(w->code, w->before, w->first, w->tag, w->inflow, w->exit);
    *w = (CutWorkspace){0};
}

/* Whose tag goes where.  Going back over the completion of k in state i, a tag stays with an
 * activity that ran in i as well; if it began with the completion, it goes to k. */
static PepaStatus trace_tags(CutWorkspace *w, PepaError *err)
{
    int64_t count = 0;
    for (int32_t i = 0; i < w->states; i++) {
        w->first[i] = count;
        for (int64_t k = w->row[i]; k < w->row[i + 1]; k++)
            count += w->row[w->target[k] + 1] - w->row[w->target[k]];
    }
    if (!mem_new(w->before, count))
        return error_memory(err);
    count = 0;
    for (int32_t i = 0; i < w->states; i++) {
        int64_t begin = w->row[i];
        for (int64_t k = begin; k < w->row[i + 1]; k++) {
            uint8_t place[COUNTED];
            memset(place, (int)(k - begin), sizeof place);
            for (int64_t l = begin; l < w->row[i + 1]; l++)
                place[w->code[l] & ACTIVITY] = (uint8_t)(l - begin);
            for (int64_t l = w->row[w->target[k]]; l < w->row[w->target[k] + 1]; l++)
                w->before[count++] = place[w->code[l] & ACTIVITY];
        }
    }
    return PEPA_OK;
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
    bool ok = mem_new(w->code, info.transitions) && mem_new(w->tag, info.transitions) &&
              mem_new(w->inflow, info.states) && mem_new(w->exit, info.states) &&
              mem_new(w->first, info.states) && mem_new(by_action, info.actions);
    for (int32_t a = 0; ok && a < info.actions; a++)
        by_action[a] = code_of(pepa_chain_action_name(chain, a), shape->stages);
    for (int64_t k = 0; ok && k < info.transitions; k++)
        w->code[k] = by_action[pepa_transition_action(&t, k)];
    mem_free(by_action);
    status = ok ? trace_tags(w, err) : error_memory(err);
    if (status != PEPA_OK)
        cut_workspace_free(w);
    return status;
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

static double rate_of(const Sums *s, int64_t k)
{
    return s->rate[s->work->code[k] & ACTIVITY];
}

/* ---- tags --------------------------------------------------------------------------------- */

/* State i: its flows, and a by h.  The weights may all be 0, or no numbers, if h is wrong: any law
 * will do. */
static void enter_state(Sums *s, int32_t i)
{
    const CutWorkspace *w = s->work;
    const double pi = s->pi[i], h = s->h[i];
    double exit = 0, total = 0;
    for (int64_t k = s->row[i]; k < s->row[i + 1]; k++) {
        double rate = rate_of(s, k), gain = s->h[s->target[k]] - h;
        if (w->code[k] & COUNTED) {
            gain += 1;
            s->items += pi * rate;
        }
        w->inflow[s->target[k]] += pi * rate;
        exit += rate;
        w->tag[k] = gain > 0 ? rate * gain : 0;
        total += w->tag[k];
    }
    w->exit[i] = exit;
    bool good = total > 0 && total <= DBL_MAX;
    for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
        w->tag[k] = good ? w->tag[k] / total : 1.0 / (double)(s->row[i + 1] - s->row[i]);
}

static void enter_states(Sums *s)
{
    memset(s->work->inflow, 0, (size_t)s->work->states * sizeof *s->work->inflow);
    for (int32_t i = 0; i < s->work->states; i++)
        enter_state(s, i);
}

/* t(i), in the order of the row. */
static void law_before(const Sums *s, int32_t i, double law[MOST_ACTIVITIES])
{
    const CutWorkspace *w = s->work;
    const int64_t begin = s->row[i], end = s->row[i + 1];
    const uint8_t *before = w->before + w->first[i];
    const double stay = 1 / w->exit[i];
    memset(law, 0, (size_t)(end - begin) * sizeof *law);
    for (int64_t k = begin; k < end; k++) {
        const double chance = rate_of(s, k) * stay;
        const int64_t after = s->row[s->target[k] + 1];
        for (int64_t l = s->row[s->target[k]]; l < after; l++)
            law[*before++] += chance * w->tag[l];
    }
}

/* a = t, state by state.  In states of short duration, a by h is a small difference of large
 * numbers, and loses digits; t, from the states that follow, is more accurate. */
static void sweep_tags(const Sums *s)
{
    double law[MOST_ACTIVITIES];
    for (int32_t i = s->work->states; i-- > 0;) {
        law_before(s, i, law);
        memcpy(s->work->tag + s->row[i], law, (size_t)(s->row[i + 1] - s->row[i]) * sizeof *law);
    }
}

/* |t(i) - a(i)|_1 / 2 */
static double mismatch(const Sums *s, int32_t i)
{
    const double *tag = s->work->tag + s->row[i];
    double law[MOST_ACTIVITIES], off = 0;
    law_before(s, i, law);
    for (int64_t k = 0; k < s->row[i + 1] - s->row[i]; k++)
        off += fabs(law[k] - tag[k]);
    return off / 2;
}

/* ---- the cut ------------------------------------------------------------------------------ */

static void sum_up(Sums *s)
{
    const CutWorkspace *w = s->work;
    for (int32_t i = 0; i < w->states; i++) {
        const double pi = s->pi[i], flow = pi * w->exit[i];
        s->unbalanced += fabs(w->inflow[i] - flow) / 2;
        if (!(flow > 0))
            continue;
        s->jumps += flow;
        s->inconsistent += flow * mismatch(s, i);
        for (int64_t k = s->row[i]; k < s->row[i + 1]; k++)
            s->share[w->code[k] & ACTIVITY] += pi * w->tag[k];
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
    enter_states(&s);
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
