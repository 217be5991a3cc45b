/* Makes the chain of blocks from the transitions of all states, and checks on the way that the
 * states of each block agree on it. */
#include <stdlib.h>

#include "base/budget.h"
#include "measure/lump_private.h"

#define ROUNDED (4 * DBL_EPSILON) /* of two compensated sums, in another order each */

typedef struct {
    Quotient *q;
    const double *value;
    int64_t from;     /* the state at hand */
    Sum *into;        /* per block: of the state at hand, else 0 */
    int32_t *action;  /* per block: of the state at hand */
    uint8_t *seen;    /* per block: it is listed in touched */
    int32_t *touched; /* the blocks that the state at hand leads into */
    int32_t touches;
    int64_t entries;    /* at most */
    double *low, *high; /* per entry */
    bool differs;
} Making;

void quotient_free(Quotient *q)
{
    mem_free_all(q->row, q->target, q->rate, q->action, q->first, q->block);
    *q = (Quotient){0};
}

/* Blocks by their smallest states. */
static void number_blocks(Quotient *q, const Partition *p, int32_t *number)
{
    int32_t count = 0;
    for (int32_t b = 0; b < p->count; b++)
        number[b] = -1;
    for (int32_t s = 0; s < p->n; s++) {
        int32_t *b = &number[p->block[s]];
        if (*b < 0) {
            q->first[count] = s;
            *b = count++;
        }
        q->block[s] = *b;
    }
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The smallest state of a block makes its row. */
static void make_row(Making *m, int32_t block)
{
    Quotient *q = m->q;
    if (m->touches > 1)
        qsort(m->touched, (size_t)m->touches, sizeof *m->touched, by_number);
    for (int32_t i = 0; i < m->touches; i++) {
        const int64_t k = q->row[block] + i;
        const int32_t to = m->touched[i];
        q->target[k] = to;
        q->action[k] = m->action[to];
        q->rate[k] = m->low[k] = m->high[k] = sum_value(&m->into[to]);
    }
    q->row[block + 1] = q->row[block] + m->touches;
}

/* Any other state of the block must lead into the same blocks at the same rates. */
static void compare_row(Making *m, int32_t block)
{
    const Quotient *q = m->q;
    m->differs = m->differs || m->touches != q->row[block + 1] - q->row[block];
    for (int64_t k = q->row[block]; k < q->row[block + 1]; k++) {
        const double rate = sum_value(&m->into[q->target[k]]);
        m->low[k] = fmin(m->low[k], rate);
        m->high[k] = fmax(m->high[k], rate);
    }
}

/* Blocks into which all rates are 0 do not count. */
static void drop_zeros(Making *m)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < m->touches; i++) {
        const int32_t to = m->touched[i];
        m->seen[to] = 0;
        if (sum_value(&m->into[to]) > 0)
            m->touched[kept++] = to;
    }
    m->touches = kept;
}

static void end_state(Making *m)
{
    const int32_t block = m->q->block[m->from];
    drop_zeros(m);
    if (m->q->first[block] == m->from)
        make_row(m, block);
    else
        compare_row(m, block);
    for (int32_t i = 0; i < m->touches; i++)
        m->into[m->touched[i]] = (Sum){0};
    m->touches = 0;
    m->from++;
}

static void add(void *user, const Transition *t)
{
    Making *m = user;
    while (m->from < t->from)
        end_state(m);
    const int32_t to = m->q->block[t->to];
    if (to == m->q->block[t->from])
        return;
    if (!m->seen[to]) {
        m->seen[to] = 1;
        m->touched[m->touches++] = to;
        m->action[to] = t->action;
    }
    sum_add(&m->into[to], m->value[t->term]);
}

static PepaStatus check(Making *m, PepaError *err)
{
    Quotient *q = m->q;
    for (int64_t k = 0; k < q->row[q->n]; k++)
        q->spread = fmax(q->spread, (m->high[k] - m->low[k]) / m->high[k]);
    if (m->differs || !(q->spread <= SAME_WEIGHT + ROUNDED))
        return error_set(err, PEPA_ENOCONV,
                         "the check of the lumping failed: the states of a block differ by %.2g in "
                         "a rate into another one",
                         m->differs ? 1.0 : q->spread);
    return PEPA_OK;
}

static void count_entries(void *user, const Transition *t)
{
    Making *m = user;
    const int32_t block = m->q->block[t->from];
    m->entries += m->q->first[block] == t->from && m->q->block[t->to] != block;
}

/* The arrays per entry, if the memory budget has space for them. */
static PepaStatus reserve_entries(Making *m, int64_t memory, PepaError *err)
{
    Quotient *q = m->q;
    const double each = 3 * sizeof(double) + 2 * sizeof(int32_t);
    const double need = each * (double)m->entries;
    if (!budget_allows(memory, need))
        return budget_exceeded(err, need, memory, "the lumped chain");
    bool ok = mem_new(q->rate, m->entries) && mem_new(q->target, m->entries) &&
              mem_new(q->action, m->entries) && mem_new(m->low, m->entries) &&
              mem_new(m->high, m->entries);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus quotient_new(Quotient *out, const Partition *p, const Chain *chain, const RateValues *at,
                        int64_t memory, PepaError *err)
{
    const size_t blocks = (size_t)p->count;
    Quotient q = {.n = p->count};
    Making m = {.q = &q, .value = at->term};
    int32_t *number = NULL;
    bool ok = mem_new_zeroed(q.row, blocks + 1) && mem_new(q.first, blocks) &&
              mem_new(q.block, p->n) && mem_new(number, blocks) && mem_new_zeroed(m.into, blocks) &&
              mem_new_zeroed(m.seen, blocks) && mem_new(m.action, blocks) &&
              mem_new(m.touched, blocks);
    if (ok)
        number_blocks(&q, p, number);
    PepaStatus status =
        ok ? chain_each_transition(chain, count_entries, &m, err) : error_memory(err);
    if (status == PEPA_OK)
        status = reserve_entries(&m, memory, err);
    if (status == PEPA_OK)
        status = chain_each_transition(chain, add, &m, err);
    while (status == PEPA_OK && m.from < p->n)
        end_state(&m);
    if (status == PEPA_OK)
        status = check(&m, err);
    mem_free_all(number, m.into, m.action, m.seen, m.touched, m.low, m.high);
    if (status == PEPA_OK)
        *out = q;
    else
        quotient_free(&q);
    return status;
}
