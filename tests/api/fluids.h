/* Fluid limits in tests: a model, what is asked of it, and the answer with its warnings. */
#ifndef TESTS_API_FLUIDS_H
#define TESTS_API_FLUIDS_H

#include "pepa_fluid.h"

#include <stdio.h>

#include "api/parsing.h"

enum { MOST = 64 };

typedef struct {
    PepaModel *model;
    PepaMeasures *measures;
    PepaStatus status;
    PepaError err;
    PepaFluidInfo info;
    double x[MOST];
    PepaMoment moment[MOST];
    int warnings;
    char warning[512];
} Asked;

static inline void note(void *user, const PepaDiagnostic *d)
{
    Asked *a = user;
    a->warnings++;
    (void)snprintf(a->warning, sizeof a->warning, "%s", d->message);
}

static inline void read_model(Asked *a, const char *text, const char *measures)
{
    *a = (Asked){.model = parse(text)};
    cr_assert_eq(pepa_measures_new(&a->measures, a->model, &a->err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(a->measures, "m", measures, strlen(measures), NULL, NULL,
                                   &a->err),
                 PEPA_OK, "%s", a->err.message);
}

static inline void forget(Asked *a)
{
    pepa_measures_free(a->measures);
    pepa_model_free(a->model);
}

static inline Asked ask(const char *text, const char *measures, const PepaFluid *at, bool moments)
{
    Asked a;
    read_model(&a, text, measures);
    const PepaSettings set = {.derive.diagnose = note, .user = &a};
    a.status = moments
                   ? pepa_fluid_moments(a.model, a.measures, at, &set, a.moment, &a.info, &a.err)
                   : pepa_fluid_measures(a.model, a.measures, at, &set, a.x, &a.info, &a.err);
    forget(&a);
    return a;
}

static const PepaFluid steady = {.steady = 1};

#endif
