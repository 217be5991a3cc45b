/* However many threads share the rows of a flow, and in whatever way, the bits are those of one:
 * nothing is read too early or too late. */
#include "scale.h"
#include "solvers/problems.h"

#include "solvers/internal.h"
#include "solvers/rows/rows.h"

/* Jumps to share sweeps: threads, about how many rows are taken at once, and whether rows are taken
 * to come in lines. */
static const struct {
    int32_t threads, grain;
    bool lines;
} ways[] = {{2, 2, false},  {2, 16, false}, {2, 100, false}, {3, 7, false},
            {8, 10, false}, {64, 8, false}, {2, 2, true},    {2, 16, true},
            {3, 5, true},   {8, 10, true},  {2, 80, true}};
enum { WAYS = sizeof ways / sizeof *ways };

/* States in layers, which lead to the next one or to that before. */
static Problem layers(int32_t count, int32_t each)
{
    Problem p = {.n = count * each};
    uint64_t seed = 9;
    for (int32_t i = 0; i < p.n; i++) {
        int32_t layer = i / each, place = i % each;
        problem_add(&p, i, (layer + 1) % count * each + place, 0.5 + random_unit(&seed));
        problem_add(&p, i, (layer + count - 1) % count * each + (place + 1) % each, 1);
        if (layer + 1 < count)
            problem_add(&p, i, (layer + 1) * each + random_below(&seed, each), 0.3);
    }
    problem_finish(&p);
    return p;
}

/* Chains of one, two and three dimensions, in layers, of no shape, and one that goes round against
 * the order. */
enum { SHAPES = 8 };
static Problem shape(int which)
{
    static const double up[] = {1, 2, 0.5}, down[] = {1.5, 1, 1};
    uint64_t seed = 20 + (uint64_t)which;
    switch (which) {
    case 0:
        return birth_death(777, 1, 2, 5);
    case 1:
        return walk(2, 40, up, down);
    case 2:
        return walk(3, 11, up, down);
    case 3:
        return closed_tandem(50, 1, 2, 1.5);
    case 4:
        return random_chain(500, 3, 2, &seed);
    case 5:
        return cycle(333, 332);
    case 6:
        return layers(7, 700);
    default:
        return reversible(9, 70, 0.1, 3);
    }
}

static RowsPlan *plan_of(const Flow *flow, size_t way)
{
    RowsPlan *plan;
    cr_assert(rows_plan_by(&plan, flow, ways[way].lines, ways[way].threads, ways[way].grain, 0));
    cr_assert_not_null(plan);
    return plan;
}

/* The same flow, shared. */
static Flow shared(const Flow *flow, size_t way)
{
    Flow out = *flow;
    cr_assert(rows_team_eager(&out.team, flow, ways[way].threads, plan_of(flow, way)));
    cr_assert_not_null(out.team);
    return out;
}

static double *arbitrary(int32_t n)
{
    uint64_t seed = 77;
    double *y = must(malloc((size_t)n * sizeof *y));
    for (int32_t i = 0; i < n; i++)
        y[i] = random_unit(&seed) / n;
    return y;
}

/* ---- plans ---------------------------------------------------------------------------------- */

/* Per piece: its place in the order, or among those of its owner. */
static int32_t *places(const Plan *plan)
{
    int32_t *place = must(malloc((size_t)plan->tasks * sizeof *place)), count[MOST_WORKERS] = {0};
    for (int32_t k = 0; k < plan->tasks; k++)
        place[k] = -1;
    for (int32_t k = 0; k < plan->tasks; k++)
        if (plan->owner)
            place[k] = ++count[plan->owner[k]];
        else
            place[plan->order[k]] = k;
    for (int32_t k = 0; k < plan->tasks; k++)
        cr_assert_geq(place[k], 0, "piece %d is left out", k);
    return place;
}

