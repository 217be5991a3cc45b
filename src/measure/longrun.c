/* Bottom components one by one, weighted by the probability of ending in each, then certified
 * against the chain itself. */
#include "measure/longrun.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/budget.h"
#include "ctmc/order.h"
#include "measure/absorption.h"
#include "measure/diagram_balance.h"
#include "measure/diagram_solve.h"
#include "measure/flow_build.h"

/* A bottom component: its states are order[first .. first + n), in the order to sweep them. */
typedef struct {
    int32_t first, n;
    FlowOwner flow; /* empty if n is 1 */
} Part;

struct LongRun {
    const Chain *chain; /* if it has a diagram, nothing else is needed */
    Part *parts;
    int32_t part_count;
    int32_t *order, *place; /* place: per state, where it stands within its part; -1: nowhere */
    /* Scratch, one entry per state. */
    double *balance, *y;
    int64_t *end;
};

/* One solution. */
typedef struct {
    LongRun *run;
    const PepaSettings *set;
    double *pi;
    PepaInfo info;
    PepaError *err;
    int32_t largest; /* part solved so far: whose method is reported */
} Solving;

double longrun_residual(const Chain *c, const double *pi, double *balance, double *exit,
                        double *by_time)
{
    int32_t n = c->states.count;
    double flow = 0, imbalance = 0;
    memset(balance, 0, (size_t)n * sizeof *balance);
    for (int32_t s = 0; s < n; s++) {
        exit[s] = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            if (c->target[k] == s)
                continue;
            double rate = chain_rate(c, k);
            balance[c->target[k]] += pi[s] * rate;
            exit[s] += rate;
        }
        balance[s] -= pi[s] * exit[s];
        flow += pi[s] * exit[s];
    }
    *by_time = 0;
    for (int32_t s = 0; s < n; s++) {
        imbalance += fabs(balance[s]);
        *by_time += exit[s] > 0 ? fabs(balance[s]) / exit[s] : 0;
    }
    if (!isfinite(imbalance) || !isfinite(flow))
        return INFINITY;
    return imbalance == 0 ? 0 : imbalance / flow;
}

/* ---- structure --------------------------------------------------------------------------- */

void longrun_free(LongRun *run)
{
    if (!run)
        return;
    for (int32_t k = 0; run->parts && k < run->part_count; k++)
        flow_free(&run->parts[k].flow);
    mem_free(run->parts);
    mem_free(run->order);
    mem_free(run->place);
    mem_free(run->balance);
    mem_free(run->y);
    mem_free(run->end);
    mem_free(run);
}

/* The states of every part side by side in `states`, ascending within a part. */
static void collect(LongRun *run, int32_t *states)
{
    const Chain *c = run->chain;
    int32_t first = 0;
    for (int32_t s = 0; s < c->states.count; s++)
        if (!c->bottom || c->bottom[s] >= 0)
            run->parts[c->bottom ? c->bottom[s] : 0].n++;
    for (int32_t k = 0; k < run->part_count; k++) {
        run->parts[k].first = first;
        first += run->parts[k].n;
        run->parts[k].n = 0;
    }
    for (int32_t s = 0; s < c->states.count; s++) {
        if (c->bottom && c->bottom[s] < 0)
            continue;
        Part *part = &run->parts[c->bottom ? c->bottom[s] : 0];
        states[part->first + part->n++] = s;
    }
}

/* Choose the orders; `states` as of collect. */
static PepaStatus build(LongRun *run, const int32_t *states, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t k = 0; k < run->part_count && status == PEPA_OK; k++) {
        Part *part = &run->parts[k];
        int32_t *order = run->order + part->first;
        status = chain_order(run->chain, states + part->first, part->n, order, err);
        for (int32_t i = 0; i < part->n && status == PEPA_OK; i++)
            run->place[order[i]] = i;
        if (status == PEPA_OK && part->n > 1)
            status = flow_build(&part->flow, run->chain, order, part->n, run->place, err);
    }
    return status;
}

