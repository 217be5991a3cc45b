/* The moves between tangible states.  A move into a vanishing state becomes moves to the tangible states
 * that immediate activities lead to, each at the move's rate times a probability (eliminate.c).  An
 * immediate action happens as often as the vanishing states are passed: it becomes a self-loop of the
 * state that the move leaves, at the mean rate at which it happens, and so counts in throughput. */
#include "ctmc/semantics/vanish.h"

#include <string.h>

#include "ctmc/semantics/eliminate.h"
#include "ctmc/semantics/tuning.h"

/* Forget what was found, if it is much. */
static bool trim(Vanished *v)
{
    const double bytes = table_bytes(&v->states) + (double)v->portion_count * sizeof *v->portion;
    if (bytes < MOST_VANISHED)
        return true;
    table_free(&v->states);
    v->portion_count = 0;
    return table_init(&v->states, v->system->words);
}

static bool push(Expander *e, Block *block, int32_t kind, const uint64_t *target)
{
    const size_t words = e->moves.system->words;
    if (!block_reserve(block, 1, words))
        return false;
    memcpy(block->target + block->moves * words, target, words * sizeof *target);
    block->kind[block->moves++] = kind;
    return true;
}

/* A move of a state, `from`, to a state that may vanish. */
static Expansion pass(Expander *e, const uint64_t *from, int32_t kind, const uint64_t *target,
                      Block *block)
{
    Vanished *v = &e->vanished;
    const int32_t id = vanished_id(e, target);
    const Expansion how = id < 0 ? EXPAND_MEMORY : eliminate_from(e, id);
    if (how != EXPANDED)
        return how;
    const Vanishing r = v->result[id];
    if (r.ends == STATE_TANGIBLE)
        return push(e, block, kind, target) ? EXPANDED : EXPAND_MEMORY;
    const int32_t label = kind_action(e->kinds, kind), rate = kind_term(e->kinds, kind);
    bool ok = true;
    for (int32_t i = 0; i < r.ends && ok; i++) {
        const Portion p = v->portion[r.first_end + (size_t)i];
        const int32_t term = rates_share(e->moves.rates, rate, p.term, ONE);
        ok = push(e, block, expand_kind(e, label, term), table_state(&v->states, p.id));
    }
    for (int32_t i = 0; i < r.passed && ok; i++) {
        const Portion p = v->portion[r.first_passed + (size_t)i];
        const int32_t term = rates_share(e->moves.rates, rate, p.term, ONE);
        ok = push(e, block, expand_kind(e, p.id, term), from);
    }
    return ok ? expansion_failed(e) : EXPAND_MEMORY;
}

/* Put the moves from `begin` on aside; false if none leads to a state that may vanish. */
static bool set_aside(Expander *e, Block *block, size_t begin, Expansion *how)
{
    const size_t words = e->moves.system->words;
    Block *source = &e->vanished.work.source;
    size_t i = begin;
    while (i < block->moves && !may_vanish(e, block->target + i * words))
        i++;
    if (i == block->moves)
        return false;
    source->moves = 0;
    for (i = begin; i < block->moves && *how == EXPANDED; i++)
        if (!push(e, source, block->kind[i], block->target + i * words))
            *how = EXPAND_MEMORY;
    block->moves = begin;
    return true;
}

static Expansion expand_tangible(Expander *e, const uint64_t *packed, Block *block)
{
    const size_t begin = block->moves, words = e->moves.system->words;
    const Block *source = &e->vanished.work.source;
    e->culprit = NULL;
    e->trapped = false;
    Expansion how = expand_one(e, packed, block);
    if (how != EXPANDED || e->vanishing || e->fault_count || !set_aside(e, block, begin, &how))
        return how;
    if (how == EXPANDED && !trim(&e->vanished))
        how = EXPAND_MEMORY;
    for (size_t i = 0; i < source->moves && how == EXPANDED; i++) {
        const uint64_t *target = source->target + i * words;
        if (may_vanish(e, target))
            how = pass(e, packed, source->kind[i], target, block);
        else
            how = push(e, block, source->kind[i], target) ? EXPANDED : EXPAND_MEMORY;
    }
    if (how == EXPANDED) {
        expand_merge(e, block, begin);
        how = expansion_failed(e);
    }
    if (how == EXPAND_FAULTY && e->interpreting)
        return EXPANDED; /* with the moves before the fault */
    if (how != EXPANDED)
        block->moves = begin;
    return how;
}

Expansion expand_state(Expander *e, const uint64_t *packed, Block *block)
{
    return e->moves.system->preempts ? expand_tangible(e, packed, block)
                                     : expand_one(e, packed, block);
}

Expansion expand_interpreted(Expander *e, const uint64_t *packed, Block *block)
{
    e->interpreting = true;
    Expansion how = expand_state(e, packed, block);
    e->interpreting = false;
    return how;
}

Expansion expand_start(Expander *e, const uint64_t *packed, Block *block)
{
    const Vanished *v = &e->vanished;
    e->culprit = NULL;
    e->trapped = false;
    const int32_t id = vanished_id(e, packed);
    const Expansion how = id < 0 ? EXPAND_MEMORY : eliminate_from(e, id);
    if (how != EXPANDED)
        return how;
    const Vanishing r = v->result[id];
    bool ok = r.ends != STATE_TANGIBLE || push(e, block, ONE, packed);
    for (int32_t i = 0; i < r.ends && ok; i++) {
        const Portion p = v->portion[r.first_end + (size_t)i];
        ok = push(e, block, p.term, table_state(&v->states, p.id));
    }
    return ok ? EXPANDED : EXPAND_MEMORY;
}