/* Of two pieces one of which reads the other, the later one waits, in either direction. */
static void expect_waits(const Plan *plan, const int32_t *place, int32_t early, int32_t late)
{
    size_t threads = (size_t)plan->threads;
    if (plan->owner) {
        int32_t first = plan->owner[early], second = plan->owner[late], after = 0;
        for (int32_t k = late; k < plan->tasks; k++)
            after += plan->owner[k] == second;
        cr_assert_geq(plan->told_before[(size_t)late * threads + (size_t)first], place[early]);
        cr_assert_geq(plan->told_after[(size_t)early * threads + (size_t)second], after);
        return;
    }
    int32_t away = place[late] - place[early];
    cr_assert_gt(away, 0, "pieces %d and %d", early, late);
    if (away <= WINDOW) {
        cr_assert(plan->before[place[late]] >> (away - 1) & 1);
        cr_assert(plan->after[place[early]] >> (away - 1) & 1);
    }
}

static void expect_sound(const Plan *plan, const Flow *flow)
{
    int32_t *place = places(plan), *piece = must(malloc((size_t)flow->n * sizeof *piece));
    cr_assert_eq(plan->first[0], 0);
    cr_assert_eq(plan->first[plan->tasks], flow->n);
    for (int32_t p = 0; p < plan->tasks; p++) {
        cr_assert_lt(plan->first[p], plan->first[p + 1]);
        cr_assert(!plan->owner || plan->owner[p] < plan->threads);
        for (int32_t i = plan->first[p]; i < plan->first[p + 1]; i++)
            piece[i] = p;
    }
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            int32_t a = piece[i], b = piece[flow->col[k]];
            if (a != b)
                expect_waits(plan, place, a < b ? a : b, a < b ? b : a);
        }
    free(piece);
    free(place);
}

Test(rows, plans_are_sound)
{
    for (int which = 0; which < SHAPES; which++) {
        Problem p = shape(which);
        for (size_t way = 0; way < WAYS; way++) {
            RowsPlan *plan = plan_of(&p.flow, way);
            cr_expect(plan->plan->threads >= 2 && plan->plan->threads <= ways[way].threads);
            expect_sound(plan->plan, &p.flow);
            rows_plan_free(plan);
        }
        problem_free(&p);
    }
}

/* A line has to be gone through by one thread; a cube need not, if it is large enough. */
Test(rows, plans_that_pay)
{
    static const double up[] = {1, 1, 1}, down[] = {1, 1, 1};
    Problem line = birth_death(300000, 1, 1, 1), cube = walk(3, 64, up, down);
    RowsPlan *plan;
    cr_assert(rows_plan_new(&plan, &line.flow, 2));
    cr_expect_null(plan);
    cr_assert(rows_plan_new(&plan, &cube.flow, 2));
    cr_assert_not_null(plan);
    cr_expect(plan->plan->gain > 1.3 && plan->plan->gain <= 2, "%g", plan->plan->gain);
    expect_sound(plan->plan, &cube.flow);
    rows_plan_free(plan);
    problem_free(&line);
    problem_free(&cube);
}

