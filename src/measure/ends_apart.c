/* Components come first, and are not eliminated. */
#include "measure/ends_apart.h"

#include "base/budget.h"
#include "measure/steady.h"

/* All n^3 / 3 multiply-adds twice: a second. */
enum { FEW = 1000 };

static int32_t count_rows(const Chain *chain)
{
    int32_t count = chain->bottom_count;
    for (int64_t s = 0; s < chain->state_count && count <= FEW; s++)
        count += chain->bottom[s] < 0;
    return count;
}

bool ends_apart_may(const Chain *chain, int64_t memory)
{
    const double n = count_rows(chain);
    return n <= FEW && budget_allows(memory, 2 * n * n * sizeof(long double));
}

void ends_apart_free(EndsApart *a)
{
    mem_free_all(a->place, a->difference);
}

PepaStatus ends_apart(EndsApart *out, const RateRows *rows, const Chain *chain,
                      const double *number, const PepaSettings *set, PepaError *err)
{
    const int32_t ends = chain->bottom_count;
    const size_t n = (size_t)count_rows(chain);
    const Control control = settings_control(set, set->memory);
    int32_t next = ends;
    long double *rate = NULL;
    out->n = (int32_t)n;
    const bool ok = mem_new(out->place, chain->state_count) &&
                    mem_new_zeroed(out->difference, n * n) && mem_new_zeroed(rate, n * n);
    for (int32_t s = 0; s < rows->n && ok; s++)
        out->place[s] = chain->bottom[s] < 0 ? next++ : chain->bottom[s];
    for (int32_t s = 0; s < rows->n && ok; s++)
        for (int64_t k = rows->row[s]; k < rows->row[s + 1] && chain->bottom[s] < 0; k++)
            rate[(size_t)out->place[s] * n + (size_t)out->place[rows->col[k]]] += rows->val[k];
    for (int32_t a = 0; a < ends && ok; a++)
        for (int32_t b = 0; b < ends; b++)
            out->difference[(size_t)a * n + (size_t)b] = (long double)number[b] - number[a];
    PepaStatus status =
        ok ? absorb_differences((int32_t)n, ends, rate, out->difference, &control, err)
           : error_memory(err);
    mem_free(rate);
    return status;
}
