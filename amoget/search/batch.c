/* Solves a batch of mappings in parallel, and adds the cuts that they give. */
#include <math.h>
#include <string.h>

#include "amoget/search/batch.h"

double search_cutoff(const Search *s)
{
    return s->best[s->top - 1] * (1 + TIE_MARGIN);
}

double search_bound(Search *s, const int32_t *mapping, int32_t depth)
{
    PartialMapping partial;
    partial_mapping_at(&partial, &s->bounds, mapping, depth);
    return bounds_of(&s->bounds, &partial, INFINITY);
}

/* ---- one mapping --------------------------------------------------------------------------- */

/* The event graph of stages first .. first+count-1, in which nothing holds a stage up but turns:
 * the mapping takes no less, and if that is more than the cutoff it is ruled out. */
static PepaStatus relax(Search *s, int32_t index, int32_t worker, int32_t first, int32_t count,
                        uint64_t turns, PepaError *err)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    Answer *answer = &s->answer[index];
    if (answer->state == RULED_OUT)
        return PEPA_OK;
    ChainQuestion question = {.cut = true};
    question.rough = count < s->costs.stages || !shape_turns_suffice(desc, s->mapping[index]);
    Shape shape = shape_free(desc, first, count);
    shape.turns = turns;
    answer->cuts = answer->cuts < 2 ? answer->cuts : 1;
    ChainAnswer *part = &answer->cut[answer->cuts].answer;
    PepaStatus status = run_solve(s->run, worker, &shape, s->seconds[index] + 2 * first, question,
                                  part, &answer->chain, err);
    if (status != PEPA_OK)
        return status;
    answer->cut[answer->cuts].first = first;
    answer->cut[answer->cuts].count = count;
    answer->cut[answer->cuts++].turns = turns;
    if (part->bound > search_cutoff(s) * (1 + CUT_GAIN))
        answer->state = RULED_OUT;
    return PEPA_OK;
}

/* Stages of the parts that are looked at before the whole: worth it if they cost next to nothing
 * beside it.  A part that begins behind a place would lack it. */
static int32_t part_stages(const Search *s)
{
    int32_t n = s->costs.stages;
    return n >= PARTS_FROM && !s->costs.take ? n - LEFT_OUT : n;
}

static PepaStatus solve_whole(Search *s, int32_t index, int32_t worker, PepaError *err)
{
    Answer *answer = &s->answer[index];
    ChainAnswer whole;
    Shape shape = shape_of(s->run->ranker->desc, s->mapping[index]);
    PepaStatus status = run_solve(s->run, worker, &shape, s->seconds[index], (ChainQuestion){0},
                                  &whole, &answer->chain, err);
    if (status != PEPA_OK)
        return status;
    answer->time = whole.time;
    answer->state = SOLVED;
    return PEPA_OK;
}

static PepaStatus solve_one(Search *s, int32_t index, int32_t worker, PepaError *err)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    Answer *answer = &s->answer[index];
    int32_t n = s->costs.stages, part = part_stages(s);
    uint64_t turns = shape_turns(desc, s->mapping[index], n);
    bool exact = shape_turns_suffice(desc, s->mapping[index]);
    PepaStatus status = PEPA_OK;
    if (s->plain)
        return solve_whole(s, index, worker, err);
    for (int32_t first = 0; first + part <= n && part < n && status == PEPA_OK; first++)
        status = relax(s, index, worker, first, part, 0, err);
    if (status == PEPA_OK && turns && s->local) /* cuts that hold everywhere come first */
        status = relax(s, index, worker, 0, n, 0, err);
    if (status != PEPA_OK || answer->state == RULED_OUT)
        return status;
    status = relax(s, index, worker, 0, n, turns, err);
    if (status != PEPA_OK || (answer->state == RULED_OUT && !exact))
        return status;
    if (!exact)
        return solve_whole(s, index, worker, err);
    answer->time = answer->cut[answer->cuts - 1].answer.time;
    answer->state = SOLVED;
    return PEPA_OK;
}

static PepaStatus solve_task(void *user, int32_t index, int32_t worker, PepaError *err)
{
    Search *s = user;
    PepaStatus status = solve_one(s, index, worker, err);
    if (status == PEPA_ENOCONV)
        run_blame(s->run, s->mapping[index], err);
    return status;
}

