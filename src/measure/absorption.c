/* Probabilities of absorption in each bottom component: by censoring, or by expected visits. */
#include "measure/longrun.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "measure/origin.h"
#include "measure/steady.h"

typedef struct {
    const Chain *chain;
    const double *value;
    const PepaSettings *set;
    PepaError *err;
    int32_t *transient, *place; /* transient states; per state: its place there, or -1 */
    int32_t count;
    FlowOwner flow;
} Absorption;

/* The initial state's place: it is transient, since it reaches several bottom components. */
static int32_t first(const Absorption *a)
{
    return a->place[a->chain->initial];
}

/* Probability of stepping from the transient state number i into each component, added up in
 * step (bottom_count entries) with factor `times`, and into other transient states in `visits`, or
 * NULL. */
static void add_steps(const Absorption *a, int32_t i, double times, double *step, double *visits)
{
    const Chain *c = a->chain;
    int32_t s = a->transient[i];
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
        int32_t t = c->target[k], bottom = c->bottom[t];
        double steps = times * (chain_rate(c, a->value, k) / a->flow.exit[i]);
        if (bottom >= 0)
            step[bottom] += steps;
        else if (visits && t != s)
            visits[a->place[t]] += steps;
    }
}

/* most: multiply-adds that it may be expected to take; 0: any */
static PepaStatus censor(const Absorption *a, double most, double *weight)
{
    const Flow view = flow_view(&a->flow, NULL);
    size_t classes = (size_t)a->chain->bottom_count;
    if ((size_t)a->count > CENSOR_CELLS / classes)
        return PEPA_ELIMIT;
    double *step = mem_calloc((size_t)a->count * classes, sizeof *step);
    if (!step)
        return error_memory(a->err);
    for (int32_t i = 0; i < a->count; i++)
        add_steps(a, i, 1, step + (size_t)i * classes, NULL);
    Control control = settings_control(a->set, a->set->memory);
    control.work = most;
    PepaStatus status =
        absorb_gth(&view, step, a->chain->bottom_count, first(a), &control, weight, a->err);
    mem_free(step);
    return status;
}

/* The weights that follow from visits y.  What is out of balance, r, is computed anew from the
 * transitions: the weights are off by at most |r|_1, since a visit more or less ends in one component.
 *   beside  so many visits r may be large beside
 *   b       n, scratch */
static PepaStatus weigh(const Absorption *a, const double *y, double beside, double *weight,
                        double *b)
{
    double off = 0;
    memset(b, 0, (size_t)a->count * sizeof *b);
    memset(weight, 0, (size_t)a->chain->bottom_count * sizeof *weight);
    b[first(a)] = 1;
    for (int32_t i = 0; i < a->count; i++)
        add_steps(a, i, y[i], weight, b);
    for (int32_t i = 0; i < a->count; i++)
        off += fabs(y[i] - b[i]);
    /* So many visits before leaving that rounding of the chances to stay shows? */
    double sum = vector_sum(weight, a->chain->bottom_count);
    double limit = fmax(10 * a->set->solve.tolerance, 1e-14 * a->count);
    if (off <= limit * beside && fabs(sum - 1) <= limit)
        return PEPA_OK;
    return error_set(a->err, PEPA_ENOCONV,
                     "probabilities of absorption sum to %.12g, and visits are out of balance by "
                     "%.2g",
                     sum, off);
}

/* The chance to step from the transient state number i into a bottom component. */
static double chance_to_end(const Absorption *a, int32_t i)
{
    const Chain *c = a->chain;
    double sum = 0;
    for (int64_t k = c->row[a->transient[i]]; k < c->row[a->transient[i] + 1]; k++)
        if (c->bottom[c->target[k]] >= 0)
            sum += chain_rate(c, a->value, k) / a->flow.exit[i];
    return sum;
}

/* The expected number of visits to each transient state, y = P'y + b: n entries.  Elimination loses no digit of any,
 * so that balance is one beside all visits.
 *   most  as of censor */
static PepaStatus visits(const Absorption *a, PepaMethod method, double most, double *y,
                         double *weight)
{
    const size_t n = (size_t)a->count;
    double *b = mem_calloc(n, sizeof *b), *leave = NULL, beside = 1;
    PepaStatus status = b && mem_new(leave, n) ? PEPA_OK : error_memory(a->err);
    memset(y, 0, n * sizeof *y);
    if (status == PEPA_OK) {
        for (int32_t i = 0; i < a->count; i++)
            leave[i] = chance_to_end(a, i);
        b[first(a)] = y[first(a)] = 1;
        Flow view = flow_view(&a->flow, b);
        view.leave = leave;
        Control control = settings_control(a->set, a->set->memory);
        control.work = most;
        Outcome out = {0};
        status = flow_team_new(&view.team, &view, a->set->threads)
                     ? solve_flow(method, &view, &control, y, &out, a->err)
                     : error_memory(a->err);
        flow_team_free(view.team);
        if (status == PEPA_OK && strcmp(out.method, "gth") == 0)
            beside = fmax(vector_sum(y, a->count), 1);
    }
    if (status == PEPA_OK)
        status = weigh(a, y, beside, weight, b);
    mem_free_all(b, leave);
    return status;
}

