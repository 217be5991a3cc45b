/* The mappings that a search begins with, and the first cuts. */
#include "amoget/search/seeds.h"

#include <math.h>
#include <string.h>

/* The parts of `count` stages, and their slopes, which are 0 where they were not found. */
typedef struct {
    Search *s;
    const double *seconds; /* of the whole */
    int32_t count;
    double found[MOST_STAGES], slope[MOST_STAGES][MOST_ACTIVITIES];
} Parts;

/* The cut of stages first .. first+count-1 at the durations of the whole. */
static PepaStatus cut_part(void *user, int32_t first, int32_t worker, PepaError *err)
{
    Parts *parts = user;
    const Search *s = parts->s;
    ChainAnswer answer;
    Shape shape = shape_free(s->run->ranker->desc, first, parts->count);
    PepaStatus status = run_solve(s->run, worker, &shape, parts->seconds + 2 * first,
                                  (ChainQuestion){.cut = true, .rough = true}, &answer, NULL, err);
    if (status != PEPA_OK)
        return status;
    parts->found[first] = 1;
    memcpy(parts->slope[first], answer.slope,
           (size_t)shape_activities(&shape) * sizeof *answer.slope);
    return PEPA_OK;
}

/* Many stages: a chain of all of them takes long. */
static bool is_large(const Search *s)
{
    return s->costs.stages >= s->run->ranker->many_stages && !s->costs.take;
}

/* A chain of all stages may take longer than a time limit allows. */
static bool is_pressed(const Search *s)
{
    return s->run->set.time_limit > 0 && s->costs.stages + FEWER >= s->run->ranker->many_stages;
}

/* Cuts of all parts of `count` stages at these durations. */
static PepaStatus cut_parts(Search *s, const double *seconds, int32_t count, PepaError *err)
{
    Agreement *agreement = &s->run->agreement;
    Parts parts = {.s = s, .seconds = seconds, .count = count};
    const int32_t all = s->costs.stages - count + 1;
    PepaStatus status = agreement_tasks(agreement, NULL, all, cut_part, &parts, err);
    agreement_sum(agreement, parts.found, all);
    agreement_sum(agreement, parts.slope[0], (int64_t)all * MOST_ACTIVITIES);
    for (int32_t first = 0; first < all && parts.found[first] > 0; first++) {
        bounds_add(&s->bounds, first, count, 0, parts.slope[first]);
        s->run->chains += count == s->costs.stages;
    }
    return status;
}

/* The cuts of all parts of `parts` stages where every activity is as quick as it can ever be. */
static PepaStatus first_cuts(Search *s, int32_t parts, PepaError *err)
{
    const Costs *p = &s->costs;
    double seconds[MOST_ACTIVITIES];
    int32_t count = amoget_activity_count(s->run->ranker->desc);
    for (int32_t k = 0; k < count; k++) {
        seconds[k] = k % 2 || k > 2 * p->stages ? INFINITY : p->least[k / 2];
        for (int32_t a = 0; a < p->processors && k > 2 * p->stages; a++)
            seconds[k] = fmin(seconds[k], p->take[a]);
        for (int32_t a = 0; a < p->processors && k % 2 && k < 2 * p->stages; a++)
            seconds[k] = fmin(seconds[k], costs_unit(p, k / 2, a));
    }
    return cut_parts(s, seconds, parts, err);
}

static void propose(Search *s, const int32_t *mapping)
{
    int32_t standard[MOST_STAGES] = {0};
    symmetry_representative(s->symmetry, mapping, s->costs.stages, standard);
    if (!batch_knows(s, standard))
        batch_offer(s, standard, search_bound(s, standard, s->costs.stages));
}

/* Those that the description lists: the most promising ones. */
static void propose_listed(Search *s)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    for (size_t k = 0; k < desc->mapping_count; k++)
        propose(s, &desc->mappings[k * (size_t)desc->stages]);
}