PepaStatus longrun_new(LongRun **out, const Chain *chain, PepaError *err)
{
    size_t n = chain->diagram ? 0 : (size_t)chain->state_count;
    LongRun *run = mem_calloc(1, sizeof *run);
    int32_t *states = mem_alloc(n, sizeof *states);
    PepaStatus status = PEPA_ENOMEM;
    if (run && states) {
        run->chain = chain;
        run->part_count = chain->diagram ? 0 : chain->bottom_count;
        run->parts = mem_calloc((size_t)run->part_count, sizeof *run->parts);
        run->order = mem_alloc(n, sizeof *run->order);
        run->place = mem_alloc(n, sizeof *run->place);
        run->balance = mem_alloc(n, sizeof *run->balance);
        run->y = mem_alloc(n, sizeof *run->y);
        run->end = mem_alloc(n, sizeof *run->end);
        if (run->parts && run->order && run->place && run->balance && run->y && run->end)
            status = PEPA_OK;
    }
    if (status == PEPA_OK) {
        memset(run->place, -1, n * sizeof *run->place);
        if (!chain->diagram)
            collect(run, states);
        status = build(run, states, err);
    } else {
        status = error_memory(err);
    }
    mem_free(states);
    if (status == PEPA_OK)
        *out = run;
    else
        longrun_free(run);
    return status;
}

/* The chain, pi, and what a LongRun keeps besides the flows. */
static double standing_bytes(const Chain *c)
{
    const LongRun *run = NULL;
    const double each = sizeof(double) + sizeof *run->order + sizeof *run->place +
                        sizeof *run->balance + sizeof *run->y + sizeof *run->end;
    return chain_bytes(c) + each * (double)c->state_count;
}

/* Rows without their entries. */
static double row_bytes(double states)
{
    const FlowOwner *f = NULL;
    return states * (sizeof *f->row + sizeof *f->exit);
}

/* To be compared: while orders are chosen (see chain_order), and while one vector is swept. */
PepaStatus longrun_room(const Chain *c, const PepaSettings *set, PepaError *err)
{
    const double choosing = 44, sweeping = sizeof(double);
    double n = (double)c->state_count, entries = flow_entry_bytes(set->solve.matrix, (double)c->transitions);
    double flow = row_bytes(n) + entries + sweeping * n;
    double need = standing_bytes(c) + fmax(choosing * n, flow);
    char states[BUDGET_TEXT];
    if (c->diagram || budget_allows(set->memory, need))
        return PEPA_OK;
    return budget_exceeded(err, need, set->memory, "solving for %s states",
                           budget_count(c->state_count, states));
}

/* What remains of the limit once all that is there already is taken off, but for the entries of
 * this part (or NULL). */
static int64_t room_beside(const LongRun *run, const Part *part, int64_t limit)
{
    double taken = standing_bytes(run->chain);
    for (int32_t k = 0; k < run->part_count; k++) {
        const FlowOwner *f = &run->parts[k].flow;
        PepaMatrixForm form = f->code ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
        taken += f->row ? row_bytes(f->n) : 0;
        taken +=
            f->col && part != &run->parts[k] ? flow_entry_bytes(form, (double)f->row[f->n]) : 0;
    }
    return limit == 0 ? 0 : budget_left(limit, taken);
}

const int32_t *longrun_order(const LongRun *run, int32_t bottom, int32_t *count)
{
    const Part *part = &run->parts[bottom];
    *count = part->n;
    return run->order + part->first;
}

/* ---- solution ---------------------------------------------------------------------------- */

/* A starting vector for y, from pi if that is any use. */
static void first_guess(const Solving *s, const Part *part, double *y)
{
    const int32_t *order = s->run->order + part->first;
    double sum = 0;
    if (s->set->solve.warm_start) {
        for (int32_t i = 0; i < part->n; i++) {
            y[i] = s->pi[order[i]] * part->flow.exit[i];
            sum += y[i] >= 0 ? y[i] : NAN;
        }
    }
    if (!(sum > 0) || !isfinite(sum))
        for (int32_t i = 0; i < part->n; i++)
            y[i] = 1.0 / part->n;
}

