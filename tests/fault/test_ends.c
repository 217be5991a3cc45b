/* Bounds and derivatives of chains that are left rarely, or end in one of several ways, with each allocation failing:
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

static void write_game(int coins, Text *text)
{
    text_add(text, "win = 0.5; lose = 0.25;\n");
    for (int i = 1; i < coins; i++)
        text_add(text, "C%d = (win, win).C%d + (lose, lose).C%d;\n", i, i + 1, i - 1);
    text_add(text, "C0 = (sleep, 1).C0; C%d = (travel, 2).D; D = (rest, 1).C%d; C2", coins, coins);
}

static Game begin(const char *text)
{
    Game g = {0};
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&g.model, "m", text, strlen(text), NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&g.chain, g.model, NULL, &err), PEPA_OK);
    g.pi = calloc((size_t)pepa_chain_info(g.chain).states, sizeof *g.pi);
    g.slope = calloc((size_t)pepa_model_rate_count(g.model), sizeof *g.slope);
    cr_assert(g.pi && g.slope);
    cr_assert_eq(pepa_solve_steady(g.chain, NULL, g.pi, NULL, &err), PEPA_OK);
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

static void replay(const char *text, double chance, double by_lose)
{
    Game g = begin(text);
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
            cr_expect_float_eq(g.by_lose, by_lose, 1e-8 * fmax(by_lose, 1));
        }
        cr_expect_gt(met, 10);
    }
    end(&g);
}

static void replay_game(int coins, double chance, double by_lose)
{
    Text text = {0};
    write_game(coins, &text);
    replay(text.text, chance, by_lose);
    text_free(&text);
}

/* (q^2 - q^5) / (1 - q^5), q = lose / win, and its derivative by lose, q' = 1 / win. */
Test(fault_ends, few_states)
{
    const double q = 0.5, top = pow(q, 2) - pow(q, 5), under = 1 - pow(q, 5);
    const double slope = (2 * q - 5 * pow(q, 4)) / under + top * 5 * pow(q, 4) / (under * under);
    replay_game(5, top / under, slope / 0.5);
}

/* q^2 */
Test(fault_ends, many_states)
{
    replay_game(1100, 0.25, 2 * 0.5 / 0.5);
}

/* Left once in some 10^18 jumps. */
Test(fault_ends, rarely_left)
{
    const double win = 2e-9, lose = 1e-9, a = lose * lose / (1 + lose), b = win * win / (1 + win);
    replay("win = 2e-9; lose = 1e-9; C2 = (win, win).C3 + (lose, lose).C1; C3 = (win, win).C4 + "
           "(back, 1).C2;\n"
           "C1 = (lose, lose).C0 + (back, 1).C2; C0 = (sleep, 1).C0; C4 = (travel, 2).D; D = "
           "(rest, 1).C4; C2",
           a / (a + b), (2 * lose + lose * lose) / pow(1 + lose, 2) * b / pow(a + b, 2));
}

/* No ends, but two deep states, between which the chain moves once in some 10^21 units of time. */
Test(fault_ends, deep_states)
{
    const double a = 1e-9, b = 1e3, c = 2e-9, ratio = a / c;
    const double all = 1 + a / b + a * a / b / b + a * a / b / c + ratio * ratio;
    replay(
        "win = 1e-9; lose = 2e-9; b = 1e3; L = (sleep, win).L1; L1 = (up, win).M + (back, b).L;\n"
        "M = (fall, b).L1 + (over, b).R1; R1 = (climb, lose).M + (in, b).R; R = (leave, lose).R1; "
        "L",
        a / all, a / all * (a * a / b / c + 2 * ratio * ratio) / all / c);
}
