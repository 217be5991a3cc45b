#include "amoget/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amoget/bound.h"
#include "amoget/crew.h"
#include "amoget/frontier.h"

enum {
    BATCH = 8,        /* mappings solved at a time */
    EXPANSIONS = 2000 /* beginnings looked at before those found are solved */
};

/* Memory for beginnings that wait. */
#define FRONTIER_BYTES ((size_t)1 << 29)
/* Bounds of mappings that may tie with the best, to 9 digits and a little, do not rule them out. */
#define TIE_MARGIN 1e-8
/* What a new cut must raise the bound of its own mapping by to be worth its place. */
#define CUT_GAIN 1e-6

/* What was found out about a mapping: its time per item, or that a part of it takes too long. */
typedef struct {
    enum { OPEN, SOLVED, RULED_OUT } state;
    int32_t first, count; /* the stages that the answer is about */
    LineAnswer line;
} Answer;

typedef struct {
    Run *run;
    const Kinds *kinds;
    Prices prices;
    Bounds bounds;
    Frontier frontier;
    Found *found;
    double *best; /* top entries: the least times, ascending; +inf where there are none */
    size_t top;
    int32_t leader[MOST_STAGES]; /* the best mapping */
    /* The batch. */
    int32_t count;
    int32_t mapping[BATCH][MOST_STAGES];
    double bound[BATCH], seconds[BATCH][MOST_ACTIVITIES];
    Answer answer[BATCH];
} Search;

/* ---- solving ------------------------------------------------------------------------------- */

static double cutoff(const Search *s)
{
    return s->best[s->top - 1] * (1 + TIE_MARGIN);
}

/* A contiguous part of the pipeline that takes longer than the cutoff rules the mapping out: the
 * whole is no quicker (line.h).  Times that the cut would not show again do not count. */
static PepaStatus try_parts(Search *s, int64_t index, int worker, PepaError *err)
{
    int32_t count = s->run->ranker->part;
    PepaStatus status = PEPA_OK;
    Answer *answer = &s->answer[index];
    for (int32_t first = 0; first + count <= s->prices.stages && count > 0; first++) {
        status = run_solve_part(s->run, worker, s->seconds[index] + 2 * first, &answer->line, err);
        if (status != PEPA_OK || answer->line.time <= cutoff(s) * (1 + CUT_GAIN))
            continue;
        answer->state = RULED_OUT;
        answer->first = first;
        answer->count = count;
        break;
    }
    return status;
}

static PepaStatus solve_one(void *user, int64_t index, int worker, PepaError *err)
{
    Search *s = user;
    Answer *answer = &s->answer[index];
    PepaStatus status = try_parts(s, index, worker, err);
    if (status != PEPA_OK || answer->state == RULED_OUT)
        return status;
    status = run_solve(s->run, worker, s->seconds[index], true, &answer->line, err);
    if (status == PEPA_ENOCONV)
        run_blame(s->run, s->mapping[index], err);
    answer->state = status == PEPA_OK ? SOLVED : OPEN;
    answer->first = 0;
    answer->count = s->prices.stages;
    return status;
}

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
    if (answer->state == OPEN)
        return true;
    if (s->bound[k] < answer->line.time * (1 - CUT_GAIN))
        bounds_add(&s->bounds, answer->first, answer->count, s->seconds[k] + 2 * answer->first,
                   &answer->line);
    if (answer->state == RULED_OUT)
        return true;
    note_time(s, s->mapping[k], answer->line.time);
    return solved_put(&s->found->solved, s->mapping[k], answer->line.time) >= 0;
}

/* Solve the batch, and learn from it; at the time limit from what was solved until then. */
static PepaStatus solve_batch(Search *s, PepaError *err)
{
    for (int32_t k = 0; k < s->count; k++) {
        prices_durations(&s->prices, s->mapping[k], s->seconds[k]);
        s->answer[k].state = OPEN;
    }
    PepaStatus status =
        crew_run(run_threads(s->run, (size_t)s->count), s->count, solve_one, s, err);
    for (int32_t k = 0; k < s->count; k++)
        if (!learn(s, k))
            status = error_memory(err);
    s->count = 0;
    s->run->now.best = 1 / s->best[0];
    s->run->now.solved = (double)s->found->solved.count;
    return status;
}

static bool known(const Search *s, const int32_t *mapping)
{
    if (solved_find(&s->found->solved, mapping) >= 0)
        return true;
    for (int32_t k = 0; k < s->count; k++)
        if (memcmp(s->mapping[k], mapping, (size_t)s->prices.stages * sizeof *mapping) == 0)
            return true;
    return false;
}

static void add_to_batch(Search *s, const int32_t *mapping, double bound)
{
    memset(s->mapping[s->count], 0, sizeof s->mapping[0]);
    memcpy(s->mapping[s->count], mapping, (size_t)s->prices.stages * sizeof *mapping);
    s->bound[s->count++] = bound;
}

