/* Sites of groups by dynamic programming: a state is the sites of a frontier and what each site contains.
 *
 * Groups get sites in the sequence of partition_cuts.h.  Of placements of the first k groups with the same state only
 * the cheapest counts, for the others continue alike.  What a site contains is how many groups of each size, so that
 * places and hosts that are too small for them are seen at once; where groups are spread, it is how many processes.
 * States whose bound is no better than what is known are left out, and those after which a group has no site within
 * the limit of those that it is connected with (arc consistency), so that few of them are left.  What hosts save
 * depends on all groups: so all ways back through the states that may be better are followed from the last layer on,
 * and what each saves is worked out when all groups have a site.
 * Source: Bellman, Dynamic programming; Bodlaender, A partial k-arboretum of graphs with bounded treewidth
 * (programmes over frontiers); Mackworth, Consistency in networks of relations. */
#ifndef TAAG_SCHEDULE_PARTITION_STATES_H
#define TAAG_SCHEDULE_PARTITION_STATES_H

#include "base/memo.h"
#include "grid/taag/schedule/partition_inner.h"

/* States of the first so many groups. */
typedef struct {
    Memo found;    /* by key: a number */
    double *cost;  /* of these: of connections within the groups */
    double *bound; /* while the layer is filled */
    size_t cap;
} Layer;

typedef struct {
    Partition *p;
    int32_t sites, site[MOST_SITES]; /* that links join */
    int32_t number[MOST_SITES];      /* the place of a site in this list */
    int32_t site_bits, content_bits; /* of keys */
    uint64_t *weight,
        *base; /* sizes: what a site contains is a number, whose digit for a size is below its base */
    int32_t *whole;            /* sizes x sizes: floor(size / size) */
    uint64_t *all;             /* groups + 1: what the first so many come to */
    int32_t *class;            /* groups: the number of their size */
    int32_t *place;            /* groups: in the sequence */
    uint32_t near[MOST_SITES]; /* sites within the limit of each: a bit each */
    uint32_t *open, *room;     /* scratch: sites that groups, and sizes, may still be on */
    int32_t width;             /* states of a layer at most; 0: any number */
    Layer *layer;              /* groups + 1 */
    int32_t states;            /* of all layers */

    int8_t frontier[MOST_FRONTIER]; /* of the present state */
    uint64_t content[MOST_SITES];   /* of sites */
    int32_t used[MOST_SITES];       /* processes on them */
    int32_t *taken;                 /* sites x sizes: the sum of floor(size of group / size) */
    double ceiling;                 /* ways back that cost more are not followed; INFINITY */
    bool first;                     /* one placement will do */
    bool over;                      /* it is found */
} States;

/* States on sites that links join with site `a`, the first of them.  *suit: they have keys.  False: out of memory;
 * states_free in any case. */
bool states_make(States *states, Partition *partition, int32_t a, bool *suit);
void states_free(States *states);
/* The key of the present state, of so many groups in its frontier. */
MemoKey states_pack(const States *states, int32_t count);
/* The state of a key of the first k groups. */
void states_unpack(States *states, MemoKey key, int32_t k);
/* May the hosts of a site hold one more group of the z-th size, beside what the present state has there? */
bool states_have_room(const States *states, int32_t z, int32_t a);
/* May each group after the first k of the present state, where the others of these are, have a site within the limit
 * of those that it is connected with? */
bool states_go_on(const States *states, int32_t k);
/* Placements of the first k groups of the present state cost so much, and are no better by the places that are left. */
bool states_are_beaten(const States *states, int32_t k, double before);
/* What connections of the k-th group, on a site, with those of the frontier cost; INFINITY: one is above the limit. */
double states_cost(const States *states, int32_t k, int32_t a);
/* All layers; p->no_memory. */
void states_fill(States *states);
/* Ways back from the last layer that cost no more than the ceiling. */
void states_walk(States *states, double ceiling, bool first);

#endif
