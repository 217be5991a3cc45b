/* Experiments that fail: points that cannot be solved, arguments, cancelling, limits. */
#include "experiments.h"

static void expect_failure(const Asked *a, const PepaExperiment *what, PepaStatus status,
                           int64_t failed, const char *message)
{
    double value[1024];
    PepaError err = {0};
    PepaExperimentInfo info = {.failed = -7};
    cr_assert_leq(points_of(what) * (size_t)pepa_measures_count(a->measures), 1024);
    cr_expect_eq(pepa_experiment_measures(a->chain, a->measures, what, &a->set, value, &info, &err),
                 status, "%s", err.message);
    cr_expect_str_eq(err.message, message);
    cr_expect_eq(err.code, status);
    cr_expect_eq(info.failed, failed, "%lld", (long long)info.failed);
}

/* The first point that fails is told, whatever the number of threads. */
Test(experiment_failures, points_that_fail)
{
    double r[200], jobs[] = {2, 1, 1.5};
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    for (int i = 0; i < 200; i++)
        r[i] = i == 150 || i == 77 ? 0 : i == 199 ? -1 : 1;
    for (a.set.threads = 1; a.set.threads <= 3; a.set.threads++) {
        expect_failure(&a, &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 200}}, .count = 1},
                       PEPA_EMODEL, 77, "the rate `r` would become 0; rates must be > 0");
        expect_failure(&a,
                       &(PepaExperiment){.vary = (PepaVary[]){{"jobs", jobs, 3}, {"r", r, 78}},
                                         .count = 2},
                       PEPA_EMODEL, 77, "the rate `r` would become 0; rates must be > 0");
        expect_failure(&a,
                       &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 3}, {"jobs", jobs, 3}},
                                         .count = 2},
                       PEPA_EMODEL, 2,
                       "the number of copies must be a whole number from 1 to 10^15, not 1.5");
    }
    a.set.threads = 2;
    a.set.solve.method = PEPA_GAUSS_SEIDEL;
    a.set.solve.max_iter = 1;
    PepaError err;
    PepaExperimentInfo info = {0};
    double value[3];
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures,
                                          &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 3}},
                                                            .count = 1},
                                          &a.set, value, &info, &err),
                 PEPA_ENOCONV);
    cr_expect_eq(info.failed, 0);
    cr_expect_eq(err.limit, PEPA_LIMIT_ITERATIONS);
    asked_free(&a);
}

Test(experiment_failures, arguments)
{
    const double r[] = {1, INFINITY};
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    const struct {
        PepaVary vary[2];
        size_t count;
        const char *message;
    } wrong[] = {
        {{{"r", r, 1}}, 0, "an experiment needs a rate that varies"},
        {{{"r", r, 0}}, 1, "an experiment needs the values of its rates"},
        {{{"r", NULL, 1}}, 1, "an experiment needs the values of its rates"},
        {{{NULL, r, 1}}, 1, "an experiment needs the values of its rates"},
        {{{"fats", r, 1}}, 1, "the model has no rate `fats`; did you mean `fast`?"},
        {{{"nothing", r, 1}}, 1, "the model has no rate `nothing`"},
        {{{"r", r, 2}}, 1, "a value of rate `r` is not finite"},
        {{{"r", r, 1}, {"r", r, 1}}, 2, "the rate `r` varies twice"},
        {{{"r", r, 10000000}, {"s", r, 2}}, 2, "more than 10000000 points"},
        {{{"r", r, 10000001}}, 1, "more than 10000000 points"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        PepaError err = {0};
        double value[2];
        const PepaExperiment what = {.vary = wrong[i].vary, .count = wrong[i].count};
        cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, NULL, value, NULL, &err),
                     PEPA_EARG);
        cr_expect_str_eq(err.message, wrong[i].message);
    }
    Asked b = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    double value;
    PepaError err;
    PepaExperiment what = {.vary = wrong[0].vary, .count = 1};
    cr_expect_eq(pepa_experiment_measures(a.chain, b.measures, &what, NULL, &value, NULL, &err),
                 PEPA_EARG);
    cr_expect_str_eq(err.message, "the chain was derived from another model");
    cr_expect_eq(pepa_experiment_measures(NULL, b.measures, &what, NULL, &value, NULL, NULL),
                 PEPA_EARG);
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, NULL, NULL, NULL, &err),
                 PEPA_EARG);
    what.reserved[6] = 1;
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, NULL, &value, NULL, &err),
                 PEPA_EARG);
    cr_expect(strstr(err.message, "reserved words must be 0"));
    asked_free(&a);
    asked_free(&b);
}

typedef struct {
    int64_t last, stop_at;
    int calls;
} Heard;

static int hear(void *user, const PepaProgress *now)
{
    Heard *h = user;
    cr_expect_str_eq(now->phase, "experiment");
    cr_expect_eq(now->measure, 100);
    cr_expect_geq(now->count, h->last);
    h->last = now->count;
    h->calls++;
    return now->count >= h->stop_at;
}

Test(experiment_failures, progress)
{
    double r[100], value[100];
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    for (int i = 0; i < 100; i++)
        r[i] = i + 1;
    const PepaExperiment what = {.vary = (PepaVary[]){{"r", r, 100}}, .count = 1};
    for (a.set.threads = 1; a.set.threads <= 2; a.set.threads++) {
        Heard heard = {.stop_at = INT64_MAX};
        PepaError err = {0};
        a.set.progress = hear;
        a.set.user = &heard;
        cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, &a.set, value, NULL,
                                              &err),
                     PEPA_OK, "%s", err.message);
        cr_expect_gt(heard.calls, a.set.threads == 1 ? 99 : 0);
        heard = (Heard){.stop_at = a.set.threads == 1 ? 10 : 0};
        cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, &a.set, value, NULL,
                                              &err),
                     PEPA_ECANCEL);
    }
    asked_free(&a);
}

/* A limit on memory that is too small is said before anything is solved. */
Test(experiment_failures, memory)
{
    const double r[] = {1, 2};
    double value[2];
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    PepaError err = {0};
    a.set.memory = 1000;
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures,
                                          &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 2}},
                                                            .count = 1},
                                          &a.set, value, NULL, &err),
                 PEPA_ELIMIT);
    cr_expect_eq(err.limit, PEPA_LIMIT_MEMORY);
    asked_free(&a);
}
