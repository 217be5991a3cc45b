/* The best placement found so far. */
#include "grid/taag/schedule/best.h"

#include <string.h>

#include "base/mem.h"

bool best_make(Best *b, int32_t processes)
{
    *b = (Best){0};
    return mem_new(b->sizes, processes + 1) && mem_new(b->host_of, processes) &&
           mem_new(b->used, processes) && mem_new(b->start, processes + 1);
}

void best_free(Best *b)
{
    mem_free_all(b->sizes, b->host_of, b->used, b->start);
    *b = (Best){0};
}

bool best_beaten(const Best *b, Cost cost, int32_t parts, int32_t first)
{
    if (!b->found)
        return true;
    int order = cost_compare(cost, b->cost);
    if (order != 0)
        return order < 0;
    return parts != b->parts ? parts < b->parts : first > b->sizes[0];
}

void best_offer(Best *b, const Hosts *h, const Shape *s, const int32_t *host_of)
{
    Cost cost = cost_of(h, s, host_of, b->used, b->start);
    if (!best_beaten(b, cost, s->parts, s->size[s->fixed]))
        return;
    b->found = true;
    b->cost = cost;
    b->parts = s->parts;
    memcpy(b->sizes, s->size + s->fixed, (size_t)s->parts * sizeof *b->sizes);
    memcpy(b->host_of, host_of, (size_t)(s->fixed + s->rest) * sizeof *host_of);
}
