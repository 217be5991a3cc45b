/* The limit on memory while states are explored as sets. */
#include "ctmc/diagram/diagram_search.h"
#include "base/budget.h"

static double search_bytes(const Search *s)
{
    double sets = (double)s->sets.count, upper = (double)s->upper.count;
    double steps =
        (double)s->split->lower.count * sizeof *s->step + (double)s->step_count * sizeof *s->steps;
    return table_bytes(&s->sets) + table_bytes(&s->upper) + table_bytes(&s->split->lower) +
           memo_bytes(&s->unions) + memo_bytes(&s->images_of) + contexts_bytes(&s->contexts) +
           steps + sets * (sizeof *s->size + sizeof *s->closed) +
           upper * (sizeof *s->set + sizeof *s->stack + sizeof *s->waits) +
           (double)s->image_count * sizeof *s->images + (double)s->range_count * sizeof *s->ranges;
}

bool search_affords(Search *s, double more)
{
    if (s->settings->memory == 0 || budget_allows(s->settings->memory, search_bytes(s) + more))
        return true;
    s->cramped = s->contexts.unfit = true;
    return false;
}
