/* Searches for the best mapping by branch and bound. */
#include "amoget/search/search.h"

#include <math.h>
#include <string.h>

#include "amoget/search/ahead.h"
#include "amoget/search/local_search.h"
#include "amoget/search/seeds.h"

/* Mappings that begin like this, or like one that this stands for. */
static double family(const Search *s, const int32_t *mapping, int32_t depth)
{
    return symmetry_class_size(s->symmetry, mapping, depth) *
           pow(s->costs.processors, s->costs.stages - depth);
}

static bool expand(Search *s, int32_t *mapping, int32_t depth, double bound)
{
    PartialMapping partial;
    bool stopped = false;
    partial_mapping_at(&partial, &s->bounds, mapping, depth);
    for (int32_t j = 0; j < s->costs.processors; j++) {
        mapping[depth] = j;
        if (!(symmetry_class_size(s->symmetry, mapping, depth + 1) > 0))
            continue;
        stopped = stopped || (j % 16 == 15 && run_ends(s->run));
        const double enough = stopped ? 0 : search_cutoff(s); /* when the time is up, the least work */
        const double child = fmax(bound, bounds_child(&s->bounds, &partial, j, enough));
        if (child > search_cutoff(s))
            s->found->pruned += family(s, mapping, depth + 1);
        else if (!frontier_push(&s->frontier, child, mapping, depth + 1))
            return false;
    }
    return true;
}

/* Look at the entries with the least bounds until the batch is full.  Bounds were right when the
 * entries were made; cuts found since may tell more.  *least: of the bounds of what is in the
 * batch. */
static PepaStatus gather(Search *s, double *least, PepaError *err)
{
    int32_t n = s->costs.stages, mapping[MOST_STAGES] = {0}, depth;
    double bound;
    int patience = 1 + 1000 / s->costs.processors; /* some milliseconds */
    *least = INFINITY;
    for (int looked = 0; looked < EXPANSIONS && s->count < s->batch; looked++) {
        if (looked % patience == 0 && run_ends(s->run))
            return PEPA_OK;
        if (!frontier_pop(&s->frontier, &bound, mapping, &depth))
            return PEPA_OK;
        bound = fmax(bound, search_bound(s, mapping, depth));
        if (bound > search_cutoff(s)) {
            s->found->pruned += family(s, mapping, depth);
            continue;
        }
        bool kept = true;
        if (bound > frontier_next(&s->frontier) && !frontier_is_full(&s->frontier))
            kept = frontier_push(&s->frontier, bound, mapping, depth);
        else if (depth < n)
            kept = expand(s, mapping, depth, bound);
        else if (!batch_knows(s, mapping)) {
            batch_add(s, mapping, bound);
            *least = fmin(*least, bound);
        }
        if (!kept)
            return error_memory(err);
    }
    return PEPA_OK;
}

/* What is ruled out as a family may have been solved before. */
static double pruned(const Search *s)
{
    double others = s->run->now.candidates - (double)s->found->solved.count;
    return fmin(s->found->pruned, others);
}

/* status: of what went before; PEPA_ELIMIT when no time is left, so that only a bound is wanted. */
static PepaStatus branch(Search *s, PepaStatus status, PepaError *err)
{
    double least = INFINITY;
    int32_t root[MOST_STAGES] = {0};
    if (!expand(s, root, 0, 0))
        return error_memory(err);
    while (status == PEPA_OK && !run_ends(s->run)) {
        status = gather(s, &least, err);
        s->run->now.bound = 1 / fmin(s->best[0], fmin(least, frontier_least(&s->frontier)));
        s->run->now.pruned = pruned(s);
        bool done = s->count == 0 && isinf(frontier_least(&s->frontier));
        if (status != PEPA_OK || run_ends(s->run))
            break;
        if (done) {
            s->found->optimal = true;
            break;
        }
        status = batch_solve(s, err);
    }
    s->found->pruned = pruned(s);
    s->found->least = fmin(s->best[0], fmin(least, frontier_least(&s->frontier)));
    return status;
}

/* Leave the cuts and the best mapping to the next search, whatever the numbers are then.  Of several
 * processes all begin that one with the same ones. */
