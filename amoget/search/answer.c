/* Solves the chains that say how long a mapping takes, or that it takes too long. */
#include "amoget/search/answer.h"

#include <string.h>

double search_cutoff(const Search *s)
{
    return s->best[s->top - 1] * (1 + TIE_MARGIN);
}

static bool rules_out(const Search *s, const Step *step)
{
    return step->bound > search_cutoff(s) * (1 + CUT_GAIN);
}

/* The event graph of stages first .. first+count-1, in which nothing holds a stage up but turns:
 * the mapping takes no less, and if that is more than the cutoff it is ruled out. */
static PepaStatus relax(Search *s, Inquiry *inquiry, int32_t worker, int32_t first, int32_t count,
                        uint64_t turns, PepaError *err)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    Answer *answer = &inquiry->answer;
    if (answer->state == RULED_OUT)
        return PEPA_OK;
    ChainQuestion question = {.cut = true};
    question.rough = count < s->costs.stages || !shape_turns_suffice(desc, inquiry->mapping);
    Shape shape = shape_free(desc, first, count);
    shape.turns = turns;
    ChainAnswer part;
    PepaStatus status = run_solve(s->run, worker, &shape, inquiry->seconds + 2 * first, question,
                                  &part, &answer->chain, err);
    if (status != PEPA_OK)
        return status;
    Step *step = &answer->step[answer->steps++];
    *step = (Step){first, count, turns, part.time, part.bound, {0}};
    memcpy(step->slope, part.slope, (size_t)shape_activities(&shape) * sizeof *step->slope);
    if (rules_out(s, step))
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

static PepaStatus solve_whole(Search *s, Inquiry *inquiry, int32_t worker, PepaError *err)
{
    Answer *answer = &inquiry->answer;
    ChainAnswer whole;
    Shape shape = shape_of(s->run->ranker->desc, inquiry->mapping);
    PepaStatus status = run_solve(s->run, worker, &shape, inquiry->seconds, (ChainQuestion){0},
                                  &whole, &answer->chain, err);
    if (status != PEPA_OK)
        return status;
    answer->time = whole.time;
    answer->whole = true;
    answer->state = SOLVED;
    return PEPA_OK;
}

PepaStatus answer_find(Search *s, Inquiry *inquiry, int32_t worker, PepaError *err)
{
    const AmogetDescription *desc = s->run->ranker->desc;
    Answer *answer = &inquiry->answer;
    int32_t n = s->costs.stages, part = part_stages(s);
    uint64_t turns = shape_turns(desc, inquiry->mapping, n);
    bool exact = shape_turns_suffice(desc, inquiry->mapping);
    PepaStatus status = PEPA_OK;
    if (s->plain)
        return solve_whole(s, inquiry, worker, err);
    for (int32_t first = 0; first + part <= n && part < n && status == PEPA_OK; first++)
        status = relax(s, inquiry, worker, first, part, 0, err);
    if (status == PEPA_OK && turns && s->local) /* cuts that hold everywhere come first */
        status = relax(s, inquiry, worker, 0, n, 0, err);
    if (status != PEPA_OK || answer->state == RULED_OUT)
        return status;
    status = relax(s, inquiry, worker, 0, n, turns, err);
    if (status != PEPA_OK || (answer->state == RULED_OUT && !exact))
        return status;
    if (!exact)
        return solve_whole(s, inquiry, worker, err);
    answer->time = answer->step[answer->steps - 1].time;
    answer->state = SOLVED;
    return PEPA_OK;
}

/* The last step of a mapping that takes its turns exactly gives its time, whatever its bound is. */
void answer_judge(const Search *s, Answer *answer)
{
    const int32_t end = answer->steps - (answer->state == SOLVED && !answer->whole);
    for (int32_t i = 0; i < end; i++) {
        if (!rules_out(s, &answer->step[i]))
            continue;
        answer->state = RULED_OUT;
        answer->steps = i + 1;
        answer->whole = false;
        return;
    }
}

int32_t answer_chains(const Search *s, const Answer *answer)
{
    int32_t chains = answer->whole;
    for (int32_t i = 0; i < answer->steps; i++)
        chains += answer->step[i].count == s->costs.stages;
    return chains;
}

/* ---- as numbers ---------------------------------------------------------------------------- */

enum { STATE, TIME, WHOLE, STATES, TRANSITIONS, STEPS, ANSWER };
enum { FIRST, COUNT, TURNS, STEP_TIME, BOUND, STEP };

static int32_t step_size(const Search *s)
{
    return STEP + amoget_activity_count(s->run->ranker->desc);
}

int32_t answer_size(const Search *s)
{
    return ANSWER + MOST_STEPS * step_size(s);
}

void answer_pack(const Search *s, const Answer *answer, double *x)
{
    const int32_t size = step_size(s);
    const bool solved = answer->state == SOLVED;
    memset(x, 0, (size_t)answer_size(s) * sizeof *x);
    x[STATE] = answer->state;
    x[TIME] = solved ? answer->time : 0;
    x[WHOLE] = answer->whole;
    x[STATES] = solved ? (double)answer->chain.states : 0;
    x[TRANSITIONS] = solved ? (double)answer->chain.transitions : 0;
    x[STEPS] = answer->steps;
    for (int32_t i = 0; i < answer->steps; i++) {
        const Step *step = &answer->step[i];
        double *to = x + ANSWER + i * size;
        to[FIRST] = step->first;
        to[COUNT] = step->count;
        to[TURNS] = (double)step->turns; /* of MOST_STAGES bits */
        to[STEP_TIME] = step->time;
        to[BOUND] = step->bound;
        memcpy(to + STEP, step->slope, (size_t)(size - STEP) * sizeof *to);
    }
}

void answer_unpack(const Search *s, Answer *answer, const double *x)
{
    const int32_t size = step_size(s);
    *answer =
        (Answer){.state = x[STATE] == SOLVED      ? SOLVED
                          : x[STATE] == RULED_OUT ? RULED_OUT
                                                  : OPEN,
                 .time = x[TIME],
                 .whole = x[WHOLE] != 0,
                 .chain = {.states = (int64_t)x[STATES], .transitions = (int64_t)x[TRANSITIONS]},
                 .steps = (int32_t)x[STEPS]};
    for (int32_t i = 0; i < answer->steps; i++) {
        const double *from = x + ANSWER + i * size;
        answer->step[i] = (Step){(int32_t)from[FIRST], (int32_t)from[COUNT], (uint64_t)from[TURNS],
                                 from[STEP_TIME],      from[BOUND],          {0}};
        memcpy(answer->step[i].slope, from + STEP, (size_t)(size - STEP) * sizeof *from);
    }
}
