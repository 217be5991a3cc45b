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

/* The values and statuses of an experiment that goes on after failures are those of each point alone;
 * the error is that of the first. */
static void expect_others(const Asked *a, const PepaVary *vary, size_t count)
{
    const PepaExperiment axes = {.vary = vary, .count = count};
    const size_t points = points_of(&axes);
    const int32_t items = pepa_measures_count(a->measures);
    PepaStatus ended[512];
    double value[1024];
    PepaError err = {0}, why = {0};
    PepaExperimentInfo info = {.failed = -7};
    size_t solved = 0, first = points;
    cr_assert(points <= 512 && points * (size_t)items <= 1024);
    memset(ended, 0xff, sizeof ended);
    const PepaExperiment what = {.vary = vary, .count = count, .status = ended};
    const PepaStatus all =
        pepa_experiment_measures(a->chain, a->measures, &what, &a->set, value, &info, &err);
    for (size_t k = 0; k < points; k++) {
        double at[4], alone[8];
        PepaVary one[4];
        PepaError no = {0};
        size_t left = k;
        for (size_t i = count; i-- > 0; left /= vary[i].count) {
            at[i] = vary[i].value[left % vary[i].count];
            one[i] = (PepaVary){vary[i].rate, &at[i], 1};
        }
        const PepaStatus status =
            pepa_experiment_measures(a->chain, a->measures,
                                     &(PepaExperiment){.vary = one, .count = count}, &a->set, alone,
                                     NULL, &no);
        cr_expect_eq(ended[k], status, "point %zu: %d, alone %d", k, (int)ended[k], (int)status);
        for (int32_t i = 0; i < items && status == PEPA_OK; i++)
            cr_expect_float_eq(value[k * (size_t)items + (size_t)i], alone[i],
                               1e-9 * fabs(alone[i]), "point %zu", k);
        for (int32_t i = 0; i < items && status != PEPA_OK; i++)
            cr_expect(isnan(value[k * (size_t)items + (size_t)i]), "point %zu", k);
        if (status != PEPA_OK && first == points) {
            first = k;
            why = no;
        }
        solved += status == PEPA_OK;
    }
    cr_expect_eq(info.failed, (int64_t)first);
    cr_expect_eq(info.points, (int64_t)solved);
    cr_expect_eq(all, why.code);
    cr_expect_eq(err.code, why.code);
    cr_expect_eq(err.limit, why.limit);
    cr_expect_str_eq(err.message, why.message);
}

Test(experiment_failures, others_are_solved)
{
    double r[200], jobs[] = {2, 1, 1.5, 3, 40};
    const double s[] = {1, -2, 3};
    for (int i = 0; i < 200; i++)
        r[i] = i == 150 || i == 77 ? 0 : i == 199 ? -1 : 1 + i % 7;
    for (int threads = 1; threads <= 3; threads++) {
        Asked a = ask(line, "throughput:in\npopulation:B1", PEPA_EXPLICIT, NULL, 0);
        a.set.threads = threads;
        a.set.derive.max_states = 5000;
        expect_others(&a, (PepaVary[]){{"r", r, 200}}, 1);
        expect_others(&a, (PepaVary[]){{"jobs", jobs, 5}, {"r", r + 75, 5}}, 2);
        expect_others(&a, (PepaVary[]){{"r", r + 75, 5}, {"jobs", jobs, 5}, {"s", s, 3}}, 3);
        expect_others(&a, (PepaVary[]){{"r", r + 75, 5}, {"jobs", jobs, 5}}, 2);
        expect_others(&a, (PepaVary[]){{"r", r + 77, 1}}, 1);
        a.set.solve.method = PEPA_GAUSS_SEIDEL;
        a.set.solve.max_iter = 1;
        expect_others(&a, (PepaVary[]){{"r", r, 20}}, 1);
        asked_free(&a);
    }
}

/* Points that have a structure of their own may fail as well. */
Test(experiment_failures, others_with_structures_are_solved)
{
    static const char text[] = "on = 1; r = 2;\nP = (a, on * Q).Q + (b, r).Q; Q = (c, 1).P; P[3]";
    const double on[] = {1, 0, -1, 2, 0, 3}, r[] = {1, 0, 2};
    Asked a = ask(text, "throughput:a\nthroughput:b", PEPA_EXPLICIT, NULL, 0);
    expect_others(&a, (PepaVary[]){{"on", on, 6}, {"r", r, 3}}, 2);
    expect_others(&a, (PepaVary[]){{"r", r, 3}, {"on", on, 6}}, 2);
    asked_free(&a);
}

typedef struct {
    int64_t last, stop_at, points;
    int calls;
} Heard;

static int hear(void *user, const PepaProgress *now)
{
    Heard *h = user;
    cr_expect_str_eq(now->phase, "experiment");
    cr_expect_eq(now->measure, h->points);
    cr_expect_geq(now->count, h->last);
    h->last = now->count;
    h->calls++;
    return now->count >= h->stop_at;
}

/* What is no failure of a point ends the experiment. */
Test(experiment_failures, others_are_not_solved_after_all)
{
    const double r[] = {1, 2, 0, 3}, jobs[] = {1.5, 2};
    PepaStatus ended[4];
    double value[4];
    PepaError err = {0};
    PepaExperimentInfo info = {.failed = -7};
    Heard heard = {.stop_at = 0, .points = 4};
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    a.set.progress = hear;
    a.set.user = &heard;
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures,
                                          &(PepaExperiment){.vary = (PepaVary[]){{"r", r, 4}},
                                                            .count = 1,
                                                            .status = ended},
                                          &a.set, value, &info, &err),
                 PEPA_ECANCEL);
    cr_expect_eq(info.failed, -7);
    heard = (Heard){.stop_at = 2, .points = 4};
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures,
                                          &(PepaExperiment){
                                              .vary = (PepaVary[]){{"jobs", jobs, 2}, {"r", r, 2}},
                                              .count = 2,
                                              .status = ended},
                                          &a.set, value, &info, &err),
                 PEPA_ECANCEL);
    cr_expect_eq(info.failed, -7);
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
    what.reserved[5] = 1;
    cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, NULL, &value, NULL, &err),
                 PEPA_EARG);
    cr_expect(strstr(err.message, "reserved words must be 0"));
    asked_free(&a);
    asked_free(&b);
}

Test(experiment_failures, progress)
{
    double r[100], value[100];
    Asked a = ask(line, "throughput:in", PEPA_EXPLICIT, NULL, 0);
    for (int i = 0; i < 100; i++)
        r[i] = i + 1;
    const PepaExperiment what = {.vary = (PepaVary[]){{"r", r, 100}}, .count = 1};
    for (a.set.threads = 1; a.set.threads <= 2; a.set.threads++) {
        Heard heard = {.stop_at = INT64_MAX, .points = 100};
        PepaError err = {0};
        a.set.progress = hear;
        a.set.user = &heard;
        cr_expect_eq(pepa_experiment_measures(a.chain, a.measures, &what, &a.set, value, NULL,
                                              &err),
                     PEPA_OK, "%s", err.message);
        cr_expect_gt(heard.calls, a.set.threads == 1 ? 99 : 0);
        heard = (Heard){.stop_at = a.set.threads == 1 ? 10 : 0, .points = 100};
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