/* Stage by stage where the bound is least.  False: the time is up. */
static bool propose_greedy(Search *s)
{
    int32_t greedy[MOST_STAGES] = {0};
    for (int32_t depth = 0; depth < s->costs.stages; depth++) {
        PartialMapping partial;
        double nearest = INFINITY;
        int32_t choice = 0;
        partial_mapping_at(&partial, &s->bounds, greedy, depth);
        for (int32_t j = 0; j < s->costs.processors; j++) {
            double bound = bounds_child(&s->bounds, &partial, j, nearest);
            if (bound < nearest) {
                nearest = bound;
                choice = j;
            }
            if (j % 16 == 15 && run_ends(s->run))
                return false;
        }
        greedy[depth] = choice;
    }
    propose(s, greedy);
    return true;
}

/* All stages on the one processor that suits best. */
static void propose_single(Search *s)
{
    int32_t alone[MOST_STAGES] = {0}, quickest = 0;
    double least = INFINITY;
    for (int32_t j = 0; j < s->costs.processors; j++) {
        for (int32_t i = 0; i < s->costs.stages; i++)
            alone[i] = j;
        double bound = search_bound(s, alone, s->costs.stages);
        if (bound < least) {
            least = bound;
            quickest = j;
        }
    }
    for (int32_t i = 0; i < s->costs.stages; i++)
        alone[i] = quickest;
    propose(s, alone);
}

/* Take for the leader what is most promising before anything is solved: a mapping of the list, or
 * the best one of the search before.  It is suggested if there is no time to solve any. */
static void choose_leader(Search *s)
{
    const AmogetRanker *ranker = s->run->ranker;
    propose_listed(s);
    if (ranker->cut_count > 0)
        propose(s, ranker->leader);
    if (s->count == 0) {
        propose_single(s);
        (void)propose_greedy(s);
    }
    memcpy(s->leader, s->mapping[0], sizeof s->leader);
    s->count = 0;
}

/* An answer as soon as possible: solves one mapping, without deriving cuts. */
static PepaStatus solve_alone(Search *s, const int32_t *mapping, PepaError *err)
{
    s->count = 0;
    propose(s, mapping);
    s->plain = true;
    PepaStatus status = batch_solve(s, err);
    s->plain = false;
    return status;
}

/* ---- many stages ---------------------------------------------------------------------------- */

/* The estimate of a mapping: its bound, after its own windows have given their cuts. */
static PepaStatus estimate(Search *s, const int32_t *mapping, double *time, PepaError *err)
{
    double seconds[MOST_ACTIVITIES];
    costs_durations(&s->costs, mapping, seconds);
    PepaStatus status = cut_parts(s, seconds, s->run->ranker->window, err);
    *time = search_bound(s, mapping, s->costs.stages);
    return status;
}

/* The neighbour of `mapping` with the least bound below `time`: that bound; +inf: there is none. */
static double best_neighbour(Search *s, const int32_t *mapping, double time, int32_t *best)
{
    int32_t n = s->costs.stages, near[MOST_STAGES] = {0};
    double least = time * (1 - CUT_GAIN);
    bool found = false;
    memcpy(near, mapping, (size_t)n * sizeof *near);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t choice = 0; choice < s->costs.processors + i; choice++) {
            int32_t k = choice - s->costs.processors; /* 0 ..: exchange with stage k */
            near[i] = k < 0 ? choice : mapping[k];
            near[k < 0 ? i : k] = k < 0 ? choice : mapping[i];
            double bound = search_bound(s, near, n);
            if (bound < least) {
                least = bound;
                memcpy(best, near, (size_t)n * sizeof *near);
                found = true;
            }
            near[k < 0 ? i : k] = mapping[k < 0 ? i : k];
            near[i] = mapping[i];
        }
    }
    return found ? least : INFINITY;
}

/* Local search by estimates, from the most promising mapping of the batch, or from the leader if
 * that one is solved and better.  Estimating a mapping adds its cuts, so that one that is no better
 * than the best is not chosen again. */
