/* Keeps derived chains by shape. */
#include "amoget/model/chain_cache.h"

#include <string.h>

enum { MOST_STATES = 4000000 /* kept: about a gigabyte, an estimate */ };

void chain_cache_free(ChainCache *cache)
{
    for (size_t i = 0; i < cache->count; i++)
        pipeline_chain_free(cache->entries[i].chain);
    mem_free(cache->entries);
    *cache = (ChainCache){0};
}

static CachedChain *find(ChainCache *cache, const Shape *shape)
{
    for (size_t i = 0; i < cache->count; i++) {
        CachedChain *each = &cache->entries[i];
        if (memcmp(pipeline_chain_shape(each->chain), shape, sizeof *shape) == 0)
            return each;
    }
    return NULL;
}

static void make_room(ChainCache *cache)
{
    while (cache->states > MOST_STATES && cache->count > 1) {
        size_t oldest = 0;
        for (size_t i = 1; i < cache->count; i++)
            if (cache->entries[i].used < cache->entries[oldest].used)
                oldest = i;
        cache->states -= pipeline_chain_info(cache->entries[oldest].chain).states;
        pipeline_chain_free(cache->entries[oldest].chain);
        cache->entries[oldest] = cache->entries[--cache->count];
    }
}

PepaStatus chain_cache_get(ChainCache *cache, const Shape *shape, int64_t max_states,
                           const ChainStop *stop, PipelineChain **out, PepaError *err)
{
    CachedChain *entry = find(cache, shape);
    PepaStatus status = PEPA_OK;
    if (!entry) {
        PipelineChain *chain = NULL;
        make_room(cache);
        if (!mem_reserve(&cache->entries, &cache->cap, cache->count + 1, sizeof *cache->entries))
            return error_memory(err);
        status = pipeline_chain_new(&chain, shape, max_states, stop, err);
        if (status != PEPA_OK)
            return status;
        entry = &cache->entries[cache->count++];
        *entry = (CachedChain){.chain = chain};
        cache->states += pipeline_chain_info(chain).states;
    }
    entry->used = ++cache->clock;
    *out = entry->chain;
    return PEPA_OK;
}
