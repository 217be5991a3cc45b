/* Experiments by simulation: unbiased, whatever a model has; points whose differences have far less
 * variance than those of independent simulations; the same bytes however many threads and processes
 * there are. */
#include "experiments.h"
#include "pepa_transient.h"
#include "run_together.h"
#include "scale.h"

enum { MOST_MEASURES = 8, MOST_TIMES = 2 };

/* Measures of the chain at a rate's value: in the long run, or at times. */
static void exact_values(const char *text, const char *measures, const PepaDefine *define,
                         const double *time, size_t times, double *out)
{
    PepaError err = {0};
    Asked a = ask(text, measures, PEPA_EXPLICIT, define, 1);
    const PepaSettings set = {.solve.tolerance = 1e-14};
    if (time) {
        cr_assert_eq(pepa_transient_measures(a.chain, a.measures,
                                             &(PepaTransient){.time = time, .count = times}, &set,
                                             out, NULL, &err),
                     PEPA_OK, "%s", err.message);
    } else {
        double *pi = calloc((size_t)pepa_chain_info(a.chain).states, sizeof *pi);
        cr_assert_not_null(pi);
        cr_assert_eq(pepa_solve_steady(a.chain, &set, pi, NULL, &err), PEPA_OK, "%s", err.message);
        cr_assert_eq(pepa_measures_values(a.measures, a.chain, pi, out, &err), PEPA_OK);
        free(pi);
    }
    asked_free(&a);
}

static void simulate(const Asked *a, const PepaVary *vary, const PepaSimulation *how,
                     PepaEstimate *out)
{
    PepaError err = {0};
    const PepaExperiment what = {.vary = vary, .count = 1};
    cr_assert_eq(pepa_experiment_simulate(a->model, a->measures, &what, how, &a->set, out, NULL,
                                          &err),
                 PEPA_OK, "%s", err.message);
}

/* ---- each point ------------------------------------------------------------------------------- */

/* Everything that a thinned trajectory meets: sums, copies, copies of composites, joint moves,
 * rates by state, immediate activities, priorities, and rates from 1e-7 to 2e3 in one model. */
static const struct {
    const char *text, *measures;
} models[] = {
    {"r = 1; P = (a, r).Q; Q = (b, 1).P + (c, 3).P; P[3]", "population:Q\nthroughput:b"},
    {"r = 1; C = (think, r).W; W = (serve, T).C + (serve, 2 * T).D; D = (quit, 0.3).C;\n"
     "S = (serve, 2).L; L = (log, 3).S + (fail, 0.1).X; X = (repair, 0.3).S; C[5] <serve> S[2]",
     "population:D\npopulation:L\nthroughput:serve\nprobability:{X >= 1}"},
    {"r = 1; A = (a, r).B + (a, 2).A; B = (b, 0.5).A; R = (a, 4).R2; R2 = (b, 1).R;\n"
     "((A || A || A[2]) <a> (R || R)) / {b}",
     "population:B\npopulation:R2\nthroughput:a"},
    {"r = 1; P = (a, r).Q; Q = (b, 2).P; M = (b, 5).N; N = (c, 1).M; (P <b> M)[3]",
     "population:Q\npopulation:N"},
    {"r = 1; P = (s, r).P + (s, 2).Q; Q = (s, 3).P + (u, 1).P; P[3]{s}",
     "population:Q\nthroughput:u"},
    {"r = 1; P = (a, Q * r).Q + (b, 1).Q; Q = (c, R + 0.5).P; R = (a, 3).S; S = (d, P + 1).R;\n"
     "P[3] <a> R",
     "population:Q\npopulation:S\nthroughput:a"},
    {"r = 1; P = (a, r).Q; Q = (s, 3 : immediate).P + (t, immediate).R; R = (u, 2).P;\n"
     "S = (s, T).S2 + (s, 2 * T).S; S2 = (b, 1).S; (P[3] || Q) <s> S[2]",
     "population:R\npopulation:S2\nthroughput:s"},
    {"r = 1; P = (a[2], r).Q + (b, 5).Q; Q = (c[0], 2).P + (d, 1).P; R = (a, T).S;\n"
     "S = (e[0], 1).R; (P[3] <a> R[2]) || Q",
     "population:Q\npopulation:S"},
    {"r = 1; U = (fail, 1e-2 * r).D + (spin, 2e3).V; V = (back, 2e3).U; D = (fix, 1e-7).U + (q, "
     "0.5).U;\n"
     "W = (rest, 1e-7).X + (go, 0.4).X; X = (stop, 0.2).W; U || W",
     "population:D\npopulation:X"},
};
enum { MODELS = sizeof models / sizeof *models };

