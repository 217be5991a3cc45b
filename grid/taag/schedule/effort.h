/* How much a search may still do: a fixed amount of work, and perhaps a time.  Work is counted, so
 * that results without a time limit do not depend on the speed of the machine. */
#ifndef TAAG_SCHEDULE_EFFORT_H
#define TAAG_SCHEDULE_EFFORT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

enum { WORK_PER_LOOK = 20000 }; /* between two looks at the clock: well below a millisecond */

typedef struct {
    int64_t work, limit; /* in latencies looked at, or what takes as long */
    int64_t next_look;
    double deadline; /* on the clock; INFINITY: none */
    bool ended;      /* limit or deadline was met */
    bool late;       /* deadline was met */
} Effort;

/* A part of another's, with a limit of its own; to be added to the other's. */
static inline Effort effort_of(const Effort *whole, int64_t limit)
{
    int64_t left = whole->limit - whole->work;
    limit = limit < left ? limit : left;
    return (Effort){.limit = limit,
                    .deadline = whole->deadline,
                    .ended = whole->ended,
                    .late = whole->late};
}

/* What a part has done; if it was late so is the whole. */
static inline void effort_add(Effort *whole, const Effort *part)
{
    whole->work += part->work;
    whole->late = whole->late || part->late;
}

static inline bool effort_late(Effort *e)
{
    if (!e->late && isfinite(e->deadline) && e->work >= e->next_look) {
        e->next_look = e->work + WORK_PER_LOOK;
        e->late = clock_seconds() > e->deadline;
    }
    return e->late;
}

static inline bool effort_ended(Effort *e)
{
    e->ended = e->ended || e->work > e->limit || effort_late(e);
    return e->ended;
}

#endif
