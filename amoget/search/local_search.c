/* Walk from the best mapping known to one that no neighbour beats. */
#include "amoget/search/local_search.h"

#include <math.h>
#include <string.h>

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
PepaStatus local_search(Search *s, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    bool news = true;
    s->local = true;
    while (status == PEPA_OK && news && !run_ends(s->run)) {
        size_t before = s->found->solved.count;
        consider_neighbours(s);
        if (s->count == 0)
            break;
        status = batch_solve(s, err);
        news = s->found->solved.count > before;
    }
    s->local = false;
    return status;
}
