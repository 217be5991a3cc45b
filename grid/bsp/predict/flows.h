/* Links that data shares evenly, and processors that processes share.
 *
 * A link with n flows serves each at 1/n of its rate (processor sharing), as TCP does with connections of equal round
 * trips; a processor of c cores serves each of its processes at c/n, and at 1 at most.  The link counts the seconds of service that each flow has had since the beginning; a flow that comes at s
 * and needs t alone ends at s + t of these, so that a flow which comes or goes costs O(log n). */
#ifndef GRID_BSP_PREDICT_FLOWS_H
#define GRID_BSP_PREDICT_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t send;  /* the caller's: of the trace */
    int64_t step; /* the caller's */
    double later; /* the caller's */
    double end;   /* in seconds of service */
} Flow;

typedef struct {
    double width;  /* flows that it serves without delay: 1, or cores */
    double served; /* seconds of service to each flow */
    double since;  /* the time of that */
    Flow *flow;    /* a heap: the first one ends first */
    size_t count, capacity;
    uint32_t version; /* changes when the next end does */
} Link;

/* A flow that needs so many seconds alone begins at the time `at`, not before any call on this link.  False: out of
 * memory. */
bool link_begin(Link *link, double at, double seconds, Flow flow);
/* When the first flow ends if none comes before that; there is one. */
double link_next(const Link *link);
/* At that time: it ends. */
Flow link_end(Link *link, double at);
void link_free(Link *link);

#endif
