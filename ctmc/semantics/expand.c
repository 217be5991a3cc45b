/* Expands states: finds their events, by plans or interpreted, and appends what these lead to. */
#include "ctmc/semantics/expand.h"

#include <stdlib.h>
#include <string.h>

#include "ctmc/semantics/number.h"

/* ---- life ---------------------------------------------------------------------------------- */

PepaStatus expander_init(Expander *e, const System *system, RateTable *rates, Plans *plans,
                         Table *kinds, PepaError *err)
{
    *e = (Expander){.plans = plans, .kinds = kinds, .last_kind = -1};
    if (!mem_new_scratch(e->tried, system->event_count))
        return error_memory(err);
    PepaStatus status = moves_init(&e->moves, system, rates, err);
    if (status == PEPA_OK && system->preempts)
        status = vanished_init(&e->vanished, system, err);
    return status;
}

void expander_free(Expander *e)
{
    moves_free(&e->moves);
    vanished_free(&e->vanished);
    mem_free_all(e->tried, e->ordered, e->faults);
    *e = (Expander){0};
}

static void next_turn(Expander *e)
{
    if (e->turn == INT32_MAX) {
        memset(e->tried, 0, (size_t)e->moves.system->event_count * sizeof *e->tried);
        e->turn = 0;
    }
    e->turn++;
}

