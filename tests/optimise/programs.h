/* Programs in tests: functions with a known optimum, ranges, and what can go wrong. */
#ifndef TESTS_OPTIMISE_PROGRAMS_H
#define TESTS_OPTIMISE_PROGRAMS_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "optimise/program.h"

enum { MOST = 4 };

typedef struct {
    Program program;
    double low[MOST], high[MOST];
    uint8_t whole[MOST];
    /* value, and slope unless that is NULL */
    void (*is)(const double *x, double *value, double *slope);
    bool rough;               /* there are no derivatives */
    double wrong_from;        /* points whose first variable is beyond are PEPA_EMODEL; 0: none */
    int64_t points, fails_at; /* the point that cannot be evaluated; 0: none */
    bool foreseen;
} Known;

static inline PepaStatus evaluate(void *user, const double *x, double *value, double *slope,
                                  PepaError *err)
{
    Known *k = user;
    if (++k->points == k->fails_at)
        return error_set(err, PEPA_ELIMIT, "too large");
    if (k->wrong_from > 0 && x[0] > k->wrong_from)
        return error_set(err, PEPA_EMODEL, "wrong");
    for (int32_t i = 0; i < k->program.variables; i++)
        cr_assert(x[i] >= k->low[i] && x[i] <= k->high[i] && (!k->whole[i] || x[i] == floor(x[i])),
                  "variable %d is %g", i, x[i]);
    k->is(x, value, slope);
    if (slope && k->rough)
        slope[0] = NAN;
    return PEPA_OK;
}

static inline PepaStatus foresee(void *user, const double *x, double *value, PepaError *err)
{
    Known *k = user;
    (void)err;
    for (int32_t c = 0; c <= k->program.constraints; c++)
        value[c] = NAN;
    if (k->foreseen)
        k->is(x, value, NULL);
    return PEPA_OK;
}

static inline Known known(int32_t variables, int32_t constraints,
                          void (*is)(const double *, double *, double *), double low, double high)
{
    Known k = {.is = is,
               .program = {variables, constraints, NULL, NULL, NULL, NULL, evaluate, foresee}};
    for (int i = 0; i < MOST; i++) {
        k.low[i] = low;
        k.high[i] = high;
    }
    return k;
}

/* Search; the caller frees the optimiser. */
static inline Optimiser search(Known *k, bool *all)
{
    Optimiser s;
    k->program.low = k->low;
    k->program.high = k->high;
    k->program.whole = k->whole;
    k->program.user = k;
    *all = false;
    cr_assert_eq(optimiser_new(&s, &k->program, NULL), PEPA_OK);
    if (memchr(k->whole, 1, MOST))
        optimiser_whole(&s, all);
    else
        optimiser_continuous(&s);
    return s;
}

#endif