/* pi of a part's states from their flows, with total `weight`. */
static bool spread(Solving *s, const Part *part, const double *y, double weight)
{
    const int32_t *order = s->run->order + part->first;
    double sum = 0;
    for (int32_t i = 0; i < part->n; i++)
        sum += y[i] / part->flow.exit[i];
    for (int32_t i = 0; i < part->n; i++)
        s->pi[order[i]] = weight * (y[i] / part->flow.exit[i] / sum);
    return isfinite(sum) && sum > 0;
}

static void note_outcome(Solving *s, const Outcome *out, const Flow *flow)
{
    const char *caution = flow_caution(flow, s->run->y, out, s->set->solve.tolerance, s->run->balance);
    if (caution[0])
        s->info.caution = caution;
    if (out->trail[0] && !s->info.trail[0])
        (void)snprintf(s->info.trail, sizeof s->info.trail, "%s", out->trail);
    if (flow->n < s->largest)
        return;
    s->largest = flow->n;
    s->info.method = out->method;
    s->info.iterations = out->iterations;
    s->info.matrix = flow->code ? "compact" : "explicit";
    s->info.precondition = out->precondition ? out->precondition : "none";
}

/* The steady state within a part, times `weight`. */
static PepaStatus solve_part(Solving *s, Part *part, double weight)
{
    LongRun *run = s->run;
    if (part->n == 1) {
        s->pi[run->order[part->first]] = weight;
        return PEPA_OK;
    }
    double start = clock_seconds();
    PepaStatus status =
        flow_fill(&part->flow, s->set->solve.matrix, room_beside(run, part, s->set->memory), run->chain,
                  run->order + part->first, run->place, run->end, s->err);
    s->info.matrix_seconds += clock_seconds() - start;
    if (status != PEPA_OK)
        return status;
    Flow view = flow_view(&part->flow, NULL);
    if (!flow_team_new(&view.team, &view, s->set->threads))
        return error_memory(s->err);
    /* A little stricter, so that rounding between here and the certificate costs nobody an answer.
     */
    Control control = {.tolerance = 0.9 * s->set->solve.tolerance,
                       .max_iter = s->set->solve.max_iter,
                       .progress = s->set->progress,
                       .user = s->set->user,
                       .memory = room_beside(run, NULL, s->set->memory),
                       .precondition = s->set->solve.precondition};
    Outcome out = {0};
    first_guess(s, part, run->y);
    status = solver_of(s->set->solve.method)(&view, &control, run->y, &out, s->err);
    if (status == PEPA_OK || status == PEPA_ENOCONV)
        note_outcome(s, &out, &view);
    flow_team_free(view.team);
    if (status == PEPA_OK && !spread(s, part, run->y, weight))
        status = error_set(s->err, PEPA_ENOCONV, "the probabilities overflow");
    if (status == PEPA_ENOCONV)
        s->info.residual = fmax(s->info.residual, out.residual);
    return status;
}

static PepaStatus solve_all(Solving *s)
{
    LongRun *run = s->run;
    const Chain *c = run->chain;
    if (c->diagram)
        return diagram_solve(c, s->set, s->pi, &s->info, s->err);
    if (!c->bottom)
        return solve_part(s, &run->parts[0], 1);
    double *weight = mem_alloc((size_t)c->bottom_count, sizeof *weight);
    if (!weight)
        return error_memory(s->err);
    PepaSettings rest = *s->set;
    rest.memory = room_beside(run, NULL, s->set->memory);
    PepaStatus status = absorption(c, &rest, weight, s->err);
    for (int32_t state = 0; state < c->states.count && status == PEPA_OK; state++)
        if (c->bottom[state] < 0)
            s->pi[state] = 0;
    for (int32_t k = 0; k < run->part_count && status == PEPA_OK; k++)
        status = solve_part(s, &run->parts[k], weight[k]);
    mem_free(weight);
    return status;
}

