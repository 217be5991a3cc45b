/* Writes the transitions of a chain explored as sets by rows, for what goes through its states one
 * by one: the search for bottom components, solutions where there are several, and processes that share
 * them. */
#include <math.h>

#include "base/budget.h"
#include "base/clock.h"
#include "base/processes.h"
#include "ctmc/operator.h"

typedef struct {
    Chain *chain;
    Memo kinds;     /* by action and term */
    int32_t *index; /* per action of the model: its index in chain->actions */
    size_t action_cap, term_cap, transition_cap;
    int64_t first; /* the state of row 0 */
    int64_t row;   /* the row at hand, and ... */
    int64_t end;   /* ... the transitions before it */
    Step *steps;   /* its transitions */
    size_t count, cap;
    bool failed, infinite;   /* memory is out; some state's rates are not finite together */
    const PepaSettings *set; /* or NULL */
    double start, shown;     /* on the clock; seconds at the last progress call */
    bool cancelled;
} Writing;

enum { BETWEEN_LOOKS = 1 << 16 }; /* rows between looks at the clock */

bool chain_reserve(Chain *c, size_t *cap, int64_t transitions)
{
    const MemColumn narrow = {&c->narrow, sizeof *c->narrow}, wide = {&c->wide, sizeof *c->wide};
    const MemColumn columns[] = {{&c->target, sizeof *c->target}, c->wide ? wide : narrow};
    return mem_reserve_columns(columns, 2, cap, (size_t)transitions);
}

bool chain_widen(Chain *c, size_t cap, int64_t transitions)
{
    int32_t *wide = mem_alloc(cap, sizeof *wide);
    if (!wide)
        return false;
    for (int64_t k = 0; k < transitions; k++)
        wide[k] = c->narrow[k];
    mem_free(c->narrow);
    c->narrow = NULL;
    c->wide = wide;
    return true;
}

void chain_trim(Chain *c, int64_t states)
{
    mem_trim(c->target, c->transitions);
    mem_trim(c->row, states + 1);
    if (c->wide)
        mem_trim(c->wide, c->transitions);
    else
        mem_trim(c->narrow, c->transitions);
}

/* -1: memory is out. */
static int32_t kind_of(Writing *w, int32_t action, int32_t term)
{
    Chain *c = w->chain;
    int32_t *kind = memo_at(&w->kinds, (uint64_t)action, (uint64_t)term);
    if (!kind || *kind >= 0)
        return kind ? *kind : -1;
    if (!mem_grow(c->kind_action, w->action_cap, c->kind_count + 1) ||
        !mem_grow(c->kind_term, w->term_cap, c->kind_count + 1))
        return -1;
    c->kind_action[c->kind_count] = action;
    c->kind_term[c->kind_count] = term;
    return *kind = c->kind_count++;
}

/* The next transition of the row at hand.  False: memory is out. */
static bool write_step(Writing *w, uint64_t action_target, int32_t term)
{
    Chain *c = w->chain;
    const int32_t kind = kind_of(w, (int32_t)(action_target >> 32), term);
    const bool full = (size_t)w->end == w->transition_cap;
    if (kind < 0 || (full && !chain_reserve(c, &w->transition_cap, w->end + 1)) ||
        (kind > UINT16_MAX && c->narrow && !chain_widen(c, w->transition_cap, w->end)))
        return false;
    c->target[w->end] = (int32_t)(uint32_t)action_target;
    if (c->narrow)
        c->narrow[w->end++] = (uint16_t)kind;
    else
        c->wide[w->end++] = kind;
    return true;
}

/* Write the row at hand: what several events contribute to one transition is added up. */
static void end_row(Writing *w)
{
    Chain *c = w->chain;
    double exit = 0;
    steps_sort(w->steps, w->count);
    for (size_t i = 0, k; i < w->count && !w->failed; i = k) {
        const uint64_t key = w->steps[i].action_target;
        int32_t term = w->steps[i].kind;
        for (k = i + 1; k < w->count && w->steps[k].action_target == key; k++)
            term = rates_sum(&c->rates, term, w->steps[k].kind);
        exit += c->rates.value[term];
        w->failed = !write_step(w, key, term);
    }
    w->infinite = w->infinite || !isfinite(exit);
    c->deadlocks += w->count == 0;
    c->row[++w->row] = w->end;
    w->count = 0;
}

