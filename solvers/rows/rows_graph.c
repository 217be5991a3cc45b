/* Rows of a matrix as a graph of tasks. */
#include "solvers/rows/rows.h"

#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/costs.h"

enum { SHARES = 32, SPAN = 1 << 16 }; /* of the tasks, for finding links; rows, for finding ties */

typedef struct {
    const Flow *flow;
    TaskGraph *graph;
    int32_t reach;
    int32_t *of_row; /* n + 1: first, see count_ties and look_back; then the task of each row */
    TaskPairs pairs[SHARES];
} Search;

static int32_t span_end(const Flow *flow, int32_t first)
{
    return flow->n - first < SPAN ? flow->n : first + SPAN;
}

static void each_span(Search *s, Workers *workers, WorkTask *task)
{
    workers_run(workers, (int32_t)(((int64_t)s->flow->n + SPAN - 1) / SPAN), task, s);
}

/* of_row[i]: entries that tie rows at most `reach` apart across the cut before row i.  Ties with
 * rows of other spans, which are few, do not count. */
static void count_ties(void *user, int32_t span, int32_t worker)
{
    const Search *s = user;
    const Flow *flow = s->flow;
    const int32_t first = span * SPAN, end = span_end(flow, first);
    int32_t *ties = s->of_row;
    (void)worker;
    memset(ties + first, 0, (size_t)(end - first) * sizeof *ties);
    for (int32_t i = first; i < end; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            int32_t j = flow->col[k], low = i < j ? i : j, high = i < j ? j : i;
            if (high - low > s->reach || low + 1 >= end)
                continue;
            ties[low + 1 > first ? low + 1 : first]++;
            if (high + 1 < end)
                ties[high + 1]--;
        }
    for (int32_t i = first + 1; i < end; i++)
        ties[i] += ties[i - 1];
}

/* count: per task, 0 between calls; met: scratch per task. */
static void find_pairs(const Search *s, TaskPairs *to, int32_t task, int32_t *count, int32_t *met)
{
    const Flow *flow = s->flow;
    const int32_t *first = s->graph->first + task;
    int32_t others = 0;
    for (int64_t k = flow->row[first[0]]; k < flow->row[first[1]]; k++) {
        int32_t other = s->of_row[flow->col[k]];
        if (count[other]++ == 0)
            met[others++] = other;
    }
    for (int32_t m = 0; m < others; m++) {
        if (met[m] != task)
            pairs_add(to, task, met[m], count[met[m]]);
        count[met[m]] = 0;
    }
}

static int32_t share_begin(const Search *s, int32_t share)
{
    return (int32_t)((int64_t)s->graph->tasks * share / SHARES);
}

static void find_share(void *user, int32_t share, int32_t worker)
{
    Search *s = user;
    TaskPairs *to = &s->pairs[share];
    const size_t tasks = (size_t)s->graph->tasks;
    int32_t *count = mem_calloc(tasks, sizeof *count), *met = mem_alloc(tasks, sizeof *met);
    (void)worker;
    to->failed = !count || !met;
    for (int32_t t = share_begin(s, share); t < share_begin(s, share + 1) && !to->failed; t++)
        find_pairs(s, to, t, count, met);
    mem_free_all(count, met);
}

static void name_rows(void *user, int32_t share, int32_t worker)
{
    const Search *s = user;
    (void)worker;
    for (int32_t t = share_begin(s, share); t < share_begin(s, share + 1); t++)
        for (int32_t i = s->graph->first[t]; i < s->graph->first[t + 1]; i++)
            s->of_row[i] = t;
}

/* Costs and links of the tasks, whose first rows are known. */
static bool fill_in(Search *s, Workers *workers)
{
    TaskGraph *g = s->graph;
    const int64_t *row = s->flow->row;
    if (!mem_new(g->cost, g->tasks))
        return false;
    for (int32_t t = 0; t < g->tasks; t++) {
        int32_t first = g->first[t], end = g->first[t + 1];
        g->cost[t] = COST_ROW * (end - first) + (double)(row[end] - row[first]);
    }
    workers_run(workers, SHARES, name_rows, s);
    workers_run(workers, SHARES, find_share, s);
    return graph_link(g, s->pairs, SHARES);
}

static bool cut_anywhere(Search *s, int32_t grain, Workers *workers)
{
    TaskGraph *g = s->graph;
    const size_t n = (size_t)s->flow->n;
    if (!mem_new(g->first, n / (((size_t)grain + 1) / 2) + 2))
        return false;
    g->jump = COST_JUMP;
    each_span(s, workers, count_ties);
    g->tasks = graph_cut(&(Cuts){.units = s->flow->n, .ties = s->of_row}, grain, g->first);
    return true;
}

/* of_row[i]: the last of the earlier rows that row i reads, except those within `reach`. */
static void look_back(void *user, int32_t span, int32_t worker)
{
    const Search *s = user;
    const Flow *flow = s->flow;
    const int32_t first = span * SPAN, end = span_end(flow, first);
    (void)worker;
    for (int32_t i = first; i < end; i++) {
        s->of_row[i] = -1;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1] && flow->col[k] < i - s->reach; k++)
            s->of_row[i] = flow->col[k];
    }
}

/* A line ends before the row that waits for one of its rows. */
static int32_t line_end(const Search *s, int32_t begin)
{
    int32_t i = begin + 1;
    while (i < s->flow->n && s->of_row[i] < begin)
        i++;
    return i;
}

/* Parts of about `grain` rows, so many that each thread has some, if lines are long enough. */
static void cut_line(TaskGraph *g, int32_t begin, int32_t end, int32_t threads, int32_t grain)
{
    const int32_t each = 4, rows = end - begin;
    int32_t parts = rows / grain < 1 ? 1 : rows / grain;
    parts = parts < each * threads ? parts : each * threads;
    for (int32_t k = 0; k < parts; k++) {
        int32_t first = begin + (int32_t)((int64_t)rows * k / parts);
        bool whole = k > 0 && rows / parts >= 2 * SUM_ROWS; /* no group of sums is divided */
        g->first[g->tasks] = whole ? first / SUM_ROWS * SUM_ROWS : first;
        g->owner[g->tasks++] = (uint8_t)((2 * k + 1) * threads / (2 * parts));
    }
}

static bool cut_lines(Search *s, int32_t threads, int32_t grain, Workers *workers)
{
    TaskGraph *g = s->graph;
    const int32_t n = s->flow->n;
    size_t lines = 0;
    each_span(s, workers, look_back);
    for (int32_t i = 0; i < n; i = line_end(s, i))
        lines++;
    size_t most = lines + (size_t)n / (size_t)grain + 1;
    if (!mem_new(g->first, most) || !mem_new(g->owner, most))
        return false;
    g->ahead = COST_AHEAD;
    for (int32_t i = 0, end; i < n; i = end) {
        end = line_end(s, i);
        cut_line(g, i, end, threads, grain);
    }
    g->first[g->tasks] = n;
    return true;
}

bool rows_graph_new(TaskGraph *out, const Flow *flow, int32_t lines, int32_t grain,
                    Workers *workers)
{
    TaskGraph g = {.both_ways = true, .fetch = COST_FETCH};
    Search s = {.flow = flow, .graph = &g, .reach = grain / 2};
    bool ok =
        mem_new(s.of_row, flow->n) &&
        (lines > 0 ? cut_lines(&s, lines, grain, workers) : cut_anywhere(&s, grain, workers)) &&
        fill_in(&s, workers);
    mem_free(s.of_row);
    if (!ok)
        graph_free(&g);
    *out = g;
    return ok;
}
