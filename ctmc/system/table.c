/* The set of packed states: buckets, growth and lookups. */
#include "ctmc/system/table.h"

#include <string.h>

#include "base/mem.h"

enum {
    FEWEST = 16,    /* buckets */
    LARGE = 1 << 20 /* buckets; from here on tables grow by half only */
};

/* ---- buckets ------------------------------------------------------------------------------- */

/* The places whose tags are `tag`, one bit each. */
static inline uint32_t matches(const Bucket *bucket, uint8_t tag)
{
    return table_matches(bucket->tags[0], bucket->tags[1], tag);
}

static bool is_full(const Bucket *bucket)
{
    return bucket->tag[BUCKET_PLACES - 1] != 0; /* places are taken from the first on */
}

/* In a bucket that is not full. */
static void put_in(Bucket *bucket, uint32_t hash, int32_t id)
{
    int place = __builtin_ctz(matches(bucket, 0));
    bucket->tag[place] = table_tag(hash);
    bucket->id[place] = id;
}

static void take_place(Table *table, uint32_t hash, int32_t id)
{
    uint32_t at = table_home(table, hash);
    while (is_full(&table->buckets[at]))
        at = table_after(table, at);
    put_in(&table->buckets[at], hash, id);
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Empty buckets in place of those there are. */
static bool empty(Table *table, size_t count)
{
    if (count > UINT32_MAX)
        return false;
    void *memory = mem_calloc(count + 1, CACHE_LINE);
    if (!memory)
        return false;
    mem_free(table->memory); /* before the new one is touched: only one of them takes memory */
    table->memory = memory;
    table->buckets = (Bucket *)(((uintptr_t)memory + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    table->bucket_count = (uint32_t)count;
    size_t most = count * BUCKET_PLACES / 5 * 4;
    table->most = most < INT32_MAX - 1 ? (int32_t)most : INT32_MAX - 1;
    return true;
}

bool table_init(Table *table, size_t words)
{
    *table = (Table){.words = words};
    return empty(table, FEWEST);
}

void table_free(Table *table)
{
    mem_free_all(table->state, table->memory);
    *table = (Table){0};
}

void table_seal(Table *table)
{
    mem_free(table->memory);
    table->memory = NULL;
    table->buckets = NULL;
    table->cap = (size_t)table->count * table->words;
    mem_trim(table->state, table->cap);
}

bool table_init_sealed(Table *table, size_t words, int32_t count)
{
    *table = (Table){.words = words, .count = count, .cap = (size_t)count * words};
    return mem_new(table->state, table->cap);
}

size_t table_next(const Table *table)
{
    size_t count = table->bucket_count;
    return count < LARGE ? count * 2 : count / 2 * 3;
}

bool table_renew(Table *table, size_t buckets)
{
    if (!empty(table, buckets))
        return false;
    if (table->count > 0)
        take_place(table, table_hash(table, table->state), 0);
    return true;
}

bool table_remake(Table *table, size_t buckets)
{
    if (!table_renew(table, buckets))
        return false;
    uint32_t hashes[AHEAD];
    for (int32_t id = 1; id < table->count + AHEAD; id++) {
        if (id > AHEAD)
            take_place(table, hashes[id % AHEAD], id - AHEAD);
        if (id >= table->count)
            continue;
        hashes[id % AHEAD] = table_hash(table, table_state(table, id));
        __builtin_prefetch(&table->buckets[table_home(table, hashes[id % AHEAD])], 1);
    }
    return true;
}

bool table_reserve(Table *table, size_t count)
{
    size_t need = count * table->words;
    return need <= table->cap || mem_grow(table->state, table->cap, need);
}

/* ---- lookups ------------------------------------------------------------------------------- */

static inline bool equal(const Table *table, int32_t id, const uint64_t *state)
{
    return table_equal(table->words, table_state(table, id), state);
}

/* The id of the state in this bucket, or -1. */
static inline int32_t look(const Table *table, const Bucket *bucket, const uint64_t *state,
                           uint8_t tag)
{
    for (uint32_t places = matches(bucket, tag); places; places &= places - 1) {
        int32_t id = bucket->id[__builtin_ctz(places)];
        if (equal(table, id, state))
            return id;
    }
    return -1;
}

/* The state's id, or -1; *end: the last bucket looked at, not full if the state is not there. */
static int32_t locate(const Table *table, const uint64_t *state, uint32_t hash, uint32_t *end)
{
    uint8_t tag = table_tag(hash);
    for (uint32_t at = table_home(table, hash);; at = table_after(table, at)) {
        int32_t id = look(table, &table->buckets[at], state, tag);
        *end = at;
        if (id >= 0 || !is_full(&table->buckets[at]))
            return id;
    }
}

int32_t table_find(const Table *table, const uint64_t *state, uint32_t hash)
{
    uint32_t end;
    return locate(table, state, hash, &end);
}

int32_t table_put(Table *table, const uint64_t *state, uint32_t hash)
{
    const size_t words = table->words;
    uint32_t end;
    int32_t id = locate(table, state, hash, &end);
    if (id >= 0)
        return id;
    if (table->count == INT32_MAX - 1 || !table_reserve(table, (size_t)table->count + 1))
        return -1;
    uint64_t *there = table->state + (size_t)table->count * words;
    for (size_t i = 0; i < words; i++)
        there[i] = state[i];
    if (table->count < table->most)
        put_in(&table->buckets[end], hash, table->count);
    else if (table->most < INT32_MAX - 1 && table_remake(table, table_next(table)))
        take_place(table, hash, table->count);
    else
        return -1;
    return table->count++;
}

/* An id that may be the state's, from its bucket, whose state is prefetched; -1: none. */
static inline int32_t first_match(const Table *table, uint32_t hash)
{
    const Bucket *bucket = &table->buckets[table_home(table, hash)];
    uint32_t places = matches(bucket, table_tag(hash));
    if (!places)
        return -1;
    int32_t id = bucket->id[__builtin_ctz(places)];
    __builtin_prefetch(table_state(table, id));
    return id;
}

/* Lookup i: its bucket is prefetched at step i, its state at i + AHEAD; i + 2 AHEAD ends it. */
static inline void prepare(const Table *table, const uint32_t *hashes, size_t count, size_t step,
                           int32_t *ids)
{
    if (step < count)
        __builtin_prefetch(&table->buckets[table_home(table, hashes[step])]);
    if (step >= AHEAD && step - AHEAD < count)
        ids[step - AHEAD] = first_match(table, hashes[step - AHEAD]);
}

bool table_put_all(Table *table, const uint64_t *states, const uint32_t *hashes, size_t count,
                   int32_t *ids)
{
    const size_t words = table->words;
    for (size_t step = 0; step < count + 2 * AHEAD; step++) {
        prepare(table, hashes, count, step, ids);
        if (step < 2 * AHEAD)
            continue;
        size_t i = step - 2 * AHEAD;
        const uint64_t *state = states + i * words;
        if (ids[i] < 0 || !equal(table, ids[i], state))
            ids[i] = table_put(table, state, hashes[i]);
        if (ids[i] < 0)
            return false;
    }
    return true;
}

double table_bytes(const Table *table)
{
    return (double)table->count * (double)table->words * sizeof *table->state +
           (table->memory ? (double)table->bucket_count * sizeof *table->buckets : 0);
}
