/* Lower bounds of the time per item, for mappings of which only the first stages are placed.
 *
 * The time per item C(s) is convex and of degree 1 in the mean durations s (pipeline_chain.h),
 * so that its gradient g at any point s' gives a plane below it, a *cut*:
 *
 *     C(s) >= g . s        for all s, with equality at s'
 *
 * The same holds for a contiguous part of the pipeline, with g = 0 elsewhere; for a single stage it
 * reads C >= move_i + process_i + move_{i+1} (with a place before it: take_i in place of move_i).
 * Under a cut the cost of a mapping is a sum of costs of its moves and stages.  The stages already
 * placed cost what they cost, stretched by those that share their processor.  What the others add
 * is bounded in three ways, each leaving something out:
 *
 *   path    the shortest path over their places.  Neighbours on one processor, a run of r of them,
 *           share it and pay f(r) = max(1, r / cores) times their work; runs that come back to a
 *           processor do not notice each other (sharing can only grow)
 *
 *   slots   every move at its quickest, but the k-th stage to come to a processor finds it that
 *           much slower: of all such slots the quickest ones, the quickest for the stage with the
 *           most work under the cut, and so on (the sum of products is then least)
 *
 *   joining the path again, in which a run of r that joins m stages with work W already placed pays
 *           (f(m + r) - f(m)) W + f(m + r) (its own work).  As f is convex and W only grows, a
 *           second run to join would really pay more.  Found for one cut only: it costs more
 *
 * With AMOGET_SERIAL, sharing does not slow a stage down, and f = 1.  Cuts are those of the event
 * graph in which no stage waits for a processor, which is never slower (pipeline_chain.h).  The
 * capacity of the processors is a second bound.  With AMOGET_BUFFERED stage i >= 2 also takes its
 * item from its place.
 *
 * The largest of these over all cuts bounds every mapping that begins like this.
 *
 * Cuts in column c of matrices whose rows are contiguous over cuts: a loop over all cuts is a loop
 * over memory. */
#ifndef AMOGET_BOUND_H
#define AMOGET_BOUND_H

#include "amoget/model/pipeline_chain.h"
#include "amoget/model/costs.h"
#include "amoget/search/tuning.h"

typedef struct Cut {
    double slope[MOST_ACTIVITIES];
    uint64_t turns;
} Cut;

typedef struct {
    const Costs *costs;    /* borrowed */
    int32_t count;         /* cuts */
    double *slope;         /* activities x MOST_CUTS: g */
    double *ahead;         /* stages x processors x MOST_CUTS: V */
    double *start, *leave; /* (stages + 1) x processors: scratch of find_starts */
    double *moves;         /* stages x MOST_CUTS: of moves i+1 .. n at their quickest */
    /* Stages x stages x MOST_CUTS: work under the cut of stages i .. n-1, the largest first. */
    double *heavy;
    uint64_t turns[MOST_CUTS]; /* neighbours that must be on one processor for the cut to hold */
    int32_t given;             /* cuts of bounds_new: they stay */
    int64_t used[MOST_CUTS];   /* when each last gave the largest bound */
    int64_t clock;
} Bounds; /* starts as {0} */

/* With the cuts of single stages. */
PepaStatus bounds_new(Bounds *bounds, const Costs *costs, PepaError *err);
void bounds_free(Bounds *bounds);

/* A cut of stages first .. first+count-1, by the slopes of their chain's answer, in which `turns`
 * were taken.  When there is no room, the cut that has been of no use for longest goes. */
void bounds_add(Bounds *bounds, int32_t first, int32_t count, uint64_t turns, const double *slope);

/* Cuts to be used again when costs change: they say something about every duration.
 *   cuts  room for MOST_CUTS; returns how many there are, without those of bounds_new */
int32_t bounds_keep(const Bounds *bounds, Cut *cuts);
void bounds_put(Bounds *bounds, const Cut *cut);

/* A partial mapping under every cut. */
typedef struct {
    int32_t depth;          /* stages placed */
    const int32_t *mapping; /* depth entries, borrowed */
    double cost[MOST_CUTS]; /* of what is decided: moves and stages 0 .. depth-1 */
} PartialMapping;
void partial_mapping_at(PartialMapping *partial, const Bounds *bounds, const int32_t *mapping,
                        int32_t depth);

/* The bound if stage `depth` is placed on processor j.  The computation may stop as soon as the
 * bound exceeds `enough`. */
double bounds_child(Bounds *bounds, const PartialMapping *partial, int32_t j, double enough);

/* The bound of a partial mapping; depth == stages: of that mapping. */
double bounds_of(Bounds *bounds, const PartialMapping *partial, double enough);

#endif
