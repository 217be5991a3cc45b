/* What of a sweep depends on what: chunks of upper states, and the flows between them. */
#ifndef PEPA_CTMC_SHARE_GRAPH_H
#define PEPA_CTMC_SHARE_GRAPH_H

#include "ctmc/diagram/diagram.h"

/* A chunk that flows into another, or the other way, or both. */
typedef struct {
    int32_t chunk;
    bool from, to; /* it flows into this one; this one flows into it */
} ShareLink;

/* Chunks are numbered in the order of a sweep; each is some consecutive upper states. */
typedef struct {
    int32_t count;
    int32_t *bound;        /* count + 1 upper states, ascending */
    bool up;               /* chunk 0 has the first upper states; else the last */
    double *work, *states; /* per chunk: entries of the generator and states; states */
    int32_t *row;          /* links of chunk c: link[row[c]] .. link[row[c + 1] - 1] */
    ShareLink *link;       /* ascending, without c itself */
} ShareGraph;

/* Processes, and what part of the work each is to have, in the sum 1. */
typedef struct {
    int32_t count;
    const double *part; /* NULL: all the same */
} ShareParts;

static inline double share_part(ShareParts parts, int32_t process)
{
    return parts.part ? parts.part[process] : 1.0 / parts.count;
}

/* Upper states are chunks of their own, unless they are many.
 * O(edges x log chunks).  False: memory is out; to be freed in both cases. */
bool share_graph_new(ShareGraph *out, const Diagram *diagram);
void share_graph_free(ShareGraph *graph);

/* The upper states of chunk c: from share_first to before share_end. */
static inline int32_t share_first(const ShareGraph *g, int32_t c)
{
    return g->bound[g->up ? c : g->count - 1 - c];
}
static inline int32_t share_end(const ShareGraph *g, int32_t c)
{
    return g->bound[(g->up ? c : g->count - 1 - c) + 1];
}
int32_t share_chunk_of(const ShareGraph *graph, int32_t upper);

#endif
