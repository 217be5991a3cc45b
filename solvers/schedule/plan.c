/* From graphs to schedules. */
#include "solvers/schedule/schedule.h"

#include "base/mem.h"
#include "base/workers.h"
#include "solvers/schedule/costs.h"

void plan_free(Plan *plan)
{
    if (!plan)
        return;
    mem_free_all(plan->first, plan->order, plan->before, plan->after, plan->owner,
                 plan->told_before, plan->told_after, plan);
}

/* The best so far: the plan, except for its tasks and what these wait for, and their graph. */
typedef struct {
    TaskGraph graph;
    Plan plan;
} Choice;

/* Note the graph's best number of threads, fewer if they are as good, provided that it is better
 * than the choice so far: *chosen.  False: out of memory. */
static bool consider(Choice *c, const TaskGraph *g, int32_t threads, bool *chosen)
{
    *chosen = false;
    for (int32_t t = threads; t > 1; t = g->owner ? 1 : t / 2) {
        Plan plan = {.threads = t, .tasks = g->tasks};
        bool ok = mem_new(plan.order, g->tasks) && graph_simulate(g, t, plan.order, &plan.gain);
        if (!ok || plan.gain * (*chosen ? PLAN_BETTER : 1) <= c->plan.gain) {
            mem_free(plan.order);
            return ok;
        }
        mem_free(c->plan.order);
        c->plan = plan;
        *chosen = true;
    }
    return true;
}

/* Ever larger tasks, until these are so few that one thread waits for the other. */
static bool choose(Choice *c, TaskGraph *g, int32_t threads, int32_t grain)
{
    bool ok = true, last = false;
    while (ok && !last) {
        TaskGraph next = {0};
        bool chosen = false;
        grain *= 2;
        ok = consider(c, g, threads, &chosen);
        last = g->owner || g->tasks < 2 * FEW_TASKS * threads;
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
    int32_t count[MOST_WORKERS] = {0}, *turn = mem_alloc((size_t)plan->tasks, sizeof *turn);
    bool ok = turn && mem_new_zeroed(plan->told_before, waits) &&
              (!g->both_ways || mem_new_zeroed(plan->told_after, waits));
    for (int32_t task = 0; task < plan->tasks && ok; task++)
        turn[task] = ++count[plan->owner[task]];
    if (ok)
        note_counts(plan, g, turn, count);
    mem_free(turn);
    return ok;
}

/* The plan takes its arrays from the choice. */
static bool finish(Plan *plan, Choice *c)
{
    *plan = c->plan;
    plan->first = c->graph.first;
    plan->owner = c->graph.owner;
    c->plan.order = NULL;
    c->graph.first = NULL;
    c->graph.owner = NULL;
    return plan->owner ? note_waits(plan, &c->graph) : note_distances(plan, &c->graph);
}

bool plan_new(Plan **out, TaskGraph *fine, int32_t grain, int32_t threads, double worth)
{
    Choice c = {.plan = {.threads = 0}};
    bool ok = choose(&c, fine, threads, grain);
    *out = NULL;
    if (ok && c.plan.order && c.plan.gain >= worth)
        ok = mem_new(*out, 1) && finish(*out, &c);
    if (!ok) {
        plan_free(*out);
        *out = NULL;
    }
    graph_free(&c.graph);
    mem_free(c.plan.order);
    return ok;
}
