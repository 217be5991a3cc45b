/* From graphs to schedules. */
#include "solvers/schedule/plan.h"

#include "base/mem.h"

void plan_free(Plan *plan)
{
    if (!plan)
        return;
    mem_free_all(plan->first, plan->order, plan->before, plan->after, plan->owner,
                 plan->told_before, plan->told_after, plan);
}

/* A plan that takes what begins each task. */
static Plan *plan_for(TaskGraph *graph, int32_t threads, double gain)
{
    Plan *plan = mem_calloc(1, sizeof *plan);
    if (plan) {
        *plan = (Plan){threads, graph->tasks, gain, .first = graph->first};
        graph->first = NULL;
    }
    return plan;
}

/* ---- dynamic -------------------------------------------------------------------------------- */

typedef struct {
    TaskGraph graph;
    int32_t *order, threads;
    double gain;
} Choice;

/* Note the graph's best number of threads, fewer if they are as good, provided that it is better
 * than the choice so far: *chosen.  False: out of memory. */
static bool consider(Choice *c, const TaskGraph *g, int32_t threads, bool *chosen)
{
    const double better = 1.05;
    bool ok = true;
    *chosen = false;
    for (int32_t t = threads; t > 1 && ok; t /= 2) {
        double gain = 0;
        int32_t *order = mem_alloc((size_t)g->tasks, sizeof *order);
        ok = order && graph_simulate(g, t, NULL, order, &gain);
        if (!ok || gain * (*chosen ? better : 1) <= c->gain) {
            mem_free(order);
            break;
        }
        mem_free(c->order);
        c->order = order;
        c->threads = t;
        c->gain = gain;
        *chosen = true;
    }
    return ok;
}

/* Ever larger tasks, until these are so few that one thread waits for the other. */
static bool choose(Choice *c, TaskGraph *g, int32_t threads, int32_t grain)
{
    const int32_t few = 4;
    bool ok = true, last = false;
    while (ok && !last) {
        TaskGraph next = {0};
        bool chosen = false;
        grain *= 2;
        ok = consider(c, g, threads, &chosen);
        last = g->tasks < 2 * few * threads;
        if (ok && !last)
            ok = graph_coarsen(&next, g, grain);
        if (chosen) {
            graph_free(&c->graph);
            c->graph = *g;
        } else {
            graph_free(g);
        }
        *g = next;
    }
    graph_free(g);
    return ok;
}

/* From links to distances in the order. */
static bool note_distances(Plan *plan, const TaskGraph *g)
{
    const size_t tasks = (size_t)plan->tasks;
    int32_t *place = mem_alloc(tasks, sizeof *place);
    bool ok = place && mem_new_zeroed(plan->before, tasks) && mem_new_zeroed(plan->after, tasks);
    for (int32_t k = 0; k < plan->tasks && ok; k++)
        place[plan->order[k]] = k;
    for (int32_t task = 0; task < plan->tasks && ok; task++)
        for (int64_t e = g->begin[task]; e < g->begin[task + 1]; e++) {
            int32_t early = place[g->link[e].early], late = place[task];
            if (late - early <= WINDOW) {
                plan->before[late] |= (uint64_t)1 << (late - early - 1);
                plan->after[early] |= (uint64_t)1 << (late - early - 1);
            }
        }
    mem_free(place);
    return ok;
}

bool plan_dynamic(Plan **out, TaskGraph *fine, int32_t grain, int32_t threads, double worth)
{
    Choice c = {.order = NULL};
    Plan *plan = NULL;
    bool ok = choose(&c, fine, threads, grain);
    if (ok && c.order && c.gain >= worth) {
        plan = plan_for(&c.graph, c.threads, c.gain);
        ok = plan != NULL;
    }
    if (plan) {
        plan->order = c.order;
        c.order = NULL;
        ok = note_distances(plan, &c.graph);
    }
    if (!ok) {
        plan_free(plan);
        plan = NULL;
    }
    graph_free(&c.graph);
    mem_free(c.order);
    *out = plan;
    return ok;
}

/* ---- static --------------------------------------------------------------------------------- */

static void raise_to(int32_t *most, int32_t value)
{
    *most = value > *most ? value : *most;
}

/* turn: per task, its number among those of its owner, from 1; count: per thread, of its tasks. */
static void note_counts(Plan *plan, const TaskGraph *g, const int32_t *turn, const int32_t *count)
{
    const size_t threads = (size_t)plan->threads;
    for (int32_t late = 0; late < plan->tasks; late++)
        for (int64_t e = g->begin[late]; e < g->begin[late + 1]; e++) {
            int32_t early = g->link[e].early;
            size_t of_early = plan->owner[early], of_late = plan->owner[late];
            raise_to(&plan->told_before[(size_t)late * threads + of_early], turn[early]);
            if (plan->told_after)
                raise_to(&plan->told_after[(size_t)early * threads + of_late],
                         count[of_late] + 1 - turn[late]);
        }
}

static bool note_waits(Plan *plan, const TaskGraph *g)
{
    const size_t waits = (size_t)plan->tasks * (size_t)plan->threads;
    int32_t *turn = mem_alloc((size_t)plan->tasks, sizeof *turn);
    int32_t *count = mem_calloc((size_t)plan->threads, sizeof *count);
    plan->told_before = mem_calloc(waits, sizeof *plan->told_before);
    if (g->both_ways)
        plan->told_after = mem_calloc(waits, sizeof *plan->told_after);
    bool ok = turn && count && plan->told_before && (plan->told_after || !g->both_ways);
    for (int32_t task = 0; task < plan->tasks && ok; task++)
        turn[task] = ++count[plan->owner[task]];
    if (ok)
        note_counts(plan, g, turn, count);
    mem_free_all(turn, count);
    return ok;
}

bool plan_static(Plan **out, TaskGraph *graph, uint8_t *owner, int32_t threads, double worth)
{
    double gain = 0;
    Plan *plan = NULL;
    bool ok = graph_simulate(graph, threads, owner, NULL, &gain);
    if (ok && gain >= worth) {
        plan = plan_for(graph, threads, gain);
        ok = plan != NULL;
    }
    if (plan) {
        plan->owner = owner;
        owner = NULL;
        ok = note_waits(plan, graph);
    }
    if (!ok) {
        plan_free(plan);
        plan = NULL;
    }
    graph_free(graph);
    mem_free(owner);
    *out = plan;
    return ok;
}