Test(experiment_simulate, points_have_the_distribution_of_the_chain)
{
    const double time[MOST_TIMES] = {0.3, 1.5}, r[] = {1, 1.4};
    for (int m = 0; m < MODELS; m++) {
        PepaEstimate x[2 * MOST_TIMES * MOST_MEASURES];
        double exact[MOST_TIMES * MOST_MEASURES];
        Asked a = ask(models[m].text, models[m].measures, PEPA_EXPLICIT, NULL, 0);
        const int32_t n = pepa_measures_count(a.measures), row = MOST_TIMES * n;
        simulate(&a, &(PepaVary){"r", r, 2},
                 &(PepaSimulation){.time = time,
                                   .count = MOST_TIMES,
                                   .runs = m == MODELS - 1 ? 100 : 4000,
                                   .seed = 17,
                                   .confidence = 0.99999},
                 x);
        for (int k = 0; k < 2; k++) {
            exact_values(models[m].text, models[m].measures, &(PepaDefine){"r", r[k]}, time,
                         MOST_TIMES, exact);
            for (int i = 0; i < row; i++)
                cr_expect(x[k * row + i].low <= exact[i] && exact[i] <= x[k * row + i].high,
                          "model %d, r = %g, %d: %g not in [%g, %g]", m, r[k], i, exact[i],
                          x[k * row + i].low, x[k * row + i].high);
        }
        asked_free(&a);
    }
}

/* ---- differences ------------------------------------------------------------------------------ */

enum { SEEDS = 24 };

/* Of the last measure between two points: its mean over seeds, and its variance where they have
 * random numbers in common, and where they have not. */
typedef struct {
    double mean, common, apart;
} Difference;

static double variance(const double *x)
{
    double mean = 0, square = 0;
    for (int i = 0; i < SEEDS; i++)
        mean += x[i] / SEEDS;
    for (int i = 0; i < SEEDS; i++)
        square += (x[i] - mean) * (x[i] - mean) / (SEEDS - 1);
    return square;
}

static Difference compare(const char *text, const char *measure, const double r[2],
                          PepaSimulation how)
{
    double common[SEEDS], apart[SEEDS], mean = 0;
    Asked a = ask(text, measure, PEPA_EXPLICIT, NULL, 0);
    for (int i = 0; i < SEEDS; i++) {
        PepaEstimate x[2], other;
        how.seed = 1 + (uint64_t)i;
        simulate(&a, &(PepaVary){"r", r, 2}, &how, x);
        how.seed += 1000;
        simulate(&a, &(PepaVary){"r", &r[1], 1}, &how, &other);
        common[i] = x[1].value - x[0].value;
        apart[i] = other.value - x[0].value;
        mean += common[i] / SEEDS;
    }
    asked_free(&a);
    return (Difference){mean, variance(common), variance(apart)};
}

