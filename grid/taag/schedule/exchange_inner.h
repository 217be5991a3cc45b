/* What the files of exchange.h share. */
#ifndef TAAG_SCHEDULE_EXCHANGE_INNER_H
#define TAAG_SCHEDULE_EXCHANGE_INNER_H

#include "grid/taag/schedule/best.h"
#include "grid/taag/schedule/effort.h"

typedef struct {
    const Hosts *hosts;
    const Shape *shape;
    Best *best;
    Effort *effort;
    int32_t units, *unit; /* the groups that others are placed with, or that stand alone */
    int32_t *size;        /* of groups: of what moves with it */
    int32_t *leaves;      /* of groups: the other group of a unit, or -1 */
    int32_t *host;        /* of groups */
    int32_t *free;        /* places left of hosts */
    int32_t *near, *near_at;
    int32_t *host_of; /* by rank */
    double limit;
    bool
        soft; /* links above the limit count a few limits more, not a thousand times what they exceed it by */
    uint64_t state; /* of random numbers */
} Exchange;

/* Scratch, and the graph of groups.  False: out of memory; exchange_release in any case. */
bool exchange_prepare(Exchange *x);
void exchange_release(Exchange *x);
/* Hosts of groups as in the best placement.  False: some group is on several hosts. */
bool exchange_start(Exchange *x);
void exchange_offer(Exchange *x);

int32_t exchange_random(Exchange *x, int32_t below);
/* The connections of a unit, if it is on host `to`, and the unit `other`, if any, on `its`. */
double exchange_edges(Exchange *x, int32_t unit, int32_t to, int32_t other, int32_t its);
void exchange_put(Exchange *x, int32_t unit, int32_t to);
bool exchange_can_swap(const Exchange *x, int32_t a, int32_t b);
void exchange_swap(Exchange *x, int32_t a, int32_t b);

#endif
