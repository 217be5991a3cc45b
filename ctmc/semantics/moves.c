#include "ctmc/semantics/moves.h"

#include <string.h>

PepaStatus moves_init(Moves *m, const System *system, RateTable *rates, PepaError *err)
{
    *m = (Moves){.system = system, .rates = rates};
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
    mem_free(m->cells);
    mem_free(m->counts);
    mem_free(m->tried);
    mem_free(m->label);
    mem_free(m->term);
    mem_free(m->target);
    mem_free(m->faults);
    *m = (Moves){0};
}

/* ---- the list of partial moves: a rate and the bits of the state that it flips -------------- */

static bool reserve(Moves *m, size_t more)
{
    size_t need = m->count + more, words = m->system->words;
    if (need <= m->cap)
        return true;
    size_t cap = m->cap * 2 > need ? m->cap * 2 : need + 64;
    int32_t *label = mem_resize(m->label, cap, sizeof *label);
    if (label)
        m->label = label;
    int32_t *term = mem_resize(m->term, cap, sizeof *term);
    if (term)
        m->term = term;
    uint64_t *target = mem_resize(m->target, cap, words * sizeof *target);
    if (target)
        m->target = target;
    if (!label || !term || !target) {
        m->no_memory = true;
        return false;
    }
    m->cap = cap;
    return true;
}

/* Append a move that flips nothing yet; NULL when memory is out. */
static uint64_t *push(Moves *m, int32_t term)
{
    if (m->count == m->cap && !reserve(m, 1))
        return NULL;
    size_t words = m->system->words;
    uint64_t *flip = m->target + m->count * words;
    m->term[m->count++] = term;
    for (size_t i = 0; i < words; i++)
        flip[i] = 0;
    return flip;
}

/* Flip cell `cell` from value `from` to value `to`. */
static void flip_cell(const System *s, uint64_t *flip, int32_t cell, int32_t from, int32_t to)
{
    const Field *f = &s->fields[cell];
    flip[f->word] ^= ((uint64_t)(from ^ to) & f->mask) << f->shift;
}

/* ---- apparent rates ------------------------------------------------------------------------ */

int32_t moves_add(Moves *m, int32_t a, int32_t b, bool wanted)
{
    if (a < 0 || b < 0)
        return a == TERM_MIXED || b == TERM_MIXED ? TERM_MIXED : a < 0 ? b : a;
    if (m->rates->passive[a] != m->rates->passive[b])
        return TERM_MIXED;
    return wanted ? rates_sum(m->rates, a, b) : a;
}

/* ---- programs ------------------------------------------------------------------------------ */

static int32_t run(Moves *m, int32_t prog, bool wanted);

/* Moves found before. */
static int32_t run_stand_in(Moves *m, const StandIn *stand)
{
    const size_t words = m->system->words;
    for (int32_t i = 0; i < stand->count; i++) {
        uint64_t *flip = push(m, stand->term[i]);
        if (!flip)
            return TERM_NONE;
        memcpy(flip, stand->flip + (size_t)i * words, words * sizeof *flip);
    }
    return stand->apparent;
}

/* Flip the cells of a slot for a move of one component from local state s to t. */
static void flip_local(Moves *m, uint64_t *flip, const Slot *slot, int32_t s, int32_t t)
{
    const int32_t *cell = m->cells + slot->cell;
    if (s == t)
        return;
    if (!slot->copies) {
        flip_cell(m->system, flip, slot->cell, s, t);
        return;
    }
    flip_cell(m->system, flip, slot->cell + s, cell[s], cell[s] - 1);
    flip_cell(m->system, flip, slot->cell + t, cell[t], cell[t] + 1);
}

/* The moves of the components of a slot that are in local state s. */
static int32_t run_local(Moves *m, const Slot *slot, int32_t action, int32_t s, bool wanted)
{
    const Component *c = &m->system->components[slot->component];
    const LocalOffer *offer = component_offer(c, s, action);
    int32_t apparent = offer ? offer->apparent : TERM_NONE;
    if (apparent == TERM_NONE || apparent == TERM_MIXED)
        return apparent;
    int32_t copies = slot->copies ? m->cells[slot->cell + s] : 1;
    bool by_state = apparent == TERM_BY_STATE;
    if (by_state)
        apparent = TERM_NONE;
    else if (wanted)
        apparent = rates_scale(m->rates, apparent, copies);
    for (int32_t i = offer->first; i < offer->end; i++) {
        int32_t term = c->moves[i].term;
        if (term < 0)
            term = rates_functional(m->rates, ~term, m->counts);
        if (m->rates->value[term] == 0) /* a functional rate that is off here */
            continue;
        term = rates_scale(m->rates, term, copies);
        if (by_state)
            apparent = moves_add(m, apparent, term, wanted);
        uint64_t *flip = push(m, term);
        if (!flip)
            return TERM_NONE;
        flip_local(m, flip, slot, s, c->moves[i].target);
    }
    return apparent;
}

