/* Tarjan's search for strongly connected components, without recursion. */
#include "base/scc.h"

#include "base/mem.h"

enum { UNSEEN = -1 };

/* One search.  low[s]: UNSEEN, or the smallest discovery number known to be reachable while s is
 * on the path or in an open component.  A state in a closed component has component >= 0. */
typedef struct {
    const Graph *graph;
    int64_t *edge; /* per state: the next edge to follow */
    int32_t *low, *number, *component;
    int32_t *path; /* states being visited, linked: path[s] is where s was reached from */
    int32_t *open; /* stack of states whose component is not closed yet */
    int32_t open_count, seen, closed;
} Search;

static void enter(Search *s, int32_t state, int32_t from)
{
    s->low[state] = s->number[state] = s->seen++;
    s->edge[state] = s->graph->row[state];
    s->path[state] = from;
    s->open[s->open_count++] = state;
}

/* All edges of `state` are done: close its component if it is the root of one. */
static void leave(Search *s, int32_t state)
{
    int32_t from = s->path[state];
    if (from >= 0 && s->low[state] < s->low[from])
        s->low[from] = s->low[state];
    if (s->low[state] != s->number[state])
        return;
    int32_t member;
    do {
        member = s->open[--s->open_count];
        s->component[member] = s->closed;
    } while (member != state);
    s->closed++;
}

static void search_from(Search *s, int32_t root)
{
    const Graph *g = s->graph;
    enter(s, root, -1);
    for (int32_t state = root; state >= 0;) {
        if (s->edge[state] == g->row[state + 1]) {
            leave(s, state);
            state = s->path[state];
            continue;
        }
        int64_t edge = s->edge[state]++;
        int32_t next = g->target[edge];
        if (s->number[next] == UNSEEN) {
            enter(s, next, state);
            state = next;
        } else if (s->component[next] < 0 && s->number[next] < s->low[state]) {
            s->low[state] = s->number[next];
        }
    }
}

PepaStatus scc_find(const Graph *graph, int32_t *component, int32_t *count, PepaError *err)
{
    size_t size = (size_t)graph->n;
    Search s = {.graph = graph, .component = component};
    bool ok = mem_new(s.edge, size) && mem_new(s.low, size) && mem_new(s.number, size) &&
              mem_new(s.path, size) && mem_new(s.open, size);
    if (ok) {
        for (int32_t i = 0; i < graph->n; i++)
            s.number[i] = component[i] = UNSEEN;
        for (int32_t i = 0; i < graph->n; i++)
            if (s.number[i] == UNSEEN)
                search_from(&s, i);
        *count = s.closed;
    }
    mem_free_all(s.edge, s.low, s.number, s.path, s.open);
    return ok ? PEPA_OK : error_memory(err);
}
