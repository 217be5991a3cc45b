/* The choice of a method, and of the next one when a method stalls. */
#include "solvers/krylov/krylov.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/budget.h"
#include "base/clock.h"
#include "base/trail.h"
#include "solvers/tuning.h"

static const Method *const methods[PEPA_METHOD_COUNT] = {[PEPA_DIRECT] = &method_direct,
                                                         [PEPA_GTH] = &method_gth,
                                                         [PEPA_GAUSS_SEIDEL] = &method_gauss_seidel,
                                                         [PEPA_SOR] = &method_sor,
                                                         [PEPA_JACOBI] = &method_jacobi,
                                                         [PEPA_POWER] = &method_power,
                                                         [PEPA_BICGSTAB] = &method_bicgstab,
                                                         [PEPA_GMRES] = &method_gmres,
                                                         [PEPA_MULTILEVEL] = &method_multilevel,
                                                         [PEPA_IDR] = &method_idr};

typedef struct {
    const Flow *flow;
    Control control;
    double *y;
    Outcome best;
    double left;       /* iterations that the last method still seemed to need */
    double effort;     /* as of its outcome */
    int32_t entry;     /* of the evidence: the method that `best` is of */
    bool settles;      /* shares of groups that rare jumps join are wanted as well */
    PepaStatus status; /* of the last method */
    PepaLimit limit;   /* the caller's max_iter stopped a method */
    bool parted;       /* elimination was tried if few states part the chain */
    bool no_memory;
    const char *refused; /* of the methods that memory is too little for, the most modest one */
    double need;         /* bytes that it takes */
} Auto;

/* Note what became of a method.  True: nothing more to try. */
static bool concluded(Auto *all, PepaStatus status, const Outcome *one, const PepaError *why)
{
    const bool unsettled = status == PEPA_OK && ((all->settles && !one->coupled) || one->uneven);
    all->status = status;
    if (status == PEPA_OK || one->residual < all->best.residual) {
        all->best.iterations = one->iterations;
        all->best.residual = one->residual;
        all->best.method = one->method;
        all->best.precondition = one->precondition;
        all->best.coupled = one->coupled;
        all->best.gathered = one->gathered;
        all->best.caution = one->caution;
        all->best.drift = one->drift;
        all->best.judged = one->judged;
        all->best.uneven = one->uneven;
        all->entry = all->control.evidence ? all->control.evidence->attempts - 1 : 0;
    }
    if ((status == PEPA_OK && !unsettled) || status == PEPA_ECANCEL)
        return true;
    if (status == PEPA_ENOMEM)
        all->no_memory = true;
    if (status == PEPA_ENOCONV && why->limit != PEPA_LIMIT_NONE)
        all->limit = why->limit;
    if (one->need > 0 && (!all->refused || one->need < all->need)) {
        all->refused = one->method;
        all->need = one->need;
    }
    char *trail = all->best.trail;
    const size_t size = sizeof all->best.trail;
    if (status == PEPA_ENOMEM)
        trail_add(trail, size, "%s ran out of memory", one->method);
    else if (unsettled)
        trail_add(trail, size, "%s met the tolerance, but shares of groups did not settle",
                  one->method);
    else
        trail_add(trail, size, "%s", why->message);
    return false;
}

static void gathered(Attempt *try, double *vectors);
static const Method method_gathered = {.name = "auto",
                                       .unit = "iterations",
                                       .passes = 1,
                                       .vectors = 1,
                                       .run = gathered};

/* quietly: while other methods remain, one that would take too much is not reported. */
static bool tried_by(Auto *all, const Method *method, const Control *control, bool quietly)
{
    Outcome one;
    PepaError why = {0};
    PepaStatus status = attempt_run(method, all->flow, control, all->y, &one, &why);
    if (status == PEPA_OK && !all->flow->b)
        status = answer_finish(all->flow, method, &method_gathered, all->settles, !all->parted,
                               control, all->y, &one, &why);
    all->control.done += one.iterations;
    all->left = one.left;
    all->effort = one.effort;
    if (status == PEPA_ELIMIT && quietly) {
        all->status = status;
        return false;
    }
    return concluded(all, status, &one, &why);
}