/* Nothing a method says counts: the sum, the signs and the balance are looked at afresh. */
static PepaStatus certify(Solving *s)
{
    DiagramBalance at = {0};
    const Chain *c = s->run->chain;
    PepaStatus status = PEPA_OK;
    if (c->diagram)
        status = diagram_balance(c->diagram, &c->rates, s->pi, s->set->threads, &at, s->err);
    else
        at.residual = longrun_residual(c, s->pi, s->run->balance, s->run->y, &at.by_time);
    if (status != PEPA_OK)
        return status;
    for (int32_t i = 0; i < c->state_count && !c->diagram; i++) {
        at.sum += s->pi[i];
        at.least = s->pi[i] < at.least ? s->pi[i] : at.least;
    }
    s->info.residual = at.residual;
    if (!(fabs(at.sum - 1) <= 1e-9) || at.least < 0)
        return error_set(s->err, PEPA_ENOCONV, "the answer is no distribution: sum %.17g, least %g",
                         at.sum, at.least);
    if (!(at.residual <= s->set->solve.tolerance))
        return error_set(s->err, PEPA_ENOCONV, "residual %.2g after %s", at.residual,
                         s->info.method);
    if (!(at.by_time <= s->set->solve.tolerance))
        return error_set(s->err, PEPA_ENOCONV,
                         "%.2g of the time is out of balance after %s, in states that are seldom "
                         "visited but long",
                         at.by_time, s->info.method);
    return PEPA_OK;
}

/* Are the rates of the transitions too far apart for doubles?  Writes a text that names the least
 * and the largest of them. */
static bool far_apart(const Chain *c, char *text, size_t size)
{
    const double most = 1e15; /* the digits that a double has */
    int32_t least = -1, largest = -1;
    for (int32_t k = 0; k < c->kind_count; k++) {
        double rate = c->rates.value[c->kind_term[k]];
        least = least < 0 || rate < c->rates.value[c->kind_term[least]] ? k : least;
        largest = largest < 0 || rate > c->rates.value[c->kind_term[largest]] ? k : largest;
    }
    if (least < 0)
        return false;
    double low = c->rates.value[c->kind_term[least]], high = c->rates.value[c->kind_term[largest]];
    (void)snprintf(text, size,
                   "the rates are too far apart: `%.20s` has %.3g, `%.20s` has %.3g; bring "
                   "them closer",
                   c->model->actions[c->actions[c->kind_action[least]]], low,
                   c->model->actions[c->actions[c->kind_action[largest]]], high);
    return low < DBL_MIN || high / low > most;
}

/* Say how near it came, and what can be tried next. */
static void advise(const Solving *s)
{
    char why[sizeof s->err->message], apart[140];
    double tolerance = s->set->solve.tolerance;
    bool chosen = s->set->solve.method != PEPA_AUTO;
    PepaLimit limit =
        !chosen && s->set->solve.max_iter > 0 ? PEPA_LIMIT_ITERATIONS : PEPA_LIMIT_NONE;
    const char *next = chosen                                          ? "try the method auto"
                       : limit != PEPA_LIMIT_NONE                      ? "allow more iterations"
                       : far_apart(s->run->chain, apart, sizeof apart) ? apart
                                                                       : "try a larger tolerance";
    memcpy(why, s->err->message, sizeof why);
    int shown = next == apart ? 80 : 150; /* of the reason: the message has an end */
    if (s->info.residual > 0)
        (void)error_limit(s->err, PEPA_ENOCONV, limit,
                          "not solved to %.3g: the residual is %.2g (%.*s); %s", tolerance,
                          s->info.residual, shown, why, next);
    else
        (void)error_limit(s->err, PEPA_ENOCONV, limit, "not solved to %.3g: %.*s; %s", tolerance,
                          shown, why, next);
}

PepaStatus longrun_solve(LongRun *run, const PepaSettings *set, double *pi, PepaInfo *info,
                         PepaError *err)
{
    PepaError unseen;
    Solving s = {.run = run, .set = set, .pi = pi, .err = err ? err : &unseen};
    double start = clock_seconds();
    s.info.method = "none";
    s.info.matrix = "none";
    s.info.precondition = "none";
    s.info.caution = "";
    s.info.tolerance = set->solve.tolerance;
    PepaStatus status = solve_all(&s);
    if (status == PEPA_OK)
        status = certify(&s);
    if (status == PEPA_ENOCONV)
        advise(&s);
    s.info.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = s.info;
    return status;
}
