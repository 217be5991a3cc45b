/* Deals out chunks of upper states, by simulating sweeps. */
#include "ctmc/share/plan.h"

#include <math.h>
#include <string.h>

#include "ctmc/share/order.h"
#include "ctmc/share/partition.h"
#include "ctmc/share/tuning.h"

typedef struct {
    int32_t *process, *turn;
    double cost;
} Candidate;

static void swap(Candidate *a, Candidate *b)
{
    const Candidate old = *a;
    *a = *b;
    *b = old;
}

/* Time, and what it costs in memory. */
static bool judge(const ShareGraph *g, int32_t processes, const ShareCosts *costs, Candidate *c)
{
    double time, states = 0;
    if (!share_order(g, c->process, processes, costs, c->turn, &time))
        return false;
    for (int32_t k = 0; k < g->count; k++)
        states += g->states[k];
    c->cost = time * (1 + SHARE_MEMORY * share_copies(g, c->process) / states);
    return true;
}

static bool choose(const ShareGraph *g, int32_t processes, const ShareCosts *costs, Candidate *now,
                   Candidate *best)
{
    static const int32_t rounds[] = {1, 2, 3, 4, 6, 9, 16, 32, 64, 128};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        for (int refined = 0; refined < 2; refined++) {
            if ((i > 0 || refined) && (processes == 1 || rounds[i] > g->count / processes))
                continue;
            share_deal(g, processes, rounds[i], now->process);
            if ((refined && !share_refine(g, processes, now->process)) ||
                !judge(g, processes, costs, now))
                return false;
            if (now->cost < best->cost)
                swap(now, best);
        }
    return true;
}

bool share_plan_new(SharePlan *out, const Diagram *d, int32_t processes, const ShareCosts *costs)
{
    Candidate now = {0}, best = {.cost = HUGE_VAL};
    *out = (SharePlan){0};
    const bool ok =
        share_graph_new(&out->graph, d) && mem_new(now.process, out->graph.count) &&
        mem_new(now.turn, out->graph.count) && mem_new(best.process, out->graph.count) &&
        mem_new(best.turn, out->graph.count) && choose(&out->graph, processes, costs, &now, &best);
    mem_free_all(now.process, now.turn);
    out->process = best.process;
    out->turn = best.turn;
    return ok;
}

void share_plan_free(SharePlan *plan)
{
    share_graph_free(&plan->graph);
    mem_free_all(plan->process, plan->turn);
    *plan = (SharePlan){0};
}
