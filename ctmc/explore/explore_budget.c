/* The limit on memory while states are explored one by one. */
#include "ctmc/explore/explorer.h"
#include "base/budget.h"
#include "base/number.h"

/* What more buckets take that may be needed before this is looked at again.  They are emptied
 * before the new ones are touched: see table.c. */
static double growth(const Table *states, size_t more)
{
    double soon = (double)states->count + (double)states->most / 64 + (double)more;
    size_t buckets = table_next(states) - states->bucket_count;
    return soon > states->most ? (double)buckets * sizeof *states->buckets : 0;
}

PepaStatus explore_memory(const Explorer *x, size_t more)
{
    const Chain *c = x->chain;
    const int64_t limit = x->set->memory;
    char states[NUMBER_SIZE];
    if (limit == 0)
        return PEPA_OK;
    double bytes = chain_bytes(c) + plans_bytes(&x->plans) + table_bytes(&x->kinds) +
                   block_bytes(&x->block, c->states.words) + x->aside;
    bytes += growth(&c->states, more);
    if (budget_allows(limit, bytes))
        return PEPA_OK;
    return budget_exceeded(x->err, bytes, limit, "exploring beyond %s states%s",
                           number_grouped(c->states.count, states),
                           x->set->derive.separate_copies ? " (copies are kept apart)" : "");
}
