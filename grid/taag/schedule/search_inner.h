/* What the files of search.h share. */
#ifndef TAAG_SCHEDULE_SEARCH_INNER_H
#define TAAG_SCHEDULE_SEARCH_INNER_H

#include "grid/taag/schedule/clique.h"
#include "grid/taag/schedule/dive.h"
#include "grid/taag/schedule/best.h"

typedef struct {
    Dive dive;
    const AmogetProgram *program;
    Clique *clique;   /* levels + 1 */
    CliqueRoom *room; /* levels + 1 */
    Cost *lower;      /* of each number of parts: no placement has a lower cost */
    Cost least;       /* of what was left out because the work was done */
    bool left;        /* there is such */
    bool no_memory;
} Search;

/* The largest first part that there can be. */
static inline int32_t search_largest_part(const Shape *shape)
{
    return shape->given ? shape->size[shape->fixed]
                        : shape->rest - (shape->parts - 1) * shape->least;
}

/* Better bounds of numbers of parts from `first` to `last`, and placements.
 * Where each group talks to each. */
void search_complete(Search *search, int32_t first, int32_t last, int32_t step);
/* Trees of three levels, in half of the time that is left. */
void search_star(Search *search);
/* Groups on sites. */
void search_spread(Search *search, int32_t first, int32_t last, int32_t step);
/* Rings: on the smallest sites, then on hosts. */
void search_cycles(Search *search, int32_t first, int32_t last, int32_t step);
/* Better placements near the best one. */
void search_nearby(Search *search);
/* The least largest latency of graphs; of rings with the sizes of the best placement. */
void search_threshold(Search *search);
/* Graphs of groups on sites, with so much work. */
void search_partition(Search *search, int32_t parts, int64_t work);
/* Graphs that are not proved, by annealing. */
void search_annealed(Search *search, int32_t parts);

#endif