/* In the long run too: where asked, or LONG=1. */
static void expect_less_variance(const char *text, const char *measure, bool long_run)
{
    const double r[] = {1, 1.02}, time = 4, most = 0.1; /* they are 0.003 to 0.05 */
    for (int steady = 0; steady < (long_run || run_is_long() ? 2 : 1); steady++) {
        const PepaSimulation how = steady
                                       ? (PepaSimulation){.steady = 1, .runs = 16, .events = 200000}
                                       : (PepaSimulation){.time = &time, .count = 1, .runs = 200};
        double exact[2];
        const Difference d = compare(text, measure, r, how);
        for (int k = 0; k < 2; k++)
            exact_values(text, measure, &(PepaDefine){"r", r[k]}, steady ? NULL : &time, 1,
                         &exact[k]);
        cr_expect_lt(d.common, most * d.apart, "%s: %g of the variance", measure,
                     d.common / d.apart);
        cr_expect_lt(fabs(d.mean - (exact[1] - exact[0])), 4 * sqrt(d.common / SEEDS),
                     "%s: %g, not %g", measure, d.mean, exact[1] - exact[0]);
    }
}

Test(experiment_simulate, neighbours_differ_by_their_rates)
{
    expect_less_variance(
        "r = 1; Free = (arrive, T).Job; Job = (serve, T).Free; In = (arrive, r).In;\n"
        "Clerk = (serve, 1.5).Clerk; (In <arrive> Free[10]) <serve> Clerk",
        "throughput:serve", false);
    expect_less_variance(
        "r = 1; C = (think, r).W; W = (ask, T).C; S = (ask, 4).L; L = (log, 8).S;\n"
        "C[20] <ask> S[10]",
        "throughput:ask", false);
    expect_less_variance("r = 1; A = (a, r).B; B = (b, 2).A; C = (a, 3).D; D = (d, 1).C;\n"
                         "(A || A || B || B) <a> (C || D)",
                         "throughput:a", false);
    expect_less_variance("r = 1; P = (a, r).Q; Q = (s, 3 : immediate).P + (t, immediate).R;\n"
                         "R = (u, 2).P; P[6]",
                         "throughput:u", true);
    expect_less_variance(line, "throughput:out", false);
}

/* Machines that work for a drawn time and then wait for a repair: 1 / (0.5 + 1 / r) each in the long
 * run, which time 40 is; durations are those of the same streams at both points. */
Test(experiment_simulate, durations_are_in_common)
{
    static const char text[] = "r = 1; U = (fail, uniform(0, 1)).D; D = (fix, r).U; U[3]";
    const double r[] = {1, 1.05}, late = 40;
    PepaError err = {0};
    Asked a = {.chain = NULL};
    double common[SEEDS], apart[SEEDS], mean = 0;
    cr_assert_eq(pepa_model_parse(&a.model, "m", text, sizeof text - 1, NULL, &err) ||
                     pepa_measures_new(&a.measures, a.model, &err) ||
                     pepa_measures_add(a.measures, "m", "throughput:fix", 14, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    for (uint64_t i = 0; i < SEEDS; i++) {
        PepaEstimate x[2], other;
        PepaSimulation how = {.time = &late, .count = 1, .runs = 200, .seed = 1 + i};
        simulate(&a, &(PepaVary){"r", r, 2}, &how, x);
        how.seed += 1000;
        simulate(&a, &(PepaVary){"r", &r[1], 1}, &how, &other);
        common[i] = x[1].value - x[0].value;
        apart[i] = other.value - x[0].value;
        mean += common[i] / SEEDS;
    }
    cr_expect_lt(variance(common), 0.5 * variance(apart), "%g", variance(common) / variance(apart));
    cr_expect_lt(fabs(mean - (3 / (0.5 + 1 / r[1]) - 3 / (0.5 + 1 / r[0]))),
                 4 * sqrt(variance(common) / SEEDS), "%g", mean);
    asked_free(&a);
}

/* ---- threads and processes -------------------------------------------------------------------- */

enum { POINTS = 7, MOST_VALUES = POINTS * MOST_TIMES * MOST_MEASURES };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaExperimentInfo info;
    PepaEstimate value[MOST_VALUES];
    PepaStatus ended[POINTS]; /* each point */
} Found;

typedef struct {
    const Asked *asked;
    PepaExperiment what;
    PepaSimulation how;
    bool go_on; /* after a point that fails */
    Found alone, each[MOST_TOGETHER];
} Question;

static void look(const Question *q, const PepaProcesses *processes, int threads, Found *out)
{
    PepaExperiment what = q->what;
    memset(out, 0, sizeof *out);
    what.processes = processes;
    what.status = q->go_on ? out->ended : NULL;
    for (int k = 0; k < POINTS; k++)
        out->ended[k] = q->go_on ? PEPA_EIO : PEPA_OK;
    out->info.failed = -7;
    out->status = pepa_experiment_simulate(q->asked->model, q->asked->measures, &what, &q->how,
                                           &(PepaSettings){.threads = threads}, out->value,
                                           &out->info, &out->err);
}

static void look_together(const PepaProcesses *p, void *user)
{
    Question *q = user;
    look(q, p, 1 + p->rank % 3, &q->each[p->rank]);
}

static void expect_same(const Question *q, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        const Found *a = &q->each[k], *b = &q->alone;
        cr_assert_eq(a->status, b->status, "%d of %d: %s", k, count, a->err.message);
        const bool complete = a->status == PEPA_OK || q->go_on;
        cr_expect_eq(memcmp(a->value, b->value, complete ? sizeof a->value : 0), 0);
        cr_expect_eq(memcmp(a->ended, b->ended, complete ? sizeof a->ended : 0), 0);
        cr_expect_str_eq(a->err.message, b->err.message);
        cr_expect_eq(a->info.failed, b->info.failed);
        if (!complete)
            continue;
        cr_expect_eq(a->info.points, b->info.points);
        cr_expect_eq(a->info.events, b->info.events);
        cr_expect_eq(a->info.runs, b->info.runs);
        cr_expect_eq(a->info.width, b->info.width);
        cr_expect_eq(a->info.length, b->info.length);
    }
}

