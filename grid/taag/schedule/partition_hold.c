/* What hosts of sites can hold. */
#include "grid/taag/schedule/partition_hold.h"

#include "base/mem.h"
#include "grid/taag/schedule/contents.h"

/* Of a packing of patterns. */
static const int64_t HOLD_WORK = 1000000;

CliqueAnswer homes_hold(const Hosts *h, const Sites *sites, uint32_t set, const int32_t *sorted,
                        int32_t things, int32_t *host, Effort *effort)
{
    Sites one = {.count = 1};
    Contents all = {0};
    Saving saving = {.bound = INFINITY};
    const int32_t count[MOST_SITES] = {things};
    Effort part = effort_of(effort, HOLD_WORK);
    bool good = mem_new(one.of, h->count);
    for (int32_t i = 0; i < h->count && good; i++)
        one.of[i] = sites->of[i] >= 0 && set >> sites->of[i] & 1 ? 0 : -1;
    good = good && contents_make(&all, h, &one, things, sorted, false);
    if (good && all.patterns > 0)
        good = contents_find(&all, count, -1, &saving, &part);
    for (int32_t i = 0; i < things && good && saving.found && host; i++)
        host[i] = all.host[i];
    effort_add(effort, &part);
    contents_free(&all);
    mem_free(one.of);
    return !good               ? CLIQUE_NO_MEMORY
           : saving.found      ? CLIQUE_FOUND
           : saving.bound >= 0 ? CLIQUE_UNKNOWN
                               : CLIQUE_NONE;
}
