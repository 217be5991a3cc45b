/* amoget_rank: what to solve for each kind of search. */
#include <math.h>
#include <string.h>

#include "amoget/search/ranking.h"
#include "amoget/search/search.h"
#include "amoget/search/tuning.h"

/* The mappings of listed or all, and the solution of those that stand for others. */
typedef struct {
    Run *run;
    const AmogetDescription *desc;
    size_t count;
    int32_t *mappings; /* count x stages; borrowed if listed */
    int32_t *own;      /* to be freed */
    int32_t *answer;   /* count: entry in solved */
    SolutionTable solved;
} Listing;

static void listing_free(Listing *l)
{
    mem_free(l->own);
    mem_free(l->answer);
    solution_table_free(&l->solved);
}

static PepaStatus list_all(Listing *l, PepaError *err)
{
    int32_t n = l->desc->stages, p = l->desc->machine->processors;
    double candidates = pow(p, n);
    if (candidates > MOST_MAPPINGS)
        return error_set(err, PEPA_ELIMIT,
                         "%.6g mappings are too many to rank one by one (at most %d): search for "
                         "the best instead",
                         candidates, MOST_MAPPINGS);
    l->count = (size_t)candidates;
    l->run->now.candidates = candidates;
    l->own = l->mappings = mem_alloc(l->count * (size_t)n, sizeof *l->own);
    if (!l->own)
        return error_memory(err);
    for (size_t k = 0; k < l->count; k++) {
        if (k % LISTED_BETWEEN_LOOKS == LISTED_BETWEEN_LOOKS - 1 && run_ends(l->run))
            return run_stopped(l->run, err);
        size_t rest = k;
        for (int32_t i = n - 1; i >= 0; i--, rest /= (size_t)p)
            l->own[k * (size_t)n + (size_t)i] = (int32_t)(rest % (size_t)p);
    }
    return PEPA_OK;
}

static PepaStatus list_given(Listing *l, PepaError *err)
{
    const AmogetDescription *desc = l->desc;
    if (desc->mapping_count == 0)
        return error_set(err, PEPA_EARG, "the description lists no mappings: search all or best");
    l->count = desc->mapping_count;
    l->mappings = desc->mappings;
    return PEPA_OK;
}

/* One entry of solved per mapping that stands for others. */
static PepaStatus find_standards(Listing *l, const Symmetry *symmetry, PepaError *err)
{
    int32_t n = l->desc->stages, standard[MOST_STAGES];
    l->answer = mem_alloc(l->count, sizeof *l->answer);
    if (!l->answer)
        return error_memory(err);
    for (size_t k = 0; k < l->count; k++) {
        if (k % LISTED_BETWEEN_LOOKS == LISTED_BETWEEN_LOOKS - 1 && run_ends(l->run))
            return run_stopped(l->run, err);
        symmetry_representative(symmetry, l->mappings + k * (size_t)n, n, standard);
        l->answer[k] = solution_table_find(&l->solved, standard);
        if (l->answer[k] < 0)
            l->answer[k] = solution_table_put(&l->solved, standard, NAN, (PepaChainInfo){0});
        if (l->answer[k] < 0)
            return error_memory(err);
    }
    return PEPA_OK;
}

/* last: the shape of the entry before, if that is in the same block, else of no pipeline. */
static PepaStatus solve_entry(Listing *l, int64_t index, int worker, Shape *last, PepaError *err)
{
    double seconds[MOST_ACTIVITIES];
    ChainAnswer answer;
    PepaChainInfo *info = &l->solved.chain[index];
    const int32_t *mapping = solution_table_mapping(&l->solved, (size_t)index);
    Shape shape = shape_of(l->desc, mapping);
    bool next = memcmp(&shape, last, sizeof shape) == 0;
    PepaStatus status = amoget_durations(l->desc, mapping, seconds, err);
    if (status == PEPA_OK)
        status = run_solve(l->run, worker, &shape, seconds, (ChainQuestion){.warm = next}, &answer,
                           info, err);
    if (status == PEPA_ENOCONV)
        run_blame(l->run, mapping, err);
    if (status != PEPA_OK)
        return status;
    *last = shape;
    l->solved.time[index] = answer.time;
    if (worker == 0) {
        l->run->now.solved = (double)index;
        l->run->now.best = fmax(l->run->now.best, 1 / answer.time);
    }
    return PEPA_OK;
}

