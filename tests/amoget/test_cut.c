/* Cuts from solutions that are right, nearly right, and wrong: each lies below the time per item
 * everywhere, which is solved for afresh. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "amoget/model/cut.h"
#include "amoget/model/generate.h"
#include "amoget/model/pipeline_chain.h"
#include "lattice.h"

enum { STAGES = 3, POINTS = 40, WRONG = 300 };

typedef struct {
    Shape shape;
    int32_t activities, states;
    PepaModel *model;
    PepaChain *chain;
    PepaSteady *steady;
    PipelineChain *judge; /* solves the points; nothing of the chain above */
    CutWorkspace work;
    double *pi, *h, *derivative;
    double point[POINTS][MOST_ACTIVITIES], time[POINTS];
} Trial;

/* A linear congruential generator: Knuth's MMIX. */
static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) / 2147483648.0;
}

/* Durations over six orders of magnitude. */
static void spread(uint64_t *state, int32_t activities, double *seconds)
{
    for (int32_t k = 0; k < activities; k++)
        seconds[k] = pow(10, 6 * uniform(state) - 3);
}

static void set_rates(Trial *t, const double *seconds)
{
    for (int32_t k = 0; k < t->activities; k++) {
        char name[24];
        int32_t n = t->shape.stages;
        bool take = k > 2 * n, process = !take && k % 2;
        (void)snprintf(name, sizeof name,
                       take      ? "kappa%d"
                       : process ? "mu%d"
                                 : "lambda%d",
                       take ? k - 2 * n + 1 : k / 2 + 1);
        double rate = (process ? t->shape.phases[k / 2] : 1) / seconds[k];
        cr_assert_eq(pepa_chain_set_rate(t->chain, name, rate, NULL), PEPA_OK);
    }
}

