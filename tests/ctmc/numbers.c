/* Computes the activities of a state, with numbers for rates. */
#include "ctmc/numbers.h"

typedef int32_t Count;
typedef NumberMoves MoveList;
typedef NumberMoves Traversal;

#include "ctmc/semantics/numbers.h"
#include "ctmc/semantics/traverse.h"

/* ---- hooks of the traversal: nothing is known before --------------------------------------- */

static inline MoveList *list_of(Traversal *m)
{
    return m;
}

static inline bool known(Traversal *m, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)m, (void)prog, (void)able, (void)wanted, (void)found;
    return false;
}

static inline bool known_ready(Traversal *m, int32_t prog, bool *is_ready)
{
    (void)m, (void)prog, (void)is_ready;
    return false;
}

static inline void kept_moves(const Traversal *m, const RateValue **rate, const uint64_t **delta)
{
    (void)m;
    *rate = NULL;
    *delta = NULL;
}

/* ---- life, and programs -------------------------------------------------------------------- */

void number_moves_init(NumberMoves *m, const System *system, const RateTable *rates, int32_t *cells,
                       int64_t *counts)
{
    *m = (NumberMoves){.system = system,
                       .rates = rates,
                       .cells = cells,
                       .counts = counts,
                       .words = system->words};
}

void number_moves_free(NumberMoves *m)
{
    mem_free_all(m->rate, m->delta);
    *m = (NumberMoves){0};
}

Number number_moves_run(NumberMoves *m, int32_t prog, bool wanted)
{
    Found found;
    run(m, prog, wanted, &found);
    return found.apparent;
}