static void tick(Writing *w)
{
    if (!w->set || !w->set->progress || w->row % BETWEEN_LOOKS != 0)
        return;
    const double seconds = clock_seconds() - w->start;
    if (seconds - w->shown < 0.1)
        return;
    w->shown = seconds;
    const PepaProgress p = {.phase = "derive",
                            .count = w->row,
                            .measure = (double)w->end,
                            .seconds = seconds,
                            .left = -1};
    w->cancelled = w->set->progress(w->set->user, &p);
    w->failed = w->cancelled;
}

static void add(void *user, const Transition *t)
{
    Writing *w = user;
    while (w->first + w->row < t->from && !w->failed) {
        end_row(w);
        tick(w);
    }
    w->failed = w->failed || !mem_grow(w->steps, w->cap, w->count + 1);
    if (!w->failed)
        w->steps[w->count++] =
            (Step){(uint64_t)w->index[t->action] << 32 | (uint32_t)t->to, t->term};
}

/* Of the rows of so many states with so many transitions. */
static double row_bytes(double states, double transitions)
{
    return states * sizeof(int64_t) + transitions * (sizeof(int32_t) + sizeof(uint16_t));
}

/* Of the states first .. end - 1, with about so many transitions.
 *   infinite  out: some state's rates are not finite together, or those of several events for one transition */
static PepaStatus write_rows(Chain *c, int64_t first, int64_t end, int64_t transitions,
                             const PepaSettings *set, bool *infinite, PepaError *err)
{
    Writing w = {.chain = c, .first = first, .set = set, .start = clock_seconds()};
    bool ok = mem_new_zeroed(c->row, end - first + 1) &&
              mem_new_zeroed(w.index, c->model->action_count) &&
              chain_reserve(c, &w.transition_cap, transitions);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (int32_t a = 0; ok && a < c->action_count; a++)
        w.index[c->actions[a]] = a;
    if (ok)
        status = diagram_each_transition(c->diagram, first, end, add, &w, err);
    while (status == PEPA_OK && first + w.row < end && !w.failed)
        end_row(&w);
    if (status == PEPA_OK && w.cancelled)
        status = error_set(err, PEPA_ECANCEL, "cancelled after %lld states", (long long)w.row);
    if (status == PEPA_OK && (w.failed || c->rates.status == PEPA_ENOMEM))
        status = error_memory(err);
    if (status == PEPA_OK) {
        c->transitions = w.end;
        chain_trim(c, end - first);
    }
    *infinite = w.infinite || c->rates.status != PEPA_OK;
    memo_free(&w.kinds);
    mem_free_all(w.index, w.steps);
    return status;
}

PepaStatus chain_write_rows(Chain *c, PepaError *err)
{
    const double need =
        diagram_bytes(c->diagram) + row_bytes((double)c->state_count, (double)c->transitions);
    bool infinite;
    PepaStatus status =
        error_by_rows(err, c->state_count, "a chain with states that are left for ever");
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(c->memory, need))
        return budget_exceeded(err, need, c->memory,
                               "the transitions by rows, since some states are left for ever");
    status = write_rows(c, 0, c->state_count, c->transitions, NULL, &infinite, err);
    if (status == PEPA_OK && infinite)
        status = error_set(err, PEPA_EMODEL, "the rates out of a state overflow");
    return status;
}

/* ---- a run for each process ------------------------------------------------------------------ */

/* begin[p]: where the run of process p begins, and the end of all. */
static PepaStatus find_runs(const Chain *c, int64_t *begin, PepaError *err)
{
    const PepaProcesses *p = c->spread->processes;
    const double n = (double)c->state_count;
    double before = 0;
    for (int32_t k = 0; k < p->count; k++) {
        begin[k] = (int64_t)fmin(before * n, n);
        before += c->spread->part ? c->spread->part[k] : 1.0 / p->count;
    }
    begin[p->count] = c->state_count;
    for (int32_t k = 0; k < p->count; k++)
        if ((begin[k + 1] - begin[k]) * p->count > INT32_MAX)
            return error_by_processes(err);
    return PEPA_OK;
}

