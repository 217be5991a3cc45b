/* Links that are shared evenly. */
#include "grid/bsp/predict/flows.h"

#include <math.h>

#include "base/mem.h"

static void serve(Link *link, double at)
{
    if (link->count > 0)
        link->served += (at - link->since) / (double)link->count;
    link->since = at;
    link->version++;
}

bool link_begin(Link *link, double at, double seconds, Flow flow)
{
    if (!mem_grow(link->flow, link->capacity, link->count + 1))
        return false;
    serve(link, at);
    flow.end = link->served + seconds;
    size_t i = link->count++;
    while (i > 0 && link->flow[(i - 1) / 2].end > flow.end) {
        link->flow[i] = link->flow[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    link->flow[i] = flow;
    return true;
}

double link_next(const Link *link)
{
    const double left = fmax(link->flow[0].end - link->served, 0);
    return link->since + left * (double)link->count;
}

Flow link_end(Link *link, double at)
{
    const Flow ended = link->flow[0];
    serve(link, at);
    link->served = ended.end; /* without rounding */
    const Flow last = link->flow[--link->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < link->count; i = child) {
        if (child + 1 < link->count && link->flow[child + 1].end < link->flow[child].end)
            child++;
        if (last.end <= link->flow[child].end)
            break;
        link->flow[i] = link->flow[child];
    }
    if (link->count > 0)
        link->flow[i] = last;
    else
        link->served = 0; /* numbers stay small */
    return ended;
}

void link_free(Link *link)
{
    mem_free(link->flow);
}
