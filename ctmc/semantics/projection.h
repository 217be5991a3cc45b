/* The part of a state that decides what its immediate activities do: its key.
 *
 * An event that is always timed has no part in a vanishing state.  Of the others, what they do
 * depends on the local states that offer their actions.  All other local states of a single
 * component count as one, and so do all numbers of copies in such local states as 0.  States with
 * the same key lead on alike: immediate activities change both in the same way, what is added to
 * the packed words being the same.  For a component in a local state that offers nothing stays as it
 * is until time passes.
 *
 * Where a move leaves a tangible state, in which nothing immediate can happen, only events of what it
 * has changed can; then those of what these change.  So what follows depends on its *footprint* only:
 * what takes part in these events, or is in their way (footprint.h). */
#ifndef PEPA_CTMC_SEMANTICS_PROJECTION_H
#define PEPA_CTMC_SEMANTICS_PROJECTION_H

#include "ctmc/system/system.h"

/* Events by what triggers them, as System has them. */
typedef struct {
    const Starter *starters;
    int32_t starter_count;
    const int32_t *first, *event;
} Triggers;

/* A single component some of whose local states count as one. */
typedef struct {
    Field field;
    const uint64_t *part; /* per local state: its part of the key's word */
    const uint8_t *ready; /* per local state: it may trigger an immediate activity */
} KeyField;

/* The number of copies in the last local state of a counted slot, which packed states leave out: a
 * word of the key of its own. */
typedef struct {
    int32_t slot;
    bool ready;
} KeyCount;

typedef struct {
    const System *system;
    uint8_t *relevant; /* by place, system->slot_trigger[slot] + local state: it offers an action of
                        * an event that is not always timed */
    uint8_t *ready;    /* by place: it triggers an event that may be immediate */
    Triggers triggers; /* those of events that are not always timed */
    /* Bits of the packed words: those of slots that matter; those that the key has as they are; those
     * of fields; numbers of copies of which some is ready. */
    uint64_t *bits, *whole, *single, *copies;
    KeyField *fields;
    int32_t *field_of; /* by bit of the packed words */
    KeyCount *counts;
    int32_t field_count, count_count;
    size_t words; /* of a key: system->words and count_count */
    /* A unit is a slot; or slots of which one decides where others are: copies that are sorted. */
    int32_t *unit_of_slot;
    int32_t *unit_of; /* by bit of a key */
    uint64_t *unit;   /* per unit, `words` each: its bits of a key */
    int32_t
        *event_first; /* per unit and for the end: events that it may take part in, of those ... */
    int32_t *event;   /* ... that are not always timed */
    bool always;      /* some component that never changes is ready */
    Arena arena;
} Projection;

/* False: memory is out; free it all the same. */
bool projection_init(Projection *projection, const System *system);
void projection_free(Projection *projection);

/* The key of a state, and how many single components are ready.  False: it is tangible. */
bool projection_key(const Projection *projection, const uint64_t *packed, uint64_t *key,
                    int32_t *ready);
/* The key of a state that a move leads to, given that of the tangible state which it leaves, and how
 * many single components are ready there.  False: it is tangible; nothing is ready, or what matters is
 * as it was. */
bool projection_step(const Projection *projection, const uint64_t *from, const uint64_t *key_from,
                     int32_t ready, const uint64_t *target, uint64_t *key);

/* Add the bits of the units in which two keys differ. */
void projection_differ(const Projection *projection, const uint64_t *key_a, const uint64_t *key_b,
                       uint64_t *bits);
/* The bits of a slot's unit. */
static inline const uint64_t *projection_unit(const Projection *projection, int32_t slot)
{
    return projection->unit + (size_t)projection->unit_of_slot[slot] * projection->words;
}

/* The unit of the lowest of some bits of a key's word. */
static inline int32_t projection_unit_at(const Projection *projection, size_t word, uint64_t bits)
{
    return projection->unit_of[word * 64 + (size_t)__builtin_ctzll(bits)];
}
/* Has a mask the bits of a slot's unit? */
bool projection_has(const Projection *projection, const uint64_t *mask, int32_t slot);

/* Does a move change what matters?  Else the state that it leads to is tangible, as the one is that
 * it leaves. */
static inline bool projection_changes(const Projection *projection, const uint64_t *from,
                                      const uint64_t *target)
{
    uint64_t change = 0;
    for (size_t w = 0; w < projection->system->words; w++)
        change |= (from[w] ^ target[w]) & projection->bits[w];
    return change != 0;
}

#endif