int32_t expand_kind(Expander *e, int32_t label, int32_t term)
{
    if (e->last_kind >= 0 && label == e->last_label && term == e->last_term)
        return e->last_kind;
    uint64_t key = hash_pair(label, term);
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

/* What the apparent rate of the moves just found says.  As tau never cooperates, its activities need
 * not add up, and may be of any level but passive. */
static int32_t meaning_of(const Expander *e, int32_t event, int32_t apparent)
{
    const Moves *m = &e->moves;
    if (apparent != TERM_MIXED || m->system->events[event].action != ACTION_TAU)
        return apparent;
    for (size_t i = 0; i < m->count; i++)
        if (m->rates->level[m->rate[i]] == LEVEL_PASSIVE)
            return TERM_MIXED;
    return m->count ? m->rate[0] : TERM_NONE;
}

/* Is an event with moves of this kind at fault? */
static bool at_fault(const Expander *e, int32_t label, int32_t apparent)
{
    return apparent == TERM_MIXED || (apparent >= 0 && label != LABEL_NONE &&
                                      e->moves.rates->level[apparent] == LEVEL_PASSIVE);
}

/* May some moves of the state lead to the same state, with those of this event?  Several events
 * have one label only if that is tau. */
static void note_repeats(Expander *e, const EventPlan *plan, bool duplicates, bool self_loops)
{
    bool again = (plan->shares_slots && e->sharing) || (self_loops && e->tau_loops);
    e->may_repeat = e->may_repeat || duplicates || again;
    if (plan->label == ACTION_TAU) {
        e->sharing += plan->shares_slots;
        e->tau_loops += self_loops;
    }
}

/* Fill in the entry of an event's own table: kinds, not terms. */
static void learn_event(Expander *e, int32_t event, Entry *entry)
{
    Moves *m = &e->moves;
    const EventPlan *plan = &e->plans->events[event];
    m->count = 0;
    MovesSummary all = moves_run(m, m->system->events[event].prog, false);
    all.apparent = meaning_of(e, event, all.apparent);
    if (at_fault(e, plan->label, all.apparent))
        all.apparent = TERM_MIXED;
    if (all.apparent < 0 || plan->label == LABEL_NONE)
        m->count = 0;
    for (size_t i = 0; i < m->count; i++)
        m->rate[i] = expand_kind(e, plan->label, m->rate[i]);
    if (e->no_memory || !plans_keep(e->plans, entry, all, m, 0))
        e->no_memory = true;
}

static bool reserve_moves(Expander *e, Block *block, size_t more)
{
    if (block->moves + more <= block->cap || block_reserve(block, more, e->moves.system->words))
        return true;
    e->no_memory = true;
    return false;
}

/* Append the moves of e->moves, all of one label. */
static void append_moves(Expander *e, int32_t label, const uint64_t *packed, Block *block)
{
    const Moves *m = &e->moves;
    const size_t words = m->system->words;
    const uint64_t *delta = m->delta;
    if (!reserve_moves(e, block, m->count))
        return;
    for (size_t i = 0; i < m->count; i++) {
        block->kind[block->moves] = expand_kind(e, label, m->rate[i]);
        for (size_t w = 0; w < words; w++)
            block->target[block->moves * words + w] = packed[w] + *delta++;
        block->moves++;
    }
}

static void note_fault(Expander *e, int32_t event, FaultKind kind)
{
    e->faulty = true;
    if (!e->interpreting)
        return;
    if (mem_grow(e->faults, e->fault_cap, e->fault_count + 1))
        e->faults[e->fault_count++] = (EventFault){event, kind};
    else
        e->no_memory = true;
}

/* An event without a table of its own: its moves are composed from tables, or interpreted. */
static void run_event(Expander *e, int32_t event, const EventPlan *plan, const uint64_t *packed,
                      Block *block)
{
    Moves *m = &e->moves;
    const int32_t prog = m->system->events[event].prog;
    m->count = 0;
    MovesSummary all = plan->kind == PLAN_COMPOSED && !e->interpreting ? expand_compose(e, prog)
                                                                       : moves_run(m, prog, false);
    all.apparent = meaning_of(e, event, all.apparent);
    if (at_fault(e, plan->label, all.apparent)) {
        note_fault(e, event, all.apparent == TERM_MIXED ? FAULT_MIXED : FAULT_PASSIVE);
    } else if (plan->label != LABEL_NONE && m->count) {
        note_repeats(e, plan, all.duplicates, all.self_loops);
        append_moves(e, plan->label, packed, block);
    }
}

/* An event with a table of its own. */
static void find_event(Expander *e, int32_t event, const EventPlan *plan, const uint64_t *packed,
                       Block *block)
{
    const Plans *plans = e->plans;
    const size_t words = e->moves.system->words;
    Entry *entry = plans_entry(plans, &plans->tables[plan->table], e->moves.cells);
    if (!entry->known) {
        if (e->frozen)
            e->missing = true;
        else
            learn_event(e, event, entry);
    }
    e->faulty = e->faulty || entry->apparent == TERM_MIXED;
    size_t count = (size_t)entry->count, at = block->moves;
    if (!count || !reserve_moves(e, block, count))
        return;
    if (entry->duplicates || plan->label == ACTION_TAU)
        note_repeats(e, plan, entry->duplicates, entry->self_loops);
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

/* Move i stays, as the one that is number `kept`. */
static void block_keep(Block *block, size_t words, size_t i, size_t kept)
{
    block->kind[kept] = block->kind[i];
    memmove(block->target + kept * words, block->target + i * words, words * sizeof(uint64_t));
}

/* ---- moves that are alike ------------------------------------------------------------------ */

struct Ordered {
    const uint64_t *target;
    size_t words, at;
    int32_t label, term;
};

static int compare_moves(const struct Ordered *x, const struct Ordered *y)
{
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    for (size_t w = 0; w < x->words; w++)
        if (x->target[w] != y->target[w])
            return x->target[w] < y->target[w] ? -1 : 1;
    return 0;
}

static int compare_ordered(const void *a, const void *b)
{
    const struct Ordered *x = a, *y = b;
    int by_move = compare_moves(x, y);
    return by_move ? by_move : (x->term > y->term) - (x->term < y->term);
}

static void sort_moves(struct Ordered *items, size_t count)
{
    if (count > 32) {
        qsort(items, count, sizeof *items, compare_ordered);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct Ordered moved = items[i];
        size_t k = i;
        for (; k > 0 && compare_ordered(&items[k - 1], &moved) > 0; k--)
            items[k] = items[k - 1];
        items[k] = moved;
    }
}

/* Of moves alike in action and target, the first stands for all, at the sum of their rates. */
static void add_up(Expander *e, const struct Ordered *items, size_t count, Block *block)
{
    size_t first = items[0].at;
    int32_t sum = items[0].term;
    for (size_t i = 1; i < count; i++) {
        sum = rates_sum(e->moves.rates, sum, items[i].term);
        first = items[i].at < first ? items[i].at : first;
    }
    for (size_t i = 0; i < count; i++)
        block->kind[items[i].at] = -1;
    block->kind[first] = expand_kind(e, items[0].label, sum);
}

void expand_merge(Expander *e, Block *block, size_t begin)
{
    const size_t words = e->moves.system->words, count = block->moves - begin;
    if (!mem_grow(e->ordered, e->ordered_cap, count)) {
        e->no_memory = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t kind = block->kind[begin + i];
        e->ordered[i] = (struct Ordered){block->target + (begin + i) * words, words, begin + i,
                                         kind_action(e->kinds, kind), kind_term(e->kinds, kind)};
    }
    sort_moves(e->ordered, count);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && compare_moves(&e->ordered[i], &e->ordered[i + n]) == 0;)
            n++;
        if (n > 1)
            add_up(e, e->ordered + i, n, block);
    }
    size_t kept = begin;
    for (size_t i = begin; i < block->moves; i++) {
        if (block->kind[i] < 0)
            continue;
        block_keep(block, words, i, kept++);
    }
    block->moves = kept;
}

/* ---- states -------------------------------------------------------------------------------- */

static void begin_state(Expander *e)
{
    e->missing = e->faulty = e->no_memory = e->may_repeat = false;
    e->moves.no_memory = e->moves.rates->missing = false;
    e->sharing = e->tau_loops = 0;
    e->vanishing = e->preempting = false;
    e->precedence = 0;
    e->moves.count = e->fault_count = 0;
    next_turn(e);
}

