/* What a sweep by several threads is likely to take: events in the order of time. */
#include "solvers/schedule/schedule.h"

#include <math.h>

#include "base/bucket.h"
#include "base/heap.h"
#include "base/mem.h"
#include "base/workers.h"
#include "solvers/schedule/costs.h"

typedef struct {
    const TaskGraph *graph;
    int32_t threads;
    int32_t *waits; /* per task: for how many it still waits */
    int64_t *begin; /* per task, as in a TaskGraph: the tasks that wait for it */
    int32_t *later;
    int32_t *heap, ready; /* tasks that need not wait, the first in order on top; without owners */
    uint8_t *owner;       /* per task, once it has begun */
    double *done;         /* per task: when it is done */
    int32_t at[MOST_WORKERS],
        job[MOST_WORKERS]; /* per thread: its next own task; at work on, or -1 */
} Simulation;

static bool simulation_new(Simulation *s, const TaskGraph *g)
{
    const size_t n = (size_t)g->tasks;
    if (!(mem_new(s->waits, n) && mem_new_zeroed(s->begin, n + 2) &&
          mem_new(s->later, g->begin[n]) && mem_new(s->heap, n) && mem_new(s->owner, n) &&
          mem_new(s->done, n)))
        return false;
    for (int64_t e = 0; e < g->begin[n]; e++)
        bucket_count(s->begin, g->link[e].early);
    bucket_starts(s->begin, g->tasks);
    for (int32_t late = 0; late < g->tasks; late++)
        for (int64_t e = g->begin[late]; e < g->begin[late + 1]; e++)
            s->later[bucket_place(s->begin, g->link[e].early)] = late;
    return true;
}

/* The task that a free thread begins with; -1: there is none now. */
static int32_t next_task(Simulation *s, int32_t thread)
{
    int32_t *at = &s->at[thread];
    const uint8_t *owner = s->graph->owner;
    if (!owner)
        return s->ready > 0 ? heap_pop(s->heap, &s->ready) : -1;
    while (*at < s->graph->tasks && owner[*at] != thread)
        ++*at;
    return *at < s->graph->tasks && s->waits[*at] == 0 ? (*at)++ : -1;
}

/* When a task that `thread` takes now will be done. */
static double time_done(const Simulation *s, int32_t task, int32_t thread, double now)
{
    const TaskGraph *g = s->graph;
    double start = now, fetched = 0, links = (double)(g->begin[task + 1] - g->begin[task]);
    for (int64_t e = g->begin[task]; e < g->begin[task + 1]; e++) {
        int32_t early = g->link[e].early;
        if (s->owner[early] == thread)
            continue;
        start = fmax(start, s->done[early] + COST_TOLD);
        if (now - s->done[early] < COST_RECENT)
            fetched += g->link[e].weight;
    }
    return start + (g->owner ? COST_OWN : COST_TASK) + g->ahead + g->jump * links +
           g->fetch * fetched + g->cost[task];
}

/* Returns what one thread takes. */
static double start(Simulation *s)
{
    double alone = 0;
    for (int32_t t = 0; t < s->threads; t++) {
        s->job[t] = -1;
        s->at[t] = 0;
    }
    for (int32_t task = 0; task < s->graph->tasks; task++) {
        s->waits[task] = (int32_t)(s->graph->begin[task + 1] - s->graph->begin[task]);
        alone += s->graph->cost[task];
        if (s->waits[task] == 0 && !s->graph->owner)
            heap_push(s->heap, &s->ready, task);
    }
    return alone;
}

static void finish(Simulation *s, int32_t task)
{
    for (int64_t e = s->begin[task]; e < s->begin[task + 1]; e++)
        if (--s->waits[s->later[e]] == 0 && !s->graph->owner)
            heap_push(s->heap, &s->ready, s->later[e]);
}

/* Returns when all is done. */
static double go(Simulation *s, int32_t *order)
{
    int32_t begun = 0;
    double now = 0;
    for (int32_t left = s->graph->tasks; left > 0; left--) {
        int32_t next = -1;
        for (int32_t t = 0; t < s->threads; t++) {
            int32_t task = s->job[t] < 0 ? next_task(s, t) : -1;
            if (task >= 0) {
                s->job[t] = task;
                s->owner[task] = (uint8_t)t;
                s->done[task] = time_done(s, task, t, now);
                order[begun++] = task;
            }
            if (s->job[t] >= 0 && (next < 0 || s->done[s->job[t]] < s->done[s->job[next]]))
                next = t;
        }
        now = s->done[s->job[next]];
        finish(s, s->job[next]);
        s->job[next] = -1;
    }
    return now;
}

bool graph_simulate(const TaskGraph *graph, int32_t threads, int32_t *order, double *gain)
{
    Simulation s = {.graph = graph, .threads = threads};
    bool ok = simulation_new(&s, graph);
    if (ok) {
        double alone = start(&s);
        *gain = alone / (COST_BEGIN + go(&s, order));
    }
    mem_free_all(s.waits, s.begin, s.later, s.heap, s.owner, s.done);
    return ok;
}
