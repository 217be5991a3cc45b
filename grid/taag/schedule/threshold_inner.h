/* What the files of threshold.h share. */
#ifndef TAAG_SCHEDULE_THRESHOLD_INNER_H
#define TAAG_SCHEDULE_THRESHOLD_INNER_H

#include "grid/taag/schedule/dispersion.h"
#include "grid/taag/schedule/effort.h"
#include "grid/taag/schedule/hosts.h"
#include "grid/taag/schedule/subsets.h"

typedef struct {
    const Hosts *hosts;
    const Shape *shape;
    Effort *effort;
    Neighbours near;
    double limit;     /* of latencies */
    int32_t words;    /* of a set of hosts */
    uint64_t *linked; /* hosts x words: each host and those within the limit */
    uint64_t *open;   /* (groups + 1) x groups x words: hosts that groups can have, at each depth */
    uint64_t
        *around; /* groups x words: hosts next to one that a group can have; scratch of filtering */
    bool *stale; /* groups: `around` does not hold any more */
    bool *wakes; /* groups: of which a neighbour can have fewer hosts than when it was filtered */
    int32_t runs;         /* of the search at this limit */
    int32_t sizes, *size; /* distinct sizes */
    int64_t *units;  /* hosts x sizes: the sum of floor(free / size) over a host and those linked */
    int64_t *wanted; /* scratch: sizes */
    int32_t *host, *free; /* of groups: its host, -1; of hosts: places left */
    int32_t *weight;      /* of groups: how often they had no host left */
    uint64_t *near_hosts; /* scratch: 2 x words */
    bool *near_groups;    /* scratch: 2 x groups */
    uint64_t *tried;      /* (groups + 1) x words */
} Threshold;

static inline uint64_t *threshold_open(const Threshold *t, int32_t depth, int32_t g)
{
    const size_t groups = (size_t)t->shape->groups;
    return t->open + ((size_t)depth * groups + (size_t)g) * (size_t)t->words;
}

static inline uint64_t *threshold_linked(const Threshold *t, int32_t h)
{
    return t->linked + (size_t)h * (size_t)t->words;
}

/* False: out of memory; threshold_free in any case. */
bool threshold_make(Threshold *out, const Hosts *hosts, const Shape *shape);
void threshold_free(Threshold *threshold);
/* Links up to t->limit, no group placed, and what follows from that.  False: there is no placement. */
bool threshold_begin(Threshold *t);
/* What follows at a depth from hosts and places of groups there.  False: a group has no host. */
bool threshold_filter(Threshold *t, int32_t depth);
/* A group on a host, its neighbours and the places that are left; or, by -1, back. */
void threshold_put(Threshold *t, int32_t g, int32_t h, int32_t by);
/* Is there a placement within the limit?  t->host: that. */
CliqueAnswer threshold_search(Threshold *t);

#endif