/* pi and h at these durations: h from the sensitivities of the library. */
static void solve(Trial *t, const double *seconds)
{
    PepaError err = {0};
    PepaSettings set = {0};
    set.solve.tolerance = 1e-12;
    set_rates(t, seconds);
    cr_assert_eq(pepa_steady_solve(t->steady, &set, t->pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_sensitivities(t->steady, &set, t->pi, "process1", t->h, t->derivative,
                                           NULL, &err),
                 PEPA_OK, "%s", err.message);
}

static void trial_new(Trial *t, AmogetTransfer transfer, int phases, uint64_t *state)
{
    PepaError err = {0};
    Text text = {0};
    AmogetDescription *desc = lattice(STAGES, 2);
    cr_assert_eq(amoget_set_transfer(desc, transfer, &err), PEPA_OK);
    cr_assert_eq(amoget_set_phases(desc, 0, phases, &err), PEPA_OK);
    *t = (Trial){.shape = shape_free(desc, 0, STAGES)};
    t->activities = shape_activities(&t->shape);
    generate_chain_model(&text, &t->shape);
    cr_assert_eq(pepa_model_parse(&t->model, "cut", text.text, text.length, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&t->chain, t->model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_steady_new(&t->steady, t->chain, &err), PEPA_OK);
    cr_assert_eq(cut_workspace_new(&t->work, t->chain, &t->shape, &err), PEPA_OK);
    t->states = (int32_t)pepa_chain_info(t->chain).states;
    t->pi = mem_alloc((size_t)t->states, sizeof *t->pi);
    t->h = mem_alloc((size_t)t->states, sizeof *t->h);
    t->derivative = mem_alloc((size_t)pepa_model_rate_count(t->model), sizeof *t->derivative);
    cr_assert_eq(pipeline_chain_new(&t->judge, &t->shape, 1000000, NULL, &err), PEPA_OK);
    for (int p = 0; p < POINTS; p++) {
        ChainAnswer answer;
        spread(state, t->activities, t->point[p]);
        cr_assert_eq(pipeline_chain_solve(t->judge, t->point[p],
                                          &(ChainQuestion){.tolerance = 1e-12}, &answer, &err),
                     PEPA_OK, "%s", err.message);
        t->time[p] = answer.time;
    }
    text_free(&text);
    amoget_free(desc);
}

static void trial_free(Trial *t)
{
    cut_workspace_free(&t->work);
    pipeline_chain_free(t->judge);
    pepa_steady_free(t->steady);
    pepa_chain_free(t->chain);
    pepa_model_free(t->model);
    mem_free(t->pi);
    mem_free(t->h);
    mem_free(t->derivative);
}

static double value(const Trial *t, const double *slope, const double *seconds)
{
    double sum = 0;
    for (int32_t k = 0; k < t->activities; k++)
        sum += slope[k] * seconds[k];
    return sum;
}

/* The cut rises with every duration, and is below every point; 1e-10: the points' own error. */
static void expect_below(const Trial *t, const double *slope, const char *what, double size)
{
    for (int32_t k = 0; k < t->activities; k++)
        cr_assert(slope[k] >= 0, "%s wrong by %g: %g", what, size, slope[k]);
    for (int p = 0; p < POINTS; p++)
        cr_assert(value(t, slope, t->point[p]) <= t->time[p] * (1 + 1e-10),
                  "%s wrong by %g: %.15g above %.15g", what, size, value(t, slope, t->point[p]),
                  t->time[p]);
}

static void one_manner(AmogetTransfer transfer, int phases, uint64_t *state)
{
    static Trial t;
    double slope[MOST_ACTIVITIES];
    trial_new(&t, transfer, phases, state);
    for (int p = 0; p < POINTS; p += 8) { /* right: nearly tight where it was made */
        solve(&t, t.point[p]);
        cut_certify(&t.work, t.point[p], t.pi, t.h, slope);
        expect_below(&t, slope, "nothing", 0);
        double gap = 1 - value(&t, slope, t.point[p]) / t.time[p];
        cr_expect(gap < 1e-6, "gap %g", gap);
    }
    for (int w = 0; w < WRONG; w++) {
        int p = w % POINTS;
        double size = pow(10, -12.0 + 13 * uniform(state));
        if (w < POINTS || w % 3 == 0)
            solve(&t, t.point[p]);
        else
            set_rates(&t, t.point[p]); /* of another point: wrong altogether */
        for (int32_t i = 0; i < t.states; i++) {
            double noise = 1 + size * (2 * uniform(state) - 1);
            t.pi[i] *= w % 2 ? fmax(noise, 0) : 1;
            t.h[i] += w % 4 < 2 ? size * (2 * uniform(state) - 1) : 0;
        }
        cut_certify(&t.work, t.point[p], t.pi, t.h, slope);
        expect_below(&t, slope, w % 2 ? "pi" : "h", size);
    }
    trial_free(&t);
}

Test(cut, is_below_the_time_per_item_however_wrong_the_solution_is)
{
    uint64_t state = 20260101;
    for (int phases = 1; phases <= 3; phases += 2) {
        one_manner(AMOGET_RENDEZVOUS, phases, &state);
        one_manner(AMOGET_BUFFERED, phases, &state);
    }
}

/* The same errors in shares that are believed do make planes that are too high: the trials above
 * are hard enough to tell. */
Test(cut, shares_that_are_believed_would_fail)
{
    static Trial t;
    uint64_t state = 7;
    int above = 0;
    trial_new(&t, AMOGET_RENDEZVOUS, 1, &state);
    for (int p = 0; p < POINTS; p++) {
        double naive[MOST_ACTIVITIES];
        ChainAnswer answer;
        cr_assert_eq(pipeline_chain_solve(t.judge, t.point[p],
                                          &(ChainQuestion){.tolerance = 1e-12, .shares = true},
                                          &answer, NULL),
                     PEPA_OK);
        for (int32_t k = 0; k < t.activities; k++)
            naive[k] = (answer.share[k] + 1e-6) * answer.time / t.point[p][k];
        for (int q = 0; q < POINTS; q++)
            above += value(&t, naive, t.point[q]) > t.time[q] * (1 + 1e-10);
    }
    cr_expect_gt(above, POINTS);
    trial_free(&t);
}

Test(cut, says_nothing_when_the_solution_is_no_solution)
{
    static Trial t;
    uint64_t state = 11;
    double slope[MOST_ACTIVITIES];
    const double bad[] = {NAN, INFINITY, -1};
    trial_new(&t, AMOGET_RENDEZVOUS, 1, &state);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        solve(&t, t.point[0]);
        t.pi[3] = bad[b];
        cut_certify(&t.work, t.point[0], t.pi, t.h, slope);
        for (int32_t k = 0; k < t.activities; k++)
            cr_expect_eq(slope[k], 0, "pi %g", bad[b]);
        solve(&t, t.point[0]);
        t.h[3] = bad[b];
        cut_certify(&t.work, t.point[0], t.pi, t.h, slope);
        expect_below(&t, slope, "h", bad[b]);
    }
    memset(t.pi, 0, (size_t)t.states * sizeof *t.pi);
    cut_certify(&t.work, t.point[0], t.pi, t.h, slope);
    for (int32_t k = 0; k < t.activities; k++)
        cr_expect(slope[k] <= 0);
    trial_free(&t);
}