/* Who helps to find pieces does not matter. */
Test(rows, plans_by_threads)
{
    static const double up[] = {1, 1, 1}, down[] = {1, 1, 1};
    Problem cube = walk(3, 48, up, down);
    Flow many = cube.flow;
    RowsPlan *one, *other;
    cr_assert(rows_team_eager(&many.team, &many, 4, NULL));
    cr_assert(rows_plan_by(&one, &cube.flow, false, 4, 64, 0) && one);
    cr_assert(rows_plan_by(&other, &many, false, 4, 64, 0) && other);
    const Plan *p = one->plan, *q = other->plan;
    cr_assert_eq(p->tasks, q->tasks);
    cr_expect_eq(memcmp(p->first, q->first, (size_t)p->tasks * sizeof *p->first), 0);
    cr_expect_eq(memcmp(p->order, q->order, (size_t)p->tasks * sizeof *p->order), 0);
    cr_expect_eq(memcmp(p->before, q->before, (size_t)p->tasks * sizeof *p->before), 0);
    rows_plan_free(one);
    rows_plan_free(other);
    flow_team_free(many.team);
    problem_free(&cube);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* As the book has it. */
static void plain_sweep(const Flow *flow, double *y, double omega)
{
    for (int32_t i = 0; i < flow->n; i++) {
        double sum = flow->b ? flow->b[i] : 0;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            sum += flow->val[k] * y[flow->col[k]];
        y[i] = omega == 1 ? sum : y[i] + omega * (sum - y[i]);
    }
}

static void expect_same_sweeps(const Flow *one, const Flow *many, const char *what)
{
    size_t bytes = (size_t)one->n * sizeof(double);
    double *y = arbitrary(one->n), *z = arbitrary(one->n), *x = arbitrary(one->n);
    for (int32_t k = 0; k < 12; k++) {
        double change, other, omega = k % 3 == 2 ? 1.3 : 1;
        plain_sweep(one, x, omega);
        if (k % 3 == 2) {
            flow_sweep_relaxed(one, y, omega);
            flow_sweep_relaxed(many, z, omega);
        } else {
            change = flow_sweep(one, y);
            other = flow_sweep(many, z);
            cr_assert_eq(memcmp(&change, &other, sizeof change), 0, "%s: %.17g, %.17g", what,
                         change, other);
        }
        cr_assert_eq(memcmp(x, y, bytes), 0, "%s, sweep %d by one thread", what, k);
        cr_assert_eq(memcmp(x, z, bytes), 0, "%s, sweep %d", what, k);
    }
    free(x);
    free(y);
    free(z);
}

Test(rows, sweeps_by_threads)
{
    for (int which = 0; which < SHAPES; which++) {
        Problem p = shape(which);
        for (size_t way = 0; way < WAYS; way++) {
            char what[64];
            (void)snprintf(what, sizeof what, "shape %d, way %zu", which, way);
            Flow many = shared(&p.flow, way);
            expect_same_sweeps(&p.flow, &many, what);
            flow_team_free(many.team);
        }
        problem_free(&p);
    }
}

/* The sum of what each row changes by, within rounding. */
Test(rows, sweeps_say_what_changes)
{
    uint64_t seed = 4;
    Problem p = random_chain(5000, 3, 2, &seed);
    Flow many = shared(&p.flow, 3);
    double *y = arbitrary(p.n), *x = arbitrary(p.n);
    for (int32_t k = 0; k < 5; k++) {
        double change = flow_sweep(&many, y);
        long double sum = 0;
        for (int32_t i = 0; i < p.n; i++)
            sum += fabsl((long double)y[i] - x[i]);
        cr_expect_float_eq(change, (double)sum, 1e-12 * change);
        memcpy(x, y, (size_t)p.n * sizeof *x);
    }
    free(x);
    free(y);
    flow_team_free(many.team);
    problem_free(&p);
}

/* ---- sums ------------------------------------------------------------------------------------ */

Test(rows, sums_by_threads)
{
    uint64_t seed = 6;
    Problem p = random_chain(30000, 2, 2, &seed);
    double *y = arbitrary(p.n), *r = guess(p.n), *s = guess(p.n), residual, other;
    size_t bytes = (size_t)p.n * sizeof *y;
    for (int32_t threads = 2; threads <= 5; threads++) {
        Flow many = p.flow;
        cr_assert(rows_team_eager(&many.team, &many, threads, NULL));
        double a[] = {flow_criterion(&p.flow, y, &residual), flow_defect(&p.flow, y, r),
                      flow_dot(&p.flow, y, r), 0, 0};
        double b[] = {flow_criterion(&many, y, &other), flow_defect(&many, y, s),
                      flow_dot(&many, y, s), 0, 0};
        flow_dots(&p.flow, y, r, &a[3], &a[4]);
        flow_dots(&many, y, s, &b[3], &b[4]);
        cr_expect_eq(memcmp(a, b, sizeof a), 0);
        cr_expect(memcmp(r, s, bytes) == 0 && memcmp(&residual, &other, sizeof other) == 0);
        cr_expect_float_eq(residual, recomputed_residual(&p.flow, y), 1e-12 * residual);
        flow_apply(&p.flow, y, r);
        flow_apply(&many, y, s);
        cr_expect_eq(memcmp(r, s, bytes), 0);
        cr_expect(flow_normalise(&p.flow, r) && flow_normalise(&many, s));
        cr_expect_eq(memcmp(r, s, bytes), 0);
        flow_team_free(many.team);
    }
    free(y);
    free(r);
    free(s);
    problem_free(&p);
}

/* ---- methods --------------------------------------------------------------------------------- */

static void expect_same_answers(const Problem *p, size_t way, PepaMethod method,
                                PepaPrecondition precondition)
{
    const Control control = {.tolerance = 1e-11, .max_iter = 60, .precondition = precondition};
    Flow many = shared(&p->flow, way);
    double *y = guess(p->n), *z = guess(p->n);
    Outcome out = {0}, other = {0};
    PepaError err = {0}, why = {0};
    PepaStatus status = solve_flow(method, &p->flow, &control, y, &out, &err);
    PepaStatus again = solve_flow(method, &many, &control, z, &other, &why);
    cr_expect(status == again && strcmp(err.message, why.message) == 0, "%s: %s / %s",
              pepa_method_name(method), err.message, why.message);
    cr_expect(out.iterations == other.iterations && out.residual <= other.residual &&
              out.residual >= other.residual);
    cr_expect_eq(memcmp(y, z, (size_t)p->n * sizeof *y), 0, "%s, way %zu: not the same bits",
                 pepa_method_name(method), way);
    free(y);
    free(z);
    flow_team_free(many.team);
}

/* In the short run each preconditioner has one of its methods on each shape, in turn. */
Test(rows, methods_by_threads)
{
    static const PepaMethod krylov[] = {PEPA_BICGSTAB, PEPA_IDR, PEPA_GMRES};
    enum { KRYLOV = sizeof krylov / sizeof *krylov };
    for (int which = 0; which < SHAPES; which++) {
        Problem p = shape(which);
        for (size_t way = 1; way < WAYS; way += 6)
            for (int m = PEPA_GTH + 1; m < PEPA_METHOD_COUNT; m++)
                expect_same_answers(&p, way, (PepaMethod)m, PEPA_PRECONDITION_AUTO);
        for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++)
            for (size_t way = 3; way < WAYS; way += 5)
                for (size_t m = 0; m < KRYLOV; m++)
                    if (run_is_long() || (size_t)(which + kind) % KRYLOV == m)
                        expect_same_answers(&p, way, krylov[m], (PepaPrecondition)kind);
        problem_free(&p);
    }
}

