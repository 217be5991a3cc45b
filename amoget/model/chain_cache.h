/* The lines that one thread has derived, by shape. */
#ifndef AMOGET_CHAIN_CACHE_H
#define AMOGET_CHAIN_CACHE_H

#include "amoget/model/pipeline_chain.h"

typedef struct {
    PipelineChain *chain;
    int64_t used; /* when last asked for */
} CachedChain;

typedef struct {
    CachedChain *entries;
    size_t count, cap;
    int64_t states, clock; /* states: of all lines */
} ChainCache;              /* starts as {0} */

/* The line of a shape, derived if it is not there; borrowed until the next call.  When there are
 * many states in all, the lines not asked for for longest go.  Errors: as pipeline_chain_new. */
PepaStatus chain_cache_get(ChainCache *cache, const Shape *shape, int64_t max_states,
                           const ChainStop *stop, PipelineChain **out, PepaError *err);
void chain_cache_free(ChainCache *cache);

#endif
