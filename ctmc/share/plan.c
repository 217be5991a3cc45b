/* Deals out chunks of upper states, by simulating sweeps. */
#include "ctmc/share/plan.h"

#include <math.h>
#include <string.h>

#include "ctmc/share/order.h"
#include "ctmc/share/partition.h"
#include "ctmc/share/refine.h"
#include "ctmc/share/tuning.h"

typedef struct {
    int32_t *process, *turn;
    double cost;
} Candidate;

typedef struct {
    const ShareGraph *g;
    ShareParts parts;
    const ShareCosts *costs;
    Candidate now, best;
} Choice;

/* Time, and what it costs in memory. */
static bool judge(Choice *c)
{
    const ShareGraph *g = c->g;
    const size_t bytes = (size_t)g->count * sizeof *c->now.turn;
    double time, states = 0;
    if (!share_order(g, c->now.process, c->parts, c->costs, c->now.turn, &time))
        return false;
    for (int32_t k = 0; k < g->count; k++)
        states += g->states[k];
    c->now.cost = time * (1 + SHARE_MEMORY * share_copies(g, c->now.process) / states);
    if (c->now.cost < c->best.cost) {
        memcpy(c->best.process, c->now.process, bytes);
        memcpy(c->best.turn, c->now.turn, bytes);
        c->best.cost = c->now.cost;
    }
    return true;
}

/* What it costs where all work all the time, and nothing is copied. */
static double least_cost(const Choice *c)
{
    double work = 0;
    for (int32_t k = 0; k < c->g->count; k++)
        work += c->g->work[k];
    return SHARE_SWEEPS * work / c->parts.count;
}

static bool choose(Choice *c)
{
    static const int32_t rounds[] = {1, 2, 3, 4, 6, 9, 16, 32, 64, 128};
    const ShareGraph *g = c->g;
    int32_t *process = c->now.process;
    const double enough = SHARE_NEAR * least_cost(c);
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds && c->best.cost > enough; i++) {
        if (i > 0 && (c->parts.count == 1 || rounds[i] > g->count / c->parts.count))
            break;
        share_deal(g, c->parts, rounds[i], process);
        if (!judge(c))
            return false;
        if (c->parts.count > 1 && (!share_refine(g, c->parts, process) || !judge(c) ||
                                   !share_climb(g, c->parts, process) || !judge(c)))
            return false;
    }
    return true;
}

bool share_plan_new(SharePlan *out, const Diagram *d, ShareParts parts, const ShareCosts *costs)
{
    Choice c = {.g = &out->graph, .parts = parts, .costs = costs, .best.cost = HUGE_VAL};
    *out = (SharePlan){0};
    const bool ok = share_graph_new(&out->graph, d) && mem_new(c.now.process, out->graph.count) &&
                    mem_new(c.now.turn, out->graph.count) &&
                    mem_new(c.best.process, out->graph.count) &&
                    mem_new(c.best.turn, out->graph.count) && choose(&c);
    mem_free_all(c.now.process, c.now.turn);
    out->process = c.best.process;
    out->turn = c.best.turn;
    return ok;
}

void share_plan_free(SharePlan *plan)
{
    share_graph_free(&plan->graph);
    mem_free_all(plan->process, plan->turn);
    *plan = (SharePlan){0};
}
