/* The moves between tangible states.  A move into a vanishing state becomes moves to the tangible states
 * that immediate activities lead to, each at the move's rate times a probability (eliminate.c).  An
 * immediate action happens as often as the vanishing states are passed: it becomes a self-loop of the
 * state that the move leaves, at the mean rate at which it happens, and so counts in throughput. */
#include "ctmc/semantics/vanish.h"

#include <string.h>

#include "ctmc/semantics/eliminate.h"
#include "ctmc/semantics/footprint.h"

static bool push(Expander *e, Block *block, int32_t kind, const uint64_t *target)
{
    const size_t words = e->moves.system->words;
    if (block->moves == block->cap && !block_reserve(block, 1, words))
        return false;
    uint64_t *there = block->target + block->moves * words;
    for (size_t w = 0; w < words; w++)
        there[w] = target[w];
    block->kind[block->moves++] = kind;
    return true;
}

/* ---- what is known --------------------------------------------------------------------------- */

/* The part of a key that a footprint of `changed` has; the scratch v->part. */
static const uint64_t *part_of(Vanished *v, const uint64_t *key, int32_t changed, int32_t mask)
{
    const size_t words = v->projection.words;
    const uint64_t *bits = table_state(&v->masks, mask);
    for (size_t w = 0; w < words; w++)
        v->part[w] = key[w] & bits[w];
    v->part[words] = hash_pair(changed, mask);
    return v->part;
}

/* A key where the same follows from the same changes; -1: none is known.  Keys are compared under each of
 * the few masks that were found: tuple space search (Srinivasan, Suri, Varghese, SIGCOMM 1999). */
static int32_t find_alike(Vanished *v, const uint64_t *key, int32_t changed)
{
    for (int32_t k = v->first_print[changed]; k >= 0; k = v->print[k].next) {
        const uint64_t *part = part_of(v, key, changed, v->print[k].mask);
        const int32_t at = table_find(&v->met, part, table_hash(&v->met, part));
        if (at >= 0)
            return v->alike[at];
    }
    return -1;
}

/* Let v->mask, or all of the key if there are many masks, be a footprint of `changed`.  Returns the mask's
 * number; -1: memory is out. */
static int32_t add_print(Vanished *v, int32_t changed)
{
    enum { MOST_PRINTS = 16 };
    for (int32_t few = 1;; few--) {
        const int32_t mask = vanished_mask(v, v->mask);
        int32_t prints = 0, k = v->first_print[changed];
        for (; k >= 0 && v->print[k].mask != mask; k = v->print[k].next)
            prints++;
        if (mask < 0 || k >= 0)
            return mask;
        if (few && prints >= MOST_PRINTS) {
            memset(v->mask, -1, v->projection.words * sizeof *v->mask);
            continue;
        }
        if (!mem_grow(v->print, v->print_cap, v->print_count + 1))
            return -1;
        v->print[v->print_count] = (Footprint){mask, v->first_print[changed]};
        v->first_print[changed] = (int32_t)v->print_count++;
        return mask;
    }
}

/* What follows from these changes, which lead to a state, is known now: remember it by its footprint. */
static bool add_alike(Expander *e, const uint64_t *target, int32_t id, int32_t changed)
{
    Vanished *v = &e->vanished;
    const Vanishing r = v->result[id];
    for (size_t w = 0; w < v->projection.words; w++)
        v->mask[w] = table_state(&v->masks, changed)[w] |
                     (r.ends >= 0 ? table_state(&v->masks, r.span)[w] : 0);
    footprint_read(e, target, table_state(&v->masks, changed), v->mask);
    const int32_t mask = add_print(v, changed);
    if (mask < 0)
        return false;
    const uint64_t *part = part_of(v, table_state(&v->keys, id), changed, mask);
    const int32_t at = table_put(&v->met, part, table_hash(&v->met, part));
    if (at < 0 || !mem_grow(v->alike, v->alike_cap, (size_t)at + 1))
        return false;
    v->alike[at] = id;
    return true;
}

/* The number in v->keys of what follows a move from a tangible state to another one: their keys are
 * v->key_from and v->key.  -1, with *how: it cannot be found. */
static int32_t find_result(Expander *e, const uint64_t *target, Expansion *how)
{
    Vanished *v = &e->vanished;
    *how = EXPANDED;
    int32_t id = table_find(&v->keys, v->key, table_hash(&v->keys, v->key));
    if (id >= 0 && v->result[id].ends != STATE_UNKNOWN)
        return id;
    memset(v->mask, 0, v->projection.words * sizeof *v->mask);
    projection_differ(&v->projection, v->key_from, v->key, v->mask);
    const int32_t changed = vanished_mask(v, v->mask);
    id = changed < 0 ? -1 : find_alike(v, v->key, changed);
    if (id >= 0)
        return id;
    id = changed < 0 ? -1 : vanished_id(e, v->key, true);
    *how = id < 0 ? EXPAND_MEMORY : eliminate_from(e, id, target);
    if (*how == EXPANDED && !add_alike(e, target, id, changed))
        *how = EXPAND_MEMORY;
    return *how == EXPANDED ? id : -1;
}

