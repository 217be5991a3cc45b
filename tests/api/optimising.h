/* Optimisation in tests: a model, a measure and constraints as text; and models with closed forms. */
#ifndef TESTS_API_OPTIMISING_H
#define TESTS_API_OPTIMISING_H

#include <criterion/criterion.h>
#include <string.h>

#include "parsing.h"
#include "pepa_optimise.h"

enum { MOST = 8 };

typedef struct {
    PepaStatus status;
    double rate[MOST], value[MOST];
    uint8_t binding[MOST];
    PepaOptimum found;
    PepaError err;
} Answer;

/* `constraints` ends with NULL. */
static inline Answer optimise(const char *text, const char *objective, bool maximise,
                              const PepaWithin *within, size_t count,
                              const char *const *constraints, const PepaSettings *set)
{
    Answer a = {0};
    PepaModel *model = parse(text);
    PepaMeasures *measures = NULL;
    PepaConstraint subject[MOST];
    size_t subjects = 0;
    cr_assert_eq(pepa_measures_new(&measures, model, &a.err) ||
                     pepa_measures_add(measures, "o", objective, strlen(objective), NULL, NULL,
                                       &a.err),
                 PEPA_OK, "%s", a.err.message);
    for (; constraints && constraints[subjects]; subjects++)
        cr_assert_eq(pepa_measures_add_constraint(measures, "c", constraints[subjects],
                                                  strlen(constraints[subjects]), NULL, NULL,
                                                  &subject[subjects], &a.err),
                     PEPA_OK, "%s", a.err.message);
    const PepaOptimise what = {.objective =
                                   pepa_measures_count(measures) - 1 - 2 * (int32_t)subjects,
                               .maximise = maximise,
                               .within = within,
                               .within_count = count,
                               .subject = subject,
                               .subject_count = subjects};
    a.status =
        pepa_optimise(model, measures, &what, set, a.rate, a.value, a.binding, &a.found, &a.err);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return a;
}

/* ---- one queue: M/M/1/K -------------------------------------------------------------------- */

static const char queue[] = "lambda = 1; mu = 2; places = 40;\n"
                            "Free = (arrive, lambda).Full; Full = (serve, T).Free;\n"
                            "Source = (arrive, lambda).Source; Server = (serve, mu).Server;\n"
                            "Place = (arrive, T).Job; Job = (serve, T).Place;\n"
                            "Source <arrive> Place[places] <serve> Server";

/* The mean number in M/M/1/K. */
static inline double jobs_in(double lambda, double mu, int k)
{
    double p = 1, sum = 1, mean = 0;
    for (int n = 1; n <= k; n++) {
        p *= lambda / mu;
        sum += p;
        mean += n * p;
    }
    return mean / sum;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* M/M/n with a finite number of customers is not Erlang's; so arrivals are lost without a server. */
static const char lines[] = "offered = 8; servers = 3;\n"
                            "Source = (call, offered).Source; Line = (call, T).Busy;\n"
                            "Busy = (end, 1).Line;\n"
                            "Source <call> Line[servers]";

/* Erlang's loss formula. */
static inline double blocking(double offered, int servers)
{
    double b = 1;
    for (int n = 1; n <= servers; n++)
        b = offered * b / (n + offered * b);
    return b;
}

#endif
