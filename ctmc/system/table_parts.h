/* Between the files that know how the table of states is made. */
#ifndef PEPA_CTMC_SYSTEM_TABLE_PARTS_H
#define PEPA_CTMC_SYSTEM_TABLE_PARTS_H

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "ctmc/system/table.h"

enum {
    LINE = 64, /* bytes of a cache line */
    /* How many lookups are under way at a time, at each of two stages.  CPU time of
     *     pepa check MODEL --explore explicit
     * on `pipeline 13`, `kanban 4`, `polling 14` of bench/families.awk, as a share of that with 32;
     * 8: 1.01 0.97 0.96; 128: 1.04 1.08 1.03. */
    AHEAD = 32
};

_Static_assert(sizeof(Bucket) == LINE, "a bucket is a cache line");

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
