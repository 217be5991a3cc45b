/* Links and processors that are shared evenly. */
#include "grid/bsp/predict/flows.h"

#include <math.h>

#include "base/heap.h"
#include "base/mem.h"

static bool flow_before(const void *a, const void *b)
{
    const Flow *x = a, *y = b;
    return x->end < y->end;
}

/* How many times as long as alone a flow takes. */
static double slowness(const Link *link)
{
    return fmax((double)link->count / link->width, 1);
}

static void serve(Link *link, double at)
{
    if (link->count > 0)
        link->served += (at - link->since) / slowness(link);
    link->since = at;
    link->version++;
}

bool link_begin(Link *link, double at, double seconds, Flow flow)
{
    if (!mem_grow(link->flow, link->capacity, link->count + 1))
        return false;
    serve(link, at);
    flow.end = link->served + seconds;
    heap_add(link->flow, &link->count, sizeof flow, &flow, flow_before);
    return true;
}

double link_next(const Link *link)
{
    const double left = fmax(link->flow[0].end - link->served, 0);
    return link->since + left * slowness(link);
}

Flow link_end(Link *link, double at)
{
    const Flow ended = link->flow[0];
    serve(link, at);
    link->served = ended.end; /* without rounding */
    heap_drop(link->flow, &link->count, sizeof ended, flow_before);
    if (link->count == 0)
        link->served = 0; /* numbers stay small */
    return ended;
}

void link_free(Link *link)
{
    mem_free(link->flow);
}
