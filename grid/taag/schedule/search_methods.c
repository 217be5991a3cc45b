/* Bounds and placements of kinds of programs, each by its own method. */
#include <math.h>

#include "grid/taag/schedule/search_inner.h"
#include "grid/taag/schedule/complete.h"
#include "grid/taag/schedule/cycle.h"
#include "grid/taag/schedule/exchange.h"
#include "grid/taag/schedule/partition.h"
#include "grid/taag/schedule/ring_blocks.h"
#include "grid/taag/schedule/shift.h"
#include "grid/taag/schedule/spread.h"
#include "grid/taag/schedule/star.h"
#include "grid/taag/schedule/star_bound.h"
#include "grid/taag/schedule/star_place.h"
#include "grid/taag/schedule/threshold.h"

/* Work of each, in hosts looked at. */
static const int64_t COMPLETE_WORK = 500000000, EXCHANGE_WORK = 50000000, ANNEAL_WORK = 100000000,
                     STAR_WORK = 1000000000, CYCLE_WORK = 400000000, SPREAD_WORK = 100000000,
                     THRESHOLD_WORK = 200000000;

/* Better ones, and placements, where each group talks to each. */
void search_complete(Search *s, int32_t first, int32_t last, int32_t step)
{
    Effort effort = {.limit = COMPLETE_WORK, .deadline = s->dive.effort.deadline};
    Complete *complete = complete_new(s->dive.hosts, s->dive.tree, s->program->processes, last);
    s->no_memory = complete == NULL;
    for (int32_t parts = first; parts <= last && !s->no_memory; parts += step) {
        Shape shape;
        if (effort_ended(&effort) || !division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        if (shape.complete && shape.groups > 1 &&
            best_beaten(s->dive.best, s->lower[parts], parts, search_largest_part(&shape))) {
            Effort part = effort_of(&effort, (effort.limit - effort.work) / 4);
            s->no_memory = !complete_solve(complete, &s->lower[parts], &shape, s->dive.best, &part);
            effort_add(&effort, &part);
        }
        division_free(&shape);
    }
    complete_free(complete);
}

/* The same, of trees of three levels, in half of the time that is left. */
void search_star(Search *s)
{
    Effort effort = {.limit = STAR_WORK, .deadline = s->dive.effort.deadline};
    if (isfinite(effort.deadline))
        effort.deadline = 0.5 * (effort.deadline + clock_seconds());
    if (!star_suits(s->program))
        return;
    s->no_memory = !star_solve(s->dive.hosts, s->program, s->lower, s->dive.best, &effort) ||
                   !star_bound(s->dive.hosts, s->program, s->lower, &effort);
    for (int32_t level = 1; level <= s->dive.hosts->levels && !s->no_memory; level++)
        if (!s->dive.best->found || s->dive.best->cost.level >= level)
            s->no_memory = !star_place(s->dive.hosts, s->program, level, s->dive.best, &effort);
}

/* Those of a level, over whose hosts groups may be spread; of 0: for groups on one host each. */
static void find_sites(Search *s, Sites *sites, int32_t level, int32_t most)
{
    const Dive *d = &s->dive;
    s->no_memory = !(level > 0 ? sites_find(sites, d->hosts, d->tree, level)
                               : sites_closest(sites, d->hosts, d->tree, most));
}

/* The same, of groups on sites. */
void search_spread(Search *s, int32_t first, int32_t last, int32_t step)
{
    Sites sites = {0};
    int32_t level = -1; /* of the sites; -1: none */
    Effort effort = {.limit = SPREAD_WORK, .deadline = s->dive.effort.deadline};
    const bool ring = s->program->kind == AMOGET_RING; /* the mean is less with many groups */
    for (int32_t i = first; i <= last && !s->no_memory; i += step) {
        const int32_t parts = ring ? first + (last - first) / step * step - (i - first) : i;
        Shape shape;
        Cost *lower = &s->lower[parts];
        if (s->dive.hosts->levels < 1 || lower->level > s->dive.hosts->levels ||
            effort_ended(&effort) || !division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        if ((lower->level > 0 || shape.given) &&
            best_beaten(s->dive.best, *lower, parts, search_largest_part(&shape))) {
            const int64_t left = effort.limit - effort.work;
            Effort part = effort_of(&effort, first < last ? left / 4 : left);
            if (level != lower->level) {
                sites_free(&sites);
                level = lower->level;
                find_sites(s, &sites, level, MOST_SITES);
            }
            s->no_memory = s->no_memory ||
                           !spread_solve(s->dive.hosts, &sites, &shape, lower, s->dive.best, &part);
            effort_add(&effort, &part);
        }
        division_free(&shape);
    }
    sites_free(&sites);
}

/* The same, of rings: on sites, then on hosts. */
void search_cycles(Search *s, int32_t first, int32_t last, int32_t step)
{
    Sites sites = {0};
    Effort effort = {.limit = CYCLE_WORK, .deadline = s->dive.effort.deadline};
    if (s->dive.hosts->levels > 0)
        find_sites(s, &sites, 0, MOST_WALK_SITES);
    for (int32_t parts = first; parts <= last && !s->no_memory; parts += step) {
        Shape shape;
        if (effort_ended(&effort) || !division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        if (cycle_suits(&shape) &&
            best_beaten(s->dive.best, s->lower[parts], parts, search_largest_part(&shape))) {
            Effort part = effort_of(&effort, (effort.limit - effort.work) / 2);
            Effort walks = effort_of(&part, part.limit / 2);
            s->no_memory = !ring_blocks_solve(s->dive.hosts, &sites, &shape, &s->lower[parts],
                                              s->dive.best, &walks);
            effort_add(&part, &walks);
            s->no_memory = s->no_memory || !cycle_solve(s->dive.hosts, &shape, &s->lower[parts],
                                                        s->dive.best, &part);
            effort_add(&effort, &part);
        }
        division_free(&shape);
    }
    sites_free(&sites);
}

/* Better placements near the best one, where not each group talks to each or groups are spread. */
void search_nearby(Search *s)
{
    Shape shape;
    Best *best = s->dive.best;
    Effort effort = {.limit = EXCHANGE_WORK, .deadline = s->dive.effort.deadline};
    if (!best->found || !division_make(&shape, s->program, best->parts, &s->no_memory))
        return;
    division_set(&shape, best->sizes);
    if (!shape.complete && shape.groups > 1)
        s->no_memory = !exchange_improve(s->dive.hosts, &shape, best, &effort);
    if (!s->no_memory && best->cost.level > 0 &&
        best_beaten(best, s->lower[best->parts], best->parts, shape.size[shape.fixed]))
        s->no_memory = !shift_improve(s->dive.hosts, &shape, false, 0, best, &effort);
    division_free(&shape);
}

/* The same by annealing, where what is known is not proved to be the best. */
void search_annealed(Search *s, int32_t parts)
{
    Shape shape;
    Best *best = s->dive.best;
    Effort effort = {.limit = ANNEAL_WORK, .deadline = s->dive.effort.deadline};
    if (!best->found || best->cost.level > 0 || best->parts != parts ||
        !division_make(&shape, s->program, parts, &s->no_memory))
        return;
    if (best_beaten(best, s->lower[parts], parts, search_largest_part(&shape)))
        s->no_memory = !exchange_anneal(s->dive.hosts, &shape, best, &effort);
    division_free(&shape);
}

/* The least largest latency of graphs; of rings with the sizes of the best placement. */
void search_threshold(Search *s)
{
    Shape shape;
    Best *best = s->dive.best;
    const bool graph = s->program->kind == AMOGET_GRAPH;
    const int32_t parts = graph ? s->program->group_count : best->parts;
    if ((!graph && !best->found) || !division_make(&shape, s->program, parts, &s->no_memory))
        return;
    if (!graph)
        division_set(&shape, best->sizes);
    Effort effort = {.limit = THRESHOLD_WORK, .deadline = s->dive.effort.deadline};
    Cost bound = s->lower[parts];
    if (best_beaten(best, bound, parts, search_largest_part(&shape)))
        s->no_memory = !threshold_solve(s->dive.hosts, &shape, &bound, best, &effort);
    if (graph)
        s->lower[parts] = bound;
    division_free(&shape);
}

/* Graphs of groups on the smallest sites that are not too many, of the level of the bound or of lower ones; or on those
 * for groups on one host each. */
void search_partition(Search *s, int32_t parts, int64_t work)
{
    Shape shape;
    Cost *lower = &s->lower[parts];
    if (!division_make(&shape, s->program, parts, &s->no_memory))
        return;
    Effort effort = {.limit = work, .deadline = s->dive.effort.deadline};
    if (s->dive.best->found && s->dive.best->cost.most > lower->most) /* the mean hardly matters */
        effort.limit /= 4;
    const bool better = best_beaten(s->dive.best, *lower, parts, search_largest_part(&shape));
    const int32_t levels = s->dive.hosts->levels;
    bool done = !better || shape.edge_count == 0 || levels == 0;
    for (int32_t level = lower->level; level <= levels && !done && !s->no_memory; level++) {
        Sites sites = {0};
        find_sites(s, &sites, level, MOST_SITES);
        done = sites.count > 0 || lower->level > 0;
        s->no_memory = s->no_memory || !partition_solve(s->dive.hosts, &sites, &shape, lower,
                                                        s->dive.best, &effort);
        sites_free(&sites);
    }
    division_free(&shape);
}