/* ---- answers of all processes -------------------------------------------------------------- */

/* An answer as numbers, for the sum over all processes: 0 where it was not found. */
enum { STATE, TIME, STATES, TRANSITIONS, CUTS, ANSWER };
enum { FIRST, COUNT, TURNS, BOUND, SLOPE, CUT = SLOPE + MOST_ACTIVITIES };
enum { PACKED = ANSWER + 2 * CUT };

static void pack(const Answer *answer, double *x)
{
    memset(x, 0, PACKED * sizeof *x);
    x[STATE] = answer->state;
    x[CUTS] = answer->cuts;
    x[TIME] = answer->state == SOLVED ? answer->time : 0;
    x[STATES] = answer->state == SOLVED ? (double)answer->chain.states : 0;
    x[TRANSITIONS] = answer->state == SOLVED ? (double)answer->chain.transitions : 0;
    for (int32_t i = 0; i < answer->cuts; i++) {
        double *cut = x + ANSWER + i * CUT;
        cut[FIRST] = answer->cut[i].first;
        cut[COUNT] = answer->cut[i].count;
        cut[TURNS] = (double)answer->cut[i].turns; /* fewer than 53 bits */
        cut[BOUND] = answer->cut[i].answer.bound;
        memcpy(cut + SLOPE, answer->cut[i].answer.slope, MOST_ACTIVITIES * sizeof *cut);
    }
}

static void unpack(Answer *answer, const double *x)
{
    answer->state = x[STATE] == SOLVED ? SOLVED : x[STATE] == RULED_OUT ? RULED_OUT : OPEN;
    answer->cuts = (int32_t)x[CUTS];
    answer->time = x[TIME];
    answer->chain =
        (PepaChainInfo){.states = (int64_t)x[STATES], .transitions = (int64_t)x[TRANSITIONS]};
    for (int32_t i = 0; i < answer->cuts; i++) {
        const double *cut = x + ANSWER + i * CUT;
        answer->cut[i].first = (int32_t)cut[FIRST];
        answer->cut[i].count = (int32_t)cut[COUNT];
        answer->cut[i].turns = (uint64_t)cut[TURNS];
        answer->cut[i].answer.bound = cut[BOUND];
        memcpy(answer->cut[i].answer.slope, cut + SLOPE, MOST_ACTIVITIES * sizeof *cut);
    }
}

static void share_answers(Search *s)
{
    double x[MOST_BATCH][PACKED];
    if (!s->run->agreement.processes)
        return;
    for (int32_t k = 0; k < s->count; k++)
        pack(&s->answer[k], x[k]);
    agreement_sum(&s->run->agreement, x[0], s->count * PACKED);
    for (int32_t k = 0; k < s->count; k++)
        unpack(&s->answer[k], x[k]);
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

/* Record answer k of the batch.  False: out of memory. */
static bool learn(Search *s, int32_t k)
{
    const Answer *answer = &s->answer[k];
    for (int32_t i = 0; i < answer->cuts; i++) {
        int32_t first = answer->cut[i].first;
        if (s->bound[k] < answer->cut[i].answer.bound * (1 - CUT_GAIN))
            bounds_add(&s->bounds, first, answer->cut[i].count, answer->cut[i].turns,
                       answer->cut[i].answer.slope);
    }
    if (answer->state != SOLVED || solution_table_find(&s->found->solved, s->mapping[k]) >= 0)
        return true;
    note_time(s, s->mapping[k], answer->time);
    return solution_table_put(&s->found->solved, s->mapping[k], answer->time, answer->chain) >= 0;
}

PepaStatus batch_solve(Search *s, PepaError *err)
{
    for (int32_t k = 0; k < s->count; k++) {
        costs_durations(&s->costs, s->mapping[k], s->seconds[k]);
        s->answer[k].state = OPEN;
        s->answer[k].cuts = 0;
    }
    PepaStatus status = agreement_tasks(&s->run->agreement, run_workers(s->run, (size_t)s->count),
                                        s->count, solve_task, s, err);
    share_answers(s);
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
