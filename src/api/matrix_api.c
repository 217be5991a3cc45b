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

/* Rows being made: sources come in ascending order. */
typedef struct {
    const double *value;
    PepaMatrix q;
    int32_t state; /* whose row is in entries; diagonal first */
    Entry *entries;
    size_t count, cap;
    bool failed;
} Generating;

static int by_column(const void *a, const void *b)
{
    int32_t x = ((const Entry *)a)->col, y = ((const Entry *)b)->col;
    return (x > y) - (x < y);
}

static bool begin_row(Generating *g)
{
    g->count = 1;
    if (!mem_grow(g->entries, g->cap, 1))
        return false;
    g->entries[0] = (Entry){g->state, 0};
    return true;
}

/* Store the row, columns ascending and distinct. */
static void end_row(Generating *g)
{
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
    g->q.row[++g->state] = at;
}

static void add(void *user, const Transition *t)
{
    Generating *g = user;
    while (!g->failed && g->state < t->from) {
        end_row(g);
        g->failed = !begin_row(g);
    }
    if (g->failed || t->to == t->from)
        return;
    if (!mem_grow(g->entries, g->cap, g->count + 1)) {
        g->failed = true;
        return;
    }
    g->entries[g->count++] = (Entry){(int32_t)t->to, g->value[t->term]};
    g->entries[0].val -= g->value[t->term];
}

static void count(void *user, const Transition *t)
{
    (void)t;
    ++*(size_t *)user;
}

PepaStatus pepa_chain_generator(const PepaChain *handle, PepaMatrix *out, PepaError *err)
{
    if (!handle || !out)
        return error_set(err, PEPA_EARG, "pepa_chain_generator: an argument is NULL");
    const Chain *c = handle->chain;
    size_t n = (size_t)c->state_count, most = n;
    PepaStatus status = chain_each_transition(c, count, &most, err);
    if (status != PEPA_OK)
        return status;
    Generating g = {.value = c->now.term, .q.n = (int32_t)c->state_count};
    g.q.row = mem_calloc(n + 1, sizeof *g.q.row);
    g.q.col = mem_alloc(most, sizeof *g.q.col);
    g.q.val = mem_alloc(most, sizeof *g.q.val);
    g.failed = !g.q.row || !g.q.col || !g.q.val || !begin_row(&g);
    if (!g.failed)
        status = chain_each_transition(c, add, &g, err);
    while (status == PEPA_OK && !g.failed && g.state < g.q.n) {
        end_row(&g);
        g.failed = !begin_row(&g);
    }
    mem_free(g.entries);
    if (g.failed)
        status = error_memory(err);
    if (status == PEPA_OK)
        *out = g.q;
    else
        pepa_matrix_free(&g.q);
    return status;
}
