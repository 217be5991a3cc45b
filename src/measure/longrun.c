/* Solves each bottom component, weighs it by the probability of absorption in it, and certifies the
 * result against the chain itself. */
#include "measure/longrun.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/number.h"
#include "measure/keep.h"

const SteadyForm *steady_form(const Chain *chain)
{
    return chain->row ? &steady_by_rows : &steady_by_sets;
}

struct LongRun {
    const Chain *chain;
    const SteadyForm *form;
    void *space;     /* the form's */
    Operator *op;    /* NULL until a certificate is needed */
    int32_t threads; /* that it was made for */
};

void longrun_free(LongRun *run)
{
    if (!run)
        return;
    if (run->space)
        run->form->free(run->space);
    operator_free(run->op);
    mem_free(run);
}

PepaStatus longrun_new(LongRun **out, const Chain *chain, const SteadyForm *form, PepaError *err)
{
    LongRun *run = mem_alloc(1, sizeof *run);
    if (!run)
        return error_memory(err);
    *run = (LongRun){.chain = chain, .form = form};
    PepaStatus status = form->make ? form->make(&run->space, chain, err) : PEPA_OK;
    if (status == PEPA_OK)
        *out = run;
    else
        longrun_free(run);
    return status;
}

PepaStatus longrun_check_memory(const Chain *chain, const PepaSettings *set, PepaError *err)
{
    const SteadyForm *form = steady_form(chain);
    double need = form->bytes_kept(chain) + form->bytes_needed(chain, set);
    char states[NUMBER_SIZE];
    if (budget_allows(set->memory, need))
        return PEPA_OK;
    return budget_exceeded(err, need, set->memory, "solving for %s states",
                           number_grouped(chain->state_count, states));
}

int32_t longrun_order(const LongRun *run, int32_t bottom, int32_t *order)
{
    return run->form->order(run->chain, run->space, bottom, order);
}

/* ---- solution ---------------------------------------------------------------------------- */

static PepaStatus solve_all(const LongRun *run, const SteadyJob *job)
{
    const Chain *c = run->chain;
    double *weight = mem_alloc((size_t)c->bottom_count, sizeof *weight);
    if (!weight)
        return error_memory(job->err);
    PepaSettings rest = *job->set;
    rest.memory = budget_left(rest.memory, run->form->bytes_kept(c));
    PepaStatus status = absorption(c, job->value, &rest, weight, job->err);
    /* Of components to come, that is kept as well, and no guess. */
    const bool guessed = job->set->solve.warm_start != 0;
    for (int64_t state = 0; c->bottom && status == PEPA_OK && state < c->state_count; state++)
        if (c->bottom[state] < 0 || !guessed)
            job->pi[state] = 0;
    for (int32_t k = 0; k < c->bottom_count && status == PEPA_OK; k++)
        status = run->form->solve(run->space, job, k, weight[k]);
    mem_free(weight);
    return status;
}

PepaStatus longrun_certificate(LongRun *run, const double *value, const double *pi, int32_t threads,
                               Certificate *out, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (run->op && run->threads != threads) {
        operator_free(run->op);
        run->op = NULL;
    }
    if (!run->op)
        status = operator_new(&run->op, run->chain, NULL, threads,
                              run->space ? run->form->workspace(run->space) : NULL, err);
    run->threads = threads;
    if (status == PEPA_OK)
        *out = certificate_of(run->op, value, pi, NULL);
    return status;
}

/* The residual is computed anew, whatever the method reports. */
static PepaStatus certify(LongRun *run, const SteadyJob *job)
{
    Certificate found;
    PepaStatus status =
        longrun_certificate(run, job->value, job->pi, job->set->threads, &found, job->err);
    if (status != PEPA_OK)
        return status;
    job->info->residual = found.residual;
    if (job->set->evidence) {
        job->set->evidence->solve.residual = found.residual;
        job->set->evidence->solve.by_time = found.by_time;
    }
    return certificate_check(&found, job->set->solve.tolerance, PEPA_ENOCONV, job->info->method,
                             job->err);
}

/* The first transitions with the least and with the largest rate; actions are ids in the model. */
typedef struct {
    const double *value;
    double low, high;
    int32_t slow, fast;
} Extremes;

static void note_rate(void *user, const Transition *t)
{
    Extremes *e = user;
    double rate = e->value[t->term];
    if (rate < e->low) {
        e->low = rate;
        e->slow = t->action;
    }
    if (rate > e->high) {
        e->high = rate;
        e->fast = t->action;
    }
}