static bool tried(Auto *all, PepaMethod method, const Control *control, bool quietly)
{
    return tried_by(all, methods[method], control, quietly);
}

/* A Krylov method with the preconditioner `usual`, unless the caller wants another. */
static bool preconditioned(Auto *all, PepaMethod method, PepaPrecondition usual, StallRule rule)
{
    Control control = all->control;
    control.precondition = precondition_kind(&control, usual);
    control.stall = rule;
    return tried(all, method, &control, control.fill > 0);
}

static bool iterative(Auto *all, PepaMethod method, StallRule rule)
{
    return preconditioned(all, method, PEPA_PRECONDITION_AUTO, rule);
}

static bool eliminating(Auto *all, PepaMethod method, double most)
{
    Control control = all->control;
    control.work = most;
    const bool settles = all->settles;
    all->settles = false; /* it makes no error but rounding */
    const bool done = tried(all, method, &control, most < UTMOST_LU_WORK);
    all->settles = settles;
    return done;
}

/* ---- expected visits --------------------------------------------------------------------- */

static PepaStatus solve_auto(const Flow *flow, const Control *control, double *y, Outcome *out,
                             PepaError *err);

/* x: n + 1, the guess in, the flows out.  Offered are those to the tolerance, of all flows, that the visits
 * need, as soon as it is known how many there are. */
static void solve_closed(Attempt *try, const Flow *closed, double *x, double *visits)
{
    const double least = 1e-15, margin = 0.5;
    const int32_t n = closed->n - 1;
    Control control = *try->control;
    Outcome out;
    control.evidence = NULL;
    control.keeper = NULL;
    control.factors = NULL;
    control.left = 0;
    control.memory = budget_left(control.memory, flow_closed_bytes(try->flow));
    for (bool more = true; more;) {
        PepaError why = {0};
        control.done = try->control->done + try->iterations;
        PepaStatus status = solve_auto(closed, &control, x, &out, &why);
        try->iterations += out.iterations;
        if (status == PEPA_ECANCEL)
            try->status = status;
        const bool found = status == PEPA_OK && x[n] > 0;
        try->every_digit = found && try->flow->leave && strcmp(out.method, method_gth.name) == 0;
        for (int32_t i = 0; i < n && found; i++)
            visits[i] = x[i] / x[n];
        if (found) {
            try->method = out.method;
            (void)attempt_offer(try, visits);
        }
        const double needed = try->control->tolerance * x[n] * margin;
        more =
            found && !attempt_met(try) && control.tolerance > least && needed < control.tolerance;
        control.tolerance = fmax(needed, least);
    }
    if (!attempt_met(try) && !try->why)
        try->why = "did not find the visits";
}

/* By all methods for steady states, of the closed chain.  They find the visits where rare jumps join groups of
 * states in which the chain stays long before it ends. */
static void renew(Attempt *try, double *vectors)
{
    const int32_t n = try->flow->n;
    Flow closed;
    double *x = NULL;
    const bool ok = flow_close(try->flow, &closed) && mem_new(x, (size_t)n + 1);
    if (ok) {
        memcpy(x, vectors, (size_t)n * sizeof *x);
        x[n] = 1;
        solve_closed(try, &closed, x, vectors);
    } else {
        try->status = PEPA_ENOMEM;
    }
    flow_closed_free(&closed);
    mem_free(x);
}

static double renewal_bytes(const Flow *flow, const Control *control)
{
    (void)control;
    return flow_closed_bytes(flow);
}

const Method method_renewal = {.name = "renewal",
                               .unit = "iterations",
                               .passes = 1,
                               .vectors = 1,
                               .bytes = renewal_bytes,
                               .run = renew};

