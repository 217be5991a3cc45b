#include "ctmc/semantics/expand_parts.h"

#include <string.h>

/* ---- life ---------------------------------------------------------------------------------- */

PepaStatus expander_init(Expander *e, const System *system, RateTable *rates, Plans *plans,
                         Table *kinds, PepaError *err)
{
    *e = (Expander){.plans = plans, .kinds = kinds, .last_kind = -1};
    e->tried = mem_calloc((size_t)system->event_count, sizeof *e->tried);
    if (!e->tried)
        return error_memory(err);
    PepaStatus status = moves_init(&e->moves, system, rates, err);
    if (status == PEPA_OK)
        memset(e->moves.cells, 0, (size_t)system->cell_count * sizeof *e->moves.cells);
    return status;
}

void expander_free(Expander *e)
{
    moves_free(&e->moves);
    mem_free(e->tried);
    mem_free(e->term);
    mem_free(e->delta);
    mem_free(e->alike);
    *e = (Expander){0};
}

static int32_t next_turn(Expander *e)
{
    const size_t bytes = (size_t)e->moves.system->event_count * sizeof *e->tried;
    if (e->turn == INT32_MAX) {
        memset(e->tried, 0, bytes);
        memset(e->moves.tried, 0, bytes);
        e->turn = 0;
    }
    return ++e->turn;
}

int32_t expand_kind(Expander *e, int32_t label, int32_t term)
{
    if (e->last_kind >= 0 && label == e->last_label && term == e->last_term)
        return e->last_kind;
    uint64_t key = kind_key(label, term);
    uint32_t hash = table_hash(e->kinds, &key);
    int32_t kind = e->frozen ? table_find(e->kinds, &key, hash) : table_put(e->kinds, &key, hash);
    if (kind < 0) {
        e->missing = e->missing || e->frozen;
        e->no_memory = e->no_memory || !e->frozen;
        return 0;
    }
    e->last_label = label;
    e->last_term = term;
    e->last_kind = kind;
    return kind;
}

/* ---- events -------------------------------------------------------------------------------- */

/* Is an event with moves of this kind at fault?  See moves_try. */
static bool at_fault(const Expander *e, int32_t label, int32_t apparent)
{
    return apparent == TERM_MIXED ||
           (apparent >= 0 && label != LABEL_NONE && e->moves.rates->passive[apparent]);
}

/* Several events of one label, some moves of which may lead to the same state? */
static void look_for_others(Expander *e, const EventPlan *plan, bool twins, bool still)
{
    bool again = (plan->shares && e->sharers) || (still && e->resting);
    e->doubtful = e->doubtful || twins || again;
    if (plan->label == ACTION_TAU) {
        e->sharers += plan->shares;
        e->resting += still;
    }
}

/* Fill in the entry of an event's own table: kinds, not terms. */
static void learn_event(Expander *e, int32_t event, Entry *entry, const uint64_t *packed)
{
    Moves *m = &e->moves;
    const EventPlan *plan = &e->plans->events[event];
    m->count = 0;
    int32_t apparent = moves_run(m, e->plans->nodes[plan->root].prog, false);
    if (at_fault(e, plan->label, apparent))
        apparent = TERM_MIXED;
    if (apparent < 0 || plan->label == LABEL_NONE)
        m->count = 0;
    for (size_t i = 0; i < m->count; i++)
        m->term[i] = expand_kind(e, plan->label, m->term[i]);
    if (e->no_memory || !plans_keep(e->plans, entry, apparent, m, 0, packed))
        e->no_memory = true;
}

static bool make_room(Expander *e, Block *block, size_t more)
{
    if (block->moves + more <= block->cap || block_reserve(block, more, e->moves.system->words))
        return true;
    e->no_memory = true;
    return false;
}

/* What moves.c says, in every state anew. */
static void ask_event(Expander *e, int32_t event, const uint64_t *packed, Block *block)
{
    Moves *m = &e->moves;
    const size_t words = m->system->words;
    m->count = 0;
    moves_try(m, event);
    if (m->fault_count)
        e->faulty = true;
    if (m->count == 0 || !make_room(e, block, m->count))
        return;
    e->doubtful = true;
    for (size_t i = 0; i < m->count; i++) {
        block->kind[block->moves] = expand_kind(e, m->label[i], m->term[i]);
        for (size_t w = 0; w < words; w++)
            block->target[block->moves * words + w] = packed[w] ^ m->target[i * words + w];
        block->moves++;
    }
}

/* An event that is too large for a table of its own. */
static void put_together(Expander *e, const EventPlan *plan, const uint64_t *packed, Block *block)
{
    const size_t words = e->moves.system->words;
    e->top = 0;
    e->moves.count = 0;
    Found found = expand_find(e, plan->root, packed);
    if (at_fault(e, plan->label, found.apparent)) {
        e->faulty = true;
        return;
    }
    if (plan->label == LABEL_NONE || !found.count || !make_room(e, block, (size_t)found.count))
        return;
    look_for_others(e, plan, found.twins, found.still);
    const int32_t *term = (found.own ? e->term : e->plans->term) + found.first;
    const uint64_t *delta = (found.own ? e->delta : e->plans->delta) + found.first * words;
    for (int32_t i = 0; i < found.count; i++) {
        block->kind[block->moves] = expand_kind(e, plan->label, term[i]);
        for (size_t w = 0; w < words; w++)
            block->target[block->moves * words + w] = packed[w] + *delta++;
        block->moves++;
    }
}

