/* Annealing from many placements. */
#include "grid/taag/schedule/improve.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "grid/taag/schedule/search_inner.h"
#include "grid/taag/schedule/seeds.h"
#include "grid/taag/schedule/shift.h"

/* Work, in hosts looked at, without a deadline; of greedy placements of one number of parts. */
static const int64_t IMPROVE_WORK = 200000000, START_WORK = 10000000;

typedef struct {
    const Hosts *hosts;
    const LatencyTree *tree;
    const AmogetProgram *program;
    Cost bound;
    Best *best;
    Effort effort;
    int32_t turn; /* of all parts */
} Improvement;

/* A placement of so many parts: the best of all, or a greedy one. */
static bool begin(Improvement *m, Shape *shape, Best *from)
{
    Seeds seeds;
    Effort effort = effort_of(&m->effort, START_WORK);
    if (m->best->parts == shape->parts) {
        division_set(shape, m->best->sizes);
        best_offer(from, m->hosts, shape, m->best->host_of);
        return true;
    }
    const bool good = seeds_make(&seeds, m->hosts, m->tree, m->program->processes, &effort);
    if (good) {
        seeds_offer(&seeds, shape, from);
        seeds_offer_suited(&seeds, shape, from);
    }
    seeds_free(&seeds);
    effort_add(&m->effort, &effort);
    return good;
}

static bool improve_parts(Improvement *m, int32_t parts)
{
    Shape shape;
    Best from;
    bool no_memory = false;
    if (!division_make(&shape, m->program, parts, &no_memory))
        return !no_memory;
    bool good = true;
    if (shape.groups > 1 && best_beaten(m->best, m->bound, parts, search_largest_part(&shape))) {
        good = best_make(&from, m->program->processes) && begin(m, &shape, &from) &&
               (!from.found || shift_improve(m->hosts, &shape, true, m->turn, &from, &m->effort));
        if (good && from.found) {
            division_set(&shape, from.sizes);
            best_offer(m->best, m->hosts, &shape, from.host_of);
        }
        best_free(&from);
    }
    division_free(&shape);
    return good;
}

PepaStatus improve_placements(const Hosts *hosts, const LatencyTree *tree,
                              const AmogetProgram *program, SearchSettings *settings, Best *best,
                              PepaError *err)
{
    int32_t first, last, step;
    const bool limited = isfinite(settings->deadline);
    Improvement m = {.hosts = hosts, .tree = tree, .program = program, .bound = settings->bound};
    m.best = best;
    m.effort =
        (Effort){.limit = limited ? INT64_MAX : IMPROVE_WORK, .deadline = settings->deadline};
    division_parts(program, &first, &last, &step);
    bool good = true, proved = cost_compare(m.bound, best->cost) >= 0;
    for (int64_t before = -1; good && !proved && !effort_ended(&m.effort) && before < m.effort.work;
         m.turn++) {
        before = m.effort.work;
        good = improve_parts(&m, best->parts);
        for (int32_t parts = first; parts <= last && good && !effort_ended(&m.effort);
             parts += step)
            good = parts == best->parts || improve_parts(&m, parts);
        proved = cost_compare(m.bound, best->cost) >= 0;
    }
    settings->optimal = proved;
    return good ? PEPA_OK : error_memory(err);
}
