/* Writes the transitions of a chain explored as sets by rows, for what goes through its states one
 * by one: the search for bottom components, and solutions where there are several. */
#include "base/budget.h"
#include "ctmc/operator.h"

typedef struct {
    Chain *chain;
    Memo kinds;     /* by action and term */
    int32_t *index; /* per action of the model: its index in chain->actions */
    size_t action_cap, term_cap;
    int64_t from, end; /* the state at hand; the transitions of those before it */
    Step *steps;       /* its transitions */
    size_t count, cap;
    bool failed;
} Writing;

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

/* Write the row of the state at hand: what several events contribute to one transition is added
 * up. */
static void end_row(Writing *w)
{
    Chain *c = w->chain;
    steps_sort(w->steps, w->count);
    for (size_t i = 0, k; i < w->count && !w->failed; i = k) {
        const uint64_t key = w->steps[i].action_target;
        int32_t term = w->steps[i].kind;
        for (k = i + 1; k < w->count && w->steps[k].action_target == key; k++)
            term = rates_sum(&c->rates, term, w->steps[k].kind);
        int32_t kind = kind_of(w, (int32_t)(key >> 32), term);
        c->target[w->end] = (int32_t)(uint32_t)key;
        c->wide[w->end++] = kind;
        w->failed = kind < 0;
    }
    c->deadlocks += w->count == 0;
    c->row[++w->from] = w->end;
    w->count = 0;
}

static void add(void *user, const Transition *t)
{
    Writing *w = user;
    while (w->from < t->from && !w->failed)
        end_row(w);
    w->failed = w->failed || !mem_grow(w->steps, w->cap, w->count + 1);
    if (!w->failed)
        w->steps[w->count++] =
            (Step){(uint64_t)w->index[t->action] << 32 | (uint32_t)t->to, t->term};
}

PepaStatus chain_write_rows(Chain *c, PepaError *err)
{
    const double states = (double)c->state_count, transitions = (double)c->transitions;
    const double need = diagram_bytes(c->diagram) + states * sizeof *c->row +
                        transitions * (sizeof *c->target + sizeof *c->wide);
    Writing w = {.chain = c};
    const char *what = "a chain with states that are left for ever";
    PepaStatus status = error_by_rows(err, c->state_count, what);
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(c->memory, need))
        return budget_exceeded(err, need, c->memory,
                               "the transitions by rows, since some states are left for ever");
    bool ok = mem_new_zeroed(c->row, c->state_count + 1) && mem_new(c->target, c->transitions) &&
              mem_new(c->wide, c->transitions) && mem_new_zeroed(w.index, c->model->action_count);
    status = ok ? PEPA_OK : error_memory(err);
    for (int32_t a = 0; ok && a < c->action_count; a++)
        w.index[c->actions[a]] = a;
    if (ok)
        status = diagram_each_transition(c->diagram, add, &w, err);
    while (status == PEPA_OK && w.from < c->state_count && !w.failed)
        end_row(&w);
    if (status == PEPA_OK && w.failed)
        status = error_memory(err);
    memo_free(&w.kinds);
    mem_free_all(w.index, w.steps);
    return status;
}