/* Expected visits, and rows whose values are codes. */
Test(rows, other_flows_by_threads)
{
    Problem p = ruin_visits(400, 100);
    Flow compact;
    for (size_t way = 0; way < WAYS; way += 2)
        for (int m = PEPA_GTH + 1; m < PEPA_METHOD_COUNT; m++)
            expect_same_answers(&p, way, (PepaMethod)m, PEPA_PRECONDITION_AUTO);
    cr_assert(compact_new(&p.flow, &compact));
    Flow many = shared(&compact, 7);
    expect_same_sweeps(&p.flow, &p.flow, "explicit");
    double *y = arbitrary(p.n), *z = arbitrary(p.n);
    for (int32_t k = 0; k < 3; k++) {
        (void)flow_sweep(&p.flow, y);
        (void)flow_sweep(&many, z);
    }
    cr_expect_eq(memcmp(y, z, (size_t)p.n * sizeof *y), 0);
    free(y);
    free(z);
    flow_team_free(many.team);
    compact_free(&compact);
    problem_free(&p);
}

/* A plan takes memory: without, one thread sweeps, and the bits are the same. */
Test(rows, little_memory)
{
    static const double up[] = {1, 2}, down[] = {1.5, 1};
    Problem p = walk(2, 300, up, down);
    double *y[2] = {guess(p.n), guess(p.n)};
    for (int limited = 0; limited < 2; limited++) {
        const Control control = {.tolerance = 1e-30,
                                 .max_iter = 8,
                                 .memory = limited ? (int64_t)8 * p.n + 100 : 0};
        Flow many = p.flow;
        Outcome out;
        cr_assert(flow_team_new(&many.team, &many, 2));
        cr_assert_not_null(many.team);
        cr_expect_eq(solve_flow(PEPA_GAUSS_SEIDEL, &many, &control, y[limited], &out, NULL),
                     PEPA_ENOCONV);
        cr_expect_eq(many.team->planned, !limited);
        flow_team_free(many.team);
    }
    cr_expect_eq(memcmp(y[0], y[1], (size_t)p.n * sizeof **y), 0);
    free(y[0]);
    free(y[1]);
    problem_free(&p);
}

/* A few rows are not worth a thread. */
Test(rows, small_flows_have_no_team)
{
    Problem p = birth_death(1000, 1, 0, 1);
    FlowTeam *team;
    cr_expect(flow_team_new(&team, &p.flow, 8) && !team);
    flow_team_free(team);
    problem_free(&p);
}