static int32_t run_slot(Moves *m, const Prog *p, bool wanted)
{
    const Slot *slot = &m->system->slots[p->slot];
    if (!slot->copies)
        return run_local(m, slot, p->action, m->cells[slot->cell], wanted);
    const Component *c = &m->system->components[slot->component];
    int32_t sum = TERM_NONE;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++)
        if (m->cells[slot->cell + c->able[k]])
            sum = moves_add(m, sum, run_local(m, slot, p->action, c->able[k], wanted), wanted);
    return sum;
}

static int32_t run_sum(Moves *m, const Prog *p, bool wanted)
{
    int32_t sum = TERM_NONE;
    for (int32_t child = p->first; child >= 0; child = m->system->progs[child].next)
        sum = moves_add(m, sum, run(m, child, wanted), wanted);
    return sum;
}

/* Equal copies stand side by side: the moves of the first, times their number. */
static int32_t run_copies(Moves *m, const Prog *p, bool wanted)
{
    const Prog *progs = m->system->progs;
    const int32_t *cells = m->cells + p->cell;
    const size_t bytes = (size_t)p->width * sizeof *cells;
    int32_t sum = TERM_NONE;
    for (int32_t child = p->first, next; child >= 0; child = next) {
        int32_t equal = 1;
        next = progs[child].next;
        for (; next >= 0 && memcmp(cells, cells + (size_t)equal * (size_t)p->width, bytes) == 0;
             next = progs[next].next)
            equal++;
        size_t begin = m->count;
        int32_t apparent = run(m, child, wanted);
        for (size_t i = begin; i < m->count; i++)
            m->term[i] = rates_scale(m->rates, m->term[i], equal);
        if (apparent >= 0 && wanted)
            apparent = rates_scale(m->rates, apparent, equal);
        sum = moves_add(m, sum, apparent, wanted);
        cells += (size_t)equal * (size_t)p->width;
    }
    return sum;
}

int32_t moves_least(RateTable *rates, int32_t ra, int32_t rb)
{
    bool pa = rates->passive[ra], pb = rates->passive[rb];
    return pa == pb ? rates_min(rates, ra, rb) : pa ? rb : ra;
}

int32_t moves_pair(RateTable *rates, int32_t least, int32_t r1, int32_t ra, int32_t r2, int32_t rb)
{
    if (least == rb) /* min(ra, rb) / rb cancels */
        return rates_share(rates, rates_share(rates, least, r2, rb), r1, ra);
    return rates_share(rates, rates_share(rates, least, r1, ra), r2, rb);
}

/* Replace the moves begin .. middle-1 of one side and middle .. count-1 of the other by all pairs;
 * returns the apparent rate of the cooperation. */
static int32_t pair(Moves *m, size_t begin, size_t middle, int32_t ra, int32_t rb)
{
    RateTable *rates = m->rates;
    const size_t words = m->system->words, end = m->count, n = middle - begin, k = end - middle;
    int32_t least = moves_least(rates, ra, rb);
    if (n > PTRDIFF_MAX / k || !reserve(m, n * k)) {
        m->no_memory = true;
        m->count = begin;
        return TERM_NONE;
    }
    uint64_t *flips = m->target;
    for (size_t i = begin; i < middle; i++)
        for (size_t j = middle; j < end; j++) {
            size_t to = m->count++;
            m->term[to] = moves_pair(rates, least, m->term[i], ra, m->term[j], rb);
            for (size_t w = 0; w < words; w++)
                flips[to * words + w] = flips[i * words + w] ^ flips[j * words + w];
        }
    memmove(m->term + begin, m->term + end, n * k * sizeof *m->term);
    memmove(flips + begin * words, flips + end * words, n * k * words * sizeof *flips);
    m->count = begin + n * k;
    return least;
}

