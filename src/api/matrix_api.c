/* The generator for those who have solvers of their own. */
#include <stdlib.h>

#include "api/handles.h"

void pepa_matrix_free(PepaMatrix *matrix)
{
    if (!matrix)
        return;
    mem_free(matrix->row);
    mem_free(matrix->col);
    mem_free(matrix->val);
    *matrix = (PepaMatrix){0};
}

typedef struct {
    int32_t col;
    double val;
} Entry;

static int by_column(const void *a, const void *b)
{
    int32_t x = ((const Entry *)a)->col, y = ((const Entry *)b)->col;
    return (x > y) - (x < y);
}

/* Row `state` of Q in entries, columns ascending and distinct; returns how many. */
static int64_t generator_row(const Chain *c, int32_t state, Entry *entries)
{
    int64_t count = 1, distinct = 0;
    entries[0] = (Entry){state, 0};
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
        if (c->target[k] == state)
            continue;
        entries[count++] = (Entry){c->target[k], chain_rate(c, k)};
        entries[0].val -= chain_rate(c, k);
    }
    qsort(entries, (size_t)count, sizeof *entries, by_column);
    for (int64_t k = 0; k < count; k++) {
        if (distinct && entries[distinct - 1].col == entries[k].col)
            entries[distinct - 1].val += entries[k].val;
        else
            entries[distinct++] = entries[k];
    }
    return distinct;
}

PepaStatus pepa_chain_generator(const PepaChain *handle, PepaMatrix *out, PepaError *err)
{
    if (!handle || !out)
        return error_set(err, PEPA_EARG, "pepa_chain_generator: an argument is NULL");
    const Chain *c = handle->chain;
    if (c->diagram)
        return error_set(err, PEPA_EARG, "pepa_chain_generator: the chain is explored as sets");
    int32_t n = (int32_t)c->state_count; /* explored one by one */
    size_t most = (size_t)c->transitions + (size_t)n, longest = 0;
    for (int32_t s = 0; s < n; s++)
        if ((size_t)(c->row[s + 1] - c->row[s]) > longest)
            longest = (size_t)(c->row[s + 1] - c->row[s]);
    PepaMatrix q = {.n = n};
    Entry *entries = mem_alloc(longest + 1, sizeof *entries);
    q.row = mem_alloc((size_t)n + 1, sizeof *q.row);
    q.col = mem_alloc(most, sizeof *q.col);
    q.val = mem_alloc(most, sizeof *q.val);
    bool ok = entries && q.row && q.col && q.val;
    if (ok) {
        q.row[0] = 0;
        for (int32_t s = 0; s < n; s++) {
            int64_t count = generator_row(c, s, entries), at = q.row[s];
            for (int64_t k = 0; k < count; k++) {
                q.col[at + k] = entries[k].col;
                q.val[at + k] = entries[k].val;
            }
            q.row[s + 1] = at + count;
        }
        *out = q;
    } else {
        pepa_matrix_free(&q);
    }
    mem_free(entries);
    return ok ? PEPA_OK : error_memory(err);
}