static double bound_of(Search *s, const int32_t *mapping, int32_t depth)
{
    Beginning begin;
    beginning_at(&begin, &s->bounds, mapping, depth);
    return bounds_of(&s->bounds, &begin, INFINITY);
}

/* ---- a good mapping to begin with ------------------------------------------------------------ */

/* The cut where every activity is as quick as it can ever be. */
static PepaStatus first_cut(Search *s, PepaError *err)
{
    const Prices *p = &s->prices;
    double seconds[MOST_ACTIVITIES];
    LineAnswer answer;
    for (int32_t k = 0; k <= 2 * p->stages; k++) {
        seconds[k] = INFINITY;
        for (int32_t a = 0; a < p->processors; a++) {
            if (k % 2)
                seconds[k] = fmin(seconds[k], prices_unit(p, k / 2, a));
            for (int32_t b = 0; k % 2 == 0 && b < p->processors; b++)
                seconds[k] = fmin(seconds[k], prices_move(p, k / 2, a, b));
        }
    }
    PepaStatus status = run_solve(s->run, 0, seconds, true, &answer, err);
    if (status == PEPA_OK)
        bounds_add(&s->bounds, 0, p->stages, seconds, &answer);
    return status;
}

static void propose(Search *s, const int32_t *mapping)
{
    int32_t standard[MOST_STAGES] = {0};
    kinds_standard(s->kinds, mapping, s->prices.stages, standard);
    if (!known(s, standard))
        add_to_batch(s, standard, bound_of(s, standard, s->prices.stages));
}

/* Stage by stage where the bound is least; and all on the one processor that suits best. */
static void propose_simple(Search *s)
{
    int32_t n = s->prices.stages, greedy[MOST_STAGES] = {0}, alone[MOST_STAGES], quickest = 0;
    double least = INFINITY;
    for (int32_t depth = 0; depth < n; depth++) {
        Beginning begin;
        double nearest = INFINITY;
        beginning_at(&begin, &s->bounds, greedy, depth);
        int32_t choice = 0;
        for (int32_t j = 0; j < s->prices.processors; j++) {
            double bound = bounds_child(&s->bounds, &begin, j, INFINITY);
            if (bound < nearest) {
                nearest = bound;
                choice = j;
            }
        }
        greedy[depth] = choice;
    }
    for (int32_t j = 0; j < s->prices.processors; j++) {
        for (int32_t i = 0; i < n; i++)
            alone[i] = j;
        double bound = bound_of(s, alone, n);
        if (bound < least) {
            least = bound;
            quickest = j;
        }
    }
    for (int32_t i = 0; i < n; i++)
        alone[i] = quickest;
    propose(s, greedy);
    propose(s, alone);
}

/* The most promising of the batch's places: keep the BATCH least bounds, in order. */
static void consider(Search *s, const int32_t *mapping)
{
    int32_t n = s->prices.stages, standard[MOST_STAGES] = {0}, at;
    kinds_standard(s->kinds, mapping, n, standard);
    if (known(s, standard))
        return;
    double bound = bound_of(s, standard, n);
    if (!(bound < s->best[0]) || (s->count == BATCH && !(bound < s->bound[BATCH - 1])))
        return;
    at = s->count < BATCH ? s->count++ : BATCH - 1;
    for (; at > 0 && bound < s->bound[at - 1]; at--) {
        memcpy(s->mapping[at], s->mapping[at - 1], sizeof s->mapping[0]);
        s->bound[at] = s->bound[at - 1];
    }
    memcpy(s->mapping[at], standard, sizeof standard);
    s->bound[at] = bound;
}