bool moves_ready(const Moves *m, int32_t prog)
{
    const System *s = m->system;
    const Prog *p = &s->progs[prog];
    if (m->stand && m->stand[prog])
        return m->stand[prog]->apparent != TERM_NONE;
    if (p->kind != PROG_SLOT) {
        bool sum = p->kind != PROG_SYNC;
        int32_t child = p->first;
        while (child >= 0 && moves_ready(m, child) != sum)
            child = s->progs[child].next;
        return (child >= 0) == sum;
    }
    const Slot *slot = &s->slots[p->slot];
    const Component *c = &s->components[slot->component];
    const int32_t *cell = m->cells + slot->cell;
    if (!slot->copies)
        return component_offer(c, *cell, p->action) != NULL;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++)
        if (cell[c->able[k]])
            return true;
    return false;
}

/* Pairing before all are known to be ready could build a product that the last one throws away. */
static int32_t run_sync(Moves *m, const Prog *p)
{
    const Prog *progs = m->system->progs;
    size_t begin = m->count;
    for (int32_t child = p->first; child >= 0; child = progs[child].next)
        if (!moves_ready(m, child))
            return TERM_NONE;
    int32_t apparent = run(m, p->first, true), child = m->system->progs[p->first].next;
    for (; child >= 0 && apparent >= 0; child = m->system->progs[child].next) {
        size_t middle = m->count;
        int32_t other = run(m, child, true);
        if (other == TERM_NONE || other == TERM_MIXED)
            apparent = other;
        else
            apparent = pair(m, begin, middle, apparent, other);
    }
    if (apparent < 0)
        m->count = begin;
    return apparent;
}

/* Push the moves of a program; returns their apparent rate (any term of its kind if not wanted),
 * TERM_NONE if there are none, TERM_MIXED if active and passive ones met. */
static int32_t run(Moves *m, int32_t prog, bool wanted)
{
    const Prog *p = &m->system->progs[prog];
    if (m->stand && m->stand[prog])
        return run_stand_in(m, m->stand[prog]);
    switch (p->kind) {
    case PROG_SLOT:
        return run_slot(m, p, wanted);
    case PROG_SUM:
        return run_sum(m, p, wanted);
    case PROG_COPIES:
        return run_copies(m, p, wanted);
    case PROG_SYNC:
        break;
    }
    return run_sync(m, p);
}

int32_t moves_run(Moves *m, int32_t prog, bool wanted)
{
    return run(m, prog, wanted);
}

int32_t moves_run_local(Moves *m, int32_t prog, int32_t local, bool wanted)
{
    const Prog *p = &m->system->progs[prog];
    return run_local(m, &m->system->slots[p->slot], p->action, local, wanted);
}

/* ---- a state ------------------------------------------------------------------------------- */

static void note_fault(Moves *m, int32_t event, MovesFault fault)
{
    if (!mem_reserve(&m->faults, &m->fault_cap, m->fault_count + 1, sizeof *m->faults)) {
        m->no_memory = true;
        return;
    }
    m->faults[m->fault_count++] = (EventFault){event, fault};
}

void moves_try(Moves *m, int32_t event)
{
    size_t begin = m->count;
    int32_t kind = run(m, m->system->events[event].prog, false);
    int32_t label = m->system->events[event].label;
    bool passive = kind >= 0 && m->rates->passive[kind] && label != LABEL_NONE;
    if (kind == TERM_MIXED || passive)
        note_fault(m, event, passive ? MOVES_PASSIVE : MOVES_MIXED);
    if (kind == TERM_MIXED || passive || label == LABEL_NONE)
        m->count = begin;
    for (size_t i = begin; i < m->count; i++)
        m->label[i] = label;
}

static void try_triggered(Moves *m, int32_t at)
{
    const System *s = m->system;
    for (int32_t i = s->trigger_first[at]; i < s->trigger_first[at + 1]; i++) {
        int32_t event = s->trigger_event[i];
        if (m->tried[event] == m->state)
            continue;
        m->tried[event] = m->state;
        moves_try(m, event);
    }
}

/* Flips become targets; with copies of composites, canonical ones. */
static void finish(Moves *m, const uint64_t *packed)
{
    const System *s = m->system;
    const size_t words = s->words;
    for (size_t i = 0; i < m->count; i++)
        for (size_t w = 0; w < words; w++)
            m->target[i * words + w] ^= packed[w];
    for (size_t i = 0; i < m->count && s->group_count; i++) {
        system_unpack(s, m->target + i * words, m->cells);
        system_canonical(s, m->cells);
        system_pack(s, m->cells, m->target + i * words);
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
    finish(m, packed);
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
