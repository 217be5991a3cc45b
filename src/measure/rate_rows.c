/* The generator by rows, and reachability. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "ctmc/operator.h"
#include "measure/rate_rows.h"

/* A pass over the transitions, sources ascending.  Those between the same two states share an
 * entry. */
typedef struct {
    RateRows *rows;
    const double *value;
    int64_t *at;     /* per state: the entry that it had when last met as a target */
    int64_t end;     /* of the entries until now */
    int32_t *met;    /* per state: transitions that begin there */
    uint8_t *levels; /* per action of the model: as of Event */
} Writing;

static void add(void *user, const Transition *t)
{
    Writing *w = user;
    RateRows *r = w->rows;
    const double rate = w->value[t->term];
    if (t->to == t->from) {
        const bool timed = w->levels[t->action] >> LEVEL_TIMED & 1;
        r->loop[t->from] += timed ? rate : 0;
        if (timed && w->levels[t->action] >> LEVEL_IMMEDIATE & 1)
            r->unclear = t->action;
        return;
    }
    if (w->at[t->to] < r->row[t->from]) {
        w->at[t->to] = w->end++;
        r->col[w->at[t->to]] = (int32_t)t->to;
        r->val[w->at[t->to]] = 0;
    }
    r->val[w->at[t->to]] += rate;
    r->exit[t->from] += rate;
}

/* Events with functional rates have all levels: only names say which may be immediate. */
static bool find_levels(Writing *w, const Chain *chain)
{
    const System *s = chain->system;
    if (!mem_new_zeroed(w->levels, chain->model->action_count))
        return false;
    for (int32_t e = 0; e < s->event_count; e++) {
        const Event *event = &s->events[e];
        const bool either = s->preempts && model_action_is_immediate(chain->model, event->action);
        if (event->label != LABEL_NONE)
            w->levels[event->label] |= either ? event->levels : 1 << LEVEL_TIMED;
    }
    return true;
}

/* Counting needs the beginning of each row at hand, which the rows before it say. */
static void count(void *user, const Transition *t)
{
    Writing *w = user;
    RateRows *r = w->rows;
    if (r->row[t->from] < 0) /* the first of its row */
        r->row[t->from] = w->end;
    w->met[t->from]++;
    if (t->to != t->from && w->at[t->to] < r->row[t->from])
        w->at[t->to] = w->end++;
}

/* Sources by target. */
static bool transpose(RateRows *r)
{
    if (!mem_new_zeroed(r->in_row, (size_t)r->n + 2) || !mem_new(r->in, r->row[r->n]))
        return false;
    for (int64_t k = 0; k < r->row[r->n]; k++)
        r->in_row[r->col[k] + 2]++;
    for (int32_t i = 0; i < r->n; i++)
        r->in_row[i + 2] += r->in_row[i + 1];
    for (int32_t i = 0; i < r->n; i++)
        for (int64_t k = r->row[i]; k < r->row[i + 1]; k++)
            r->in[r->in_row[r->col[k] + 1]++] = i;
    return true;
}

static PepaStatus fill(Writing *w, const Chain *chain, PepaError *err)
{
    RateRows *r = w->rows;
    const size_t n = (size_t)r->n;
    memset(r->row, -1, (n + 1) * sizeof *r->row);
    memset(w->at, -1, n * sizeof *w->at);
    PepaStatus status = chain_each_transition(chain, count, w, err);
    if (status != PEPA_OK)
        return status;
    r->row[n] = w->end;
    for (size_t i = n; i-- > 0;)
        r->row[i] = r->row[i] < 0 ? r->row[i + 1] : r->row[i];
    for (size_t i = 0; i < n; i++)
        r->roundings = (double)w->met[i] > r->roundings ? (double)w->met[i] : r->roundings;
    if (!(mem_new(r->col, w->end) && mem_new(r->val, w->end) && mem_new_zeroed(r->exit, n) &&
          mem_new_zeroed(r->loop, n)))
        return error_memory(err);
    memset(w->at, -1, n * sizeof *w->at);
    w->end = 0;
    status = chain_each_transition(chain, add, w, err);
    for (size_t i = 0; i < n && status == PEPA_OK; i++)
        if (!isfinite(r->exit[i] + r->loop[i]))
            return error_set(err, PEPA_ENOCONV, "a state's rates sum to more than a double holds");
    return status == PEPA_OK && !transpose(r) ? error_memory(err) : status;
}