/* The result of expanding a state whose moves are those from `begin` on. */
static Expansion end_state(Expander *e, Block *block, size_t begin)
{
    bool missing = e->missing || e->moves.rates->missing;
    bool no_memory = e->no_memory || e->moves.no_memory;
    const bool faulty = e->faulty && !e->interpreting;
    if (!missing && !no_memory && !faulty && e->may_repeat) {
        expand_merge(e, block, begin);
        missing = e->missing || e->moves.rates->missing;
        no_memory = e->no_memory;
    }
    if (!missing && !no_memory && !faulty)
        return EXPANDED;
    block->moves = begin;
    return no_memory ? EXPAND_MEMORY : missing ? EXPAND_MISSING : EXPAND_FAULTY;
}

/* Of copies of composites that are sorted, targets are the canonical ones; some may be alike. */
static void sort_copies(Expander *e, size_t begin, Block *block)
{
    const System *s = e->moves.system;
    for (size_t i = begin; i < block->moves; i++) {
        uint64_t *target = block->target + i * s->words;
        system_unpack(s, target, e->moves.cells);
        system_canonical(s, e->moves.cells);
        system_pack(s, e->moves.cells, target);
    }
    e->may_repeat = block->moves > begin + 1;
}

static int32_t precedence(const Expander *e, int32_t kind)
{
    const int32_t term = kind_term(e->kinds, kind);
    return precedence_of((RateLevel)e->moves.rates->level[term], e->moves.rates->priority[term]);
}

/* An event has moves: may they and those of the events before it preempt each other, or be immediate? */
static void note_precedence(Expander *e, const Event *event)
{
    const int32_t here = event->steady ? precedence_of(LEVEL_TIMED, event->priority) : 0;
    if (!event->steady || event->levels != 1 << LEVEL_TIMED ||
        (e->precedence && e->precedence != here))
        e->preempting = true;
    e->precedence = here;
}

/* Of the moves from `begin` on, keep those that no others preempt. */
static void preempt(Expander *e, Block *block, size_t begin)
{
    const size_t words = e->moves.system->words;
    int32_t most = 0;
    size_t kept = begin;
    if (e->missing || e->no_memory || e->moves.rates->missing)
        return; /* kinds are not what they seem */
    for (size_t i = begin; i < block->moves; i++) {
        const int32_t here = precedence(e, block->kind[i]);
        most = here > most ? here : most;
    }
    for (size_t i = begin; i < block->moves; i++) {
        if (precedence(e, block->kind[i]) != most)
            continue;
        block_keep(block, words, i, kept++);
    }
    block->moves = kept;
    e->vanishing = precedence_is_immediate(most);
}

static void try_events(Expander *e, const Triggers *triggers, int32_t at, const uint64_t *packed,
                       Block *block)
{
    const System *s = e->moves.system;
    for (int32_t i = triggers->first[at]; i < triggers->first[at + 1]; i++) {
        int32_t event = triggers->event[i];
        const EventPlan *plan = &e->plans->events[event];
        const size_t begin = block->moves;
        if (plan->several_triggers) {
            if (e->tried[event] == e->turn)
                continue;
            e->tried[event] = e->turn;
        }
        if (plan->kind == PLAN_TABLE && !e->interpreting)
            find_event(e, event, plan, packed, block);
        else
            run_event(e, event, plan, packed, block);
        if (s->preempts && block->moves > begin)
            note_precedence(e, &s->events[event]);
    }
}

/* The moves of a state by the events that `triggers` has. */
static Expansion expand_by(Expander *e, const Triggers *triggers, const uint64_t *packed,
                           Block *block)
{
    Moves *m = &e->moves;
    const System *s = m->system;
    const size_t begin = block->moves;
    begin_state(e);
    system_unpack(s, packed, m->cells);
    if (s->functional)
        system_counts(s, m->cells, m->counts);
    for (int32_t i = 0; i < triggers->starter_count; i++) {
        const Starter *starter = &triggers->starters[i];
        int32_t value = m->cells[starter->cell];
        if (!starter->counted)
            try_events(e, triggers, starter->at + value, packed, block);
        else if (value)
            try_events(e, triggers, starter->at, packed, block);
    }
    if (e->preempting)
        preempt(e, block, begin);
    if (s->group_count)
        sort_copies(e, begin, block);
    return end_state(e, block, begin);
}

Expansion expand_one(Expander *e, const uint64_t *packed, Block *block)
{
    const System *s = e->moves.system;
    const Triggers all = {s->starters, s->starter_count, s->trigger_first, s->trigger_event};
    return expand_by(e, &all, packed, block);
}

Expansion expand_urgent(Expander *e, const uint64_t *packed, Block *block)
{
    return expand_by(e, &e->vanished.projection.triggers, packed, block);
}
