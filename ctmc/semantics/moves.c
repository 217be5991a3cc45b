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

static void list_substitute(Moves *m, const Substitute *s, Found *found)
{
    const size_t count = (size_t)s->count;
    find_none(m, found);
    found->apparent = s->apparent;
    if (!count || !list_reserve(m, count))
        return;
    memcpy(m->rate + m->count, s->rate, count * sizeof *s->rate);
    memcpy(m->delta + m->count * m->words, s->delta, count * m->words * sizeof *s->delta);
    found->count = s->count;
    m->count += count;
}

static inline bool known(Traversal *m, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)wanted;
    if (!m->substitute || able >= 0 || !m->substitute[prog])
        return false;
    list_substitute(m, m->substitute[prog], found);
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
    m->cells = mem_alloc((size_t)system->cell_count, sizeof *m->cells);
    m->counts = mem_calloc((size_t)system->model->local_count, sizeof *m->counts);
    m->tried = mem_alloc((size_t)system->event_count, sizeof *m->tried);
    if (!m->cells || !m->counts || !m->tried) {
        moves_free(m);
        return error_memory(err);
    }
    memset(m->tried, -1, (size_t)system->event_count * sizeof *m->tried);
    return PEPA_OK;
}

void moves_free(Moves *m)
{
    mem_free_all(m->cells, m->counts, m->tried, m->label, m->rate, m->delta, m->faults);
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

/* ---- a state ------------------------------------------------------------------------------- */

static void note_fault(Moves *m, int32_t event, MovesFault fault)
{
    if (!mem_grow(m->faults, m->fault_cap, m->fault_count + 1)) {
        m->no_memory = true;
        return;
    }
    m->faults[m->fault_count++] = (EventFault){event, fault};
}

MovesSummary moves_try(Moves *m, int32_t event)
{
    const size_t begin = m->count;
    const int32_t label = m->system->events[event].label;
    MovesSummary all = moves_run(m, m->system->events[event].prog, false);
    bool passive = all.apparent >= 0 && m->rates->passive[all.apparent] && label != LABEL_NONE;
    if (all.apparent == TERM_MIXED || passive)
        note_fault(m, event, passive ? MOVES_PASSIVE : MOVES_MIXED);
    if (all.apparent == TERM_MIXED || passive || label == LABEL_NONE)
        m->count = begin;
    if (m->count > m->label_cap && !mem_grow(m->label, m->label_cap, m->count)) {
        m->no_memory = true;
        m->count = begin;
    }
    for (size_t i = begin; i < m->count; i++)
        m->label[i] = label;
    return all;
}

static void try_triggered(Moves *m, int32_t at)
{
    const System *s = m->system;
    for (int32_t i = s->trigger_first[at]; i < s->trigger_first[at + 1]; i++) {
        int32_t event = s->trigger_event[i];
        if (m->tried[event] == m->state)
            continue;
        m->tried[event] = m->state;
        (void)moves_try(m, event);
    }
}

void moves_find(Moves *m, const uint64_t *packed, int32_t state)
{
    const System *s = m->system;
    m->count = 0;
    m->fault_count = 0;
    m->state = state;
    system_unpack(s, packed, m->cells);
    if (s->functional)
        system_counts(s, m->cells, m->counts);
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        int32_t at = s->slot_trigger[i];
        if (!slot->copies) {
            try_triggered(m, at + m->cells[slot->cell]);
            continue;
        }
        int32_t locals = s->components[slot->component].local_count;
        for (int32_t l = 0; l < locals; l++)
            if (m->cells[slot->cell + l])
                try_triggered(m, at + l);
    }
}

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
                passive = model_eval(s->model, a->expr, m->rates->values, m->counts).passive;
                if (passive || found.begin == SPAN_NOWHERE)
                    found = a->span;
            }
        }
    }
    return found;
}
