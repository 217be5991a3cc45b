/* Experiments whose points processes share: the bytes of one process, and the failures. */
#include "experiments.h"
#include "run_together.h"

enum { MOST_VALUES = 4096 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaExperimentInfo info;
    double value[MOST_VALUES];
    PepaStatus ended[MOST_VALUES]; /* each point */
} Found;

typedef struct {
    const Asked *asked;
    PepaExperiment what;
    bool go_on; /* after a point that fails */
    Found alone, each[MOST_TOGETHER];
    int32_t cancels; /* the process that cancels; -1: none */
} Question;

static void look(const Question *q, const PepaProcesses *p, const PepaSettings *set, Found *out)
{
    PepaExperiment what = q->what;
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < MOST_VALUES; k++)
        out->ended[k] = q->go_on ? PEPA_EIO : PEPA_OK;
    what.processes = p;
    what.status = q->go_on ? out->ended : NULL;
    out->info.failed = -7;
    out->status = pepa_experiment_measures(q->asked->chain, q->asked->measures, &what, set,
                                           out->value, &out->info, &out->err);
}

static int cancel(void *user, const PepaProgress *now)
{
    (void)user;
    return strcmp(now->phase, "experiment") == 0;
}

static void look_together(const PepaProcesses *p, void *user)
{
    Question *q = user;
    PepaSettings set = q->asked->set;
    set.threads = 1 + p->rank % 2;
    if (p->rank == q->cancels)
        set.progress = cancel;
    look(q, p, &set, &q->each[p->rank]);
}

/* Of all processes: status, message, values, and the sums of what they have done. */
static void compare(const Question *q, int32_t count)
{
    const size_t n = points_of(&q->what) * (size_t)pepa_measures_count(q->asked->measures);
    for (int32_t k = 0; k < count; k++) {
        const Found *a = &q->each[k], *b = &q->alone;
        cr_assert_eq(a->status, b->status, "%d of %d: %s", k, count, a->err.message);
        if (a->status != PEPA_OK) {
            cr_expect_str_eq(a->err.message, b->err.message);
            cr_expect_eq(a->err.code, b->err.code);
            cr_expect_eq(a->err.limit, b->err.limit);
            cr_expect_eq(a->info.failed, b->info.failed, "%d, not %d", (int)a->info.failed,
                         (int)b->info.failed);
            if (!q->go_on || a->status == PEPA_EARG)
                continue;
        }
        cr_expect_eq(memcmp(a->value, b->value, n * sizeof *a->value), 0, "%d of %d", k, count);
        cr_expect_eq(memcmp(a->ended, b->ended, sizeof a->ended), 0, "%d of %d", k, count);
        cr_expect_eq(a->info.points, b->info.points);
        cr_expect_eq(a->info.derived, b->info.derived);
        cr_expect_eq(a->info.iterations, b->info.iterations);
        cr_expect_eq(a->info.residual, b->info.residual);
    }
}

static void agree(const Asked *a, const PepaVary *vary, size_t count)
{
    static Question q;
    q.asked = a;
    q.what = (PepaExperiment){.vary = vary, .count = count};
    q.cancels = -1;
    cr_assert_leq(points_of(&q.what) * (size_t)pepa_measures_count(a->measures), MOST_VALUES);
    for (int on = 0; on < 2; on++) {
        q.go_on = on;
        look(&q, NULL, &a->set, &q.alone);
        for (int32_t processes = 1; processes <= 5; processes++) {
            run_together(processes, look_together, &q);
            compare(&q, processes);
        }
    }
}

Test(experiment_shared, rates_and_copies)
{
    double r[150], s[] = {1, 3, 0.25, 2};
    const double jobs[] = {2, 1, 3, 2};
    for (int i = 0; i < 150; i++)
        r[i] = 0.5 + 0.01 * i; /* rate:r - 0.5 is 0 at first: a measure without a value */
    for (int explore = 0; explore < 2; explore++) {
        Asked a = ask(line, of_line, explore ? PEPA_SYMBOLIC : PEPA_EXPLICIT, NULL, 0);
        agree(&a, (PepaVary[]){{"r", r, 150}}, 1);
        agree(&a, (PepaVary[]){{"r", r, 20}, {"s", s, 4}}, 2);
        agree(&a, (PepaVary[]){{"jobs", jobs, 4}, {"r", r, 5}}, 2);
        agree(&a, (PepaVary[]){{"r", r, 5}, {"jobs", jobs, 4}}, 2);
        asked_free(&a);
    }
}

/* A rate that is switched on and off by another: chains of their own at some points. */
Test(experiment_shared, points_with_structures_of_their_own)
{
    static const char text[] = "on = 1; r = 2;\nP = (a, on * Q).Q + (b, r).Q; Q = (c, 1).P; P[3]";
    double on[30];
    for (int i = 0; i < 30; i++)
        on[i] = i % 3 == 1 ? 0 : 1 + i;
    Asked a = ask(text, "throughput:a\nthroughput:b", PEPA_EXPLICIT, NULL, 0);
    agree(&a, (PepaVary[]){{"on", on, 30}}, 1);
    asked_free(&a);
}

Test(experiment_shared, failures)
{
    double r[200];
    const double jobs[] = {2, 1, 1.5};
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    for (int i = 0; i < 200; i++)
        r[i] = i == 150 || i == 77 ? 0 : i == 199 ? -1 : 1;
    agree(&a, (PepaVary[]){{"r", r, 200}}, 1);
    agree(&a, (PepaVary[]){{"jobs", jobs, 3}, {"r", r, 78}}, 2);
    agree(&a, (PepaVary[]){{"jobs", jobs, 3}, {"r", r, 10}}, 2);
    agree(&a, (PepaVary[]){{"no", r, 10}}, 1);
    a.set.solve.method = PEPA_GAUSS_SEIDEL;
    a.set.solve.max_iter = 1;
    agree(&a, (PepaVary[]){{"r", r, 3}}, 1);
    asked_free(&a);
}

/* One process cancels: all do. */
Test(experiment_shared, one_process_cancels)
{
    static Question q;
    double r[150];
    for (int i = 0; i < 150; i++)
        r[i] = 1 + 0.01 * i;
    Asked a = ask(line, of_line, PEPA_EXPLICIT, NULL, 0);
    const PepaVary vary = {"r", r, 150};
    q.asked = &a;
    q.what = (PepaExperiment){.vary = &vary, .count = 1};
    q.cancels = 1;
    run_together(3, look_together, &q);
    for (int32_t k = 0; k < 3; k++)
        cr_expect_eq(q.each[k].status, PEPA_ECANCEL, "%d: %d", k, (int)q.each[k].status);
    asked_free(&a);
}
