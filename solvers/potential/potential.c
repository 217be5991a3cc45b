/* Poisson's equation: what starting in each state is worth in the long run. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/trail.h"
#include "solvers/potential/potential_private.h"
#include "solvers/tuning.h"

static double average(int32_t n, const double *pi, const double *x)
{
    double sum = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += pi[i] * x[i];
        weight += pi[i];
    }
    return sum / weight;
}

/* From the guess in h, or from nothing: h = 0, whose criterion is at most 2. */
static void begin(Search *s, bool guess)
{
    s->try.why = NULL;
    if (!guess)
        memset(s->h, 0, (size_t)s->flow.n * sizeof *s->h);
    potential_mean(s, average(s->flow.n, s->problem->pi, s->problem->reward));
    potential_judge(s);
    if (guess && !(s->try.criterion <= 2))
        begin(s, false);
}

/* A judgement costs as much as a sweep.  In between the criterion is taken to be in proportion to
 * the sweep's own changes. */
static void sweeps(Search *s, StallRule rule)
{
    Attempt *try = &s->try;
    const int64_t before = try->iterations;
    double share = HUGE_VAL;
    int64_t due = before + 4;
    potential_turn(s, "gauss-seidel", "sweeps", rule);
    while (!attempt_met(try) && attempt_step(try, 1, try->criterion)) {
        double change = flow_sweep(&s->flow, s->h);
        if (!(share * change <= try->goal) && try->iterations < due)
            continue;
        potential_judge(s);
        if (!isfinite(try->criterion))
            return;
        share = try->criterion / change;
        if (try->iterations < due)
            continue;
        int64_t done = try->iterations - before;
        due = try->iterations + (done < 100 ? done / 2 + 1 : 50);
        if (attempt_stalls(try, try->criterion))
            return;
    }
    if (!attempt_met(try) && try->status == PEPA_OK)
        potential_judge(s);
}

/* What one kind of method leaves is the next one's start. */
static bool goes_on(Search *s, char *trail, size_t size)
{
    Attempt *try = &s->try;
    char text[256];
    if (attempt_met(try) || try->status == PEPA_ECANCEL)
        return false;
    attempt_describe(try, text, sizeof text);
    trail_add(trail, size, "%s", text);
    if (!isfinite(try->criterion))
        begin(s, false);
    return true;
}

/* Few states: done, or as good as it gets. */
static bool censored(Search *s, char *trail, size_t size)
{
    return potential_censor(s) && (s->problem->everywhere || !goes_on(s, trail, size));
}

static void search(Search *s, PepaMethod method, char *trail, size_t size)
{
    Attempt *try = &s->try;
    const StallRule quick = {30, 100}, firm = {2000, 10 * (double)try->max_iter};
    if (method == PEPA_DIRECT) {
        potential_factorise(s);
        return;
    }
    if (method == PEPA_BICGSTAB) {
        potential_accelerate(s);
        return;
    }
    if (method != PEPA_GAUSS_SEIDEL && s->flow.n <= FEW_CENSORED && censored(s, trail, size))
        return;
    sweeps(s, method == PEPA_GAUSS_SEIDEL ? firm : quick);
    if (method == PEPA_GAUSS_SEIDEL)
        return;
    if (!goes_on(s, trail, size))
        return;
    potential_accelerate(s);
    if (!goes_on(s, trail, size) || (s->problem->everywhere && try->criterion <= WORTH_ANOTHER))
        return;
    try->status = PEPA_OK;
    if (s->flow.n <= SOME_CENSORED && censored(s, trail, size))
        return;
    potential_factorise(s);
    if (attempt_met(try) || try->status == PEPA_ECANCEL || s->problem->everywhere)
        return;
    PepaStatus before = try->status; /* sweeps need no memory */
    try->status = PEPA_OK;
    if (!isfinite(try->criterion))
        begin(s, false);
    sweeps(s, firm);
    if (!attempt_met(try) && try->status == PEPA_OK && s->problem->apart &&
        s->flow.n > SOME_CENSORED && s->flow.n <= MANY_CENSORED)
        (void)potential_censor(s);
    if (!attempt_met(try) && try->status == PEPA_OK)
        try->status = before;
}

/* Those that are kept, or new ones, for the jumps as they are here.  NULL: memory is out. */
static PotentialFactors *find_factors(const Poisson *problem)
{
    PotentialFactors *f = problem->kept ? *problem->kept : NULL;
    if (!f)
        f = mem_calloc(1, sizeof *f);
    if (f)
        f->jumps = problem->jumps;
    return f;
}

PepaStatus solve_potential(const Poisson *problem, PepaMethod method, const Control *control,
                           double *h, Outcome *out, PepaError *err)
{
    static const Method about = {"gauss-seidel", "sweeps", .passes = 1};
    const Flow *jumps = &problem->jumps;
    size_t n = (size_t)jumps->n;
    char trail[sizeof out->trail] = "";
    *out = (Outcome){.method = "none"};
    if (n == 1 || average(jumps->n, problem->pi, problem->reward) == 0) {
        memset(h, 0, n * sizeof *h);
        return PEPA_OK;
    }
    double *space = mem_alloc(2 * n, sizeof *space);
    PotentialFactors *factors = space ? find_factors(problem) : NULL;
    if (!factors) {
        mem_free(space);
        return error_memory(err);
    }
    Search s = {.problem = problem,
                .flow = *jumps,
                .h = h,
                .c = space,
                .defect = space + n,
                .factors = factors};
    attempt_open(&s.try, &about, control, flow_work(jumps));
    s.flow.b = s.c;
    begin(&s, true);
    if (monitor_cancels(&s.try.monitor, 0, 0, s.try.criterion))
        s.try.status = PEPA_ECANCEL;
    else if (isfinite(s.try.criterion))
        search(&s, method, trail, sizeof trail);
    PepaStatus status = attempt_report(&s.try, out, err);
    memcpy(out->trail, trail, sizeof trail);
    if (strcmp(out->method, "direct") == 0 || strcmp(out->method, "gth") == 0)
        out->iterations = 0;
    mem_free(space);
    if (problem->kept)
        *problem->kept = factors;
    else
        potential_factors_free(factors);
    return status;
}