static int32_t run_of(const int64_t *begin, int32_t count, int64_t state)
{
    int32_t low = 0, high = count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low + 1) / 2;
        if (begin[middle] <= state)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int32_t number_of(const int64_t *begin, int32_t count, int32_t run, int64_t state)
{
    return (int32_t)(state - begin[run]) * count + run;
}

/* Targets, which are places in the order of all states, become numbers. */
static void number_targets(Chain *c, const int64_t *begin)
{
    const int32_t count = c->spread->processes->count, rank = c->spread->processes->rank;
    for (int64_t k = 0; k < c->transitions; k++) {
        const int64_t to = c->target[k];
        const bool own = begin[rank] <= to && to < begin[rank + 1];
        c->target[k] = number_of(begin, count, own ? rank : run_of(begin, count, to), to);
    }
}

/* From now on the chain is that of the states of its run. */
static void keep_run(Chain *c, const int64_t *begin)
{
    Spread *s = c->spread;
    const PepaProcesses *p = s->processes;
    const int32_t first = run_of(begin, p->count, c->initial);
    double sum[] = {(double)c->transitions, c->deadlocks};
    s->start = first == p->rank ? (int32_t)(c->initial - begin[first]) : 0;
    s->starts = first == p->rank;
    s->in_runs = true;
    s->order = diagram_order(c->diagram);
    s->states = c->state_count;
    c->start_count = 1;
    c->initial = number_of(begin, p->count, first, c->initial);
    c->state_count = c->states.count;
    p->sum(p->user, sum, 2);
    s->transitions = (int64_t)sum[0];
    c->deadlocks = (int32_t)sum[1];
    c->bottom_count = 1; /* no others are solved */
    diagram_free(c->diagram);
    c->diagram = NULL;
}

/* Rows and states of the run, whose targets are still places among all. */
static PepaStatus write_run(Chain *c, int64_t first, int64_t end, const PepaSettings *set,
                            bool *infinite, PepaError *err)
{
    const double share = (double)(end - first) / (double)c->state_count;
    PepaStatus status =
        write_rows(c, first, end, (int64_t)(share * (double)c->transitions), set, infinite, err);
    if (status == PEPA_OK &&
        !table_init_sealed(&c->states, c->system->words, (int32_t)(end - first)))
        status = error_memory(err);
    if (status == PEPA_OK)
        diagram_list(c->diagram, first, end, c->states.state);
    return status;
}

PepaStatus chain_spread_sets(Chain *c, const PepaProcesses *p, const PepaSettings *set, bool *suit,
                             PepaError *err)
{
    const double n = (double)c->state_count, sets = diagram_bytes(c->diagram);
    const double bytes =
        row_bytes(n, (double)c->transitions) + n * (double)(c->system->words * sizeof(uint64_t));
    int64_t *begin = NULL;
    bool infinite = false;
    const bool ok = mem_new_zeroed(c->spread, 1) && mem_new(begin, p->count + 1);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK) {
        c->spread->processes = p;
        status = processes_parts(p, bytes + chain_solution_bytes(n, (double)c->transitions),
                                 budget_left(c->memory, sets), &c->spread->part, err);
    }
    if (status == PEPA_OK)
        status = find_runs(c, begin, err);
    if (status == PEPA_OK) {
        const double run = (double)(begin[p->rank + 1] - begin[p->rank]);
        *suit = processes_count(p, budget_allows(c->memory, sets + bytes * run / n)) == p->count;
    }
    if (status == PEPA_OK && *suit) {
        status = write_run(c, begin[p->rank], begin[p->rank + 1], set, &infinite, err);
        status = processes_agree(p, status, err);
    }
    if (status == PEPA_OK && *suit)
        *suit = processes_count(p, infinite) == 0;
    if (status == PEPA_OK && *suit) {
        number_targets(c, begin);
        keep_run(c, begin);
    }
    mem_free(begin);
    return status;
}
