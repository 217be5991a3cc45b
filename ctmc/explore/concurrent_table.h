/* A table of states into which several threads put states at the same time.
 *
 * While threads look up states, a new one gets a slot; its id is -1 - slot.  When all lookups of a
 * batch are done, slots get numbers as states of the table, in the order of the first lookups that
 * found them, whichever thread was first by the clock.  So numbers are those of one thread.
 *
 * Lookups are made in sequences, each by one thread at a time; their order is that of sequences,
 * and within one that of lookups. */
#ifndef PEPA_CTMC_EXPLORE_CONCURRENT_TABLE_H
#define PEPA_CTMC_EXPLORE_CONCURRENT_TABLE_H

#include "ctmc/system/table.h"

/* Starts as {.table = ..., .at_a_time = ...}. */
typedef struct {
    Table *table;       /* borrowed: what the slots stand beside */
    int32_t slot_count; /* slots there are */
    int32_t at_a_time;  /* slots that a thread takes at a time */
    int32_t taken; /* slots taken; set to 0 they are all free, and keep their numbers until used */
    /* Of slot s: entry[s * (1 + words) ..] is the first lookup of the state, sequence << 32 |
     * index, and the state; place: where the table has its id, NULL if the slot is not used; its
     * number, once there is one. */
    uint64_t *entry;
    int32_t **place;
    int32_t *number;
    size_t entry_cap, place_cap, number_cap;
} ConcurrentTable;

/* Slots that a thread has taken and not used; starts as {0}. */
typedef struct {
    int32_t next, end;
} SlotRange;

/* A sequence of lookups. */
typedef struct {
    int32_t done;      /* so many are made */
    int32_t *firsts;   /* those that were the first of a new state when they were made, ... */
    int32_t count;     /* ... so many, ... */
    int32_t overtaken; /* ... of which so many no longer are */
} Lookups;

void ctable_free(ConcurrentTable *ctable);
/* So many slots in all.  False when memory is out. */
bool ctable_reserve(ConcurrentTable *ctable, int32_t slots);
double ctable_bytes(const ConcurrentTable *ctable);

/* Look up the states done .. count - 1 of lookups[sequence], and write their ids; its `firsts` has
 * space for count.  False if they are not all done, because no slot is free. */
bool ctable_look_up(ConcurrentTable *ctable, SlotRange *range, Lookups *lookups, int32_t sequence,
                    const uint64_t *states, const uint32_t *hashes, int32_t count, int32_t *ids);

/* How many new states a sequence has found, when all sequences are done. */
static inline int32_t ctable_added(const Lookups *lookups)
{
    return lookups->count - lookups->overtaken;
}
/* These get the numbers from `number` on, and are copied to the table, which has space for them and
 * whose count the caller sets. */
void ctable_number(ConcurrentTable *ctable, const Lookups *lookups, int32_t sequence,
                   const int32_t *ids, int32_t number);

/* After table_renew.  First the memory of the new buckets, in `parts` parts, is written to; then
 * states first .. end - 1 are put back, where a negative number is a slot's id; all of them are
 * -ctable->taken .. table->count - 1. */
void ctable_touch(const ConcurrentTable *ctable, int32_t part, int32_t parts);
void ctable_refill(ConcurrentTable *ctable, int32_t first, int32_t end);

#endif
