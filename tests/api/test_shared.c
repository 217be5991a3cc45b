/* Chains that several processes share: the same answers as alone. */
#include "pepa_shared.h"

#include <stdio.h>

#include "api/ways.h"
#include "run_together.h"

enum { MOST = 256 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaInfo info;
    int64_t states, copies;
    double sum; /* of own probabilities */
    double throughput[MOST], share[MOST], population[MOST], value[MOST];
} Part;

typedef struct {
    const char *text, *measures;
    PepaSettings set;
    Part alone, part[MOST_TOGETHER];
    PepaInfo one; /* of one process by the same method */
} Question;

static PepaMeasures *measures_of(const Question *q, PepaModel *model)
{
    PepaMeasures *m = NULL;
    if (!q->measures)
        return NULL;
    cr_assert_eq(pepa_measures_new(&m, model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", q->measures, strlen(q->measures), NULL, NULL, NULL),
                 PEPA_OK);
    return m;
}

static void check_room(const PepaChain *chain)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    cr_assert(info.actions <= MOST && info.counts <= MOST && info.local_states <= MOST);
}

static void solve_alone(Question *q)
{
    Part *a = &q->alone;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaMeasures *measures = measures_of(q, model);
    cr_assert_eq(pepa_chain_derive(&chain, model, &q->set, &a->err), PEPA_OK, "%s", a->err.message);
    check_room(chain);
    a->states = pepa_chain_info(chain).states;
    double *pi = room((size_t)a->states, sizeof *pi);
    a->status = pepa_solve_steady(chain, &q->set, pi, &a->info, &a->err);
    cr_assert_eq(a->status, PEPA_OK, "%s", a->err.message);
    pepa_throughputs(chain, pi, a->throughput);
    cr_assert_eq(pepa_utilisations(chain, pi, a->share, NULL), PEPA_OK);
    cr_assert_eq(pepa_populations(chain, pi, a->population, NULL), PEPA_OK);
    if (measures)
        cr_assert_eq(pepa_measures_values(measures, chain, pi, a->value, NULL), PEPA_OK);
    free(pi);
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

static void solve_part(const PepaProcesses *p, void *user)
{
    Question *q = user;
    Part *a = &q->part[p->rank];
    PepaShared *shared = NULL;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaMeasures *measures = measures_of(q, model);
    *a = (Part){0};
    cr_assert_eq(pepa_chain_derive(&chain, model, &q->set, &a->err), PEPA_OK);
    a->status = pepa_shared_solve(&shared, chain, p, &q->set, &a->info, &a->err);
    if (a->status == PEPA_OK) {
        const PepaSharedPart part = pepa_shared_part(shared);
        a->states = part.states;
        a->copies = part.copies;
        for (int64_t i = 0; i < part.states; i++)
            a->sum += part.pi[i];
        cr_assert_eq(pepa_shared_throughputs(shared, a->throughput, NULL), PEPA_OK);
        cr_assert_eq(pepa_shared_utilisations(shared, a->share, NULL), PEPA_OK);
        cr_assert_eq(pepa_shared_populations(shared, a->population, NULL), PEPA_OK);
        if (measures)
            cr_assert_eq(pepa_shared_values(shared, measures, a->value, NULL), PEPA_OK);
    }
    pepa_shared_free(shared);
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

static void same(const double *a, const double *b, const char *what, int32_t count)
{
    for (int i = 0; i < MOST; i++)
        cr_expect(fabs(a[i] - b[i]) <= 1e-12 * (1 + fabs(b[i])),
                  "%s %d with %d processes: %.17g, not %.17g", what, i, count, a[i], b[i]);
}

/* Every process has the answer that one process has, after as many sweeps. */
static void compare(Question *q, int32_t count, const double *part)
{
    int64_t states = 0;
    double sum = 0;
    run_together_as(count, part, solve_part, q);
    for (int32_t k = 0; k < count; k++) {
        const Part *a = &q->part[k], *b = &q->alone;
        cr_assert_eq(a->status, PEPA_OK, "%d of %d: %s", k, count, a->err.message);
        same(a->throughput, b->throughput, "throughput", count);
        same(a->share, b->share, "utilisation", count);
        same(a->population, b->population, "population", count);
        same(a->value, b->value, "measure", count);
        cr_expect_leq(a->info.residual, q->set.solve.tolerance);
        cr_expect_str_eq(a->info.matrix, "free");
        if (count > 1) {
            cr_expect_eq(a->info.iterations, q->one.iterations, "%d processes", count);
            cr_expect_str_eq(a->info.method, q->one.method);
        }
        states += a->states;
        sum += a->sum;
    }
    if (count == 1)
        q->one = q->part[0].info;
    cr_expect_eq(states, q->alone.states);
    cr_expect_float_eq(sum, 1, 1e-12);
}

static PepaInfo agree(const char *text, const char *measures, PepaMethod method)
{
    static Question q;
    memset(&q, 0, sizeof q);
    q.text = text;
    q.measures = measures;
    q.set = settings(PEPA_SYMBOLIC, 1);
    q.set.solve.method = method;
    q.set.threads = 1;
    solve_alone(&q);
    for (int32_t count = 1; count <= 5; count++)
        compare(&q, count, NULL);
    compare(&q, 3, (double[]){0.2, 0.75, 0.05});
    compare(&q, MOST_TOGETHER, NULL);
    return q.part[0].info;
}

static const char stages[] = "throughput:move1\npopulation:Stage1_2 / throughput:process2\n"
                             "probability:{Stage1_2 >= 1 && !enabled(process3)}\n"
                             "response:{Stage2, Stage2_2}";

Test(shared, families)
{
    agree(family_text("pipeline 6"), stages, PEPA_AUTO);
    agree(family_text("tandem 12"), NULL, PEPA_AUTO);
    agree(family_text("kanban 2"), NULL, PEPA_AUTO);
    agree(family_text("polling 5"), NULL, PEPA_AUTO);
    agree(family_text("cluster 6"), NULL, PEPA_AUTO);
    agree(family_text("clients 6"), NULL, PEPA_AUTO);
}

/* Blocks of all processes are aggregated between sweeps; of flexible that is tried, and undone. */
Test(shared, aggregation)
{
    static const char *const joined[] = {"structures/raid.awk 6 3", "structures/window.awk 3 2",
                                         "structures/optimistic.awk 12 8"};
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        const PepaInfo info = agree(bench_text(joined[i]), NULL, PEPA_AUTO);
        cr_expect_str_eq(info.method, "gauss-seidel with extrapolation and aggregation", "%s: %s",
                         joined[i], info.method);
    }
    const PepaInfo info = agree(bench_text("structures/flexible.awk 3"), NULL, PEPA_AUTO);
    cr_expect_str_eq(info.method, "gauss-seidel with extrapolation");
}

Test(shared, methods)
{
    agree(family_text("pipeline 5"), NULL, PEPA_GAUSS_SEIDEL);
    agree(family_text("tandem 8"), NULL, PEPA_SOR);
}

/* More processes than there are upper states. */
Test(shared, few_states)
{
    agree("P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; P <b> R",
          "throughput:c\nprobability:{Q && S}\nresponse:{S}", PEPA_AUTO);
}

/* Where sweeps over sets would be many, the matrix is written by rows; answers are those of elimination. */
static void solve_slow(Question *q, int32_t count)
{
    double sum = 0;
    run_together(count, solve_part, q);
    for (int32_t k = 0; k < count; k++) {
        const Part *a = &q->part[k];
        cr_assert_eq(a->status, PEPA_OK, "%d of %d: %s", k, count, a->err.message);
        for (int i = 0; i < MOST; i++)
            cr_expect_float_eq(a->throughput[i], q->alone.throughput[i], 1e-9);
        cr_expect_leq(a->info.residual, q->set.solve.tolerance);
        cr_expect_eq(a->info.iterations, q->part[0].info.iterations);
        cr_expect_str_eq(a->info.method, q->part[0].info.method);
        sum += a->sum;
    }
    cr_expect_float_eq(sum, 1, 1e-12);
}

static void expect_rows(const Question *q, int32_t count, const char *matrix)
{
    const PepaInfo *info = &q->part[count - 1].info;
    cr_expect_str_eq(info->method, "bicgstab");
    cr_expect(strstr(info->trail, "stalled"), "%s", info->trail);
    cr_expect_str_eq(info->matrix, matrix);
}

Test(shared, slow_sweeps)
{
    static const char *const slow[] = {"structures/multirate.awk 20", "structures/stabilise.awk 4"};
    static Question q;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        q.text = bench_text(slow[i]);
        q.set = settings(PEPA_SYMBOLIC, 1);
        q.set.threads = 1;
        q.set.solve.method = PEPA_GTH;
        solve_alone(&q);
        q.set.solve.method = PEPA_AUTO;
        for (int32_t count = 1; count <= MOST_TOGETHER; count++) {
            solve_slow(&q, count);
            expect_rows(&q, count, "explicit");
        }
    }
    q.set.solve.matrix = PEPA_MATRIX_COMPACT;
    solve_slow(&q, 3);
    expect_rows(&q, 3, "compact");
    q.set.solve.matrix = PEPA_MATRIX_FREE;
    solve_slow(&q, 2);
    cr_expect_str_eq(q.part[1].info.matrix, "free");
}