/* Neighbours in the list are alike: each begins from the answer before.  Blocks begin from nothing,
 * so that answers do not depend on who solves which. */
static PepaStatus solve_block(void *user, int32_t block, int32_t worker, PepaError *err)
{
    Listing *l = user;
    int64_t first = (int64_t)block * BLOCK, end = (int64_t)l->solved.count;
    Shape last;
    memset(&last, 0, sizeof last);
    if (run_stops(l->run, worker))
        return run_stopped(l->run, err);
    PepaStatus status = PEPA_OK;
    for (int64_t k = first; k < first + BLOCK && k < end && status == PEPA_OK; k++)
        status = solve_entry(l, k, worker, &last, err);
    return status;
}

/* What each process has found goes to all. */
static void share_entries(Listing *l)
{
    enum { AT_ONCE = 512, TIME = 0, STATES, TRANSITIONS, NUMBERS };
    double x[AT_ONCE][NUMBERS];
    const size_t count = l->solved.count;
    for (size_t first = 0, n; l->run->agreement.processes && first < count; first += n) {
        n = count - first < AT_ONCE ? count - first : AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            const bool mine = !isnan(l->solved.time[first + i]);
            const PepaChainInfo *chain = &l->solved.chain[first + i];
            x[i][TIME] = mine ? l->solved.time[first + i] : 0;
            x[i][STATES] = mine ? (double)chain->states : 0;
            x[i][TRANSITIONS] = mine ? (double)chain->transitions : 0;
        }
        agreement_sum(&l->run->agreement, x[0], (int64_t)n * NUMBERS);
        for (size_t i = 0; i < n; i++) {
            l->solved.time[first + i] = x[i][TIME];
            l->solved.chain[first + i] = (PepaChainInfo){.states = (int64_t)x[i][STATES],
                                                         .transitions = (int64_t)x[i][TRANSITIONS]};
        }
    }
}

static PepaStatus rank_listing(Listing *l, AmogetRanking **out, PepaError *err)
{
    Candidate *candidates = mem_alloc(l->count, sizeof *candidates);
    if (!candidates)
        return error_memory(err);
    for (size_t k = 0; k < l->count; k++)
        candidates[k] =
            (Candidate){l->mappings + k * (size_t)l->desc->stages, l->solved.time[l->answer[k]], 1,
                        &l->solved.chain[l->answer[k]], (int64_t)k};
    PepaStatus status =
        rank_candidates(out, candidates, l->count, l->desc->stages, (size_t)l->run->set.top, err);
    mem_free(candidates);
    return status;
}

/* Of mappings that tie, the one that is shown first need not be the one with the largest last digit. */
static double largest_throughput(const SolutionTable *solved)
{
    double least = INFINITY;
    for (size_t k = 0; k < solved->count; k++)
        least = fmin(least, solved->time[k]);
    return 1 / least;
}

static PepaStatus rank_each(Run *run, const Symmetry *symmetry, AmogetRanking **out, PepaError *err)
{
    Listing l = {.run = run, .desc = run->ranker->desc};
    solution_table_init(&l.solved, l.desc->stages);
    PepaStatus status = run->set.search == AMOGET_ALL ? list_all(&l, err) : list_given(&l, err);
    if (status == PEPA_OK)
        status = find_standards(&l, symmetry, err);
    run->now.candidates = (double)l.count;
    if (status == PEPA_OK)
        status =
            agreement_tasks(&run->agreement, run_workers(run, l.solved.count),
                            (int32_t)((l.solved.count + BLOCK - 1) / BLOCK), solve_block, &l, err);
    if (status == PEPA_OK)
        share_entries(&l);
    run->chains += (int64_t)l.solved.count;
    if (status == PEPA_OK)
        status = rank_listing(&l, out, err);
    if (status == PEPA_OK) {
        (*out)->candidates = (*out)->solved = (double)l.count;
        (*out)->optimal = 1;
        (*out)->bound = largest_throughput(&l.solved);
    }
    listing_free(&l);
    return status;
}

/* ---- best ------------------------------------------------------------------------------------ */

