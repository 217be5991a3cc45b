/* Good first placements for the search: groups, the largest first, fill hosts in the order of their
 * speed, and of their nearness to each host, and each group takes the hosts around the one where it
 * is fastest; then processes move and change places as long as that makes the round shorter. */
#ifndef TAAG_PREDICT_START_H
#define TAAG_PREDICT_START_H

#include "grid/taag/predict/fastest.h"

typedef struct {
    Fastest *fastest;
    int32_t *by_speed;      /* hosts, the fastest first */
    int32_t *around;        /* hosts^2: around each host, the nearest first, then the fastest */
    int32_t *free;          /* of hosts: places */
    int32_t *taken;         /* scratch: hosts */
    int32_t *host_of;       /* by rank */
    int32_t *first, *group; /* the first rank of each group; scratch */
} Start;

/* hosts^2 log hosts. */
bool start_make(Start *start, Fastest *fastest, int32_t processes);
void start_free(Start *start);
/* Offer the placements of a shape.  hosts x (hosts + processes) fillings, groups x hosts^2 for the
 * groups by themselves. */
void start_offer(Start *start, const Shape *shape);
/* From the best placement, whose shape this is, to one that no move and no exchange improves; or
 * until fastest->work is more than `most`, or the deadline is met. */
void start_improve(Start *start, const Shape *shape, int64_t most);

#endif