/* Of a flow that processes share: all rows in one of them. */
static void gathered(Attempt *try, double *vectors)
{
    gather_run(try, solve_auto, vectors);
}

/* ---- the order of methods --------------------------------------------------------------- */

/* y meets the requested tolerance, if not the stricter one. */
static bool good_enough(Auto *all, double tolerance)
{
    double residual;
    all->control.tolerance = tolerance;
    if (!(flow_criterion(all->flow, all->y, &residual) <= tolerance))
        return false;
    all->status = PEPA_OK;
    all->best.shaky = true;
    return true;
}

/* `tolerance` by `factor`, but nothing that rounding puts out of reach. */
static double stricter(double tolerance, double factor)
{
    return fmin(tolerance, fmax(factor * tolerance, 1e-10 * factor));
}

/* BiCGSTAB with factors that fill up little and take so many multiply-adds for a state at most.
 * Refused: they take more. */
static bool filling(Auto *all, double effort, bool *refused)
{
    all->control.fill = LITTLE_FILL;
    all->control.effort = effort;
    bool done = preconditioned(all, PEPA_BICGSTAB, PEPA_PRECONDITION_ILUT,
                               all->settles ? SOON_FULL_RULE : STEPS_RULE);
    *refused = !done && all->status == PEPA_ELIMIT;
    all->control.fill = all->control.effort = 0;
    return done;
}

/* BiCGSTAB, where sweeps converge slowly, preconditioned as the caller wants it.  If that is left to
 * us: where incomplete factors fill up little, as on chains of two dimensions, they are nearly
 * complete, and a few steps will do.  Else factors without fill-in, which take little preparation,
 * may take the more steps the dearer the others are. */
static bool accelerating(Auto *all)
{
    bool refused;
    all->control.why = PEPA_TRIED_SLOW_SWEEPS;
    if (all->control.precondition != PEPA_PRECONDITION_AUTO)
        return iterative(all, PEPA_BICGSTAB, ROUNDS_RULE);
    bool done = filling(all, LITTLE_EFFORT, &refused);
    if (!refused)
        return done;
    const StallRule trial = {(int64_t)fmax(TRIAL_STEPS, TRIAL_FOR_EFFORT * all->effort),
                             MORE_STEPS + STEPS_FOR_EFFORT * all->effort};
    return preconditioned(all, PEPA_BICGSTAB, PEPA_PRECONDITION_ILU0,
                          all->settles ? SOON_RULE : trial) ||
           filling(all, SOME_EFFORT, &refused);
}

/* Few states part the chain, as those of two dimensions: elimination fills up little, and its order is found soon.  Not tried
 * again after PARTED_LATER. */
static bool parted(Auto *all, double most)
{
    if (all->parted)
        return false;
    all->control.why = PEPA_TRIED_PARTED;
    all->parted = most >= PARTED_LATER;
    return flow_is_parted(all->flow, most) &&
           eliminating(all, PEPA_GTH, PARTED_MOST * most * (double)flow_work(all->flow));
}

/* Sweeps, unless others were given up before, accelerated where more than a few are left.  What
 * acceleration leaves when it fails, with flows of either sign clipped, is no start for others unless
 * it is near. */
static bool sweeping(Auto *all)
{
    double residual;
    size_t bytes = (size_t)all->flow->n * sizeof *all->y;
    all->left = all->control.left;
    if (all->left == 0 && iterative(all, PEPA_GAUSS_SEIDEL, SWEEPS_RULE))
        return true;
    if (all->best.uneven && parted(all, PARTED_LATER))
        return true;
    double most = (1.0 + method_bicgstab.vectors) * (double)bytes; /* a copy, and the method's */
    double *kept = budget_allows(all->control.memory, most) ? mem_alloc(1, bytes) : NULL;
    if (kept)
        memcpy(kept, all->y, bytes);
    const bool keeps = flow_agree(all->flow, kept);
    bool done = accelerating(all);
    if (!done && keeps && !(flow_criterion(all->flow, all->y, &residual) <= NEAR_RESIDUAL))
        memcpy(all->y, kept, bytes);
    mem_free(kept);
    return done;
}