static void keep(const Search *s)
{
    AmogetRanker *ranker = s->run->ranker;
    if (!ranker->cuts)
        ranker->cuts = mem_alloc(MOST_CUTS, sizeof *ranker->cuts);
    if (agreement_any(&s->run->agreement, !ranker->cuts)) { /* the next one begins from nothing */
        ranker->cut_count = 0;
        return;
    }
    ranker->cut_count = bounds_keep(&s->bounds, ranker->cuts);
    ranker->cut_shape = shape_free(ranker->desc, 0, ranker->stages);
    ranker->cut_sharing = ranker->desc->sharing;
    memcpy(ranker->leader, s->leader, sizeof ranker->leader);
}

static int32_t batch_size(int32_t stages)
{
    return pow(3, stages) < SMALL_STATES ? SMALL_BATCH : MOST_BATCH;
}

static PepaStatus search_new(Search **out, Run *run, const Symmetry *symmetry, int64_t top,
                             Found *found, PepaError *err)
{
    Search *s = mem_calloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    *out = s;
    s->run = run;
    s->symmetry = symmetry;
    s->found = found;
    s->top = (size_t)top;
    s->batch = MOST_BATCH;
    s->best = mem_alloc(s->top, sizeof *s->best);
    for (size_t k = 0; s->best && k < s->top; k++)
        s->best[k] = INFINITY;
    PepaStatus status = s->best ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = costs_new(&s->costs, run->ranker->desc, err);
    if (status == PEPA_OK)
        status = bounds_new(&s->bounds, &s->costs, err);
    if (status == PEPA_OK)
        status = ahead_new(s, err);
    Shape shape = shape_free(run->ranker->desc, 0, run->ranker->stages);
    if (memcmp(&shape, &run->ranker->cut_shape, sizeof shape) != 0 ||
        run->ranker->cut_sharing != run->ranker->desc->sharing)
        run->ranker->cut_count = 0;
    for (int32_t c = 0; c < run->ranker->cut_count && status == PEPA_OK; c++)
        bounds_put(&s->bounds, &run->ranker->cuts[c]);
    frontier_init(&s->frontier, run->ranker->stages, run->ranker->frontier_bytes);
    return status;
}

static void search_free(Search *s)
{
    if (!s)
        return;
    costs_free(&s->costs);
    bounds_free(&s->bounds);
    ahead_free(s);
    frontier_free(&s->frontier);
    mem_free(s->best);
    mem_free(s);
}

/* Does the description list this mapping, or one that it stands for? */
static bool is_listed(const Search *s, const int32_t *mapping)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    size_t stages = (size_t)desc->stages;
    int32_t standard[MOST_STAGES];
    for (size_t k = 0; k < desc->mapping_count; k++) {
        symmetry_representative(s->symmetry, desc->mappings + k * stages, desc->stages, standard);
        if (memcmp(standard, mapping, stages * sizeof *mapping) == 0)
            return true;
    }
    return false;
}

/* status: of what went before.  All processes keep something, or none does. */
static PepaStatus finish(const Search *s, PepaStatus status, PepaError *err)
{
    Run *run = s->run;
    const Found *found = s->found;
    status = agreement_on(&run->agreement, status, err);
    const int stopped = atomic_load(&run->agreement.stopped);
    if (found->solved.count > 0)
        keep(s);
    else if (status == PEPA_ELIMIT && stopped == PEPA_ELIMIT)
        run_suggest(run, s->leader, is_listed(s, s->leader), err);
    if (stopped == PEPA_ECANCEL && (status == PEPA_OK || status == PEPA_ECANCEL))
        return run_stopped(run, err);
    return status == PEPA_ELIMIT && stopped == PEPA_ELIMIT && found->solved.count > 0 ? PEPA_OK
                                                                                      : status;
}

PepaStatus search_best(Run *run, const Symmetry *symmetry, int64_t top, Found *found,
                       PepaError *err)
{
    Search *s = NULL;
    *found = (Found){0};
    solution_table_init(&found->solved, run->ranker->stages);
    PepaStatus status = search_new(&s, run, symmetry, top, found, err);
    const bool made = status == PEPA_OK;
    if (made)
        status = seed_search(s, err);
    if (status == PEPA_OK) {
        s->batch = batch_size(run->ranker->stages);
        status = local_search(s, err);
    }
    if (made && (status == PEPA_OK || status == PEPA_ELIMIT))
        status = branch(s, status, err);
    if (made)
        status = finish(s, status, err);
    search_free(s);
    return status;
}