double rate_rows_bytes(const Chain *chain)
{
    return 16 * (double)chain->transitions + 100 * (double)chain->state_count;
}

PepaStatus rate_rows_new(RateRows *rows, const Chain *chain, const double *value,
                         const PepaSettings *set, const char *what, int64_t *left, PepaError *err)
{
    const double need = chain_bytes(chain) + rate_rows_bytes(chain);
    PepaStatus status = error_by_rows(err, chain->state_count, what);
    *rows = (RateRows){.n = (int32_t)chain->state_count, .unclear = -1};
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(set->memory, need))
        return budget_exceeded(err, need, set->memory, "%s", what);
    *left = budget_left(set->memory, need);
    Writing w = {.rows = rows, .value = value};
    const size_t n = (size_t)rows->n;
    bool ok = mem_new(rows->row, n + 1) && mem_new(w.at, n) && mem_new_zeroed(w.met, n) &&
              find_levels(&w, chain);
    status = ok ? fill(&w, chain, err) : error_memory(err);
    mem_free_all(w.at, w.met, w.levels);
    if (status != PEPA_OK)
        rate_rows_free(rows);
    return status;
}

void rate_rows_free(RateRows *r)
{
    mem_free_all(r->row, r->in_row, r->col, r->in, r->val, r->exit, r->loop);
    *r = (RateRows){0};
}

static int by_column(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

PepaStatus rate_rows_jumps(const RateRows *q, const int32_t *state, const int32_t *place, int32_t n,
                           FlowOwner *jumps, PepaError *err)
{
    int64_t entries = 0, at = 0;
    double *chance = NULL; /* of the row at hand, by column */
    for (int32_t i = 0; i < n; i++)
        for (int64_t k = q->row[state[i]]; k < q->row[state[i] + 1]; k++)
            entries += place[q->col[k]] >= 0;
    jumps->n = n;
    if (!(mem_new(jumps->row, (size_t)n + 1) && mem_new(jumps->col, entries) &&
          mem_new(jumps->val, entries) && mem_new(jumps->exit, n) && mem_new(chance, n)))
        return error_memory(err);
    for (int32_t i = 0; i < n; i++) {
        const int32_t s = state[i];
        jumps->row[i] = at;
        jumps->exit[i] = q->exit[s];
        for (int64_t k = q->row[s]; k < q->row[s + 1]; k++) {
            const int32_t j = place[q->col[k]];
            if (j < 0)
                continue;
            jumps->col[at++] = j;
            chance[j] = q->val[k] / q->exit[s];
        }
        qsort(jumps->col + jumps->row[i], (size_t)(at - jumps->row[i]), sizeof *jumps->col,
              by_column);
        for (int64_t k = jumps->row[i]; k < at; k++)
            jumps->val[k] = chance[jumps->col[k]];
    }
    jumps->row[n] = at;
    mem_free(chance);
    return PEPA_OK;
}

void rate_rows_spread(const RateRows *r, const uint8_t *through, int32_t *stack, uint8_t *mark)
{
    int32_t waiting = 0;
    for (int32_t i = 0; i < r->n; i++)
        if (mark[i])
            stack[waiting++] = i;
    while (waiting > 0) {
        const int32_t i = stack[--waiting];
        for (int64_t k = r->in_row[i]; k < r->in_row[i + 1]; k++) {
            const int32_t from = r->in[k];
            if (mark[from] || (through && !through[from]))
                continue;
            mark[from] = 1;
            stack[waiting++] = from;
        }
    }
}
