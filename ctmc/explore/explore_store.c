/* Where transitions are stored, in the order of the chain; and the limit on memory. */
#include "ctmc/explore/explorer.h"
#include "base/budget.h"
#include "base/number.h"

/* The transitions of state i of the block. */
static void collect_steps(const Explorer *x, const Block *b, int32_t i, const int32_t *number,
                          Steps *steps)
{
    const int32_t *kinds = b->kind + b->begin[i], *ids = b->id + b->begin[i];
    const int32_t count = b->length[i];
    Step *restrict items = steps->items;
    for (int32_t k = 0; k < count; k++) {
        int32_t kind = kinds[k], id = ids[k] < 0 ? number[-1 - ids[k]] : ids[k];
        items[k] = (Step){hash_pair(kind_action(&x->kinds, kind), id), kind};
    }
}

bool explore_store(const Explorer *x, const Block *b, const int32_t *number, Steps *steps)
{
    const Chain *c = x->chain;
    for (int32_t i = 0; i < b->count; i++) {
        size_t count = (size_t)b->length[i];
        if (!mem_grow(steps->items, steps->cap, count))
            return false;
        collect_steps(x, b, i, number, steps);
        steps_sort(steps->items, count);
        int64_t at = c->row[b->first + i];
        for (size_t k = 0; k < count; k++, at++) {
            c->target[at] = (int32_t)(uint32_t)steps->items[k].action_target;
            if (c->narrow)
                c->narrow[at] = (uint16_t)steps->items[k].kind;
            else
                c->wide[at] = steps->items[k].kind;
        }
    }
    return true;
}

bool explore_widen(Explorer *x)
{
    Chain *c = x->chain;
    return !c->narrow || x->kinds.count <= UINT16_MAX + 1 ||
           chain_widen(c, x->transition_cap, c->transitions);
}

bool explore_reserve(Explorer *x, int32_t states, int64_t transitions)
{
    Chain *c = x->chain;
    return mem_grow(c->row, x->row_cap, (size_t)states + 1) &&
           chain_reserve(c, &x->transition_cap, transitions);
}

/* What more buckets take that may be needed before this is looked at again.  They are emptied
 * before the new ones are touched: see table.c. */
static double growth(const Table *states, size_t more)
{
    double soon = (double)states->count + (double)states->most / 64 + (double)more;
    size_t buckets = table_next(states) - states->bucket_count;
    return soon > states->most ? (double)buckets * sizeof *states->buckets : 0;
}

PepaStatus explore_no_memory(const Explorer *x)
{
    const RateTable *rates = &x->chain->rates;
    char states[NUMBER_SIZE];
    if (rates->status != PEPA_ELIMIT)
        return error_memory(x->err);
    return budget_exceeded(x->err, rates_next_bytes(rates), x->set->memory,
                           "the table of different rates beyond %s state%s",
                           number_grouped(x->chain->states.count, states),
                           x->chain->states.count == 1 ? "" : "s");
}

PepaStatus explore_memory(const Explorer *x, size_t more)
{
    const Chain *c = x->chain;
    const int64_t limit = x->set->memory;
    char states[NUMBER_SIZE];
    if (limit == 0)
        return PEPA_OK;
    double bytes = chain_bytes(c) + plans_bytes(&x->plans) + table_bytes(&x->kinds) +
                   block_bytes(&x->block, c->states.words) + rates_bytes(&c->rates) + x->aside;
    bytes += growth(&c->states, more);
    if (budget_allows(limit, bytes))
        return PEPA_OK;
    return budget_exceeded(x->err, bytes, limit, "exploring beyond %s state%s%s",
                           number_grouped(c->states.count, states), c->states.count == 1 ? "" : "s",
                           x->set->derive.separate_copies ? " (copies are kept apart)" : "");
}
