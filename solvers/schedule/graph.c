/* Graphs of tasks: links, and coarser graphs. */
#include "solvers/schedule/schedule.h"

#include <string.h>

#include "base/bucket.h"
#include "base/mem.h"

void graph_free(TaskGraph *graph)
{
    mem_free_all(graph->first, graph->cost, graph->begin, graph->link, graph->owner);
    *graph = (TaskGraph){0};
}

void pairs_add(TaskPairs *pairs, int32_t one, int32_t other, int32_t weight)
{
    pairs->failed = pairs->failed || !mem_grow(pairs->item, pairs->cap, pairs->count + 1);
    if (!pairs->failed)
        pairs->item[pairs->count++] =
            (TaskPair){one < other ? one : other, one < other ? other : one, weight};
}

bool graph_link(TaskGraph *graph, TaskPairs *pairs, int32_t lists)
{
    bool ok = true;
    size_t count = 0;
    for (int32_t l = 0; l < lists; l++) {
        ok = ok && !pairs[l].failed;
        count += pairs[l].count;
    }
    ok =
        ok && mem_new_zeroed(graph->begin, (size_t)graph->tasks + 2) && mem_new(graph->link, count);
    for (int32_t l = 0; l < lists && ok; l++)
        for (size_t e = 0; e < pairs[l].count; e++)
            bucket_count(graph->begin, pairs[l].item[e].late);
    if (ok)
        bucket_starts(graph->begin, graph->tasks);
    for (int32_t l = 0; l < lists; l++) {
        for (size_t e = 0; e < pairs[l].count && ok; e++) {
            const TaskPair *pair = &pairs[l].item[e];
            graph->link[bucket_place(graph->begin, pair->late)] =
                (TaskLink){pair->early, pair->weight};
        }
        mem_free(pairs[l].item);
        pairs[l] = (TaskPairs){0};
    }
    return ok;
}

static int32_t position(const Cuts *cuts, int32_t unit)
{
    return cuts->at ? cuts->at[unit] : unit;
}

/* Of the cuts that leave half of `grain` to twice as much, the one with the fewest ties, and of
 * these the one that leaves most nearly `grain`. */
static int32_t next_cut(const Cuts *cuts, int32_t from, int32_t grain)
{
    const int32_t start = position(cuts, from);
    int32_t best = cuts->units, least_off = INT32_MAX;
    if (position(cuts, cuts->units) - start <= 2 * grain)
        return cuts->units;
    for (int32_t u = from + 1; u < cuts->units; u++) {
        int32_t size = position(cuts, u) - start, off = size > grain ? size - grain : grain - size;
        if (size < grain / 2)
            continue;
        if (size > 2 * grain)
            return best < cuts->units ? best : u;
        if (best == cuts->units || cuts->ties[u] < cuts->ties[best] ||
            (cuts->ties[u] == cuts->ties[best] && off < least_off)) {
            best = u;
            least_off = off;
        }
    }
    return best;
}

int32_t graph_cut(const Cuts *cuts, int32_t grain, int32_t *first)
{
    int32_t tasks = 0;
    for (first[0] = 0; first[tasks] < cuts->units; tasks++)
        first[tasks + 1] = next_cut(cuts, first[tasks], grain);
    return tasks;
}

/* Per cut: the weight of links across it, of those between tasks at most `reach` units apart. */
static void count_ties(const TaskGraph *fine, int32_t reach, int32_t *ties)
{
    memset(ties, 0, ((size_t)fine->tasks + 1) * sizeof *ties);
    for (int32_t late = 0; late < fine->tasks; late++)
        for (int64_t e = fine->begin[late]; e < fine->begin[late + 1]; e++) {
            const TaskLink *link = &fine->link[e];
            if (fine->first[late] - fine->first[link->early] <= reach) {
                ties[link->early + 1] += link->weight;
                ties[late + 1] -= link->weight;
            }
        }
    for (int32_t t = 0; t < fine->tasks; t++)
        ties[t + 1] += ties[t];
}

/* Costs and links of task `late`, made of the fine tasks from .. end - 1.
 *   of    per fine task: the task that it is part of
 *   seen  per task: 1 + the place of its last link
 * Returns the end of the links. */
static int64_t join_tasks(TaskGraph *g, const TaskGraph *fine, const int32_t *of, int64_t *seen,
                          int32_t late, int32_t from, int32_t end)
{
    int64_t count = g->begin[late];
    g->cost[late] = 0;
    for (int32_t t = from; t < end; t++)
        g->cost[late] += fine->cost[t];
    for (int64_t e = fine->begin[from]; e < fine->begin[end]; e++) {
        int32_t early = of[fine->link[e].early];
        if (early == late)
            continue;
        if (seen[early] > g->begin[late]) {
            g->link[seen[early] - 1].weight += fine->link[e].weight;
        } else {
            g->link[count++] = (TaskLink){early, fine->link[e].weight};
            seen[early] = count;
        }
    }
    return count;
}

static void join_all(TaskGraph *g, const TaskGraph *fine, int32_t grain, int32_t *ties,
                     int64_t *seen)
{
    int32_t *of = ties; /* which are used up by then */
    count_ties(fine, grain, ties);
    g->tasks = graph_cut(&(Cuts){fine->tasks, fine->first, ties}, grain, g->first);
    for (int32_t late = 0; late < g->tasks; late++)
        for (int32_t t = g->first[late]; t < g->first[late + 1]; t++)
            of[t] = late;
    g->begin[0] = 0;
    for (int32_t late = 0; late < g->tasks; late++)
        g->begin[late + 1] =
            join_tasks(g, fine, of, seen, late, g->first[late], g->first[late + 1]);
    for (int32_t late = 0; late <= g->tasks; late++)
        g->first[late] = fine->first[g->first[late]];
}

bool graph_coarsen(TaskGraph *out, const TaskGraph *fine, int32_t grain)
{
    const size_t most = (size_t)fine->tasks + 2, links = (size_t)fine->begin[fine->tasks];
    int32_t *ties = NULL;
    int64_t *seen = NULL;
    TaskGraph g = {.ahead = fine->ahead,
                   .jump = fine->jump,
                   .fetch = fine->fetch,
                   .both_ways = fine->both_ways};
    bool ok = mem_new(g.first, most) && mem_new(g.cost, most) && mem_new(g.begin, most) &&
              mem_new(g.link, links) && mem_new(ties, most) && mem_new_zeroed(seen, most);
    if (ok)
        join_all(&g, fine, grain, ties, seen);
    mem_free_all(ties, seen);
    if (!ok)
        graph_free(&g);
    *out = g;
    return ok;
}
