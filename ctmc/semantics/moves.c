/* Computes the activities of a state, with terms for rates. */
#include "ctmc/semantics/moves.h"

#include "ctmc/semantics/terms.h"

typedef Moves Traversal;

#include "ctmc/semantics/traverse.h"

/* ---- hooks of the traversal ---------------------------------------------------------------- */

static inline MoveList *list_of(Traversal *m)
{
    return m;
}

static inline void kept_moves(const Traversal *m, const RateValue **rate, const uint64_t **delta)
{
    (void)m;
    *rate = NULL; /* there are none: substitutes are listed at once */
    *delta = NULL;
}

static inline bool known(Traversal *m, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)wanted;
    if (!m->substitute || able >= 0 || !m->substitute[prog])
        return false;
    const Substitute *s = m->substitute[prog];
    *found = (Found){.apparent = s->apparent, .count = s->count, .first = m->count};
    list_append(m, s->rate, s->delta, found);
    return true;
}

static inline bool known_ready(Traversal *m, int32_t prog, bool *is_ready)
{
    if (!m->substitute || !m->substitute[prog])
        return false;
    *is_ready = m->substitute[prog]->apparent != TERM_NONE;
    return true;
}

/* ---- life ---------------------------------------------------------------------------------- */

PepaStatus moves_init(Moves *m, const System *system, RateTable *rates, PepaError *err)
{
    *m = (Moves){.system = system, .rates = rates, .words = system->words};
    if (mem_new_scratch(m->cells, system->cell_count) &&
        mem_new_scratch(m->counts, system->model->local_count))
        return PEPA_OK;
    moves_free(m);
    return error_memory(err);
}

void moves_free(Moves *m)
{
    mem_free_all(m->cells, m->counts, m->rate, m->delta);
    *m = (Moves){0};
}

/* ---- programs ------------------------------------------------------------------------------ */

static MovesSummary summary(const Found *found)
{
    return (MovesSummary){found->apparent, found->duplicates, found->self_loops};
}

MovesSummary moves_run(Moves *m, int32_t prog, bool wanted)
{
    Found found;
    run(m, prog, wanted, &found);
    return summary(&found);
}

MovesSummary moves_run_sum(Moves *m, const int32_t *progs, int32_t count, bool wanted)
{
    Found all, one;
    find_none(m, &all);
    for (int32_t i = 0; i < count; i++) {
        run(m, progs[i], wanted, &one);
        add_operand(m, &all, &one, wanted);
    }
    return summary(&all);
}

MovesSummary moves_run_local(Moves *m, int32_t prog, int32_t local, bool wanted)
{
    const Prog *p = &m->system->progs[prog];
    const Slot *slot = &m->system->slots[p->slot];
    if (m->cells[slot->cell + local] == 0)
        return (MovesSummary){.apparent = TERM_NONE};
    Found found;
    run_local(m, slot, p->action, local, m->cells[slot->cell + local], wanted, &found);
    return summary(&found);
}

bool moves_ready(Moves *m, int32_t prog)
{
    return ready(m, prog);
}

/* ---- messages ------------------------------------------------------------------------------ */

Span moves_blame(const Moves *m, int32_t event)
{
    const System *s = m->system;
    Span found = {SPAN_NOWHERE, SPAN_NOWHERE};
    bool passive = false;
    for (int32_t i = 0; i < s->slot_count && !passive; i++) {
        const Slot *slot = &s->slots[i];
        const Component *c = &s->components[slot->component];
        for (int32_t l = 0; l < c->local_count; l++) {
            if (slot->copies ? !m->cells[slot->cell + l] : m->cells[slot->cell] != l)
                continue;
            const Local *local = &s->model->locals[c->local[l]];
            for (int32_t k = local->first; k < local->first + local->count && !passive; k++) {
                const Activity *a = &s->model->activities[k];
                if (a->action != s->events[event].action)
                    continue;
                passive = model_eval(s->model, a->expr, m->rates->values, m->counts).level ==
                          LEVEL_PASSIVE;
                if (passive || found.begin == SPAN_NOWHERE)
                    found = a->span;
            }
        }
    }
    return found;
}
