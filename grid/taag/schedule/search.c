/* Branch and bound over partitions. */
#include "grid/taag/schedule/search.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/schedule/bound.h"
#include "grid/taag/schedule/search_inner.h"
#include "grid/taag/schedule/seeds.h"

/* Work, in hosts looked at, without a time limit: for all, and for choosing among costs that are
 * proved to be the least; for placements to begin with. */
static const int64_t MOST_WORK = 200000000, TIE_WORK = 10000000, SEED_WORK = 100000000,
                     SOON = 100000000, PARTITION_WORK = 200000000; /* of graphs on sites */

/* Hosts x processes x numbers of groups from which on not all numbers of groups are begun with. */
static const int64_t MANY = 1000000;

static void leave_out(Search *s, Cost cost)
{
    if (!s->left || cost_compare(cost, s->least) < 0)
        s->least = cost;
    s->left = true;
}

/* The processes of the largest group, at least. */
static int32_t largest_group(const Shape *shape, bool sizes)
{
    const int32_t manager = shape->program->kind == AMOGET_TREE;
    if (shape->given)
        return shape->size[shape->order[0]];
    return manager +
           (sizes ? shape->size[shape->fixed] : (shape->rest + shape->parts - 1) / shape->parts);
}

/* bound_of, and what cliques say: of each group, and of all where each talks to each. */
static Cost bound(Search *s, const Shape *shape, bool sizes)
{
    Cost cost = bound_of(s->dive.hosts, s->dive.tree, shape, sizes, 0);
    int32_t level = cost.level;
    s->no_memory = s->no_memory || !clique_level(&level, s->room, s->dive.hosts,
                                                 largest_group(shape, sizes), &s->dive.effort);
    if (level > cost.level)
        cost = bound_of(s->dive.hosts, s->dive.tree, shape, sizes, level);
    s->dive.effort.work += bound_work(s->dive.tree, shape);
    if (!shape->complete || shape->groups < 2)
        return cost;
    Clique *clique = &s->clique[cost.level];
    if (!clique->looked_for) {
        double allowed = fmax(s->dive.hosts->most[cost.level], cost.most);
        s->no_memory = s->no_memory || !clique_find(clique, s->dive.hosts, s->program->processes,
                                                    allowed, &s->dive.effort);
    }
    cost.most = fmax(cost.most, clique->least);
    return cost;
}

/* All partitions of a number of parts. */
static void search_parts(Search *s, int32_t parts)
{
    Shape shape;
    Best *best = s->dive.best;
    if (!division_make(&shape, s->program, parts, &s->no_memory))
        return;
    Cost any = s->lower[parts];
    if (!best_beaten(best, any, parts, search_largest_part(&shape))) {
        division_free(&shape);
        return;
    }
    do {
        Cost least = bound(s, &shape, true);
        if (best_beaten(best, least, parts, shape.size[shape.fixed]) && !dive_ended(&s->dive))
            dive_into(&s->dive, &shape, least);
        if (dive_ended(&s->dive)) {
            leave_out(s, any);
            break;
        }
        s->no_memory = s->no_memory || s->dive.no_memory;
    } while (!s->no_memory && division_next(&shape));
    division_free(&shape);
}

