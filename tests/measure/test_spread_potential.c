/* Potentials that processes find together: r + Q h is the mean of each bottom component, in closed form,
 * whatever is guessed, and however many processes there are. */
#include <math.h>

#include "api/handles.h"
#include "base/mem.h"
#include "ctmc/targets.h"
#include "measure/shared.h"
#include "deriving.h"
#include "run_together.h"
#include "settings.h"
#include "support.h"

enum { PARTS = 8 };

/* In: what is asked; out, per process: what was found. */
typedef struct {
    PepaModel *model;
    const char *action; /* that is counted */
    double guess;       /* by which means are multiplied: 1 is right */
    int32_t skipped;    /* component that is not wanted, or -1 */
    PepaStatus status[MOST_TOGETHER];
    PepaError err[MOST_TOGETHER];
    int32_t count[MOST_TOGETHER]; /* components */
    double low[MOST_TOGETHER][PARTS],
        high[MOST_TOGETHER][PARTS];     /* of r + Q h in each, in all processes */
    double beside[MOST_TOGETHER];       /* the largest |h| where h is to be 0 */
    double zeros[MOST_TOGETHER][PARTS]; /* own states of a component whose h is 0 */
} Asked;

typedef struct {
    const Chain *chain;
    int32_t action;
    const double *h;
    double *reward, *w;
} Sums;

static void add_reward(void *user, const Transition *t)
{
    Sums *s = user;
    s->reward[t->from] += t->action == s->action ? s->chain->now.term[t->term] : 0;
}

static void add_step(void *user, const Transition *t, double h)
{
    Sums *s = user;
    s->w[t->from] += s->chain->now.term[t->term] * (h - s->h[t->from]);
}

/* mean: per component, of r by pi. */
static void find_means(const Chain *c, const double *pi, const double *reward, double *mean)
{
    double sums[2 * PARTS] = {0};
    for (int64_t i = 0; i < c->state_count; i++) {
        const int32_t k = chain_component(c, i);
        if (k < 0)
            continue;
        sums[2 * k] += pi[i] * reward[i];
        sums[2 * k + 1] += pi[i];
    }
    chain_sum(c, sums, 2 * PARTS);
    for (int32_t k = 0; k < c->bottom_count; k++)
        mean[k] = sums[2 * k] / sums[2 * k + 1];
}

static void judge(Asked *a, int32_t rank, const Chain *c, const double *w, const double *h)
{
    double x[2 * PARTS];
    for (int32_t k = 0; k < 2 * PARTS; k++)
        x[k] = -HUGE_VAL;
    for (int64_t i = 0; i < c->state_count; i++) {
        const int32_t k = chain_component(c, i);
        if (k < 0 || k == a->skipped) {
            a->beside[rank] = fmax(a->beside[rank], fabs(h[i]));
            continue;
        }
        x[2 * k] = fmax(x[2 * k], -w[i]);
        x[2 * k + 1] = fmax(x[2 * k + 1], w[i]);
        a->zeros[rank][k] += h[i] == 0;
    }
    chain_largest(c, x, 2 * PARTS);
    for (int32_t k = 0; k < PARTS; k++) {
        a->low[rank][k] = -x[2 * k];
        a->high[rank][k] = x[2 * k + 1];
    }
    a->count[rank] = c->bottom_count;
}

static PepaStatus find(Asked *a, int32_t rank, const Encloser *by, const double *pi,
                       const PepaSettings *set, PepaError *err)
{
    const Chain *c = by->chain;
    const size_t n = (size_t)c->state_count;
    double *reward = calloc(n + 1, sizeof *reward), *h = calloc(n + 1, sizeof *h),
           *w = calloc(n + 1, sizeof *w), mean[PARTS] = {0}, tolerance[PARTS];
    Sums s = {c, -1, h, reward, w};
    for (int32_t k = 0; k < c->action_count; k++)
        if (strcmp(c->model->actions[c->actions[k]], a->action) == 0)
            s.action = c->actions[k];
    PepaStatus status = chain_agree(c, chain_each_transition(c, add_reward, &s, err), err);
    if (status == PEPA_OK) {
        find_means(c, pi, reward, mean);
        for (int32_t k = 0; k < PARTS; k++) {
            mean[k] *= a->guess;
            tolerance[k] = k == a->skipped ? 0 : set->solve.tolerance;
        }
        status = spread_potential_solve(by->together, set, tolerance, mean, reward, h, err);
    }
    memcpy(w, reward, n * sizeof *w);
    if (status == PEPA_OK)
        status = spread_each_target(c, h, add_step, &s, err);
    if (status == PEPA_OK)
        judge(a, rank, c, w, h);
    free(reward);
    free(h);
    free(w);
    return status;
}