/* ---- one move -------------------------------------------------------------------------------- */

/* A move of some kind to states of a key: the kinds of the moves to its ends, and the terms of the
 * actions on the way; where they are in v->shared.  -1: some are missing, or memory is out. */
static int32_t share(Expander *e, int32_t kind, int32_t id)
{
    Vanished *v = &e->vanished;
    const Vanishing r = v->result[id];
    const int32_t label = kind_action(e->kinds, kind), rate = kind_term(e->kinds, kind);
    const int32_t at = memo_find(&v->share, (uint64_t)kind, (uint64_t)id);
    if (at >= 0)
        return at;
    const size_t first = v->shared_count, count = (size_t)r.ends + (size_t)r.passed;
    int32_t *place = memo_at(&v->share, (uint64_t)kind, (uint64_t)id);
    if (!place || first + count > INT32_MAX || !mem_grow(v->shared, v->shared_cap, first + count)) {
        e->no_memory = true;
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        const int32_t term =
            rates_share(e->moves.rates, rate, v->portion[r.first_end + i].term, ONE);
        v->shared[first + i] = i < (size_t)r.ends ? expand_kind(e, label, term) : term;
    }
    if (expansion_failed(e) != EXPANDED)
        return -1;
    v->shared_count += count;
    return *place = (int32_t)first;
}

/* A move to a state that may vanish, whose key is v->key. */
static Expansion pass(Expander *e, int32_t kind, const uint64_t *target, Block *block)
{
    Vanished *v = &e->vanished;
    const size_t words = v->system->words;
    Expansion how;
    const int32_t id = find_result(e, target, &how);
    if (how != EXPANDED)
        return how;
    const Vanishing r = v->result[id];
    if (r.ends == STATE_TANGIBLE)
        return push(e, block, kind, target) ? EXPANDED : EXPAND_MEMORY;
    const int32_t at = share(e, kind, id);
    if (at < 0)
        return expansion_failed(e);
    if (!block_reserve(block, (size_t)r.ends, words))
        return EXPAND_MEMORY;
    for (int32_t i = 0; i < r.ends; i++) {
        const uint64_t *change = table_state(&v->changes, v->portion[r.first_end + (size_t)i].id);
        for (size_t w = 0; w < words; w++)
            block->target[block->moves * words + w] = target[w] + change[w];
        block->kind[block->moves++] = v->shared[at + i];
    }
    for (int32_t i = 0; i < r.passed; i++)
        sums_add(e->moves.rates, &v->traces, v->portion[r.first_passed + (size_t)i].id,
                 v->shared[at + r.ends + i]);
    return expansion_failed(e);
}

/* ---- all moves of a state -------------------------------------------------------------------- */

/* Moves of one action, side by side.  Others can lead to the same states only if it is tau. */
typedef struct {
    int32_t label;
    size_t begin, count; /* where what they have become begins in the block; of how many moves */
    bool passed;         /* some led to a vanishing state */
    bool meet;           /* moves of this or a former group may be alike */
} MoveGroup;

/* Do two of the moves from `begin` on lead to the same state?  True as well if it takes long to say. */
static bool may_meet(const Block *block, size_t words, size_t begin)
{
    enum { FEW = 16 };
    if (block->moves - begin > FEW)
        return true;
    for (size_t i = begin; i < block->moves; i++)
        for (size_t k = begin; k < i; k++)
            if (table_equal(words, block->target + i * words, block->target + k * words))
                return true;
    return false;
}

static void end_group(MoveGroup *g, const Block *block, size_t words)
{
    if (g->passed && (g->label == ACTION_TAU || (g->count > 1 && may_meet(block, words, g->begin))))
        g->meet = true;
}

/* The first move of the group in which some move may lead to a vanishing state, of those from `begin`
 * on; the end if none does.  Then v->key_from is the key of the state that they leave, and *ready the
 * number of its components that are ready. */
