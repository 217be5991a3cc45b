/* Bounds by processes of chains by rows that end in one of several components: they contain
 * closed forms, and are narrow. */
#include <math.h>

#include "api/handles.h"
#include "pepa_shared.h"
#include "deriving.h"
#include "run_together.h"
#include "settings.h"
#include "support.h"

enum { MOST_BOUNDS = 8 };

typedef struct {
    PepaModel *model;
    const char *action[MOST_BOUNDS]; /* until NULL */
    PepaStatus status[MOST_TOGETHER];
    PepaError err[MOST_TOGETHER];
    double low[MOST_TOGETHER][MOST_BOUNDS], high[MOST_TOGETHER][MOST_BOUNDS];
} Bounds;

static void bound_one(const PepaProcesses *p, void *user)
{
    Bounds *b = user;
    PepaChain chain = {.owner = b->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaShared *shared = NULL;
    PepaError *err = &b->err[p->rank];
    set.derive.max_states = 100000;
    PepaStatus status =
        derive_parts(&chain.chain, b->model->model, p, p->count % 2 == 0, &set, &diags, err);
    if (status == PEPA_OK)
        status = pepa_shared_solve(&shared, &chain, p, &set, NULL, err);
    for (int32_t k = 0; b->action[k] && status == PEPA_OK; k++)
        status = pepa_shared_throughput_bounds(shared, &set, b->action[k], &b->low[p->rank][k],
                                               &b->high[p->rank][k], err);
    b->status[p->rank] = status;
    pepa_shared_free(shared);
    chain_free(chain.chain);
    diag_free(&diags);
}

/* wanted: per action;  width: relative, at most */
static void expect_bounds(Bounds *b, const char *text, int32_t processes, const double *wanted,
                          double width)
{
    cr_assert_eq(pepa_model_parse(&b->model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    run_together(processes, bound_one, b);
    pepa_model_free(b->model);
    for (int32_t p = 0; p < processes; p++) {
        cr_assert_eq(b->status[p], PEPA_OK, "%s", b->err[p].message);
        for (int32_t k = 0; b->action[k]; k++) {
            const double low = b->low[p][k], high = b->high[p][k], x = wanted[k],
                         rounding = 1e-14 * x; /* of the closed form */
            cr_expect(low <= x + rounding && high >= x - rounding,
                      "%s by %d processes: %.17g to %.17g, not %.17g", b->action[k], (int)processes,
                      low, high, x);
            cr_expect_leq(high - low, width * x, "%s by %d: %.17g to %.17g", b->action[k],
                          (int)processes, low, high);
            cr_expect(low == b->low[0][k] && high == b->high[0][k]);
        }
    }
}

/* Three customers, each of whom comes to one of two cycles for good: four components. */
Test(shared_bounds, of_several_components)
{
    static const char text[] =
        "P = (a, 1).P1 + (l, 0.5).L + (q, 0.02).R; P1 = (b, 2).P2; P2 = (c, 1.5).P;"
        "L = (x, 1).L1; L1 = (y, 2).L2; L2 = (z, 3).L; R = (u, 1).R1; R1 = (v, 0.3).R;"
        "A = (e, 1).B; B = (f, 2).A; P[3] || A[4]";
    const double wanted[] = {3 * 25.0 / 26 * 6 / 11, 3.0 / 26 / (1 + 1 / 0.3), 4 * 2.0 / 3, 0};
    for (int32_t processes = 1; processes <= 5; processes++) {
        Bounds b = {.action = {"x", "v", "e", "a"}};
        expect_bounds(&b, text, processes, wanted, 2e-10);
    }
}

/* A gambler with `start` of `all` who wins at the rate `up` and loses at the rate 1: what happens for good once
 * all is lost, or won, at the rate 1, happens as often as that probability.
 * Source: Feller, An Introduction to Probability Theory, vol. 1, ch. XIV. */
static void expect_ruin(int32_t all, int32_t start, double up, int32_t processes, double width)
{
    static char text[1 << 16];
    size_t at = 0;
    at += (size_t)sprintf(text, "S0 = (lost, 1).S0; S%d = (won, 1).S%d;", (int)all, (int)all);
    for (int32_t k = 1; k < all; k++)
        at += (size_t)sprintf(text + at, "S%d = (win, %.17g).S%d + (lose, 1).S%d;", (int)k, up,
                              (int)k + 1, (int)k - 1);
    sprintf(text + at, "S%d", (int)start);
    const double won = up == 1 ? (double)start / all
                               : expm1(-start * log(up)) / expm1(-all * log(up)),
                 wanted[] = {won, up == 1
                                      ? (double)(all - start) / all
                                      : exp(-start * log(up)) * expm1(-(all - start) * log(up)) /
                                            expm1(-all * log(up))};
    Bounds b = {.action = {"won", "lost"}};
    expect_bounds(&b, text, processes, wanted, width);
}

Test(shared_bounds, of_a_gambler)
{
    for (int32_t processes = 1; processes <= 4; processes++) {
        expect_ruin(10, 3, 1, processes, 1e-10);
        expect_ruin(10, 3, 2, processes, 1e-10);
        expect_ruin(200, 60, 1, processes, 1e-9);
        expect_ruin(40, 5, 0.5, processes, 1e-4); /* 1e-11 is won */
        expect_ruin(40, 35, 2, processes, 1e-4);  /* 1e-11 is lost */
    }
}

/* As many states as there are processes, or fewer. */
Test(shared_bounds, of_few_states)
{
    const double wanted[] = {0.25, 0.75};
    for (int32_t processes = 1; processes <= 6; processes++) {
        Bounds b = {.action = {"x", "y"}};
        expect_bounds(&b, "S = (l, 1).X + (m, 3).Y; X = (x, 1).X; Y = (y, 1).Y; S", processes,
                      wanted, 1e-12);
    }
}
