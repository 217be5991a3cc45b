/* Branch and bound over partitions. */
#include "grid/taag/schedule/search.h"

#include <math.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/schedule/bound.h"
#include "grid/taag/schedule/dive.h"
#include "grid/taag/schedule/seeds.h"

/* Work, in hosts looked at, without a time limit: for all, and for choosing among costs that are
 * proved to be the least. */
static const int64_t MOST_WORK = 400000000, TIE_WORK = 20000000;

typedef struct {
    Dive dive;
    Seeds seeds;
    const AmogetProgram *program;
    SearchSettings *settings;
    Cost least; /* of what was left out because the work was done */
    bool left;  /* there is such */
    bool no_memory;
} Search;

static void leave_out(Search *s, Cost bound)
{
    if (!s->left || cost_compare(bound, s->least) < 0)
        s->least = bound;
    s->left = true;
}

/* The largest first part that there can be. */
static int32_t largest_part(const Shape *shape)
{
    return shape->given ? shape->size[shape->fixed]
                        : shape->rest - (shape->parts - 1) * shape->least;
}

/* All partitions of a number of parts. */
static void search_parts(Search *s, int32_t parts)
{
    Shape shape;
    Best *best = s->dive.best;
    if (!shape_make(&shape, s->program, parts, &s->no_memory))
        return;
    Cost any = bound_of(s->dive.hosts, s->dive.tree, &shape, false);
    s->dive.work += s->dive.hosts->count;
    if (!best_beaten(best, any, parts, largest_part(&shape))) {
        shape_free(&shape);
        return;
    }
    do {
        Cost bound = bound_of(s->dive.hosts, s->dive.tree, &shape, true);
        s->dive.work += s->dive.hosts->count + shape.groups;
        if (best_beaten(best, bound, parts, shape.size[shape.fixed]) && !dive_ended(&s->dive))
            dive_into(&s->dive, &shape, bound);
        if (dive_ended(&s->dive)) {
            leave_out(s, any);
            break;
        }
    } while (shape_next(&shape));
    shape_free(&shape);
}

/* Placements to begin with, for every number of parts while there is little work in them. */
static void begin(Search *s, int32_t first, int32_t last, int32_t step)
{
    int64_t each = 12LL * s->dive.tree->nodes, limit = MOST_WORK / 8;
    for (int32_t parts = first; parts <= last && s->dive.work < limit && !s->no_memory;
         parts += step) {
        Shape shape;
        if (!shape_make(&shape, s->program, parts, &s->no_memory))
            continue;
        Cost any = bound_of(s->dive.hosts, s->dive.tree, &shape, false);
        if (best_beaten(s->dive.best, any, parts, largest_part(&shape))) {
            seeds_offer(&s->seeds, &shape, s->dive.best);
            seeds_offer_suited(&s->seeds, &shape, s->dive.best);
            s->dive.work += each * shape.groups;
        }
        shape_free(&shape);
    }
}

/* The least bound of all numbers of parts. */
static Cost least_bound(Search *s, int32_t first, int32_t last, int32_t step)
{
    Cost least = {0, 0, 0};
    bool any = false;
    for (int32_t parts = first; parts <= last && !s->no_memory; parts += step) {
        Shape shape;
        if (!shape_make(&shape, s->program, parts, &s->no_memory))
            continue;
        Cost bound = bound_of(s->dive.hosts, s->dive.tree, &shape, false);
        if (!any || cost_compare(bound, least) < 0)
            least = bound;
        any = true;
        shape_free(&shape);
    }
    return least;
}

static void finish(Search *s)
{
    const Best *best = s->dive.best;
    Cost bound = s->left && cost_compare(s->least, best->cost) < 0 ? s->least : best->cost;
    s->settings->bound = bound;
    s->settings->optimal = cost_compare(bound, best->cost) == 0;
    s->settings->nodes = s->dive.nodes;
}

PepaStatus search_best(const Hosts *h, const LatencyTree *t, const AmogetProgram *program,
                       SearchSettings *settings, Best *best, PepaError *err)
{
    Search s = {.program = program, .settings = settings};
    int32_t first, last, step;
    shape_parts(program, &first, &last, &step);
    s.no_memory = !dive_make(&s.dive, h, t, program->processes, best) ||
                  !seeds_make(&s.seeds, h, t, program->processes);
    s.dive.limit = settings->seconds > 0 ? INT64_MAX : MOST_WORK;
    s.dive.deadline = settings->seconds > 0 ? clock_seconds() + settings->seconds : INFINITY;
    if (!s.no_memory)
        begin(&s, first, last, step);
    if (!s.no_memory) {
        s.dive.proved = least_bound(&s, first, last, step);
        s.dive.tie_limit = s.dive.work + TIE_WORK;
    }
    for (int32_t parts = first; parts <= last && !s.no_memory; parts += step)
        search_parts(&s, parts);
    if (!s.no_memory)
        finish(&s);
    seeds_free(&s.seeds);
    dive_free(&s.dive);
    return s.no_memory ? error_memory(err) : PEPA_OK;
}
