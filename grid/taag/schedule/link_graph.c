/* Graphs of links as sets of bits. */
#include "grid/taag/schedule/link_graph.h"

#include <string.h>

#include "base/mem.h"

bool link_graph_make(LinkGraph *out, int32_t count)
{
    LinkGraph g = {.count = count, .words = (count + 63) / 64};
    if (!mem_new_zeroed(g.linked, (size_t)count * (size_t)g.words) ||
        !mem_new_zeroed(g.groups, count) || !mem_new_zeroed(g.places, count)) {
        link_graph_free(&g);
        return false;
    }
    *out = g;
    return true;
}

void link_graph_free(LinkGraph *g)
{
    mem_free_all(g->linked, g->groups, g->places);
    *g = (LinkGraph){0};
}

int32_t link_graph_colour(const LinkGraph *g, const uint64_t *set, uint64_t *scratch,
                          int32_t *order, int64_t *bound)
{
    uint64_t *left = scratch, *open = scratch + g->words;
    size_t bytes = (size_t)g->words * sizeof *left;
    int64_t groups = 0, places = 0;
    int32_t done = 0;
    memcpy(left, set, bytes);
    for (bool any = true; any;) {
        int64_t most_groups = 0, most_places = 0;
        any = false;
        memcpy(open, left, bytes); /* what this colour can take */
        for (int32_t w = 0; w < g->words; w++)
            while (open[w]) {
                int32_t v = 64 * w + __builtin_ctzll(open[w]);
                const uint64_t *linked = link_graph_row(g, v);
                link_set_remove(left, v);
                link_set_remove(open, v);
                for (int32_t x = w; x < g->words; x++)
                    open[x] &= ~linked[x];
                most_groups = g->groups[v] > most_groups ? g->groups[v] : most_groups;
                most_places = g->places[v] > most_places ? g->places[v] : most_places;
                order[done] = v;
                bound[2 * done] = groups + most_groups;
                bound[2 * done++ + 1] = places + most_places;
                any = true;
            }
        groups += most_groups;
        places += most_places;
    }
    return done;
}
