/* Poisson's equation: what starting in each state is worth in the long run. */
#include "solvers/direct/factors.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

typedef struct {
    Attempt try; /* its criterion: pi |w - (pi w) 1| / pi w as last judged */
    const Poisson *problem;
    Flow flow;      /* the jumps, with b = c = (r - mean) / d */
    double *h, *c;  /* n */
    double *defect; /* n: P h + c - h as last judged */
    double mean;    /* X as far as known */
} Search;

static double average(int32_t n, const double *pi, const double *x)
{
    double sum = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        sum += pi[i] * x[i];
        weight += pi[i];
    }
    return sum / weight;
}

/* Measure h afresh, take its mean reward for X, and put pi h to 0, so that no digits are lost on a
 * constant that drifts. */
static void judge(Search *s)
{
    const double *pi = s->problem->pi, *exit = s->flow.exit;
    const int32_t n = s->flow.n;
    double drift = 0, level = 0, off = 0, weight = 0;
    for (int32_t i = 0; i < n; i++) {
        s->defect[i] = flow_into(&s->flow, s->h, i) - s->h[i];
        drift += pi[i] * exit[i] * s->defect[i];
        level += pi[i] * s->h[i];
        weight += pi[i];
    }
    drift /= weight;
    level /= weight;
    for (int32_t i = 0; i < n; i++) {
        double less = drift / exit[i];
        s->defect[i] -= less;
        s->c[i] -= less;
        s->h[i] -= level;
        off += pi[i] * exit[i] * fabs(s->defect[i]);
    }
    s->mean += drift;
    s->try.criterion = s->try.residual = off / (weight * s->mean);
    if (!(s->mean > 0) || !isfinite(s->try.criterion)) {
        s->try.criterion = s->try.residual = HUGE_VAL;
        s->try.why = "met numbers that are not finite";
    }
}

/* From the guess in h, or from nothing: h = 0, whose criterion is at most 2. */
static void begin(Search *s, bool guess)
{
    s->try.why = NULL;
    if (!guess)
        memset(s->h, 0, (size_t)s->flow.n * sizeof *s->h);
    s->mean = average(s->flow.n, s->problem->pi, s->problem->reward);
    for (int32_t i = 0; i < s->flow.n; i++)
        s->c[i] = (s->problem->reward[i] - s->mean) / s->flow.exit[i];
    judge(s);
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
    try->method = "gauss-seidel";
    try->trend = (Trend){0};
    try->rule = (StallRule){before + rule.patience, rule.horizon};
    while (!attempt_met(try) && attempt_step(try, 1, try->criterion)) {
        double change = flow_sweep(&s->flow, s->h);
        if (!(share * change <= try->goal) && try->iterations < due)
            continue;
        judge(s);
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
        judge(s);
}

/* The equation left out takes what inconsistency the others leave, divided by its share of the
 * visits. */
static int32_t most_visited(const Search *s)
{
    int32_t most = 0;
    for (int32_t i = 1; i < s->flow.n; i++)
        if (s->problem->pi[i] * s->flow.exit[i] > s->problem->pi[most] * s->flow.exit[most])
            most = i;
    return most;
}

/* Correct h until that no longer helps.  The first round finds h.  The second corrects the mean,
 * which pi gives only to pi's own accuracy. */
static void refine(Search *s, Factors *f)
{
    const int32_t most = 10;
    for (int32_t round = 0; round < most && !attempt_met(&s->try); round++) {
        double last = s->try.criterion;
        if (!factors_correct(f, s->defect, s->h))
            return;
        judge(s);
        if (round > 1 && !(s->try.criterion < 0.5 * last))
            return;
    }
}

static void factors(Search *s)
{
    Attempt *try = &s->try;
    Factors f = {0};
    try->method = "direct";
    PepaStatus status = factors_make(&f, &s->flow, most_visited(s), 0, try->control);
    try->why = status == PEPA_OK       ? NULL
               : status == PEPA_ELIMIT ? "would fill up too much: stopped"
                                       : "found a zero pivot";
    if (status == PEPA_OK)
        refine(s, &f);
    factors_free(&f);
    if (status == PEPA_ENOMEM)
        try->status = status;
    else if (monitor_cancels(&try->monitor, INT32_MAX, 0, try->criterion))
        try->status = PEPA_ECANCEL;
}

static void search(Search *s, PepaMethod method, char *trail, size_t size)
{
    Attempt *try = &s->try;
    const StallRule quick = {100, 2000}, firm = {2000, 10 * (double)try->max_iter};
    if (method == PEPA_DIRECT) {
        factors(s);
        return;
    }
    sweeps(s, method == PEPA_GAUSS_SEIDEL ? firm : quick);
    if (method == PEPA_GAUSS_SEIDEL || attempt_met(try) || try->status != PEPA_OK)
        return;
    attempt_describe(try, trail, size);
    if (!isfinite(try->criterion))
        begin(s, false);
    factors(s);
    if (attempt_met(try) || try->status == PEPA_ECANCEL)
        return;
    PepaStatus before = try->status; /* sweeps need no memory */
    try->status = PEPA_OK;
    if (!isfinite(try->criterion))
        begin(s, false);
    sweeps(s, firm);
    if (!attempt_met(try) && try->status == PEPA_OK)
        try->status = before;
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
    if (!space)
        return error_memory(err);
    Search s = {.problem = problem, .flow = *jumps, .h = h, .c = space, .defect = space + n};
    attempt_open(&s.try, &about, control, flow_work(jumps));
    s.flow.b = s.c;
    begin(&s, true);
    if (monitor_cancels(&s.try.monitor, 0, 0, s.try.criterion))
        s.try.status = PEPA_ECANCEL;
    else if (isfinite(s.try.criterion))
        search(&s, method, trail, sizeof trail);
    PepaStatus status = attempt_report(&s.try, out, err);
    memcpy(out->trail, trail, sizeof trail);
    if (strcmp(out->method, "direct") == 0)
        out->iterations = 0;
    mem_free(space);
    return status;
}