/* Multilevel moves probability far in a few cycles, but not where hardly any is: sweeps that began
 * in one state and stopped far from the solution are no start for it, and equal shares are. */
static bool levelling(Auto *all)
{
    double residual;
    if (!(flow_criterion(all->flow, all->y, &residual) <= FAR_RESIDUAL))
        flow_equal_shares(all->flow->n, all->y);
    return iterative(all, PEPA_MULTILEVEL, CYCLES_RULE);
}

/* Elimination hardly fills up: in this order of the states most entries are near the diagonal, as
 * those of lines are.  An entry fills up as far as it is from there, in rows and in columns, but
 * one that is far is mostly alone. */
static bool narrow(const Flow *flow)
{
    const double most = NARROW_PASSES * (double)flow_work(flow);
    double work = 0;
    for (int32_t i = 0; i < flow->n && work <= most; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const double away = (double)flow->col[k] - i;
            work += fmin(away * away, flow->n);
        }
    return work <= most;
}

/* Work in multiply-adds, some 5e9 per second.  Few states are solved exactly.  Of more, most chains
 * are solved by sweeps, in less time than finding an order of elimination takes.  Those that are
 * not, or that are nearly decomposable, are ill-conditioned: the error is much larger than the
 * residual.  So these are solved to a stricter tolerance, or eliminated; the usual one is the last
 * resort.  Sweeps go on to a hundredth of the tolerance, a few more than would do, so that the
 * measures of well-behaved chains have as many digits as the tolerance; multilevel, whose digits are
 * dear, to a tenth.  Lines are eliminated, however ill-conditioned, and what few states part: there probability
 * may hardly move between two ends although no jump is rare, which nothing but elimination sees. */
static void run(Auto *all)
{
    const double wanted = all->control.tolerance;
    const Flow *flow = all->flow;
    all->control.why = PEPA_TRIED_FEW_STATES;
    if (flow->n <= FEW_STATES && eliminating(all, PEPA_GTH, QUICK_WORK))
        return;
    all->control.why = PEPA_TRIED_NARROW;
    if (narrow(flow) && eliminating(all, PEPA_GTH, NARROW_PASSES * (double)flow_work(flow)))
        return;
    if (flow->n <= PARTED_STATES && parted(all, PARTED_SOON))
        return;
    const bool apart = flow_nearly_decomposable(flow);
    all->control.tolerance = stricter(wanted, apart ? 1e-1 : 1e-2);
    all->settles = apart && !flow->b;
    all->control.why = PEPA_TRIED_SWEEPS;
    if (sweeping(all) || parted(all, PARTED_LATER))
        return;
    all->control.why = all->settles ? PEPA_TRIED_DECOMPOSABLE : PEPA_TRIED_NEXT;
    if (all->settles && tried_by(all, &method_aggregation, &all->control, false))
        return;
    all->control.tolerance = stricter(wanted, 1e-1);
    if (!flow->b && levelling(all))
        return;
    if (all->settles && eliminating(all, PEPA_GTH, BEARABLE_WORK))
        return;
    all->settles = false;
    all->control.why = PEPA_TRIED_NEXT;
    if (apart && !flow->b) {
        all->control.tolerance = stricter(wanted, 1e-4);
        if (levelling(all))
            return;
    }
    all->control.tolerance = stricter(wanted, apart ? 1e-4 : 1e-3);
    if ((!apart || flow->b) && flow->n <= SOME_STATES &&
        eliminating(all, PEPA_GTH, AFFORDABLE_WORK))
        return;
    if (iterative(all, PEPA_BICGSTAB, LONG_STEPS_RULE))
        return;
    if (flow->b && tried_by(all, &method_renewal, &all->control, true))
        return;
    if (!apart && good_enough(all, wanted))
        return;
    if ((!apart || flow->b) && eliminating(all, PEPA_GTH, BEARABLE_WORK))
        return;
    if (iterative(all, PEPA_GMRES, LONG_ROUNDS_RULE))
        return;
    if (good_enough(all, wanted))
        return;
    if (iterative(all, PEPA_SOR, MANY_SWEEPS_RULE))
        return;
    if (eliminating(all, PEPA_GTH, UTMOST_WORK))
        return;
    (void)eliminating(all, PEPA_DIRECT, UTMOST_LU_WORK);
}

