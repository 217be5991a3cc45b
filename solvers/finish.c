/* What auto does with the answer of a method: shares of groups that rare jumps join are settled, rare states
 * refined, both by other methods that begin with it. */
#include "solvers/internal.h"

#include <math.h>

#include "base/mem.h"
#include "base/budget.h"
#include "base/clock.h"
#include "solvers/tuning.h"

typedef struct {
    const Flow *flow;
    const Control *control;
    double *y;
    Outcome *out;
    PepaError *why;
    bool parted; /* as of answer_finish */
    bool met;    /* the last method met the tolerance */
    double left; /* iterations that it seemed to need still */
} Finish;

/* Where attempt_run has written the last one down. */
static PepaAttempt *last_attempt(PepaSolveEvidence *e)
{
    return &e->attempt[(e->attempts < PEPA_MOST_ATTEMPTS ? e->attempts : PEPA_MOST_ATTEMPTS) - 1];
}

/* The answer is made better by another method, as a part of the attempt, if memory allows. */
static PepaStatus improve(Finish *f, const Method *method, const Control *control)
{
    Control quiet = *control;
    Outcome better;
    double start = clock_seconds();
    quiet.evidence = NULL;
    quiet.done += f->out->iterations;
    PepaStatus status = attempt_run(method, f->flow, &quiet, f->y, &better, f->why);
    if (status == PEPA_OK) {
        f->out->iterations += better.iterations;
        f->out->residual = better.residual;
        f->out->coupled = f->out->coupled || better.coupled;
        f->out->gathered = better.gathered;
    }
    f->met = status == PEPA_OK;
    f->left = better.left;
    if (control->evidence) {
        PepaAttempt *last = last_attempt(control->evidence);
        last->iterations = f->out->iterations;
        last->seconds += clock_seconds() - start;
    }
    return status == PEPA_ECANCEL ? status : PEPA_OK;
}

static PepaStatus refine(Finish *f)
{
    Control control = *f->control;
    const bool few = control.max_iter > 0 && control.max_iter < PARTED_CYCLES;
    if (f->parted && !few && flow_is_parted(f->flow, PARTED_LATER))
        control.max_iter = PARTED_CYCLES;
    const PepaStatus status = improve(f, &method_refinement, &control);
    f->out->uneven = f->left > 0;
    f->out->judged = f->met && !f->out->uneven;
    f->out->coupled = f->out->coupled || f->out->judged;
    f->out->drift = (Drift){0};
    return status;
}

/* What would one more sweep change?  If that is much of any flows that count, sweeps go on where they were the method. */
static PepaStatus look(Finish *f, bool swept, double *scratch)
{
    PepaStatus status = PEPA_OK;
    f->out->drift = flow_drift(f->flow, f->y, scratch);
    if (swept && f->out->drift.rare > RARE_SWEPT) {
        status = improve(f, &method_sweeping_on, f->control);
        f->out->drift = flow_drift(f->flow, f->y, scratch);
    }
    f->out->judged = !(f->out->drift.rare > (swept ? RARE_SWEPT : RARE_SUSPECT));
    return status;
}

/* Are groups of states in balance, those as well that hold next to nothing? */
static bool is_even(const Finish *f)
{
    const Drift off = flow_imbalance(f->flow, f->y);
    const double growth = fmax(off.growth, f->out->drift.growth);
    return flow_balanced(off, LARGE_IMBALANCE * f->control->tolerance) &&
           !flow_may_fill(f->flow, f->y, growth, f->control->memory);
}

/* An answer is refined where one more sweep would change much, where groups of states are out of balance, and where rare
 * jumps may hide how slowly sweeps change what another method left wrong. */
static PepaStatus refine_uneven(Finish *f, bool swept)
{
    double *scratch = NULL;
    if (!swept && flow_has_rare_jumps(f->flow))
        return refine(f);
    if (!budget_allows(f->control->memory,
                       flow_imbalance_bytes(f->flow->n, f->flow->row[f->flow->n])) ||
        !mem_new(scratch, f->flow->n))
        return PEPA_OK;
    const PepaStatus status = look(f, swept, scratch);
    mem_free(scratch);
    if (status != PEPA_OK || (f->out->judged && is_even(f)))
        return status;
    return refine(f);
}

/* There is something wrong, and one process has room for all rows; rare states alone are no reason to keep the others waiting
 * for minutes. */
static bool worth_gathering(const Finish *f)
{
    const FlowShare *s = f->flow->share;
    double states = f->flow->n;
    s->processes->sum(s->processes->user, &states, 1);
    return f->out->caution[0] && (f->out->caution != rare_caution || states <= RARE_GATHERED) &&
           flow_gathers(f->flow, f->control);
}

/* The same of a flow that processes share.  What is not as good as one process has it becomes so, where that has room for all. */
static PepaStatus refine_shared(Finish *f, const Method *gathered)
{
    const size_t n = (size_t)f->flow->n + 1;
    double *scratch = budget_allows(f->control->memory, 2.0 * (double)n * sizeof *scratch)
                          ? mem_alloc(n, sizeof *scratch)
                          : NULL;
    PepaStatus status = PEPA_OK;
    f->out->judged = flow_agree(f->flow, scratch);
    if (f->out->judged)
        f->out->drift = flow_drift(f->flow, f->y, scratch);
    if (f->out->judged && f->out->drift.rare > RARE_SUSPECT) {
        status = improve(f, &method_sweeping_down, f->control);
        f->out->drift = flow_drift(f->flow, f->y, scratch);
    }
    if (status == PEPA_OK && f->out->judged && !f->flow->b) {
        f->out->caution = flow_caution(f->flow, f->y, f->out, f->control->tolerance, scratch);
        if (worth_gathering(f))
            status = improve(f, gathered, f->control);
        if (f->out->gathered)
            f->out->caution = NULL; /* of another answer */
    }
    mem_free(scratch);
    return status;
}

PepaStatus answer_finish(const Flow *flow, const Method *method, const Method *gathered,
                         bool settles, bool parted, const Control *control, double *y, Outcome *out,
                         PepaError *why)
{
    Finish f = {.flow = flow, .control = control, .y = y, .out = out, .why = why, .parted = parted};
    if (method == &method_gth || method == &method_direct)
        return PEPA_OK;
    if (flow->share)
        return method == gathered ? PEPA_OK : refine_shared(&f, gathered);
    if (settles && !out->coupled && method != &method_multilevel) {
        const PepaStatus status = improve(&f, &method_aggregation, control);
        if (status != PEPA_OK)
            return status;
        if (!out->coupled)
            return refine(&f);
    }
    return refine_uneven(&f, method == &method_gauss_seidel || method == &method_sor);
}