static void ask_one(const PepaProcesses *p, void *user)
{
    Asked *a = user;
    Chain *chain = NULL;
    Shared shared = {0};
    Encloser by;
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaError *err = &a->err[p->rank];
    set.derive.max_states = 100000;
    set.solve.tolerance = 1e-12;
    PepaStatus status =
        derive_parts(&chain, a->model->model, p, p->count % 2 == 0, &set, &diags, err);
    if (status == PEPA_OK)
        status = shared_solve(&shared, chain, p, &set, NULL, err);
    if (status == PEPA_OK)
        status = shared_encloser(&shared, &set, &by, err);
    for (int twice = 0; twice < 2 && status == PEPA_OK; twice++) { /* v and factors are kept */
        memset(a->zeros[p->rank], 0, sizeof a->zeros[p->rank]);
        status = find(a, p->rank, &by, shared.pi, &set, err);
    }
    a->status[p->rank] = status;
    shared_free(&shared);
    chain_free(chain);
    diag_free(&diags);
}

static void ask(Asked *a, const char *text, const char *action, double guess, int32_t skipped,
                int32_t processes)
{
    memset(a, 0, sizeof *a);
    a->action = action;
    a->guess = guess;
    a->skipped = skipped;
    cr_assert_eq(pepa_model_parse(&a->model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    run_together(processes, ask_one, a);
    pepa_model_free(a->model);
    for (int32_t k = 0; k < processes; k++)
        cr_assert_eq(a->status[k], PEPA_OK, "%d of %d: %s", (int)k, (int)processes,
                     a->err[k].message);
}

/* r + Q h of component k is flat; its value. */
static double level(const Asked *a, int32_t k)
{
    const double low = a->low[0][k], high = a->high[0][k];
    cr_assert_leq(high - low, 1e-9 * fabs(high), "component %d: %.17g to %.17g", (int)k, low, high);
    return (low + high) / 2;
}

/* In how many of its states, in all processes, h is 0: in its reference state. */
static double zeros(const Asked *a, int32_t k)
{
    double sum = 0;
    for (int32_t p = 0; p < MOST_TOGETHER; p++)
        sum += a->zeros[p][k];
    return sum;
}

/* 4 x 2 / 3 per unit of time, and a beginning that is left for ever. */
static const char one[] = "I = (i, 5).P; P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (d, 4).R; "
                          "P[3] || R[4] || I";

Test(spread_potential, of_one_component)
{
    static Asked a;
    for (int32_t processes = 1; processes <= 5; processes++)
        for (double guess = 0; guess < 3; guess++) {
            ask(&a, one, "a", guess, -1, processes);
            cr_assert_eq(a.count[0], 1);
            cr_assert_float_eq(level(&a, 0), 8.0 / 3, 1e-9);
            for (int32_t k = 0; k < processes; k++)
                cr_assert_eq(a.beside[k], 0, "h is %g in states that are left", a.beside[k]);
            cr_assert_geq(zeros(&a, 0), 1);
        }
}

/* Three components: x 2 / 3 of the time in one, 3 / 4 in another, a single state beside them in the third, where
 * only the rest goes on. */
static const char several[] =
    "S = (l, 1).L + (m, 3).M + (n, 2).N; L = (x, 1).L2; L2 = (y, 2).L; M = (x, 3).M2; "
    "M2 = (y, 1).M; N = (z, 1).N; P = (a, 1).Q; Q = (b, 2).P; P[3] || S";

/* How many components are at this level. */
static int32_t at(const Asked *a, double wanted)
{
    int32_t count = 0;
    for (int32_t k = 0; k < a->count[0]; k++)
        count += k != a->skipped && fabs(level(a, k) - wanted) <= 1e-9;
    return count;
}

Test(spread_potential, of_several_components)
{
    static Asked a;
    for (int32_t processes = 1; processes <= 5; processes++) {
        ask(&a, several, "x", 1, -1, processes);
        cr_assert_eq(a.count[0], 3);
        cr_assert_eq(at(&a, 2.0 / 3), 1);
        cr_assert_eq(at(&a, 0.75), 1);
        cr_assert_eq(at(&a, 0), 1);
        for (int32_t k = 0; k < processes; k++)
            cr_assert_eq(a.beside[k], 0);
        ask(&a, several, "a", 1, -1, processes);
        cr_assert_eq(at(&a, 2), 3);
    }
}

Test(spread_potential, of_what_is_wanted_only)
{
    static Asked a;
    for (int32_t skipped = 0; skipped < 3; skipped++) {
        ask(&a, several, "a", 0.5, skipped, 3);
        cr_assert_eq(at(&a, 2), 2);
        for (int32_t k = 0; k < 3; k++)
            cr_assert_eq(a.beside[k], 0, "h is %g where it is not wanted", a.beside[k]);
    }
}

/* Rewards that differ by five powers of ten do not hide each other. */
Test(spread_potential, of_components_of_different_scale)
{
    static Asked a;
    static const char text[] =
        "S = (l, 1).L + (m, 3).M; L = (x, 1e-3).L2; L2 = (y, 2e-3).L; M = (x, 3e2).M2; "
        "M2 = (y, 1e2).M; P = (a, 1).Q; Q = (b, 2).P; P[2] || S";
    for (int32_t processes = 1; processes <= 4; processes++) {
        ask(&a, text, "x", 1, -1, processes);
        cr_assert_eq(a.count[0], 2);
        const double less = fmin(level(&a, 0), level(&a, 1)),
                     more = fmax(level(&a, 0), level(&a, 1));
        cr_assert_float_eq(less, 2e-3 / 3, 1e-12);
        cr_assert_float_eq(more, 75, 1e-7);
    }
}