/* The neighbours of the leader: one stage elsewhere, or two stages in each other's place. */
static void consider_neighbours(Search *s)
{
    int32_t n = s->prices.stages, near[MOST_STAGES];
    memcpy(near, s->leader, sizeof near);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < s->prices.processors; j++) {
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

/* Walk to a mapping that no neighbour beats.  Its cuts describe the region that matters. */
static PepaStatus climb(Search *s, PepaError *err)
{
    const AmogetRanker *ranker = s->run->ranker;
    bool again = ranker->slope_count > 0;
    PepaStatus status = again ? PEPA_OK : first_cut(s, err);
    if (status == PEPA_OK) {
        if (again)
            propose(s, ranker->leader);
        propose_simple(s);
        status = solve_batch(s, err);
    }
    while (status == PEPA_OK && !run_stops(s->run, 0)) {
        consider_neighbours(s);
        if (s->count == 0)
            break;
        status = solve_batch(s, err);
    }
    return status;
}

/* ---- branch and bound --------------------------------------------------------------------------
 */

/* Mappings that begin like this, or like one that this stands for. */
static double family(const Search *s, const int32_t *mapping, int32_t depth)
{
    return kinds_stands_for(s->kinds, mapping, depth) *
           pow(s->prices.processors, s->prices.stages - depth);
}

static bool expand(Search *s, int32_t *mapping, int32_t depth, double bound)
{
    Beginning begin;
    beginning_at(&begin, &s->bounds, mapping, depth);
    for (int32_t j = 0; j < s->prices.processors; j++) {
        mapping[depth] = j;
        if (!(kinds_stands_for(s->kinds, mapping, depth + 1) > 0))
            continue;
        double child = fmax(bound, bounds_child(&s->bounds, &begin, j, cutoff(s)));
        if (child > cutoff(s))
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
    int32_t n = s->prices.stages, mapping[MOST_STAGES] = {0}, depth;
    double bound;
    *least = INFINITY;
    for (int looked = 0; looked < EXPANSIONS && s->count < BATCH; looked++) {
        if (looked % 64 == 0 && run_stops(s->run, 0))
            return PEPA_OK;
        if (!frontier_pop(&s->frontier, &bound, mapping, &depth))
            return PEPA_OK;
        bound = fmax(bound, bound_of(s, mapping, depth));
        if (bound > cutoff(s)) {
            s->found->pruned += family(s, mapping, depth);
            continue;
        }
        bool kept = true;
        if (bound > frontier_next(&s->frontier) && s->frontier.stack_count == 0)
            kept = frontier_push(&s->frontier, bound, mapping, depth);
        else if (depth < n)
            kept = expand(s, mapping, depth, bound);
        else if (!known(s, mapping)) {
            add_to_batch(s, mapping, bound);
            *least = fmin(*least, bound);
        }
        if (!kept)
            return error_memory(err);
    }
    return PEPA_OK;
}

/* status: of what went before; PEPA_ELIMIT when no time is left, so that only a bound is wanted. */
static PepaStatus branch(Search *s, PepaStatus status, PepaError *err)
{
    double least = INFINITY;
    int32_t root[MOST_STAGES] = {0};
    if (!expand(s, root, 0, 0))
        return error_memory(err);
    while (status == PEPA_OK && !run_stops(s->run, 0)) {
        status = gather(s, &least, err);
        s->run->now.bound = 1 / fmin(s->best[0], fmin(least, frontier_least(&s->frontier)));
        s->run->now.pruned = s->found->pruned;
        bool done = s->count == 0 && isinf(frontier_least(&s->frontier));
        if (status != PEPA_OK || run_stops(s->run, 0))
            break;
        if (done) {
            s->found->optimal = true;
            break;
        }
        status = solve_batch(s, err);
    }
    s->found->least = fmin(s->best[0], fmin(least, frontier_least(&s->frontier)));
    return status;
}

/* Leave the cuts and the best mapping to the next search, whatever the numbers are then. */
static void keep(const Search *s)
{
    AmogetRanker *ranker = s->run->ranker;
    if (!ranker->slopes)
        ranker->slopes =
            mem_alloc(MOST_CUTS * (2 * (size_t)s->prices.stages + 1), sizeof *ranker->slopes);
    if (!ranker->slopes) /* the next one begins from nothing */
        return;
    ranker->slope_count = bounds_keep(&s->bounds, ranker->slopes);
    memcpy(ranker->leader, s->leader, sizeof ranker->leader);
}

static PepaStatus search_new(Search **out, Run *run, const Kinds *kinds, int64_t top, Found *found,
                             PepaError *err)
{
    Search *s = mem_calloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    *out = s;
    s->run = run;
    s->kinds = kinds;
    s->found = found;
    s->top = (size_t)top;
    s->best = mem_alloc(s->top, sizeof *s->best);
    for (size_t k = 0; s->best && k < s->top; k++)
        s->best[k] = INFINITY;
    PepaStatus status = s->best ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = prices_new(&s->prices, run->ranker->desc, err);
    if (status == PEPA_OK)
        status = bounds_new(&s->bounds, &s->prices, err);
    if (status == PEPA_OK && run->ranker->slope_count > 0)
        bounds_restore(&s->bounds, run->ranker->slopes, run->ranker->slope_count);
    frontier_init(&s->frontier, run->ranker->stages, FRONTIER_BYTES);
    return status;
}

static void search_free(Search *s)
{
    if (!s)
        return;
    prices_free(&s->prices);
    bounds_free(&s->bounds);
    frontier_free(&s->frontier);
    mem_free(s->best);
    mem_free(s);
}

PepaStatus search_best(Run *run, const Kinds *kinds, int64_t top, Found *found, PepaError *err)
{
    Search *s = NULL;
    *found = (Found){0};
    solved_init(&found->solved, run->ranker->stages);
    PepaStatus status = search_new(&s, run, kinds, top, found, err);
    if (status == PEPA_OK)
        status = climb(s, err);
    if (status == PEPA_OK || status == PEPA_ELIMIT)
        status = branch(s, status, err);
    if (found->solved.count > 0)
        keep(s);
    search_free(s);
    int stopped = atomic_load(&run->stopped);
    if (stopped == PEPA_ECANCEL && (status == PEPA_OK || status == PEPA_ECANCEL))
        return run_stopped(run, err);
    if (status == PEPA_ELIMIT && stopped == PEPA_ELIMIT && found->solved.count > 0)
        status = PEPA_OK;
    return status;
}
