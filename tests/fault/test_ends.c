/* Bounds and derivatives of chains with several bottom components with each allocation failing:
 * the answer is PEPA_ENOMEM, or one that holds, where a method can do without. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fault/memory.h"
#include "pepa.h"

/* A gambler's ruin: few coins are censored, many are solved for. */
typedef struct {
    PepaModel *model;
    PepaChain *chain;
    double *pi, *slope;
    double low, high, by_lose;
} Game;

static Game begin(int coins)
{
    Game g = {0};
    Text text = {0};
    PepaError err = {0};
    text_add(&text, "win = 0.5; lose = 0.25;\n");
    for (int i = 1; i < coins; i++)
        text_add(&text, "C%d = (win, win).C%d + (lose, lose).C%d;\n", i, i + 1, i - 1);
    text_add(&text, "C0 = (sleep, 1).C0; C%d = (travel, 2).D; D = (rest, 1).C%d; C2", coins, coins);
    cr_assert_eq(pepa_model_parse(&g.model, "m", text.text, text.length, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&g.chain, g.model, NULL, &err), PEPA_OK);
    g.pi = calloc((size_t)pepa_chain_info(g.chain).states, sizeof *g.pi);
    g.slope = calloc((size_t)pepa_model_rate_count(g.model), sizeof *g.slope);
    cr_assert(g.pi && g.slope);
    cr_assert_eq(pepa_solve_steady(g.chain, NULL, g.pi, NULL, &err), PEPA_OK);
    text_free(&text);
    return g;
}

static void end(Game *g)
{
    pepa_chain_free(g->chain);
    pepa_model_free(g->model);
    free(g->pi);
    free(g->slope);
}

/* On a handle of its own: what it keeps is made, too. */
static PepaStatus answer(Game *g, PepaError *err)
{
    PepaSteady *steady = NULL;
    PepaStatus status = pepa_steady_new(&steady, g->chain, err);
    if (status == PEPA_OK)
        status = pepa_throughput_bounds(steady, NULL, g->pi, "sleep", &g->low, &g->high, NULL, err);
    if (status == PEPA_OK)
        status = pepa_steady_sensitivities(steady, NULL, g->pi, "sleep", NULL, g->slope, NULL, err);
    pepa_steady_free(steady);
    g->by_lose = g->slope[1];
    return status;
}

/* The chance of ruin is q^2 for many coins, q = lose / win. */
static void replay(int coins, double chance, double by_lose)
{
    Game g = begin(coins);
    for (int after = 0; after < 2; after++) {
        int64_t met = INT64_MAX;
        for (int64_t k = 1; k <= met; k++) {
            PepaError err = {0};
            mem_fail_at(k, after == 1);
            const PepaStatus status = answer(&g, &err);
            met = mem_allocations() < k ? mem_allocations() : met; /* none failed: the last one */
            mem_fail_at(0, false);
            cr_assert(status == PEPA_OK || status == PEPA_ENOMEM || status == PEPA_ENOCONV, "%s",
                      err.message);
            cr_expect(status == PEPA_OK || err.message[0]);
            if (status != PEPA_OK)
                continue;
            cr_expect(g.low <= chance * (1 + 1e-15) && chance * (1 - 1e-15) <= g.high);
            cr_expect_float_eq(g.by_lose, by_lose, 1e-8);
        }
        cr_expect_gt(met, 10);
    }
    end(&g);
}

/* (q^2 - q^5) / (1 - q^5), and its derivative by lose, q' = 1 / win. */
Test(fault_ends, few_states)
{
    const double q = 0.5, top = pow(q, 2) - pow(q, 5), under = 1 - pow(q, 5);
    const double slope = (2 * q - 5 * pow(q, 4)) / under + top * 5 * pow(q, 4) / (under * under);
    replay(5, top / under, slope / 0.5);
}

Test(fault_ends, many_states)
{
    replay(1100, 0.25, 2 * 0.5 / 0.5);
}
