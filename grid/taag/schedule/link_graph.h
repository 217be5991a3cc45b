/* Nodes and the links between them that are short enough, as sets of bits; and how much a clique of
 * them can hold, by greedy colouring: it has at most one node of each colour.
 * Source: San Segundo et al., An exact bit-parallel algorithm for the maximum clique problem. */
#ifndef TAAG_SCHEDULE_LINK_GRAPH_H
#define TAAG_SCHEDULE_LINK_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t count, words; /* vertices; words of a set of them */
    uint64_t *linked;     /* count x words */
    int32_t *groups;      /* that a vertex can hold; the caller's to set */
    int64_t *places;      /* the same of processes */
} LinkGraph;

/* No links.  False: out of memory, and nothing is held. */
bool link_graph_make(LinkGraph *out, int32_t count);
void link_graph_free(LinkGraph *graph);

static inline void link_set_add(uint64_t *set, int32_t v)
{
    set[v / 64] |= (uint64_t)1 << (v % 64);
}
static inline void link_set_remove(uint64_t *set, int32_t v)
{
    set[v / 64] &= ~((uint64_t)1 << (v % 64));
}
static inline uint64_t *link_graph_row(const LinkGraph *graph, int32_t v)
{
    return &graph->linked[(size_t)v * (size_t)graph->words];
}

/* Colour a set so that linked vertices differ, colour by colour into order; returns how many they
 * are.  bound: 2 for each, what a clique of those up to it can hold: groups, places.
 * scratch: 2 x words.  Vertices x words. */
int32_t link_graph_colour(const LinkGraph *graph, const uint64_t *set, uint64_t *scratch,
                          int32_t *order, int64_t *bound);

#endif
