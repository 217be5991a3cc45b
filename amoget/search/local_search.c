/* A good mapping to begin with, and cuts around it. */
#include <math.h>
#include <string.h>

#include "amoget/search/search_state.h"

/* The cut where every activity is as quick as it can ever be. */
static PepaStatus first_cut(Search *s, PepaError *err)
{
    const Costs *p = &s->costs;
    double seconds[MOST_ACTIVITIES];
    ChainAnswer answer;
    int32_t count = amoget_activity_count(s->run->ranker->desc);
    Shape shape = shape_free(s->run->ranker->desc, 0, p->stages);
    for (int32_t k = 0; k < count; k++) {
        seconds[k] = k % 2 || k > 2 * p->stages ? INFINITY : p->least[k / 2];
        for (int32_t a = 0; a < p->processors && k > 2 * p->stages; a++)
            seconds[k] = fmin(seconds[k], p->take[a]);
        for (int32_t a = 0; a < p->processors && k % 2 && k < 2 * p->stages; a++)
            seconds[k] = fmin(seconds[k], costs_unit(p, k / 2, a));
    }
    PepaStatus status =
        run_solve(s->run, 0, &shape, seconds, (ChainQuestion){.cut = true}, &answer, NULL, err);
    if (status == PEPA_OK)
        bounds_add(&s->bounds, 0, p->stages, 0, answer.slope);
    return status;
}

static void propose(Search *s, const int32_t *mapping)
{
    int32_t standard[MOST_STAGES] = {0};
    symmetry_representative(s->symmetry, mapping, s->costs.stages, standard);
    if (!batch_knows(s, standard))
        batch_add(s, standard, search_bound(s, standard, s->costs.stages));
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

/* Among the most promising of those that may beat the best? */
static void consider(Search *s, const int32_t *mapping)
{
    int32_t standard[MOST_STAGES] = {0};
    symmetry_representative(s->symmetry, mapping, s->costs.stages, standard);
    if (batch_knows(s, standard))
        return;
    double bound = search_bound(s, standard, s->costs.stages);
    if (bound < s->best[0])
        batch_offer(s, standard, bound);
}

/* The neighbours of the leader: one stage elsewhere, or two stages in each other's place. */
static void consider_neighbours(Search *s)
{
    int32_t n = s->costs.stages, near[MOST_STAGES];
    memcpy(near, s->leader, sizeof near);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < s->costs.processors; j++) {
            near[i] = j;
            consider(s, near);
        }
        near[i] = s->leader[i];
        for (int32_t k = 0; k < i; k++) {
            near[i] = s->leader[k];
            near[k] = s->leader[i];
            consider(s, near);
            near[i] = s->leader[i];
            near[k] = s->leader[k];
        }
    }
}

/* Whatever has no cut may come again: a round that finds nothing new is the last. */
PepaStatus climb(Search *s, PepaError *err)
{
    const AmogetRanker *ranker = s->run->ranker;
    bool again = ranker->cut_count > 0, news = true;
    PepaStatus status = again ? PEPA_OK : first_cut(s, err);
    if (status == PEPA_OK) {
        s->climbing = true;
        propose_single(s);
        if (again)
            propose(s, ranker->leader);
        if (!again)
            (void)propose_greedy(s);
        status = batch_solve(s, err);
    }
    while (status == PEPA_OK && news && !run_stops(s->run, 0)) {
        size_t before = s->found->solved.count;
        consider_neighbours(s);
        if (s->count == 0)
            break;
        status = batch_solve(s, err);
        news = s->found->solved.count > before;
    }
    s->climbing = false;
    return status;
}
