/* Insert-only set of packed state vectors.  A state's id is its place in order of insertion, so the
 * table is at once the set of states seen and the queue of a breadth-first search.
 *
 * The ids are found through buckets of a cache line each, with eight bits of the hash beside every
 * id: a lookup reads one bucket and, nearly always, the one state that it is about.  At most 0.8 of
 * the places are taken: 6.7 bytes per state when it is full, twice that when it has just grown. */
#ifndef PEPA_CTMC_SYSTEM_TABLE_H
#define PEPA_CTMC_SYSTEM_TABLE_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/hash.h"
#include "base/mem.h"

enum { BUCKET_PLACES = 12, BUCKET_TAGS = 16 };

typedef struct {
    union {
        uint8_t tag[BUCKET_TAGS]; /* 0: free; the last four are no places, and 0 */
        uint64_t tags[2];         /* the same, to be read while other threads write */
    };
    int32_t id[BUCKET_PLACES]; /* 0 where free */
} Bucket;

typedef struct {
    size_t words;        /* 64-bit words per state */
    uint64_t *state;     /* state[id * words ..] */
    size_t cap;          /* words allocated */
    int32_t count, most; /* most: how many the buckets are for */
    Bucket *buckets;     /* aligned to a cache line, within memory */
    uint32_t bucket_count;
    void *memory;
} Table;

bool table_init(Table *table, size_t words);
void table_free(Table *table);
/* In use, not reserved. */
double table_bytes(const Table *table);
/* How many buckets there will be when these are full. */
size_t table_next(const Table *table);
/* Space for so many states in all.  False when memory is out. */
bool table_reserve(Table *table, size_t count);
/* Replace the buckets by so many, which have state 0 only (renew) or all states (remake).  False
 * when memory is out. */
bool table_renew(Table *table, size_t buckets);
bool table_remake(Table *table, size_t buckets);
/* Free what only finding needs; the states stay. */
void table_seal(Table *table);
/* A sealed table of so many states, which are to be written. */
bool table_init_sealed(Table *table, size_t words, int32_t count);

static inline uint32_t table_hash(const Table *table, const uint64_t *state)
{
    uint64_t h = 0;
    for (size_t i = 0; i < table->words; i++)
        h = hash_mix(h, state[i]);
    return hash_end(h);
}

/* The state of an id. */
static inline const uint64_t *table_state(const Table *table, int32_t id)
{
    return table->state + (size_t)id * table->words;
}

/* The state's id, added if new; -1 when memory is out or ids are.  hash: of the state, as above. */
int32_t table_put(Table *table, const uint64_t *state, uint32_t hash);
/* The state's id; -1 if it is not there. */
int32_t table_find(const Table *table, const uint64_t *state, uint32_t hash);

/* The same for count states side by side, with their waits for memory overlapped: ids[i] is the id
 * of the i-th, which are put in this order.  False when memory is out or ids are; some may have
 * been put. */
bool table_put_all(Table *table, const uint64_t *states, const uint32_t *hashes, size_t count,
                   int32_t *ids);

/* ---- inside, for the files that know how the table is made ----------------------------------- */

enum {
    /* How many lookups are under way at a time, at each of two stages.  CPU time of
     *     pepa check MODEL --explore explicit
     * on `pipeline 13`, `kanban 4`, `polling 14` of bench/families.awk, as a share of that with 32;
     * 8: 1.01 0.97 0.96; 128: 1.04 1.08 1.03. */
    AHEAD = 32
};

_Static_assert(sizeof(Bucket) == CACHE_LINE, "a bucket is a cache line");

static inline uint8_t table_tag(uint32_t hash)
{
    uint8_t tag = (uint8_t)hash;
    return tag ? tag : 1;
}

static inline uint32_t table_home(const Table *table, uint32_t hash)
{
    return (uint32_t)((uint64_t)hash * table->bucket_count >> 32);
}

static inline uint32_t table_after(const Table *table, uint32_t bucket)
{
    return bucket + 1 < table->bucket_count ? bucket + 1 : 0;
}

/* The places whose tags, Bucket.tags, are `tag`, one bit each. */
static inline uint32_t table_matches(uint64_t first, uint64_t second, uint8_t tag)
{
#ifdef __SSE2__
    __m128i tags = _mm_set_epi64x((long long)second, (long long)first);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag)));
#else
    Bucket bucket = {.tags = {first, second}};
    uint32_t places = 0;
    for (int i = 0; i < BUCKET_TAGS; i++)
        places |= (uint32_t)(bucket.tag[i] == tag) << i;
    return places;
#endif
}

static inline bool table_equal(size_t words, const uint64_t *a, const uint64_t *b)
{
    if (words == 1)
        return *a == *b;
    size_t i = 0;
    while (i < words && a[i] == b[i])
        i++;
    return i == words;
}

#endif
