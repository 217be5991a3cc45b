/* Solves a batch, and what others may ask for, in several processes. */
#include "amoget/search/ahead.h"

#include <math.h>
#include <string.h>

typedef struct {
    Search *s;
    int32_t count;
    Inquiry *each[MOST_TASKS];
} Tasks;

PepaStatus ahead_new(Search *s, PepaError *err)
{
    if (!s->run->agreement.processes)
        return PEPA_OK;
    s->ahead.kept = mem_calloc(MOST_KEPT, sizeof *s->ahead.kept);
    s->ahead.numbers =
        mem_alloc((size_t)MOST_TASKS * (size_t)answer_size(s), sizeof *s->ahead.numbers);
    return s->ahead.kept && s->ahead.numbers ? PEPA_OK : error_memory(err);
}

void ahead_free(Search *s)
{
    mem_free(s->ahead.kept);
    mem_free(s->ahead.numbers);
}

/* ---- what is kept -------------------------------------------------------------------------- */

/* The entry of a mapping; NULL: there is none.  Entries that are not in use are OPEN. */
static Inquiry *find(const Search *s, const int32_t *mapping)
{
    const size_t size = (size_t)s->costs.stages * sizeof *mapping;
    for (int32_t i = 0; s->ahead.kept && i < MOST_KEPT; i++) {
        Inquiry *kept = &s->ahead.kept[i];
        if (kept->answer.state != OPEN && memcmp(kept->mapping, mapping, size) == 0)
            return kept;
    }
    return NULL;
}

/* Hand an answer out, if it is kept. */
static bool take(const Search *s, Inquiry *asked)
{
    Inquiry *kept = find(s, asked->mapping);
    if (!kept)
        return false;
    asked->answer = kept->answer;
    kept->answer.state = OPEN;
    return true;
}

/* ---- what may be asked for ----------------------------------------------------------------- */

static bool is_asked(const Search *s, const int32_t *mapping)
{
    const size_t size = (size_t)s->costs.stages * sizeof *mapping;
    for (int32_t k = 0; k < s->count; k++)
        if (memcmp(s->asked[k].mapping, mapping, size) == 0)
            return true;
    return solution_table_find(&s->found->solved, mapping) >= 0 || find(s, mapping);
}

typedef struct {
    double bound[MOST_TASKS];
    int32_t mapping[MOST_TASKS][MOST_STAGES];
    int32_t count;
} Likely;

/* Keep the `most` with the least bounds, in order. */
static void offer(Likely *likely, int32_t most, const int32_t *mapping, double bound)
{
    if (likely->count == most && !(bound < likely->bound[most - 1]))
        return;
    int32_t at = likely->count < most ? likely->count++ : most - 1;
    for (; at > 0 && bound < likely->bound[at - 1]; at--) {
        likely->bound[at] = likely->bound[at - 1];
        memcpy(likely->mapping[at], likely->mapping[at - 1], sizeof likely->mapping[at]);
    }
    likely->bound[at] = bound;
    memcpy(likely->mapping[at], mapping, sizeof likely->mapping[at]);
}

/* Add the most promising complete mappings of the frontier to the tasks, `most` at most. */
static void look_ahead(Tasks *tasks, int32_t most)
{
    Search *s = tasks->s;
    Likely likely = {.count = 0};
    int32_t mapping[MOST_STAGES] = {0}, depth;
    double bound;
    for (size_t i = 0; most > 0 && i < HEAP_SEEN; i++)
        if (!frontier_at(&s->frontier, i, &bound, mapping, &depth))
            break;
        else if (depth == s->costs.stages && !(bound > search_cutoff(s)) && !is_asked(s, mapping))
            offer(&likely, most, mapping, bound);
    for (int32_t i = 0; i < likely.count; i++) {
        Inquiry *kept = &s->ahead.kept[s->ahead.next];
        s->ahead.next = (s->ahead.next + 1) % MOST_KEPT;
        memcpy(kept->mapping, likely.mapping[i], sizeof kept->mapping);
        costs_durations(&s->costs, kept->mapping, kept->seconds);
        kept->answer = (Answer){.state = OPEN};
        kept->ahead = true;
        tasks->each[tasks->count++] = kept;
    }
}

/* Mappings to be solved at a time. */
static int32_t tasks_at_once(const Search *s)
{
    const int32_t processes = s->run->agreement.processes->count;
    const int64_t most = (int64_t)processes * (s->batch < MOST_BATCH ? TASKS_EACH : 1);
    return most < MOST_TASKS ? (int32_t)most : MOST_TASKS;
}

/* ---- tasks --------------------------------------------------------------------------------- */

static PepaStatus solve_task(void *user, int32_t index, int32_t worker, PepaError *err)
{
    const Tasks *tasks = user;
    Search *s = tasks->s;
    Inquiry *inquiry = tasks->each[index];
    PepaStatus status = answer_find(s, inquiry, worker, err);
    if (status == PEPA_OK)
        return status;
    if (inquiry->ahead && atomic_load(&s->run->agreement.stopped) == PEPA_OK) {
        inquiry->answer = (Answer){.state = OPEN};
        return PEPA_OK;
    }
    if (status == PEPA_ENOCONV)
        run_blame(s->run, inquiry->mapping, err);
    return status;
}

/* What each process has found goes to all. */
static void share(const Tasks *tasks)
{
    const Search *s = tasks->s;
    const int32_t size = answer_size(s);
    double *x = s->ahead.numbers;
    for (int32_t k = 0; x && k < tasks->count; k++)
        answer_pack(s, &tasks->each[k]->answer, x + (size_t)k * (size_t)size);
    agreement_sum(&s->run->agreement, x, (int64_t)tasks->count * size);
    for (int32_t k = 0; x && k < tasks->count; k++)
        answer_unpack(s, &tasks->each[k]->answer, x + (size_t)k * (size_t)size);
}

PepaStatus ahead_answer(Search *s, PepaError *err)
{
    Tasks tasks = {.s = s};
    Agreement *agreement = &s->run->agreement;
    for (int32_t k = 0; k < s->count; k++)
        if (s->local || s->plain || !take(s, &s->asked[k]))
            tasks.each[tasks.count++] = &s->asked[k];
    if (tasks.count == 0) {
        agreement_nothing_new(agreement);
        return PEPA_OK;
    }
    if (s->ahead.kept && !s->local && !s->plain)
        look_ahead(&tasks, tasks_at_once(s) - tasks.count);
    PepaStatus status = agreement_tasks(agreement, run_workers(s->run, (size_t)tasks.count),
                                        tasks.count, solve_task, &tasks, err);
    share(&tasks);
    return status;
}