/* Without subtractions: every digit of a weight counts. */
static PepaStatus weights_by_elimination(const Absorption *a, double most, double *weight)
{
    double *y = NULL;
    PepaStatus status = censor(a, most, weight);
    if (status != PEPA_ELIMIT)
        return status;
    /* More components than there is room for, perhaps. */
    status = mem_new(y, a->count) ? visits(a, PEPA_GTH, most, y, weight) : error_memory(a->err);
    mem_free(y);
    return status;
}

static PepaStatus find_weights(const Absorption *a, double *weight)
{
    const bool few = a->count <= CENSOR_FIRST;
    PepaStatus status = PEPA_ELIMIT;
    double *y = NULL;
    if (few || a->count <= CENSOR_SOON)
        status = weights_by_elimination(a, few ? 0 : CENSOR_WORK, weight);
    bool censored = status == PEPA_OK;
    if (status == PEPA_ELIMIT || (status == PEPA_ENOCONV && !few))
        status = mem_new(y, a->count) ? visits(a, PEPA_AUTO, 0, y, weight) : error_memory(a->err);
    mem_free(y);
    if (status == PEPA_ENOCONV && !few) {
        status = weights_by_elimination(a, 0, weight);
        censored = true;
        if (status == PEPA_ELIMIT)
            status = error_set(a->err, PEPA_ENOCONV,
                               "the probabilities of ending in each bottom component (--lump may "
                               "leave fewer states)");
    }
    if (status == PEPA_OK && a->set->evidence) {
        a->set->evidence->solve.censored = censored;
        a->set->evidence->solve.transient = a->count;
    }
    double sum = status == PEPA_OK ? vector_sum(weight, a->chain->bottom_count) : 0;
    for (int32_t k = 0; k < a->chain->bottom_count && status == PEPA_OK; k++)
        weight[k] /= sum;
    return status;
}

/* ---- times ----------------------------------------------------------------------------------- */

static PepaStatus find_times(const Absorption *a, bool *eliminate, double *time, double *weight)
{
    const bool few = a->count <= CENSOR_FIRST;
    double *y = NULL;
    if (!mem_new(y, a->count))
        return error_memory(a->err);
    PepaStatus status = few || *eliminate ? PEPA_ENOCONV : visits(a, PEPA_AUTO, 0, y, weight);
    if (status == PEPA_ENOCONV) {
        status = visits(a, PEPA_GTH, 0, y, weight);
        *eliminate = status == PEPA_OK;
        if (status == PEPA_ELIMIT && !few)
            status = error_set(a->err, PEPA_ENOCONV,
                               "the times in transient states were not found to the tolerance");
    }
    memset(time, 0, (size_t)a->chain->state_count * sizeof *time);
    for (int32_t i = 0; i < a->count && status == PEPA_OK; i++)
        time[a->transient[i]] = y[i] / a->flow.exit[i];
    mem_free(y);
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Bytes of all but what methods take and *entries, those of the flow's entries: transient states,
 * their places, their rows, what flow_fill needs, and two vectors. */
static double bytes_kept(const Chain *c, double *entries)
{
    const double each = 2 * sizeof(int32_t) + sizeof(int64_t), vectors = 2 * sizeof(double);
    double states = 0, count = 0;
    for (int32_t s = 0; s < c->state_count; s++)
        if (c->bottom[s] < 0) {
            states++;
            count += (double)(c->row[s + 1] - c->row[s]);
        }
    *entries = flow_entry_bytes(PEPA_MATRIX_EXPLICIT, count);
    return each * (double)c->state_count + vectors * states + flow_row_bytes(states);
}

PepaStatus absorption_times(const Chain *chain, const double *value, const PepaSettings *set,
                            bool *eliminate, double *time, double *weight, PepaError *err)
{
    int32_t n = (int32_t)chain->state_count;
    PepaSettings rest = *set;
    Absorption a = {.chain = chain, .value = value, .set = &rest, .err = err};
    double entries, kept = bytes_kept(chain, &entries);
    if (!budget_allows(set->memory, kept + entries))
        return budget_exceeded(err, kept + entries, set->memory,
                               "finding the probability of ending in each bottom component");
    rest.memory = budget_left(set->memory, kept + entries);
    bool ok = mem_new(a.transient, n) && mem_new(a.place, n);
    for (int32_t s = 0; s < n && ok; s++) {
        a.place[s] = chain->bottom[s] < 0 ? a.count : -1;
        if (chain->bottom[s] < 0)
            a.transient[a.count++] = s;
    }
    PepaStatus status =
        ok ? flow_build(&a.flow, chain, a.transient, a.count, a.place, err) : error_memory(err);
    Control control = settings_control(set, budget_left(set->memory, kept));
    if (status == PEPA_OK)
        status = flow_fill(&a.flow, set->solve.matrix, &control, chain, value, a.transient, a.place,
                           err);
    if (status == PEPA_OK)
        status = time ? find_times(&a, eliminate, time, weight) : find_weights(&a, weight);
    flow_free(&a.flow);
    mem_free_all(a.transient, a.place);
    return status;
}

PepaStatus absorption(const Chain *chain, const double *value, const PepaSettings *set,
                      double *weight, PepaError *err)
{
    Chain begun;
    weight[0] = 1;
    if (chain->bottom_count == 1)
        return PEPA_OK;
    PepaStatus status = origin_add(&begun, chain, set->memory, err);
    if (status == PEPA_OK)
        status = absorption_times(&begun, value, set, NULL, NULL, weight, err);
    if (status == PEPA_OK && set->evidence)
        set->evidence->solve.transient -= begun.state_count - chain->state_count;
    origin_free(&begun, chain);
    return status;
}
