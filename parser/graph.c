/* Orders the vertices of a graph depth first, and reports cycles. */
#include "parser/graph.h"

#include "base/mem.h"

typedef struct {
    int32_t *path;  /* from the root to the vertex being visited */
    int32_t *depth; /* of a vertex: on the path, its place there; else NEW or DONE */
    int32_t *next;  /* of a vertex: the next edge to follow */
    int32_t length;
} Walk;

enum { NEW = -1, DONE = -2 };

static void push(Walk *walk, const Graph *graph, int32_t vertex)
{
    walk->depth[vertex] = walk->length;
    walk->next[vertex] = graph->row[vertex];
    walk->path[walk->length++] = vertex;
}

bool graph_order(const Graph *graph, int32_t *order,
                 void (*cycle)(void *user, const int32_t *vertices, int32_t count), void *user)
{
    size_t n = (size_t)graph->count;
    Walk walk = {mem_alloc(n, sizeof(int32_t)), mem_alloc(n, sizeof(int32_t)),
                 mem_alloc(n, sizeof(int32_t)), 0};
    bool ok = walk.path && walk.depth && walk.next;
    int32_t done = 0;
    for (int32_t v = 0; ok && v < graph->count; v++)
        walk.depth[v] = NEW;
    for (int32_t root = 0; ok && root < graph->count; root++) {
        if (walk.depth[root] == NEW)
            push(&walk, graph, root);
        while (walk.length > 0) {
            int32_t vertex = walk.path[walk.length - 1];
            if (walk.next[vertex] == graph->row[vertex + 1]) {
                walk.length--;
                walk.depth[vertex] = DONE;
                order[done++] = vertex;
                continue;
            }
            int32_t to = graph->to[walk.next[vertex]++];
            if (walk.depth[to] == NEW)
                push(&walk, graph, to);
            else if (walk.depth[to] >= 0)
                cycle(user, walk.path + walk.depth[to], walk.length - walk.depth[to]);
        }
    }
    mem_free(walk.path);
    mem_free(walk.depth);
    mem_free(walk.next);
    return ok;
}