/* By processes that share the flow, with factors of what each of them has; where these are not enough, by one process if it has
 * room for all.  Where sweeps over sets were given up, nothing else is left. */
static void run_shared(Auto *all)
{
    const double wanted = all->control.tolerance;
    const bool swept = all->control.left > 0;
    all->control.tolerance = stricter(wanted, 1e-2);
    all->control.why = PEPA_TRIED_SWEEPS;
    if (sweeping(all))
        return;
    all->control.why = PEPA_TRIED_NEXT;
    if (all->status != PEPA_ECANCEL && flow_gathers(all->flow, &all->control) &&
        tried_by(all, &method_gathered, &all->control, false))
        return;
    if (swept)
        return;
    all->control.tolerance = stricter(wanted, 0.1);
    if (iterative(all, PEPA_BICGSTAB, LONG_STEPS_RULE) || good_enough(all, wanted))
        return;
    (void)iterative(all, PEPA_GAUSS_SEIDEL, MANY_SWEEPS_RULE);
}

static PepaStatus report_refused(const Auto *all, PepaError *err)
{
    return budget_exceeded(err, all->need, all->control.memory,
                           "no method within the memory limit met the tolerance, and %s",
                           all->refused);
}

static PepaStatus solve_auto(const Flow *flow, const Control *control, double *y, Outcome *out,
                             PepaError *err)
{
    Auto all = {.flow = flow, .control = *control, .y = y, .best = {.residual = HUGE_VAL}};
    all.control.began = clock_seconds();
    if (flow->share)
        run_shared(&all);
    else
        run(&all);
    *out = all.best;
    if (control->evidence)
        control->evidence->answer = all.status != PEPA_OK            ? -1
                                    : all.entry < PEPA_MOST_ATTEMPTS ? all.entry
                                                                     : PEPA_MOST_ATTEMPTS - 1;
    if (all.status == PEPA_OK)
        return PEPA_OK;
    if (all.status == PEPA_ECANCEL)
        return error_set(err, PEPA_ECANCEL, "cancelled");
    if (all.no_memory)
        return error_memory(err);
    double residual,
        criterion = flow_criterion(flow, y, &residual); /* by all: some may be refused alone */
    if (all.refused)
        return report_refused(&all, err);
    const bool by_time = out->residual <= control->tolerance;
    return error_limit(err, PEPA_ENOCONV, all.limit,
                       "no method met the tolerance: the smallest residual%s was %.1e (%s)",
                       by_time ? ", weighted by time," : "", by_time ? criterion : out->residual,
                       out->method ? out->method : "none");
}

PepaStatus solve_flow(PepaMethod method, const Flow *flow, const Control *control, double *y,
                      Outcome *out, PepaError *err)
{
    /* groups of states have shares in the long run, but not in what is visited before an end */
    const bool suits = !(flow->b && method == PEPA_MULTILEVEL);
    const bool named = suits && (unsigned)method < PEPA_METHOD_COUNT && methods[method];
    return named ? attempt_run(methods[method], flow, control, y, out, err)
                 : solve_auto(flow, control, y, out, err);
}