static void agree(const Asked *a, const PepaVary *vary, size_t count, PepaSimulation how)
{
    static Question q;
    for (int on = 0; on < 2; on++) {
        q = (Question){.asked = a, .what = {.vary = vary, .count = count}, .how = how, .go_on = on};
        look(&q, NULL, 1, &q.alone);
        for (int threads = 2; threads <= 5; threads += 3) {
            look(&q, NULL, threads, &q.each[0]);
            expect_same(&q, 1);
        }
        for (int32_t processes = 1; processes <= 4; processes++) {
            run_together(processes, look_together, &q);
            expect_same(&q, processes);
        }
    }
}

Test(experiment_simulate, same_bytes_by_threads_and_processes)
{
    const double time[] = {0.5, 2}, r[] = {0.5, 1, 1.5, 2, 2.5, 3, 3.5}, jobs[] = {1, 3},
                 few[] = {1, 2}, wrong[] = {1, 2, 0, 4, -1};
    Asked a = ask(line, "throughput:{in, z}\npopulation:B1\nresponse:{C1, C2}\n1 / (rate:r - 0.5)",
                  PEPA_EXPLICIT, NULL, 0);
    const PepaSimulation steady = {.steady = 1, .runs = 6, .events = 60000, .seed = 4},
                         times = {.time = time, .count = 2, .runs = 40, .seed = 5},
                         narrow = {.time = time, .count = 2, .relative_width = 0.2, .seed = 5};
    agree(&a, (PepaVary[]){{"r", r, POINTS}}, 1, steady);
    agree(&a, (PepaVary[]){{"r", r, POINTS}}, 1, times);
    agree(&a, (PepaVary[]){{"jobs", jobs, 2}, {"r", few, 2}}, 2, narrow);
    agree(&a, (PepaVary[]){{"r", wrong, 5}}, 1, times);
    agree(&a, (PepaVary[]){{"r", &wrong[2], 1}}, 1, times);
    asked_free(&a);
}

/* Points that cannot be simulated change nothing of the others; of runs in the long run the pace is
 * that of the first that can. */
