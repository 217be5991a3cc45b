/* Composes the moves of an event from the tables of its operands. */
#include "ctmc/semantics/expand.h"
#include "ctmc/semantics/terms.h"

typedef Expander Traversal;

#include "ctmc/semantics/traverse.h"

static inline MoveList *list_of(Traversal *e)
{
    return &e->moves;
}

static inline void kept_moves(const Traversal *e, const RateValue **rate, const uint64_t **delta)
{
    *rate = e->plans->term;
    *delta = e->plans->delta;
}

/* The table of a program, or of one local state of its counted slot; NULL: there is none. */
static const PlanTable *table_of(const Plans *plans, int32_t prog, int32_t able, bool wanted)
{
    int32_t at = plans->operand[2 * (size_t)prog + wanted];
    if (at < 0 || (plans->tables[at].local >= 0) != (able >= 0))
        return NULL;
    return &plans->tables[able < 0 ? at : at + able];
}

/* Compute an entry that is not known.  False: plans are read only now, or memory is out. */
static bool learn(Expander *e, const PlanTable *table, Entry *entry)
{
    Moves *m = &e->moves;
    const size_t begin = m->count;
    if (e->frozen) {
        e->missing = true;
        return false;
    }
    MovesSummary all = table->local < 0
                           ? moves_run(m, table->prog, table->wanted)
                           : moves_run_local(m, table->prog, table->local, table->wanted);
    e->no_memory = !plans_keep(e->plans, entry, all, m, begin) || e->no_memory;
    return !e->no_memory;
}

static inline bool known(Traversal *e, int32_t prog, int32_t able, bool wanted, Found *found)
{
    const PlanTable *table = table_of(e->plans, prog, able, wanted);
    if (!table)
        return false;
    Entry *entry = plans_entry(e->plans, table, e->moves.cells);
    if (!entry->known && !learn(e, table, entry))
        find_none(&e->moves, found);
    else
        *found = (Found){.apparent = entry->apparent,
                         .first = entry->first,
                         .count = entry->count,
                         .duplicates = entry->duplicates,
                         .self_loops = entry->self_loops};
    return true;
}

/* Whatever is below a synchronisation has its apparent rate wanted. */
static inline bool known_ready(Traversal *e, int32_t prog, bool *is_ready)
{
    const PlanTable *table = table_of(e->plans, prog, -1, true);
    const Entry *entry = table ? plans_entry(e->plans, table, e->moves.cells) : NULL;
    if (!entry || !entry->known)
        return false;
    *is_ready = entry->apparent != TERM_NONE;
    return true;
}

MovesSummary expand_compose(Expander *e, int32_t prog)
{
    Found found;
    run(e, prog, false, &found);
    return (MovesSummary){found.apparent, found.duplicates, found.self_loops};
}
