/* Makes a ranking from times per item: sorts, finds ties, fills in entries. */
#include "amoget/search/ranking.h"

#include <stdlib.h>
#include <string.h>

static const char *const search_names[AMOGET_SEARCH_COUNT] = {"auto", "listed", "all", "best"};

const char *amoget_search_name(AmogetSearch search)
{
    return (unsigned)search < AMOGET_SEARCH_COUNT ? search_names[search] : NULL;
}

/* Equal to 9 digits. */
#define TIE 1e-9

typedef struct {
    AmogetRanking handle; /* first: what the caller sees */
    AmogetEntry *entries;
    int32_t *mappings;
} Owner;

void amoget_ranking_free(AmogetRanking *ranking)
{
    Owner *owner = (Owner *)ranking;
    if (!owner)
        return;
    mem_free(owner->entries);
    mem_free(owner->mappings);
    mem_free(owner);
}

/* A candidate with what decides between tied ones. */
typedef struct {
    Candidate c;
    int32_t stages, processors, rank;
    bool tied;
} Ranked;

static int sign(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_order(const Ranked *x, const Ranked *y)
{
    if (x->c.order != y->c.order)
        return x->c.order < y->c.order ? -1 : 1;
    for (int32_t i = 0; i < x->stages; i++)
        if (x->c.mapping[i] != y->c.mapping[i])
            return x->c.mapping[i] < y->c.mapping[i] ? -1 : 1;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    int order = sign(x->c.time, y->c.time);
    return order ? order : by_order(x, y);
}

static int by_preference(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    int order = (x->processors > y->processors) - (x->processors < y->processors);
    return order ? order : by_order(x, y);
}

/* Groups of tied candidates, each put in order. */
static void find_ties(Ranked *ranked, size_t count)
{
    for (size_t first = 0, next; first < count; first = next) {
        next = first + 1;
        while (next < count && ranked[next].c.time <= ranked[first].c.time * (1 + TIE))
            next++;
        for (size_t i = first; i < next; i++) {
            ranked[i].rank = (int32_t)(first + 1);
            ranked[i].tied = next - first > 1;
        }
        qsort(ranked + first, next - first, sizeof *ranked, by_preference);
    }
}

static PepaStatus make_entries(Owner *owner, const Ranked *ranked, size_t count, int32_t stages,
                               PepaError *err)
{
    size_t n = (size_t)stages;
    owner->entries = mem_alloc(count, sizeof *owner->entries);
    owner->mappings = mem_alloc(count * n, sizeof *owner->mappings);
    if (!owner->entries || !owner->mappings)
        return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const Ranked *r = &ranked[i];
        memcpy(owner->mappings + i * n, r->c.mapping, n * sizeof *owner->mappings);
        owner->entries[i] = (AmogetEntry){.mapping = owner->mappings + i * n,
                                          .throughput = 1 / r->c.time,
                                          .states = (int32_t)r->c.chain->states,
                                          .transitions = r->c.chain->transitions,
                                          .processors = r->processors,
                                          .rank = r->rank,
                                          .tied = r->tied,
                                          .stands_for = r->c.stands_for};
    }
    owner->handle.stages = stages;
    owner->handle.count = (int64_t)count;
    owner->handle.entries = owner->entries;
    return PEPA_OK;
}

PepaStatus rank_candidates(AmogetRanking **out, Candidate *candidates, size_t count, int32_t stages,
                           size_t top, PepaError *err)
{
    Owner *owner = mem_calloc(1, sizeof *owner);
    Ranked *ranked = mem_alloc(count, sizeof *ranked);
    PepaStatus status = owner && ranked ? PEPA_OK : error_memory(err);
    for (size_t i = 0; i < count && status == PEPA_OK; i++)
        ranked[i] = (Ranked){.c = candidates[i],
                             .stages = stages,
                             .processors = mapping_processors(candidates[i].mapping, stages)};
    if (status == PEPA_OK) {
        qsort(ranked, count, sizeof *ranked, by_time);
        find_ties(ranked, count);
        status = make_entries(owner, ranked, top > 0 && top < count ? top : count, stages, err);
    }
    mem_free(ranked);
    if (status == PEPA_OK)
        *out = &owner->handle;
    else
        amoget_ranking_free((AmogetRanking *)owner);
    return status;
}
