/* Experiments in tests: a model, its chain and what is asked of it. */
#ifndef TESTS_API_EXPERIMENTS_H
#define TESTS_API_EXPERIMENTS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_experiment.h"

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaMeasures *measures;
    PepaSettings set;
} Asked;

static inline Asked ask(const char *text, const char *measures, PepaExplore explore,
                        const PepaDefine *defines, size_t define_count)
{
    Asked a = {.set.derive.explore = explore};
    PepaError err = {0};
    const PepaReading how = {.defines = defines, .define_count = define_count};
    cr_assert_eq(pepa_model_parse(&a.model, "m", text, strlen(text), &how, &err) ||
                     pepa_chain_derive(&a.chain, a.model, &a.set, &err) ||
                     pepa_measures_new(&a.measures, a.model, &err) ||
                     pepa_measures_add(a.measures, "asked", measures, strlen(measures), NULL, NULL,
                                       &err),
                 PEPA_OK, "%s", err.message);
    return a;
}

static inline void asked_free(Asked *a)
{
    pepa_measures_free(a->measures);
    pepa_chain_free(a->chain);
    pepa_model_free(a->model);
}

static inline size_t points_of(const PepaExperiment *what)
{
    size_t points = 1;
    for (size_t a = 0; a < what->count; a++)
        points *= what->vary[a].count;
    return points;
}

/* The values, which the caller frees. */
static inline double *experiment(const Asked *a, const PepaExperiment *what,
                                 PepaExperimentInfo *info)
{
    PepaError err = {0};
    double *value =
        calloc(points_of(what) * (size_t)pepa_measures_count(a->measures) + 1, sizeof *value);
    cr_assert_not_null(value);
    cr_assert_eq(pepa_experiment_measures(a->chain, a->measures, what, &a->set, value, info, &err),
                 PEPA_OK, "%s", err.message);
    return value;
}

/* A line of machines with copies, bottlenecks that change, and a rate from which others follow: 54
 * to 360 states with 1 to 3 jobs, 6,534 with 10, so that few states and more are met. */
static const char line[] =
    "r = 1; fast = 2 * r; jobs = 2; s = fast + jobs / 4;\n"
    "A = (in, r).A1; A1 = (x, fast).A2; A2 = (y, s).A;\n"
    "B = (x, T).B1; B1 = (out, 1.5).B; C = (y, T).C1; C1 = (z, s).C2; C2 = (w, r).C;\n"
    "(A[jobs] <x> B[jobs]) <y> (C || C)";
static const char of_line[] = "throughput:{in, z}\npopulation:B1 / throughput:out\n"
                              "probability:{A2 && !enabled(w)}\nresponse:{C1, C2}\nrate:s\n"
                              "1 / (rate:r - 0.5)";

#endif
