/* The generator as a sparse matrix, for the caller's own solvers. */
#include <stdlib.h>

#include "api/handles.h"
#include "ctmc/operator.h"

void pepa_matrix_free(PepaMatrix *matrix)
{
    if (!matrix)
        return;
    mem_free_all(matrix->row, matrix->col, matrix->val);
    *matrix = (PepaMatrix){0};
}

typedef struct {
    int32_t col;
    double val;
} Entry;

/* Rows being made. */
typedef struct {
    const double *value;
    PepaMatrix q;
    int32_t state;  /* whose row is in entries */
    Entry *entries; /* the diagonal one first */
    size_t count, cap;
    bool failed; /* memory is out */
} Generating;

static int by_column(const void *a, const void *b)
{
    int32_t x = ((const Entry *)a)->col, y = ((const Entry *)b)->col;
    return (x > y) - (x < y);
}

static void begin_row(Generating *g, int32_t state)
{
    g->state = state;
    g->entries[0] = (Entry){state, 0};
    g->count = 1;
}

/* Store the rows before state `next`, columns ascending and distinct. */
static void end_rows(Generating *g, int64_t next)
{
    for (; g->state < next; begin_row(g, g->state + 1)) {
        int64_t at = g->q.row[g->state], first = at;
        qsort(g->entries, g->count, sizeof *g->entries, by_column);
        for (size_t k = 0; k < g->count; k++) {
            if (at > first && g->q.col[at - 1] == g->entries[k].col) {
                g->q.val[at - 1] += g->entries[k].val;
                continue;
            }
            g->q.col[at] = g->entries[k].col;
            g->q.val[at++] = g->entries[k].val;
        }
        g->q.row[g->state + 1] = at;
    }
}

static void add(void *user, const Transition *t)
{
    Generating *g = user;
    end_rows(g, t->from);
    if (t->to == t->from)
        return;
    if (g->failed || !mem_grow(g->entries, g->cap, g->count + 1)) {
        g->failed = true;
        return;
    }
    g->entries[g->count++] = (Entry){(int32_t)t->to, g->value[t->term]};
    g->entries[0].val -= g->value[t->term];
}

PepaStatus pepa_chain_generator(const PepaChain *handle, PepaMatrix *out, PepaError *err)
{
    if (!handle || !out)
        return error_null(err, "pepa_chain_generator");
    const Chain *c = handle->chain;
    PepaStatus status = chain_is_whole(handle, err);
    if (status == PEPA_OK)
        status = error_by_rows(err, c->state_count, "pepa_chain_generator");
    if (status != PEPA_OK)
        return status;
    Generating g = {.value = c->now.term, .q.n = (int32_t)c->state_count};
    int64_t most = c->transitions + c->state_count; /* these tell actions apart, entries do not */
    g.failed = !mem_new_zeroed(g.q.row, c->state_count + 1) || !mem_new(g.q.col, most) ||
               !mem_new(g.q.val, most) || !mem_grow(g.entries, g.cap, 1);
    if (!g.failed) {
        begin_row(&g, 0);
        status = chain_each_transition(c, add, &g, err);
        end_rows(&g, c->state_count);
    }
    if (g.failed)
        status = error_memory(err);
    mem_free(g.entries);
    if (status == PEPA_OK)
        *out = g.q;
    else
        pepa_matrix_free(&g.q);
    return status;
}
