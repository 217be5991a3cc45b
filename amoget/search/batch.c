/* Solves a batch of mappings in parallel, and adds the cuts that they give. */
#include <math.h>
#include <string.h>

#include "amoget/search/ahead.h"
#include "amoget/search/batch.h"

double search_bound(Search *s, const int32_t *mapping, int32_t depth)
{
    PartialMapping partial;
    partial_mapping_at(&partial, &s->bounds, mapping, depth);
    return bounds_of(&s->bounds, &partial, INFINITY);
}

/* ---- the batch ----------------------------------------------------------------------------- */

static void note_time(Search *s, const int32_t *mapping, double time)
{
    if (time < s->best[0])
        memcpy(s->leader, mapping, sizeof s->leader);
    size_t at = s->top;
    if (!(time < s->best[at - 1]))
        return;
    for (at--; at > 0 && time < s->best[at - 1]; at--)
        s->best[at] = s->best[at - 1];
    s->best[at] = time;
}

/* Record answer k of the batch: of its cuts the first and the last.  False: out of memory. */
static bool learn(Search *s, int32_t k)
{
    const Answer *answer = &s->asked[k].answer;
    s->run->chains += answer_chains(s, answer);
    for (int32_t i = 0; i < answer->steps; i++) {
        const Step *step = &answer->step[i];
        if ((i == 0 || i == answer->steps - 1) && s->bound[k] < step->bound * (1 - CUT_GAIN))
            bounds_add(&s->bounds, step->first, step->count, step->turns, step->slope);
    }
    if (answer->state != SOLVED || solution_table_find(&s->found->solved, s->mapping[k]) >= 0)
        return true;
    note_time(s, s->mapping[k], answer->time);
    return solution_table_put(&s->found->solved, s->mapping[k], answer->time, answer->chain) >= 0;
}

PepaStatus batch_solve(Search *s, PepaError *err)
{
    for (int32_t k = 0; k < s->count; k++) {
        memcpy(s->asked[k].mapping, s->mapping[k], sizeof s->mapping[k]);
        costs_durations(&s->costs, s->mapping[k], s->asked[k].seconds);
        s->asked[k].answer = (Answer){.state = OPEN};
    }
    PepaStatus status = ahead_answer(s, err);
    for (int32_t k = 0; k < s->count; k++)
        answer_judge(s, &s->asked[k].answer);
    for (int32_t k = 0; k < s->count; k++)
        if (!learn(s, k))
            status = error_memory(err);
    s->count = 0;
    s->run->now.best = 1 / s->best[0];
    s->run->now.solved = (double)s->found->solved.count;
    return status;
}

bool batch_knows(const Search *s, const int32_t *mapping)
{
    if (solution_table_find(&s->found->solved, mapping) >= 0)
        return true;
    for (int32_t k = 0; k < s->count; k++)
        if (memcmp(s->mapping[k], mapping, (size_t)s->costs.stages * sizeof *mapping) == 0)
            return true;
    return false;
}

static void put_at(Search *s, int32_t at, const int32_t *mapping, double bound)
{
    memset(s->mapping[at], 0, sizeof s->mapping[0]);
    memcpy(s->mapping[at], mapping, (size_t)s->costs.stages * sizeof *mapping);
    s->bound[at] = bound;
}

void batch_add(Search *s, const int32_t *mapping, double bound)
{
    put_at(s, s->count++, mapping, bound);
}

void batch_offer(Search *s, const int32_t *mapping, double bound)
{
    if (s->count == s->batch && !(bound < s->bound[s->batch - 1]))
        return;
    int32_t at = s->count < s->batch ? s->count++ : s->batch - 1;
    for (; at > 0 && bound < s->bound[at - 1]; at--) {
        memcpy(s->mapping[at], s->mapping[at - 1], sizeof s->mapping[0]);
        s->bound[at] = s->bound[at - 1];
    }
    put_at(s, at, mapping, bound);
}