/* What to try next.  See longrun_advise. */
static void write_next(const SteadyJob *job, const char *what, bool chosen, char *text, size_t size)
{
    const double most = 1e15; /* the digits that a double has */
    const char **action = job->chain->model->actions;
    /* No sensible tolerance is as large. */
    const bool hopeless = !(job->info->residual < 1e-2);
    const bool limited = job->err->limit == PEPA_LIMIT_ITERATIONS;
    const char *usual = limited && chosen     ? "allow more iterations, or try the method auto"
                        : limited             ? "allow more iterations"
                        : chosen              ? "try the method auto"
                        : what[0] && hopeless ? "compare solutions at neighbouring values of a rate"
                                              : "try a larger tolerance";
    Extremes e = {.value = job->value, .low = HUGE_VAL};
    if (!limited && chain_each_transition(job->chain, note_rate, &e, NULL) != PEPA_OK)
        e = (Extremes){0};
    if (e.low < DBL_MIN && e.low / e.high >= DBL_MIN) /* a double can hold their ratio */
        (void)
            number_print(text, size,
                         "the rate of `%.20s`, %.3g, is too small for full precision: use a larger "
                         "unit of time",
                         action[e.slow], e.low);
    else if (e.high > 0 && (e.low < DBL_MIN || e.high / e.low > most))
        (void)
            number_print(text, size,
                         "the rates are too far apart: `%.20s` has %.3g, `%.20s` has %.3g; %sbring "
                         "them closer",
                         action[e.slow], e.low, action[e.fast], e.high,
                         chosen ? "try the method auto, or " : "");
    else
        (void)number_print(text, size, "%s", usual);
}

/* Shorten to `most` characters, at a word, and outside brackets. */
static void shorten(char *text, size_t most)
{
    if (strlen(text) <= most)
        return;
    text[most - strlen(" ...")] = '\0';
    char *open = strrchr(text, '('), *end = strrchr(text, ' ');
    if (open && open > text && !strchr(open, ')'))
        end = open - 1;
    if (end)
        memcpy(end, " ...", sizeof " ...");
}

void longrun_advise(const SteadyJob *job, const char *what, bool chosen)
{
    char why[sizeof job->err->message], next[180];
    const size_t besides = 60; /* characters of the message, at most: neither reason nor advice */
    write_next(job, what, chosen, next, sizeof next);
    memcpy(why, job->err->message, sizeof why);
    shorten(why, sizeof why - besides - strlen(next));
    (void)error_limit(job->err, PEPA_ENOCONV, job->err->limit,
                      "%snot solved to the tolerance %.3g: %s; %s", what, job->set->solve.tolerance,
                      why, next);
}

/* What was kept is the guess. */
static PepaStatus go_on(const Keep *keep, const SteadyJob *job, PepaSettings *set)
{
    bool loaded;
    PepaStatus status = keep_load(keep, job->pi, &loaded, job->err);
    if (loaded)
        set->solve.warm_start = 1;
    return status;
}

/* The states in lexicographic order, if solutions are to be kept in it.
 *   place  out: freed by the caller in any case */
static PepaStatus order_states(const Chain *chain, const PepaKeeping *keeping, KeepOrder *out,
                               int32_t **place, PepaError *err)
{
    const int32_t n = (int32_t)chain->state_count;
    *out = (KeepOrder){.all = n};
    PepaStatus status = keep_find_order(keeping, n, &out->by_first, err);
    if (status == PEPA_OK && !mem_new(*place, n))
        status = error_memory(err);
    for (int32_t s = 0; s < n && status == PEPA_OK; s++)
        (*place)[s] = s;
    if (status == PEPA_OK &&
        !states_sort(chain->system, chain->states.state, out->by_first, *place, n))
        status = error_memory(err);
    out->place = *place;
    return status;
}

PepaStatus longrun_solve(LongRun *run, const RateValues *at, const PepaSettings *set, double *pi,
                         PepaInfo *info, PepaError *err)
{
    PepaError unseen;
    PepaInfo found = info_unsolved(set, "none");
    PepaSettings from = *set;
    const PepaKeeping *keeping = set->solve.keeping;
    const bool ordered = keeping && keeping->portable && !run->chain->diagram;
    Keep keep;
    KeepOrder order;
    int32_t *place = NULL;
    SteadyJob job = {.chain = run->chain,
                     .value = at->term,
                     .forced = at->forced,
                     .set = &from,
                     .pi = pi,
                     .info = &found,
                     .err = err ? err : &unseen,
                     .keeper = keep_init(&keep, set->solve.keeping, run->chain->state_count)};
    double start = clock_seconds();
    if (set->evidence)
        set->evidence->solve =
            (PepaSolveEvidence){.components = run->chain->bottom_count, .answer = -1};
    PepaStatus status = PEPA_OK;
    if (ordered) {
        status = order_states(run->chain, keeping, &order, &place, job.err);
        keep.order = &order;
    }
    if (status == PEPA_OK)
        status = go_on(&keep, &job, &from);
    if (status == PEPA_OK)
        status = solve_all(run, &job);
    if (status == PEPA_OK)
        status = certify(run, &job);
    if (status == PEPA_ENOCONV)
        longrun_advise(&job, "", set->solve.method != PEPA_AUTO);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    mem_free(place);
    return status;
}
