/* Solvers of linear systems that lie to the absorption probabilities: the answer is refused, whatever
 * the solver says of it. */
#include "measure/steady.h"
#include "support.h"

#include <math.h>
#include <string.h>

static PepaStatus lie(PepaMethod method, const Flow *flow, const Control *control, double *y,
                      Outcome *out, PepaError *err);

/* The same file as in the library, with another solver and nothing censored first. */
#define CENSOR_FIRST     0
#define CENSOR_SOON      0
#define CENSOR_CELLS     1
#define solve_flow       lie
#define absorption       absorption_of_liar
#define absorption_times times_of_liar
#include "measure/absorption.c"

static double told[3];

static PepaStatus lie(PepaMethod method, const Flow *flow, const Control *control, double *y,
                      Outcome *out, PepaError *err)
{
    (void)method;
    (void)control;
    (void)err;
    cr_assert_eq(flow->n, 3);
    memcpy(y, told, sizeof told);
    *out = (Outcome){.method = "liar"};
    return PEPA_OK;
}

/* P ends in A by way of Q, or in B by way of R, with probability 1/2 each. */
Test(lying_solvers, visits)
{
    const double lies[][3] =
        {{1, 0.5, 0.5},        {1, 0.999, 0.001},    {1, 0.5 + 1e-8, 0.5 - 1e-8},
         {2, 0.5, 0.5},        {1 + 1e-8, 0.5, 0.5}, {1, 1.5, -0.5},
         {1, NAN, 0.5},        {NAN, 0.5, 0.5},      {1, INFINITY, 0.5},
         {1, 0.5 + 1e-8, 0.5}, {1, 0.5, 0.5 + 1e-11}};
    const char text[] = "P = (a, 1).Q + (b, 1).R; Q = (c, 1).A + (again, 5).Q; R = (d, 1).B;\n"
                        "A = (x, 1).A2; A2 = (x2, 1).A; B = (y, 1).B2; B2 = (y2, 1).B; P";
    Derived d = derive(text, 1);
    PepaSettings set = settings_for_tests();
    cr_assert_eq(d.status, PEPA_OK);
    cr_assert_eq(d.chain->bottom_count, 2);
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        const bool right = k == 0 || k + 1 == sizeof lies / sizeof *lies;
        double weight[2];
        PepaError err = {0};
        memcpy(told, lies[k], sizeof told);
        set.solve.tolerance = 1e-10;
        PepaStatus status = absorption_of_liar(d.chain, d.chain->now.term, &set, weight, &err);
        cr_expect_eq(status, right ? PEPA_OK : PEPA_ENOCONV, "lie %zu: %.12g", k, weight[0]);
        if (right)
            cr_expect_float_eq(weight[0], 0.5, 1e-10);
    }
    derived_free(&d);
}

/* The same model; Q is left by c once for each visit. */
Test(lying_solvers, times)
{
    const double lies[][3] = {{1, 0.5, 0.5},   {0.5, 0.25, 0.25}, {1, 0.6, 0.4},   {1, 0.5, 0.6},
                              {NAN, 0.5, 0.5}, {1, 0.5, NAN},     {1, 0.5, 1e300}, {2, 1, 1}};
    const char text[] = "P = (a, 1).Q + (b, 1).R; Q = (c, 4).A + (again, 5).Q; R = (d, 1).B;\n"
                        "A = (x, 1).A2; A2 = (x2, 1).A; B = (y, 1).B2; B2 = (y2, 1).B; P";
    Derived d = derive(text, 1);
    PepaSettings set = settings_for_tests();
    cr_assert_eq(d.status, PEPA_OK);
    double *time = calloc((size_t)d.chain->state_count, sizeof *time);
    set.solve.tolerance = 1e-10;
    for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
        double weight[2], sum = 0;
        PepaError err = {0};
        memcpy(told, lies[k], sizeof told);
        bool eliminate = false;
        PepaStatus status =
            times_of_liar(d.chain, d.chain->now.term, &set, &eliminate, time, weight, &err);
        cr_expect_eq(status, k == 0 ? PEPA_OK : PEPA_ENOCONV, "lie %zu: %.12g", k, weight[0]);
        if (status != PEPA_OK)
            continue;
        for (int64_t s = 0; s < d.chain->state_count; s++)
            sum += time[s];
        cr_expect_float_eq(sum, 0.5 + 0.125 + 0.5, 1e-10, "lie %zu: %.12g", k, sum);
    }
    free(time);
    derived_free(&d);
}
