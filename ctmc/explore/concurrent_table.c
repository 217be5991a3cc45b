/* Looks up states in a table by several threads at a time, without locks.
 *
 * All threads read and write buckets.  First the slot of a state is filled.  Then one atomic write
 * changes a place of the bucket from 0 to the slot's id.  The tag is written last.  Places are
 * taken from the first on.  A lookup compares its state with those whose tag matches.  If none is
 * equal, it goes through the places without a tag: it compares with the id it finds there, or takes
 * the first place that has none.  If another thread takes that place first, it compares with what
 * has just been put there. */
#include "ctmc/explore/concurrent_table.h"

#include <string.h>

#include "ctmc/system/table.h"

enum { NO_SLOT = INT32_MIN, PAGE = 4096 };

/* ---- life ---------------------------------------------------------------------------------- */

void ctable_free(ConcurrentTable *c)
{
    mem_free_all(c->entry, c->place, c->number);
    *c = (ConcurrentTable){0};
}

bool ctable_reserve(ConcurrentTable *c, int32_t slots)
{
    size_t n = (size_t)slots;
    c->taken = c->taken < c->slot_count ? c->taken : c->slot_count;
    if (!mem_grow(c->entry, c->entry_cap, n * (1 + c->table->words)) ||
        !mem_grow(c->place, c->place_cap, n) || !mem_grow(c->number, c->number_cap, n))
        return false;
    c->slot_count = slots;
    return true;
}

double ctable_bytes(const ConcurrentTable *c)
{
    return (double)c->entry_cap * sizeof *c->entry + (double)c->place_cap * sizeof *c->place +
           (double)c->number_cap * sizeof *c->number;
}

/* ---- buckets ------------------------------------------------------------------------------- */

/* Prefetch a cache line to write it: other threads' caches drop it.  For most x86 targets
 * __builtin_prefetch(line, 1) compiles to a prefetch for reading, which leaves it shared. */
static inline void will_write(const void *line)
{
#ifdef __x86_64__
    __asm__ volatile("prefetchw %0" : : "m"(*(const char *)line));
#else
    __builtin_prefetch(line, 1);
#endif
}

static const uint64_t zero;

/* What lookups read, none of which changes meanwhile.  Each thread has a copy on its stack, since a
 * compiler must assume that the atomic operations change everything else.  Of pairs [0] is for
 * numbered states, [1] for slots: which of them an id means is unpredictable, so nothing
 * branches on it. */
typedef struct {
    Table table;
    const uint64_t *state[2];
    const uint64_t *first[2]; /* the first lookup of each; 0 for numbered states */
    size_t stride[2], first_stride[2];
    uint64_t *entry;
} View;

static View view_of(const ConcurrentTable *c)
{
    const Table *t = c->table;
    return (View){.table = *t,
                  .state = {t->state, c->entry + 1},
                  .first = {&zero, c->entry},
                  .stride = {t->words, 1 + t->words},
                  .first_stride = {0, 1 + t->words},
                  .entry = c->entry};
}

static inline uint32_t matches(const Bucket *bucket, uint8_t tag)
{
    return table_matches(__atomic_load_n(&bucket->tags[0], __ATOMIC_ACQUIRE),
                         __atomic_load_n(&bucket->tags[1], __ATOMIC_ACQUIRE), tag);
}

static inline int32_t id_at(const Bucket *bucket, int place)
{
    return __atomic_load_n(&bucket->id[place], __ATOMIC_ACQUIRE);
}