/* One process has too little memory for rows: all go on sweeping. */
static void solve_tightly(const PepaProcesses *p, void *user)
{
    const Question *of = user;
    Question own = *of;
    own.set.memory = p->rank == 1 ? 500000 : 0;
    solve_part(p, &own);
    ((Question *)user)->part[p->rank] = own.part[p->rank];
}

Test(shared, slow_sweeps_and_little_memory)
{
    static Question q;
    q.text = bench_text("structures/stabilise.awk 4");
    q.set = settings(PEPA_SYMBOLIC, 1);
    q.set.threads = 1;
    run_together(3, solve_tightly, &q);
    for (int32_t k = 0; k < 3; k++) {
        cr_assert_eq(q.part[k].status, PEPA_OK, "%d: %s", k, q.part[k].err.message);
        cr_expect_str_eq(q.part[k].info.matrix, "free");
        cr_expect_eq(q.part[k].info.trail[0], 0);
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* All processes have an error of this status, which says so. */
static void fails(Question *q, int32_t count, PepaStatus status, PepaLimit limit, const char *says)
{
    run_together(count, solve_part, q);
    for (int32_t k = 0; k < count; k++) {
        const Part *a = &q->part[k];
        cr_expect_eq(a->status, status, "%d: %d, %s", k, a->status, a->err.message);
        cr_expect_eq(a->err.limit, limit);
        cr_expect(strstr(a->err.message, says), "%s", a->err.message);
    }
}

Test(shared, what_is_not_shared)
{
    static Question q;
    q.text = family_text("pipeline 4");
    q.set = settings(PEPA_EXPLICIT, 1);
    fails(&q, 3, PEPA_EARG, PEPA_LIMIT_MATRIX, "this one is kept by rows");
    q.set = settings(PEPA_SYMBOLIC, 1);
    q.set.solve.method = PEPA_BICGSTAB;
    fails(&q, 3, PEPA_EARG, PEPA_LIMIT_METHOD, "not bicgstab");
    q.set.solve.method = PEPA_AUTO;
    q.set.solve.max_iter = 3;
    fails(&q, 3, PEPA_ENOCONV, PEPA_LIMIT_ITERATIONS, "not solved to the tolerance");
    q.text = family_text("pipeline 10"); /* sets, as auto has it: one process looks at few more closely */
    q.set = settings(PEPA_EXPLORE_AUTO, 1);
    fails(&q, 2, PEPA_EARG, PEPA_LIMIT_MATRIX, "more than 200,000 states");
}

/* ---- what sweeps do not show ------------------------------------------------------------------ */

static void expect_caution(Question *q, const char *said)
{
    for (int32_t count = 1; count <= 5; count++) {
        run_together(count, solve_part, q);
        for (int32_t k = 0; k < count; k++) {
            cr_expect_eq(q->part[k].status, PEPA_OK, "%s", q->part[k].err.message);
            cr_expect(said ? strstr(q->part[k].info.caution, said) != NULL
                           : !q->part[k].info.caution[0],
                      "%d of %d: '%s'", (int)k, (int)count, q->part[k].info.caution);
        }
    }
}

Test(shared, groups_out_of_balance)
{
    static Question q;
    q.text = bench_text("structures/wells.awk 20 100 3"); /* 9,261 states, all begin in the lower wells */
    q.set = settings(PEPA_SYMBOLIC, 1);
    expect_caution(&q, "one process does better");
    q.set.solve.method = PEPA_GAUSS_SEIDEL;
    expect_caution(&q, "compare with the methods auto and gth");
    q.set.solve.method = PEPA_AUTO;
    q.text = family_text("kanban 2");
    expect_caution(&q, NULL);
    q.text = family_text("balanced 12"); /* long queues: groups grow that need not fill up */
    expect_caution(&q, NULL);
}

/* One process has too little memory: the others are told which one. */
static void solve_poorly(const PepaProcesses *p, void *user)
{
    Question *q = user;
    Part *a = &q->part[p->rank];
    PepaShared *shared = NULL;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaSettings set = q->set;
    *a = (Part){0};
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &a->err), PEPA_OK);
    set.memory = p->rank == 1 ? 1000 : 0;
    a->status = pepa_shared_solve(&shared, chain, p, &set, &a->info, &a->err);
    cr_expect_null(shared);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(shared, one_process_has_too_little_memory)
{
    static Question q;
    q.text = family_text("pipeline 5");
    q.set = settings(PEPA_SYMBOLIC, 1);
    run_together(3, solve_poorly, &q);
    for (int32_t k = 0; k < 3; k++) {
        cr_expect_eq(q.part[k].status, PEPA_ELIMIT);
        cr_expect(strstr(q.part[k].err.message, k == 1 ? "the limit on memory" : "process 1: "),
                  "%s", q.part[k].err.message);
    }
}

/* ---- processes far from each other ----------------------------------------------------------- */

typedef struct {
    const char *text;
    double latency;
    PepaSettings set;
    bool rows[MOST_TOGETHER]; /* of all states */
    PepaStatus status[MOST_TOGETHER];
    PepaError err[MOST_TOGETHER];
} Far;

static void solve_far(const PepaProcesses *p, void *user)
{
    Far *q = user;
    PepaProcesses far = *p;
    PepaTransitions rows;
    PepaShared *shared = NULL;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaError *err = &q->err[p->rank];
    far.latency = q->latency;
    cr_assert_eq(pepa_shared_derive(&chain, model, &far, &q->set, err), PEPA_OK, "%s", err->message);
    q->rows[p->rank] = pepa_chain_transitions(chain, &rows, NULL) == PEPA_OK && rows.row;
    q->status[p->rank] = pepa_shared_solve(&shared, chain, &far, &q->set, NULL, err);
    pepa_shared_free(shared);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* What one process solves sooner than a message arrives is left to it, if it has the memory. */
Test(shared, far_from_each_other)
{
    static const struct {
        PepaExplore explore;
        double latency;
        int64_t memory;
        bool one;
    } grids[] = {
        {PEPA_EXPLICIT, 0.0358, 0, true},
        {PEPA_EXPLICIT, 1e-5, 0, false},
        {PEPA_EXPLICIT, 0.0358, 80000000, false},
        {PEPA_EXPLORE_AUTO, 0.0358, 0, true},
        {PEPA_EXPLORE_AUTO, 1e-5, 0, false},
        {PEPA_EXPLORE_AUTO, 0.0358, 2800000, false},
        {PEPA_SYMBOLIC, 0.0358, 0, false},
    };
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        Far q = {.text = family_text("polling 14"),
                 .latency = grids[i].latency,
                 .set = {.derive.explore = grids[i].explore,
                         .threads = 1,
                         .memory = grids[i].memory}};
        run_together(2, solve_far, &q);
        for (int32_t k = 0; k < 2; k++) {
            cr_expect_eq(q.rows[k], grids[i].one && grids[i].explore == PEPA_EXPLICIT, "%zu", i);
            cr_expect_eq(q.status[k], grids[i].one ? PEPA_EARG : PEPA_OK, "%zu: %s", i,
                         q.err[k].message);
            cr_expect(!grids[i].one || q.err[k].limit == PEPA_LIMIT_MATRIX);
        }
    }
}

static int cancel_third(void *user, const PepaProgress *now)
{
    (void)now;
    return *(int32_t *)user == 2;
}

static void solve_cancelled(const PepaProcesses *p, void *user)
{
    Question *q = user;
    Part *a = &q->part[p->rank];
    PepaShared *shared = NULL;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaSettings set = q->set;
    int32_t rank = p->rank;
    *a = (Part){0};
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &a->err), PEPA_OK);
    set.progress = cancel_third;
    set.user = &rank;
    a->status = pepa_shared_solve(&shared, chain, p, &set, &a->info, &a->err);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(shared, one_process_cancels)
{
    static Question q;
    q.text = family_text("pipeline 7");
    q.set = settings(PEPA_SYMBOLIC, 1);
    run_together(4, solve_cancelled, &q);
    for (int32_t k = 0; k < 4; k++)
        cr_expect_eq(q.part[k].status, PEPA_ECANCEL, "%d: %s", k, q.part[k].err.message);
}

Test(shared, wrong_arguments)
{
    PepaShared *shared = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    PepaModel *model = parse(family_text("pipeline 3"));
    double x[MOST];
    PepaMeasures *measures = NULL;
    const PepaProcesses none = {.count = 1};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
    cr_expect_eq(pepa_shared_solve(NULL, chain, &none, NULL, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_solve(&shared, NULL, &none, NULL, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_solve(&shared, chain, NULL, NULL, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_solve(&shared, chain, &none, NULL, NULL, &err), PEPA_EARG);
    cr_expect_null(shared);
    cr_expect_eq(pepa_shared_throughputs(NULL, x, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_utilisations(NULL, x, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_populations(NULL, x, &err), PEPA_EARG);
    cr_expect_eq(pepa_shared_values(NULL, measures, x, &err), PEPA_EARG);
    pepa_shared_free(NULL);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}