static void look_event_up(Expander *e, int32_t event, const EventPlan *plan, const uint64_t *packed,
                          Block *block)
{
    const Plans *plans = e->plans;
    const size_t words = e->moves.system->words;
    Entry *entry = plans_entry(plans, &plans->nodes[plan->root], e->moves.cells);
    if (!entry->known) {
        if (e->frozen)
            e->missing = true;
        else
            learn_event(e, event, entry, packed);
    }
    e->faulty = e->faulty || entry->apparent == TERM_MIXED;
    size_t count = (size_t)entry->count, at = block->moves;
    if (!count || !make_room(e, block, count))
        return;
    if (entry->twins || plan->label == ACTION_TAU)
        look_for_others(e, plan, entry->twins, entry->still);
    const int32_t *kind = plans->term + entry->first;
    const uint64_t *delta = plans->delta + (size_t)entry->first * words;
    for (size_t i = 0; i < count; i++)
        block->kind[at + i] = kind[i];
    if (words == 1)
        for (size_t i = 0; i < count; i++)
            block->target[at + i] = *packed + delta[i];
    for (size_t i = 0; i < count && words != 1; i++)
        for (size_t w = 0; w < words; w++)
            block->target[(at + i) * words + w] = packed[w] + delta[i * words + w];
    block->moves += count;
}

/* ---- states -------------------------------------------------------------------------------- */

static void begin_state(Expander *e)
{
    e->missing = e->faulty = e->no_memory = e->doubtful = false;
    e->moves.no_memory = e->moves.rates->missing = false;
    e->sharers = e->resting = 0;
    e->moves.count = e->moves.fault_count = 0;
}

/* The verdict on a state whose moves stand from `begin` on. */
static Expansion end_state(Expander *e, Block *block, size_t begin)
{
    bool missing = e->missing || e->moves.rates->missing;
    bool no_memory = e->no_memory || e->moves.no_memory;
    if (!missing && !no_memory && !e->faulty && e->doubtful) {
        expand_merge(e, block, begin);
        missing = e->missing || e->moves.rates->missing;
        no_memory = e->no_memory;
    }
    if (!missing && !no_memory && !e->faulty)
        return EXPANDED;
    block->moves = begin;
    return no_memory ? EXPAND_MEMORY : missing ? EXPAND_MISSING : EXPAND_FAULTY;
}

Expansion expand_plainly(Expander *e, const uint64_t *packed, Block *block)
{
    Moves *m = &e->moves;
    const size_t words = m->system->words, begin = block->moves;
    begin_state(e);
    moves_find(m, packed, next_turn(e));
    if (make_room(e, block, m->count)) {
        for (size_t i = 0; i < m->count; i++)
            block->kind[begin + i] = expand_kind(e, m->label[i], m->term[i]);
        if (m->count && words)
            memcpy(block->target + begin * words, m->target, m->count * words * sizeof *m->target);
        block->moves += m->count;
    }
    e->doubtful = m->count > 1;
    return end_state(e, block, begin);
}

static void try_events(Expander *e, int32_t at, const uint64_t *packed, Block *block)
{
    const System *s = e->moves.system;
    for (int32_t i = s->trigger_first[at]; i < s->trigger_first[at + 1]; i++) {
        int32_t event = s->trigger_event[i];
        const EventPlan *plan = &e->plans->events[event];
        if (plan->often) {
            if (e->tried[event] == e->turn)
                continue;
            e->tried[event] = e->turn;
        }
        if (plan->root < 0)
            ask_event(e, event, packed, block);
        else if (e->plans->nodes[plan->root].kind == PLAN_TABLE)
            look_event_up(e, event, plan, packed, block);
        else
            put_together(e, plan, packed, block);
    }
}

Expansion expand_state(Expander *e, const uint64_t *packed, Block *block)
{
    const Plans *plans = e->plans;
    Moves *m = &e->moves;
    const size_t begin = block->moves;
    if (plans->none) {
        Expansion plainly = expand_plainly(e, packed, block);
        if (plainly != EXPANDED || !m->fault_count)
            return plainly;
        block->moves = begin;
        return EXPAND_FAULTY;
    }
    begin_state(e);
    (void)next_turn(e);
    plans_unpack(plans, packed, m->cells);
    if (plans->functional)
        system_counts(m->system, m->cells, m->counts);
    for (int32_t i = 0; i < plans->starter_count; i++) {
        const Starter *starter = &plans->starters[i];
        int32_t value = m->cells[starter->cell];
        if (!starter->counted)
            try_events(e, starter->at + value, packed, block);
        else if (value)
            try_events(e, starter->at, packed, block);
    }
    return end_state(e, block, begin);
}