/* Put an id into a free place; returns 0, or the id that another thread has put there. */
static inline int32_t take(Bucket *bucket, int place, uint32_t hash, int32_t id)
{
    int32_t there = 0;
    if (!__atomic_compare_exchange_n(&bucket->id[place], &there, id, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return there;
    __atomic_store_n(&bucket->tag[place], table_tag(hash), __ATOMIC_RELEASE);
    return 0;
}

/* The first place that has no tag. */
static inline int first_free(const Bucket *bucket)
{
    return __builtin_ctz(matches(bucket, 0));
}

static inline uint64_t *entry_at(const View *v, int32_t slot)
{
    return v->entry + (size_t)slot * (1 + v->table.words);
}

static inline uint32_t is_reserved(int32_t id)
{
    return (uint32_t)id >> 31;
}

/* The number of a slot, or of a state. */
static inline size_t index_of(int32_t id)
{
    return (uint32_t)(id ^ -(int32_t)is_reserved(id));
}

static inline const uint64_t *state_of(const View *v, int32_t id)
{
    return v->state[is_reserved(id)] + index_of(id) * v->stride[is_reserved(id)];
}

static inline void copy(size_t words, uint64_t *to, const uint64_t *from)
{
    for (size_t i = 0; i < words; i++)
        to[i] = from[i];
}

static inline bool equal(const View *v, int32_t id, const uint64_t *state)
{
    return table_equal(v->table.words, state_of(v, id), state);
}

/* ---- lookups ------------------------------------------------------------------------------- */

/* A free slot, or -1. */
static int32_t next_slot(ConcurrentTable *c, const View *v, SlotRange *range)
{
    if (range->next < range->end)
        return range->next;
    if (__atomic_load_n(&c->taken, __ATOMIC_RELAXED) >= c->slot_count)
        return -1;
    int32_t from = __atomic_fetch_add(&c->taken, c->at_a_time, __ATOMIC_RELAXED);
    if (from >= c->slot_count)
        return -1;
    range->next = from;
    range->end = c->slot_count - from < c->at_a_time ? c->slot_count : from + c->at_a_time;
    memset(c->place + from, 0, (size_t)(range->end - from) * sizeof(int32_t *));
    /* Other threads used these slots in the batch before: fetch all lines at once. */
    for (const uint64_t *line = entry_at(v, from); line < entry_at(v, range->end);
         line += CACHE_LINE / 8)
        will_write(line);
    return from;
}

/* Put a state that seems to be new into a slot, and that into a place of a bucket.  Returns the id
 * that the place then has: the slot's if *is_new is set, else another thread's; NO_SLOT if there is
 * no free slot. */
static int32_t reserve(ConcurrentTable *c, const View *v, SlotRange *range, Bucket *bucket,
                       int place, const uint64_t *state, uint32_t hash, uint64_t at, bool *is_new)
{
    int32_t mine = next_slot(c, v, range);
    if (mine < 0)
        return NO_SLOT;
    entry_at(v, mine)[0] = at;
    copy(v->table.words, entry_at(v, mine) + 1, state);
    int32_t other = take(bucket, place, hash, -1 - mine);
    if (other != 0)
        return other;
    c->place[mine] = &bucket->id[place];
    range->next++;
    *is_new = true;
    return -1 - mine;
}

/* The id of a state, which gets a slot if it is new, and then *is_new is set; NO_SLOT if there
 * is no free slot.  at: which lookup that is. */
static int32_t find_or_reserve(ConcurrentTable *c, const View *v, SlotRange *range,
                               const uint64_t *state, uint32_t hash, uint64_t at, bool *is_new)
{
    for (uint32_t home = table_home(&v->table, hash);; home = table_after(&v->table, home)) {
        Bucket *bucket = &v->table.buckets[home];
        int free = first_free(bucket); /* before looking at tags, of which there may soon be more */
        for (uint32_t places = matches(bucket, table_tag(hash)); places; places &= places - 1) {
            int32_t id = id_at(bucket, __builtin_ctz(places));
            if (equal(v, id, state))
                return id;
        }
        for (; free < BUCKET_PLACES; free++) {
            int32_t id = id_at(bucket, free);
            if (id == 0)
                id = reserve(c, v, range, bucket, free, state, hash, at, is_new);
            if (id == NO_SLOT || *is_new || equal(v, id, state))
                return id;
        }
    }
}

/* An id that may be the state's, from its bucket, whose state is prefetched; NO_SLOT if there is
 * none: then the bucket is prefetched for writing. */
static inline int32_t first_match(const View *v, uint32_t hash)
{
    const Bucket *bucket = &v->table.buckets[table_home(&v->table, hash)];
    uint32_t places = matches(bucket, table_tag(hash));
    if (!places) {
        will_write(bucket);
        return NO_SLOT;
    }
    int32_t id = id_at(bucket, __builtin_ctz(places));
    __builtin_prefetch(state_of(v, id));
    return id;
}

/* Record lookup `at` of a state as the first one, if it comes before all made so far. */
static inline bool claim_first(const View *v, Lookups *lookups, int32_t id, uint64_t at)
{
    const uint64_t *there =
        v->first[is_reserved(id)] + index_of(id) * v->first_stride[is_reserved(id)];
    uint64_t before = __atomic_load_n(there, __ATOMIC_RELAXED);
    while (at < before)
        if (__atomic_compare_exchange_n(entry_at(v, -1 - id), &before, at, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            (void)__atomic_fetch_add(&lookups[before >> 32].overtaken, 1, __ATOMIC_RELAXED);
            return true;
        }
    return false;
}

bool ctable_look_up(ConcurrentTable *c, SlotRange *range, Lookups *lookups, int32_t sequence,
                    const uint64_t *states, const uint32_t *hashes, int32_t count, int32_t *ids)
{
    const View v = view_of(c);
    const int32_t begin = lookups[sequence].done;
    int32_t done = begin, firsts = lookups[sequence].count, *which = lookups[sequence].firsts;
    for (int32_t step = begin; step < count + 2 * AHEAD; step++) {
        if (step < count)
            __builtin_prefetch(&v.table.buckets[table_home(&v.table, hashes[step])]);
        if (step - AHEAD >= begin && step - AHEAD < count)
            ids[step - AHEAD] = first_match(&v, hashes[step - AHEAD]);
        int32_t i = step - 2 * AHEAD;
        if (i < begin)
            continue;
        const uint64_t *state = states + (size_t)i * v.table.words;
        uint64_t at = (uint64_t)(uint32_t)sequence << 32 | (uint32_t)i;
        int32_t id = ids[i];
        bool is_new = false;
        if (id == NO_SLOT || !equal(&v, id, state)) {
            id = ids[i] = find_or_reserve(c, &v, range, state, hashes[i], at, &is_new);
            if (id == NO_SLOT)
                break;
        }
        if (is_new || claim_first(&v, lookups, id, at))
            which[firsts++] = i;
        done = i + 1;
    }
    lookups[sequence].count = firsts;
    lookups[sequence].done = done;
    return done == count;
}

void ctable_number(ConcurrentTable *c, const Lookups *lookups, int32_t sequence, const int32_t *ids,
                   int32_t number)
{
    const View v = view_of(c);
    for (int32_t i = 0; i < lookups[sequence].count; i++) {
        int32_t which = lookups[sequence].firsts[i], slot = -1 - ids[which];
        if (entry_at(&v, slot)[0] != ((uint64_t)(uint32_t)sequence << 32 | (uint32_t)which))
            continue;
        copy(v.table.words, c->table->state + (size_t)number * v.table.words,
             entry_at(&v, slot) + 1);
        *c->place[slot] = number;
        c->number[slot] = number++;
    }
}

/* ---- more buckets -------------------------------------------------------------------------- */

/* Fresh memory that is read before it is written costs two faults for each page, and the second of
 * them has all threads interrupted. */
void ctable_touch(const ConcurrentTable *c, int32_t part, int32_t parts)
{
    const Table *table = c->table;
    const size_t bytes = (size_t)table->bucket_count * CACHE_LINE;
    size_t begin = bytes / (size_t)parts * (size_t)part / PAGE * PAGE;
    size_t end =
        part + 1 < parts ? bytes / (size_t)parts * ((size_t)part + 1) / PAGE * PAGE : bytes;
    volatile uint8_t *byte = (volatile uint8_t *)table->buckets;
    for (; begin < end; begin += PAGE)
        byte[begin + BUCKET_PLACES] = 0;
}

static int32_t *put(const View *v, uint32_t hash, int32_t id)
{
    for (uint32_t home = table_home(&v->table, hash);; home = table_after(&v->table, home)) {
        Bucket *bucket = &v->table.buckets[home];
        for (int free = first_free(bucket); free < BUCKET_PLACES; free++)
            if (id_at(bucket, free) == 0 && take(bucket, free, hash, id) == 0)
                return &bucket->id[free];
    }
}

void ctable_refill(ConcurrentTable *c, int32_t first, int32_t end)
{
    const View v = view_of(c);
    uint32_t hashes[AHEAD];
    int32_t ids[AHEAD];
    for (int32_t id = first; id < end;) {
        int count = 0;
        for (; id < end && count < AHEAD; id++) {
            if (id == 0 || (id < 0 && !c->place[-1 - id]))
                continue;
            hashes[count] = table_hash(c->table, state_of(&v, id));
            ids[count] = id;
            will_write(&v.table.buckets[table_home(&v.table, hashes[count++])]);
        }
        for (int i = 0; i < count; i++) {
            int32_t *place = put(&v, hashes[i], ids[i]);
            if (ids[i] < 0)
                c->place[-1 - ids[i]] = place;
        }
    }
}