static PepaStatus search_windows(Search *s, int32_t *leader, PepaError *err)
{
    double time = s->best[0], begun = run_seconds(s->run);
    double share = ESTIMATES_SHARE * (s->run->set.time_limit - begun);
    int32_t each[MOST_STAGES] = {0};
    PepaStatus status = PEPA_OK;
    for (int32_t k = 0; k < s->count && status == PEPA_OK; k++) {
        double other;
        status = estimate(s, s->mapping[k], &other, err);
        if (other < time)
            memcpy(leader, s->mapping[k], sizeof each);
        time = fmin(time, other);
    }
    for (int n = 0; n < MOST_ESTIMATES && status == PEPA_OK; n++) {
        double other;
        const bool enough = share > 0 && run_seconds(s->run) - begun > share;
        if (agreement_any(&s->run->agreement, enough) || run_ends(s->run) ||
            isinf(best_neighbour(s, leader, time, each)))
            break;
        status = estimate(s, each, &other, err);
        if (other < time)
            memcpy(leader, each, sizeof each);
        time = fmin(time, other);
    }
    return status;
}

/* The most promising ones of the list, the best estimate first, while estimates do not rule them
 * out.  No answer is worse than one of these that could be solved in time. */
static PepaStatus solve_listed(Search *s, PepaError *err)
{
    int32_t listed[MOST_BATCH][MOST_STAGES], count;
    PepaStatus status = PEPA_OK;
    propose_listed(s);
    count = s->count;
    memcpy(listed, s->mapping, sizeof listed);
    s->count = 0;
    for (int32_t k = 0; k < count && status == PEPA_OK; k++) {
        double time;
        status = estimate(s, listed[k], &time, err);
        batch_offer(s, listed[k], time);
    }
    memcpy(listed, s->mapping, sizeof listed);
    s->count = 0;
    for (int32_t k = 0; k < count && status == PEPA_OK; k++)
        if (search_bound(s, listed[k], s->costs.stages) <= search_cutoff(s))
            status = solve_alone(s, listed[k], err);
    return status;
}

/* The mapping found by estimates takes the place of the batch, beside the listed ones. */
static PepaStatus seed_large(Search *s, PepaError *err)
{
    int32_t leader[MOST_STAGES];
    memcpy(leader, s->leader, sizeof leader);
    PepaStatus status = search_windows(s, leader, err);
    s->count = 0;
    if (status != PEPA_OK || search_bound(s, leader, s->costs.stages) > search_cutoff(s))
        return status;
    if (isinf(s->best[0]))
        memcpy(s->leader, leader, sizeof s->leader);
    if (is_pressed(s))
        return solve_alone(s, leader, err);
    propose(s, leader);
    propose_listed(s);
    return PEPA_OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

PepaStatus seed_search(Search *s, PepaError *err)
{
    const AmogetRanker *ranker = s->run->ranker;
    const bool again = ranker->cut_count > 0, large = is_large(s), pressed = is_pressed(s);
    PepaStatus status = PEPA_OK;
    if (s->run->set.time_limit > 0)
        choose_leader(s);
    if (!again && large)
        status = first_cuts(s, ranker->window, err);
    if (status == PEPA_OK && pressed) /* a mapping is solved before anything that takes long */
        status = large ? solve_listed(s, err) : solve_alone(s, s->leader, err);
    if (status == PEPA_OK && !again && !large)
        status = first_cuts(s, s->costs.stages, err);
    if (status != PEPA_OK)
        return status;
    s->local = true;
    propose_single(s);
    if (again)
        propose(s, ranker->leader);
    else
        (void)propose_greedy(s);
    propose_listed(s);
    if (large)
        status = seed_large(s, err);
    if (pressed && isfinite(s->best[0])) /* it is solved, but has given no cuts */
        batch_offer(s, s->leader, search_bound(s, s->leader, s->costs.stages));
    if (status == PEPA_OK)
        status = batch_solve(s, err);
    s->local = false;
    return status;
}