Test(experiment_simulate, others_are_simulated)
{
    enum { GOOD = 3, ALL = 6, ITEMS = 2 };
    const double time = 2, good[GOOD] = {1, 2, 4}, all[ALL] = {0, 1, -1, 2, 4, 0};
    const int64_t row[GOOD] = {1, 3, 4};
    const PepaVary vary[] = {{"r", good, GOOD}, {"r", all, ALL}};
    const PepaSimulation how[] = {{.time = &time, .count = 1, .runs = 40, .seed = 5},
                                  {.steady = 1, .runs = 6, .events = 60000, .seed = 4}};
    Asked a = ask(line, "throughput:in\npopulation:B1", PEPA_EXPLICIT, NULL, 0);
    for (int h = 0; h < 2; h++) {
        PepaEstimate alone[GOOD * ITEMS], value[ALL * ITEMS];
        PepaStatus ended[ALL];
        PepaExperimentInfo info = {.failed = -7};
        PepaError err = {0};
        const PepaExperiment only = {.vary = &vary[0], .count = 1},
                             what = {.vary = &vary[1], .count = 1, .status = ended};
        cr_assert_eq(pepa_experiment_simulate(a.model, a.measures, &only, &how[h], NULL, alone,
                                              NULL, &err),
                     PEPA_OK);
        cr_expect_eq(pepa_experiment_simulate(a.model, a.measures, &what, &how[h], NULL, value,
                                              &info, &err),
                     PEPA_EMODEL);
        cr_expect_str_eq(err.message,
                         "rate `r` is 0, but activity `(in, r)` in line 2 needs a rate > 0");
        cr_expect_eq(info.failed, 0);
        cr_expect_eq(info.points, GOOD);
        for (int k = 0; k < ALL; k++) {
            const bool fails = all[k] <= 0;
            cr_expect_eq(ended[k], fails ? PEPA_EMODEL : PEPA_OK);
            cr_expect_eq(isnan(value[k * ITEMS].value) && isnan(value[k * ITEMS + 1].high), fails);
        }
        for (int k = 0; k < GOOD; k++)
            cr_expect_eq(memcmp(&value[row[k] * ITEMS], &alone[k * ITEMS], ITEMS * sizeof *value),
                         0);
    }
    asked_free(&a);
}

static int cancel(void *user, const PepaProgress *now)
{
    *(bool *)user = strcmp(now->phase, "experiment") == 0 && now->measure == 2;
    return 1;
}

Test(experiment_simulate, refusals)
{
    const double time = 1, r[] = {1, 2};
    PepaEstimate x[2];
    PepaError err = {0};
    bool told = false;
    PepaExperimentInfo info = {.failed = -7};
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    const PepaVary vary = {"r", r, 2}, twice[] = {{"r", r, 2}, {"r", r, 2}}, none = {"nope", r, 2};
    const PepaSimulation how = {.time = &time, .count = 1, .runs = 2};
    const PepaExperiment what = {.vary = &vary, .count = 1};
    static const PepaSimulation bad[] = {{.runs = -1, .steady = 1}, {.count = 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(pepa_experiment_simulate(a.model, a.measures, &what, &bad[i], NULL, x, NULL,
                                              &err),
                     PEPA_EARG);
    cr_expect_eq(pepa_experiment_simulate(a.model, a.measures,
                                          &(PepaExperiment){.vary = twice, .count = 2}, &how, NULL,
                                          x, NULL, &err),
                 PEPA_EARG);
    cr_expect_str_eq(err.message, "the rate `r` varies twice");
    cr_expect_eq(pepa_experiment_simulate(a.model, a.measures,
                                          &(PepaExperiment){.vary = &none, .count = 1}, &how, NULL,
                                          x, NULL, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_experiment_simulate(a.model, a.measures, &(PepaExperiment){.vary = &vary},
                                          &how, NULL, x, NULL, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_experiment_simulate(a.model, NULL, &what, &how, NULL, x, NULL, &err),
                 PEPA_EARG);
    const PepaSimulation endless = {.steady = 1, .events = INT64_C(1000000000000)};
    cr_expect_eq(pepa_experiment_simulate(a.model, a.measures, &what, &endless,
                                          &(PepaSettings){.progress = cancel, .user = &told}, x,
                                          &info, &err),
                 PEPA_ECANCEL);
    cr_expect(told);
    asked_free(&a);
}
