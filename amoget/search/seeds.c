/* The mappings that a search begins with, and the first cuts. */
#include "amoget/search/seeds.h"

#include <math.h>
#include <string.h>

/* The cut of stages first .. first+count-1 at the durations of the whole. */
static PepaStatus cut_part(Search *s, const double *seconds, int32_t first, int32_t count,
                           PepaError *err)
{
    ChainAnswer answer;
    Shape shape = shape_free(s->run->ranker->desc, first, count);
    PepaStatus status = run_solve(s->run, 0, &shape, seconds + 2 * first,
                                  (ChainQuestion){.cut = true, .rough = true}, &answer, NULL, err);
    if (status == PEPA_OK)
        bounds_add(&s->bounds, first, count, 0, answer.slope);
    return status;
}

/* Many stages: a chain of all of them takes long. */
static bool is_large(const Search *s)
{
    return s->costs.stages >= s->run->ranker->many_stages && !s->costs.take;
}

static PepaStatus cut_windows(Search *s, const double *seconds, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    int32_t count = is_large(s) ? s->run->ranker->window : s->costs.stages;
    for (int32_t first = 0; first + count <= s->costs.stages && status == PEPA_OK; first++)
        status = cut_part(s, seconds, first, count, err);
    return status;
}

/* The cuts where every activity is as quick as it can ever be. */
static PepaStatus first_cuts(Search *s, PepaError *err)
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
    return cut_windows(s, seconds, err);
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
        PartialMapping begin;
        double nearest = INFINITY;
        int32_t choice = 0;
        partial_mapping_at(&begin, &s->bounds, greedy, depth);
        for (int32_t j = 0; j < s->costs.processors; j++) {
            double bound = bounds_child(&s->bounds, &begin, j, nearest);
            if (bound < nearest) {
                nearest = bound;
                choice = j;
            }
            if (j % 16 == 15 && run_stops(s->run, 0))
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

/* ---- many stages ---------------------------------------------------------------------------- */

/* The estimate of a mapping: its bound, after its own windows have given their cuts. */
static PepaStatus estimate(Search *s, const int32_t *mapping, double *time, PepaError *err)
{
    double seconds[MOST_ACTIVITIES];
    costs_durations(&s->costs, mapping, seconds);
    PepaStatus status = cut_windows(s, seconds, err);
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

/* Local search by estimates, from the most promising mapping of the batch.  A mapping that turns
 * out no better than the best one has cuts that say so from then on. */
static PepaStatus search_windows(Search *s, int32_t *leader, PepaError *err)
{
    enum { MOST_ESTIMATES = 400 };
    double time = INFINITY, share = s->run->set.time_limit / 4;
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
        if ((share > 0 && run_seconds(s->run) > share) || run_stops(s->run, 0) ||
            isinf(best_neighbour(s, leader, time, each)))
            break;
        status = estimate(s, each, &other, err);
        if (other < time)
            memcpy(leader, each, sizeof each);
        time = fmin(time, other);
    }
    return status;
}

/* The mapping found by estimates is solved alone, so that nothing else takes its time. */
static PepaStatus seed_large(Search *s, PepaError *err)
{
    int32_t leader[MOST_STAGES] = {0};
    PepaStatus status = search_windows(s, leader, err);
    s->count = 0;
    if (status != PEPA_OK)
        return status;
    s->seeding = true;
    propose(s, leader);
    memcpy(s->leader, s->mapping[0], sizeof s->leader);
    s->has_leader = true;
    status = batch_solve(s, err);
    s->seeding = false;
    propose_listed(s);
    return status;
}

PepaStatus seed_search(Search *s, PepaError *err)
{
    const AmogetRanker *ranker = s->run->ranker;
    bool again = ranker->cut_count > 0;
    PepaStatus status = again ? PEPA_OK : first_cuts(s, err);
    if (status != PEPA_OK)
        return status;
    s->local = true;
    propose_single(s);
    if (again)
        propose(s, ranker->leader);
    else
        (void)propose_greedy(s);
    propose_listed(s);
    if (is_large(s))
        status = seed_large(s, err);
    if (status == PEPA_OK)
        status = batch_solve(s, err);
    s->local = false;
    return status;
}