static PepaStatus rank_found(const Found *found, const Symmetry *symmetry, int64_t top,
                             AmogetRanking **out, PepaError *err)
{
    const SolutionTable *solved = &found->solved;
    Candidate *candidates = mem_alloc(solved->count, sizeof *candidates);
    if (!candidates)
        return error_memory(err);
    for (size_t k = 0; k < solved->count; k++) {
        const int32_t *mapping = solution_table_mapping(solved, k);
        candidates[k] = (Candidate){mapping, solved->time[k],
                                    symmetry_class_size(symmetry, mapping, solved->stages),
                                    &solved->chain[k], 0};
    }
    PepaStatus status =
        rank_candidates(out, candidates, solved->count, solved->stages, (size_t)top, err);
    mem_free(candidates);
    return status;
}

static PepaStatus rank_best(Run *run, const Symmetry *symmetry, AmogetRanking **out, PepaError *err)
{
    Found found;
    run->now.candidates = pow(run->ranker->processors, run->ranker->stages);
    int64_t top = run->set.top > 0 ? run->set.top : 1;
    top = (double)top > run->now.candidates ? (int64_t)run->now.candidates : top;
    PepaStatus status = search_best(run, symmetry, top, &found, err);
    if (status == PEPA_OK)
        status = rank_found(&found, symmetry, top, out, err);
    if (status == PEPA_OK) {
        AmogetRanking *r = *out;
        r->candidates = run->now.candidates;
        r->solved = (double)found.solved.count;
        r->pruned = found.optimal ? r->candidates - r->solved : found.pruned;
        r->optimal = found.optimal;
        r->bound = found.optimal ? largest_throughput(&found.solved) : 1 / found.least;
    }
    solution_table_free(&found.solved);
    return status;
}

/* ---- the call ----------------------------------------------------------------------------------
 */

static AmogetSearch choose(const AmogetRanker *ranker)
{
    double mappings = pow(ranker->processors, ranker->stages);
    if (ranker->desc->mapping_count > 0)
        return AMOGET_LISTED;
    return mappings <= FEW_MAPPINGS && mappings * pow(3, ranker->stages) <= FEW_STATES
               ? AMOGET_ALL
               : AMOGET_BEST;
}

static void largest_chain(AmogetRanking *ranking)
{
    for (int64_t i = 0; i < ranking->count; i++) {
        const AmogetEntry *entry = &ranking->entries[i];
        if (entry->states <= ranking->states)
            continue;
        ranking->states = entry->states;
        ranking->transitions = entry->transitions;
    }
}

static PepaStatus rank(Run *run, AmogetRanking **out, PepaError *err)
{
    const AmogetRanker *ranker = run->ranker;
    Symmetry symmetry = {0};
    PepaStatus status = PEPA_OK;
    if (run->set.search == AMOGET_AUTO)
        run->set.search = choose(ranker);
    if (run->set.search != AMOGET_LISTED)
        status = description_complete(ranker->desc, NULL, err);
    if (status == PEPA_OK)
        status = symmetry_new(&symmetry, ranker->desc, err);
    if (status == PEPA_OK)
        status = run->set.search == AMOGET_BEST ? rank_best(run, &symmetry, out, err)
                                                : rank_each(run, &symmetry, out, err);
    symmetry_free(&symmetry);
    return status;
}

PepaStatus amoget_rank(AmogetRanker *ranker, const AmogetSettings *set, AmogetRanking **out,
                       PepaError *err)
{
    Run run;
    AmogetRanking *ranking = NULL;
    if (!ranker || !out)
        return error_null(err, "amoget_rank");
    PepaStatus status = run_start(&run, ranker, set, "amoget_rank", err);
    agreement_begin(&run.agreement, run.set.processes);
    if (status == PEPA_OK)
        status = rank(&run, &ranking, err);
    status = agreement_on(&run.agreement, status, err);
    if (status == PEPA_OK) {
        ranking->search = run.set.search;
        largest_chain(ranking);
        ranking->chains = run.chains;
        ranking->seconds = run_seconds(&run);
        *out = ranking;
        return PEPA_OK;
    }
    if (run.agreement.failed != PEPA_OK) /* perhaps before it had what others have */
        ranker->cut_count = 0;
    amoget_ranking_free(ranking);
    return status;
}