static size_t find_first(Expander *e, const uint64_t *from, const Block *block, size_t begin,
                         int32_t *ready)
{
    Vanished *v = &e->vanished;
    const size_t words = v->system->words;
    size_t first = begin;
    while (first < block->moves &&
           !projection_changes(&v->projection, from, block->target + first * words))
        first++;
    if (first == block->moves)
        return first;
    (void)projection_key(&v->projection, from, v->key_from, ready);
    while (first < block->moves &&
           !(projection_changes(&v->projection, from, block->target + first * words) &&
             projection_step(&v->projection, from, v->key_from, *ready,
                             block->target + first * words, v->key)))
        first++;
    if (first == block->moves)
        return first;
    const int32_t label = kind_action(e->kinds, block->kind[first]);
    while (first > begin && kind_action(e->kinds, block->kind[first - 1]) == label)
        first--;
    return first;
}

/* Put the moves from `first` on aside. */
static bool set_aside(Expander *e, Block *block, size_t first)
{
    const size_t words = e->moves.system->words, count = block->moves - first;
    Block *source = &e->vanished.work.source;
    source->moves = 0;
    if (!block_reserve(source, count, words))
        return false;
    memcpy(source->target, block->target + first * words, count * words * sizeof *source->target);
    memcpy(source->kind, block->kind + first, count * sizeof *source->kind);
    source->moves = count;
    block->moves = first;
    return true;
}

/* Append the moves that were put aside, those into vanishing states as moves to their ends. */
static Expansion pass_all(Expander *e, const uint64_t *from, int32_t ready, Block *block,
                          MoveGroup *g)
{
    Vanished *v = &e->vanished;
    const Block *source = &v->work.source;
    const size_t words = v->system->words;
    Expansion how = EXPANDED;
    for (size_t i = 0; i < source->moves && how == EXPANDED; i++) {
        const uint64_t *target = source->target + i * words;
        const int32_t label = kind_action(e->kinds, source->kind[i]);
        if (label != g->label) {
            end_group(g, block, words);
            *g = (MoveGroup){.label = label, .begin = block->moves, .meet = g->meet};
        }
        g->count++;
        if (projection_changes(&v->projection, from, target) &&
            projection_step(&v->projection, from, v->key_from, ready, target, v->key)) {
            how = pass(e, source->kind[i], target, block);
            g->passed = true;
        } else if (!push(e, block, source->kind[i], target)) {
            how = EXPAND_MEMORY;
        }
    }
    end_group(g, block, words);
    return how;
}

/* Self-loops for the actions on the ways. */
static Expansion add_traces(Expander *e, const uint64_t *from, Block *block, MoveGroup *g)
{
    Vanished *v = &e->vanished;
    for (size_t i = 0; i < v->traces.count; i++) {
        const int32_t action = v->traces.met[i];
        g->meet = g->meet || v->repeats[action];
        if (!push(e, block, expand_kind(e, action, v->traces.term[action]), from))
            return EXPAND_MEMORY;
    }
    return expansion_failed(e);
}

static Expansion expand_tangible(Expander *e, const uint64_t *packed, Block *block)
{
    const size_t begin = block->moves;
    int32_t ready = 0;
    e->culprit = NULL;
    e->trapped = false;
    Expansion how = expand_one(e, packed, block);
    if (how != EXPANDED || e->vanishing || e->fault_count)
        return how;
    const size_t first = find_first(e, packed, block, begin, &ready);
    if (first == block->moves)
        return EXPANDED;
    MoveGroup group = {.label = LABEL_NONE};
    how = vanished_trim(&e->vanished) && set_aside(e, block, first) ? EXPANDED : EXPAND_MEMORY;
    if (how == EXPANDED)
        how = pass_all(e, packed, ready, block, &group);
    if (how == EXPANDED)
        how = add_traces(e, packed, block, &group);
    sums_clear(&e->vanished.traces);
    if (how == EXPANDED && group.meet) {
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
    Vanished *v = &e->vanished;
    int32_t ready;
    e->culprit = NULL;
    e->trapped = false;
    const bool is_ready = projection_key(&v->projection, packed, v->key, &ready);
    const int32_t id = vanished_id(e, v->key, is_ready);
    const Expansion how = id < 0 ? EXPAND_MEMORY : eliminate_from(e, id, packed);
    if (how != EXPANDED)
        return how;
    const Vanishing r = v->result[id];
    bool ok = r.ends != STATE_TANGIBLE || push(e, block, ONE, packed);
    for (int32_t i = 0; i < r.ends && ok; i++) {
        const Portion p = v->portion[r.first_end + (size_t)i];
        const uint64_t *change = table_state(&v->changes, p.id);
        for (size_t w = 0; w < v->system->words; w++)
            v->work.scratch[w] = packed[w] + change[w];
        ok = push(e, block, p.term, v->work.scratch);
    }
    return ok ? EXPANDED : EXPAND_MEMORY;
}