/* Placements to begin with, for every number of parts while there is little work in them. */
static void begin(Search *s, Seeds *seeds, int32_t first, int32_t last, int32_t step)
{
    for (int32_t parts = first; parts <= last && !effort_ended(seeds->effort) && !s->no_memory;
         parts += step) {
        Shape shape;
        if (!division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        if (best_beaten(s->dive.best, s->lower[parts], parts, search_largest_part(&shape))) {
            seeds_offer(seeds, &shape, s->dive.best);
            seeds_offer_suited(seeds, &shape, s->dive.best);
        }
        division_free(&shape);
    }
}

/* The same on hosts that the tree knows, or on the few of a clique. */
static void begin_on(Search *s, const Hosts *h, const LatencyTree *t, int32_t first, int32_t last,
                     int32_t step)
{
    Seeds seeds;
    Effort effort = {.limit = SEED_WORK, .deadline = s->dive.effort.deadline};
    if (seeds_make(&seeds, h, t, s->program->processes, &effort))
        begin(s, &seeds, first, last, step);
    else
        s->no_memory = true;
    seeds_free(&seeds);
}

/* Where there are many placements, and so before bounds, which take long: those of the most groups, which need the
 * smallest sets of near hosts, and of fewer and fewer. */
static void begin_soon(Search *s, const Hosts *h, const LatencyTree *t, int32_t first, int32_t last,
                       int32_t step)
{
    const double now = clock_seconds(), share = 0.3, left = s->dive.effort.deadline - now;
    Effort effort = {.limit = SEED_WORK,
                     .deadline = isfinite(left) ? now + share * left : INFINITY};
    Seeds seeds;
    int32_t parts = last - (last - first) % step;
    s->no_memory = !seeds_make(&seeds, h, t, s->program->processes, &effort);
    for (int32_t less = step; parts >= first && !effort_ended(&effort) && !s->no_memory;
         less *= 2) {
        begin(s, &seeds, parts, parts, step);
        parts -= less;
    }
    seeds_free(&seeds);
}

/* On the hosts of each clique that was found. */
static void begin_in_cliques(Search *s, int32_t first, int32_t last, int32_t step)
{
    for (int32_t level = 0; level <= s->dive.hosts->levels && !s->no_memory; level++) {
        Hosts some = *s->dive.hosts;
        LatencyTree tree;
        some.places = NULL;
        if (!s->clique[level].found)
            continue;
        s->no_memory = !mem_new(some.places, some.count);
        for (int32_t i = 0; i < some.count && !s->no_memory; i++)
            some.places[i] = s->clique[level].member[i] ? s->dive.hosts->places[i] : 0;
        if (!s->no_memory && linkage_make(&tree, &some, s->program->processes, NULL) == PEPA_OK) {
            begin_on(s, &some, &tree, first, last, step);
            linkage_free(&tree);
        } else {
            s->no_memory = true;
        }
        mem_free(some.places);
    }
}

/* Bounds for every number of parts. */
static void find_bounds(Search *s, int32_t first, int32_t last, int32_t step)
{
    for (int32_t parts = first; parts <= last && !s->no_memory; parts += step) {
        Shape shape;
        if (effort_late(&s->dive.effort) ||
            !division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        s->lower[parts] = bound(s, &shape, false);
        division_free(&shape);
    }
}

/* The least bound of all numbers of parts. */
static Cost least_bound(Search *s, int32_t first, int32_t last, int32_t step)
{
    Cost least = {0, 0, 0};
    bool any = false;
    for (int32_t parts = first; parts <= last && !s->no_memory; parts += step) {
        Shape shape;
        if (!division_make(&shape, s->program, parts, &s->no_memory))
            continue;
        Cost here = s->lower[parts];
        if (!any || cost_compare(here, least) < 0)
            least = here;
        any = true;
        division_free(&shape);
    }
    return least;
}

/* Without a placement, as the time was over too soon, nothing is proved of the one that comes instead. */
static void finish(Search *s, SearchSettings *settings)
{
    const Best *best = s->dive.best;
    const bool less = !best->found || (s->left && cost_compare(s->least, best->cost) < 0);
    settings->bound = !less ? best->cost : s->left ? s->least : (Cost){0, 0, 0};
    settings->optimal = !less;
    settings->nodes = s->dive.nodes;
}

/* Graphs: what few sites prove soon; better placements where they do not, and all of the work with these. */
static void search_graph(Search *s, int32_t parts)
{
    const double most = s->dive.best->found ? s->dive.best->cost.most : INFINITY;
    search_partition(s, parts, SOON);
    if (!s->no_memory && s->dive.best->found && s->dive.best->cost.most < most)
        search_partition(s, parts, SOON); /* now the mean matters */
    if (!s->no_memory)
        search_annealed(s, parts);
    if (!s->no_memory)
        search_partition(s, parts, PARTITION_WORK);
}

PepaStatus search_placements(const Hosts *h, const LatencyTree *t, const AmogetProgram *program,
                             SearchSettings *settings, Best *best, PepaError *err)
{
    Search s = {.program = program};
    int32_t first, last, step;
    division_parts(program, &first, &last, &step);
    s.no_memory = !dive_make(&s.dive, h, t, program->processes, best) ||
                  !mem_new_zeroed(s.clique, h->levels + 1) ||
                  !mem_new_zeroed(s.room, h->levels + 1) ||
                  !mem_new(s.lower, program->processes + 1);
    s.dive.effort.limit = isfinite(settings->deadline) ? INT64_MAX : MOST_WORK;
    s.dive.effort.deadline = settings->deadline;
    for (int32_t parts = 0; parts <= program->processes && !s.no_memory; parts++)
        s.lower[parts] = (Cost){0, 0, 0};
    if (!s.no_memory && (int64_t)h->count * program->processes * ((last - first) / step + 1) > MANY)
        begin_soon(&s, h, t, first, last, step);
    if (!s.no_memory)
        find_bounds(&s, first, last, step);
    if (!s.no_memory)
        search_star(&s);
    if (!s.no_memory)
        begin_on(&s, h, t, first, last, step);
    if (!s.no_memory)
        search_spread(&s, first, last, step);
    if (!s.no_memory)
        search_complete(&s, first, last, step);
    if (!s.no_memory && program->kind == AMOGET_RING)
        search_nearby(&s);
    if (!s.no_memory && program->kind == AMOGET_RING)
        search_threshold(&s);
    if (!s.no_memory && program->kind == AMOGET_RING)
        search_cycles(&s, first, last, step);
    if (!s.no_memory)
        begin_in_cliques(&s, first, last, step);
    if (!s.no_memory)
        search_nearby(&s);
    if (!s.no_memory && program->kind == AMOGET_GRAPH)
        search_threshold(&s);
    if (!s.no_memory && program->kind == AMOGET_GRAPH)
        search_graph(&s, first);
    if (!s.no_memory) {
        s.dive.proved = least_bound(&s, first, last, step);
        s.dive.tie_limit = s.dive.effort.work + TIE_WORK;
    }
    for (int32_t parts = first; parts <= last && !s.no_memory; parts += step)
        search_parts(&s, parts);
    if (!s.no_memory)
        finish(&s, settings);
    for (int32_t level = 0; s.clique && level <= h->levels; level++)
        clique_free(&s.clique[level]);
    mem_free_all(s.clique, s.room, s.lower);
    dive_free(&s.dive);
    return s.no_memory ? error_memory(err) : PEPA_OK;
}
