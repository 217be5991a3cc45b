/* Bottom components one by one, weighted by the probability of ending in each, then certified against
 * the chain itself. */
#include "measure/longrun.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/clock.h"
#include "measure/absorption.h"

struct LongRun {
    const Chain *chain;
    const SteadyForm *form;
    void *space; /* the form's */
    Operator *op; /* NULL until a certificate is needed */
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

PepaStatus longrun_with(LongRun **out, const Chain *chain, const SteadyForm *form, PepaError *err)
{
    LongRun *run = mem_alloc(1, sizeof *run);
    if (!run)
        return error_memory(err);
    *run = (LongRun){.chain = chain, .form = form};
    PepaStatus status = run->form->make(&run->space, chain, err);
    if (status == PEPA_OK)
        *out = run;
    else
        longrun_free(run);
    return status;
}

PepaStatus longrun_new(LongRun **out, const Chain *chain, PepaError *err)
{
    return longrun_with(out, chain, steady_form(chain), err);
}

PepaStatus longrun_affords(const Chain *chain, const PepaSettings *set, PepaError *err)
{
    const SteadyForm *form = steady_form(chain);
    double need = form->standing(chain) + form->least(chain, set);
    char states[BUDGET_TEXT];
    if (budget_allows(set->memory, need))
        return PEPA_OK;
    return budget_exceeded(err, need, set->memory, "solving for %s states",
                           budget_count(chain->state_count, states));
}

int32_t longrun_count(const LongRun *run, int32_t bottom)
{
    return run->form->count(run->space, bottom);
}

void longrun_order(const LongRun *run, int32_t bottom, int32_t *order)
{
    run->form->order(run->space, bottom, order);
}

/* ---- solution ---------------------------------------------------------------------------- */

static PepaStatus solve_all(const LongRun *run, const SteadyJob *job)
{
    const Chain *c = run->chain;
    double *weight = mem_alloc((size_t)c->bottom_count, sizeof *weight);
    if (!weight)
        return error_memory(job->err);
    PepaSettings rest = *job->set;
    rest.memory = budget_left(rest.memory, run->form->standing(c));
    PepaStatus status = absorption(c, job->value, &rest, weight, job->err);
    for (int64_t state = 0; c->bottom && status == PEPA_OK && state < c->state_count; state++)
        if (c->bottom[state] < 0)
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
        status = operator_new(&run->op, run->chain, threads, err);
    run->threads = threads;
    if (status == PEPA_OK)
        *out = certificate_of(run->op, value, pi);
    return status;
}

/* No method's word counts: the answer is looked at afresh. */
static PepaStatus certify(LongRun *run, const SteadyJob *job)
{
    Certificate found;
    PepaStatus status =
        longrun_certificate(run, job->value, job->pi, job->set->threads, &found, job->err);
    if (status != PEPA_OK)
        return status;
    job->info->residual = found.residual;
    return certificate_check(&found, job->set->solve.tolerance, PEPA_ENOCONV, job->info->method,
                             job->err);
}

/* Say how near it came, and what can be tried next. */
static void advise(const SteadyJob *job)
{
    char why[sizeof job->err->message];
    const PepaSolve *set = &job->set->solve;
    double residual = job->info->residual;
    memcpy(why, job->err->message, sizeof why);
    PepaLimit limit = set->method != PEPA_AUTO ? PEPA_LIMIT_METHOD
                      : set->max_iter > 0      ? PEPA_LIMIT_ITERATIONS
                                               : PEPA_LIMIT_NONE;
    const char *next = limit == PEPA_LIMIT_METHOD       ? "try the method auto"
                       : limit == PEPA_LIMIT_ITERATIONS ? "allow more iterations"
                       : residual > 0.1 ? "the rates may be too far apart for doubles"
                                        : "try a larger tolerance";
    if (residual > 0)
        (void)error_limit(job->err, PEPA_ENOCONV, limit,
                          "not solved to %.3g: the residual is %.2g (%.150s); %s", set->tolerance,
                          residual, why, next);
    else
        (void)error_limit(job->err, PEPA_ENOCONV, limit, "not solved to %.3g: %.180s; %s",
                          set->tolerance, why, next);
}

PepaStatus longrun_solve(LongRun *run, const RateValues *at, const PepaSettings *set, double *pi,
                         PepaInfo *info, PepaError *err)
{
    PepaError unseen;
    PepaInfo found = {.method = "none",
                      .matrix = "none",
                      .precondition = "none",
                      .caution = "",
                      .tolerance = set->solve.tolerance};
    SteadyJob job = {.chain = run->chain,
                     .value = at->term,
                     .forced = at->forced,
                     .set = set,
                     .pi = pi,
                     .info = &found,
                     .err = err ? err : &unseen};
    double start = clock_seconds();
    PepaStatus status = solve_all(run, &job);
    if (status == PEPA_OK)
        status = certify(run, &job);
    if (status == PEPA_ENOCONV)
        advise(&job);
    found.seconds = clock_seconds() - start;
    if (info && (status == PEPA_OK || status == PEPA_ENOCONV))
        *info = found;
    return status;
}
