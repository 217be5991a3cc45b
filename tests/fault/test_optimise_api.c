/* Optimisation, and constraints as text, with each allocation failing. */
#include <math.h>

#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_optimise.h"

static PepaStatus constrain(PepaMeasures *measures, const char *text, PepaConstraint *out,
                            PepaError *err)
{
    return pepa_measures_add_constraint(measures, "c", text, strlen(text), NULL, NULL, out, err);
}

static PepaStatus call_constraint(World *w, PepaError *err)
{
    PepaConstraint c = {-7, -7, 0};
    const int32_t before = pepa_measures_count(w->measures);
    PepaStatus status = constrain(w->measures, "N / X >= r + s", &c, err);
    cr_assert_eq(pepa_measures_count(w->measures), before + (status == PEPA_OK ? 2 : 0));
    cr_assert_eq(c.bound, status == PEPA_OK ? before + 1 : -7);
    return status;
}

static PepaStatus call_no_constraint(World *w, PepaError *err)
{
    PepaConstraint c;
    PepaStatus status = constrain(w->measures, "N < 1", &c, err);
    cr_assert(status == PEPA_EARG || status == PEPA_ENOMEM);
    return status == PEPA_EARG ? PEPA_OK : status;
}

/* What is the same whatever method answers: to three digits, since the last steps of a search depend
 * on the last digits of solutions. */
static void say_optimum(World *w, const double *rate, size_t rates, const PepaOptimum *found)
{
    for (size_t i = 0; i < rates; i++)
        text_add(&w->said, "%.2g ", rate[i]);
    text_add(&w->said, "%.3g %d\n", found->objective, found->global);
}

/* With measures of its own, so that the world stays as it is. */
static PepaStatus optimise_with(World *w, const PepaModel *model, PepaMeasures *measures,
                                const char *constraint, const PepaWithin *within, PepaError *err)
{
    double rate = -7, value[3];
    uint8_t binding[2];
    PepaOptimum found = {0};
    PepaConstraint subject = {0};
    PepaStatus status = constraint ? constrain(measures, constraint, &subject, err) : PEPA_OK;
    if (status != PEPA_OK)
        return status;
    const PepaOptimise what = {.within = within,
                               .within_count = 1,
                               .subject = &subject,
                               .subject_count = constraint ? 1 : 0};
    status = pepa_optimise(model, measures, &what, NULL, &rate, value, binding, &found, err);
    cr_assert(status == PEPA_OK || found.failed || rate == -7);
    if (status == PEPA_OK)
        say_optimum(w, &rate, 1, &found);
    return status;
}

static PepaStatus optimise(World *w, const PepaModel *model, const char *objective,
                           const char *constraint, const PepaWithin *within, PepaError *err)
{
    PepaMeasures *measures = NULL;
    PepaStatus status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "o", objective, strlen(objective), NULL, NULL, err);
    if (status == PEPA_OK)
        status = optimise_with(w, model, measures, constraint, within, err);
    pepa_measures_free(measures);
    return status;
}

static PepaStatus call_optimise(World *w, PepaError *err)
{
    static const PepaWithin within = {"r", 1, 4};
    return optimise(w, w->model, "rate:r + 10 * population:Q", "throughput:d >= 1", &within, err);
}

/* A model with copies, of its own. */
static PepaStatus of_copies(World *w, const char *objective, const char *constraint,
                            const PepaWithin *within, PepaError *err)
{
    static const char text[] = "n = 3; a = 1;\n"
                               "S = (c, 2).S; P = (c, T).Q; Q = (e, a).P; S <c> P[n]";
    PepaModel *model = NULL;
    PepaStatus status = pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, err);
    if (status == PEPA_OK)
        status = optimise(w, model, objective, constraint, within, err);
    pepa_model_free(model);
    return status;
}

static PepaStatus call_enumerate(World *w, PepaError *err)
{
    static const PepaWithin within = {"n", 1, 4};
    return of_copies(w, "rate:n", "throughput:c >= 1.2", &within, err);
}

static PepaStatus call_pattern(World *w, PepaError *err)
{
    static const PepaWithin within = {"n", 1, 5000};
    return of_copies(w, "rate:n / 5 - throughput:c", NULL, &within, err);
}

static PepaStatus call_unknown_rate(World *w, PepaError *err)
{
    static const PepaWithin within = {"rr", 1, 4};
    PepaStatus status = optimise(w, w->model, "rate:r", NULL, &within, err);
    cr_assert(status == PEPA_EARG || status == PEPA_ENOMEM);
    return status == PEPA_EARG ? PEPA_OK : status;
}

Test(fault_optimise_api, constraints)
{
    replay("pepa_measures_add_constraint", call_constraint);
    replay("pepa_measures_add_constraint, wrong", call_no_constraint);
}

Test(fault_optimise_api, continuous)
{
    replay("pepa_optimise", call_optimise);
}

Test(fault_optimise_api, whole)
{
    replay("pepa_optimise, enumerating", call_enumerate);
    replay("pepa_optimise, by a pattern", call_pattern);
}

Test(fault_optimise_api, wrong)
{
    replay("pepa_optimise, an unknown rate", call_unknown_rate);
}
