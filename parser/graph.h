/* The graph of definitions, with an edge from each to those that it names: its order and cycles. */
#ifndef PEPA_PARSER_GRAPH_H
#define PEPA_PARSER_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vertices 0 .. count-1; v points to to[row[v] .. row[v+1]). */
typedef struct {
    int32_t count;
    const int32_t *row, *to;
} Graph;

/* Depth first over the whole graph, without recursion.
 *   order  count entries, out: every vertex after those it points to (except for edges
 *          that close a cycle)
 *   cycle  called for each edge that closes a cycle, with the cycle's vertices in order
 * O(vertices + edges), and the lengths of the cycles.  False when memory is out. */
bool graph_order(const Graph *graph, int32_t *order,
                 void (*cycle)(void *user, const int32_t *vertices, int32_t count), void *user);

#endif
