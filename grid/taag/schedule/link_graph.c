/* Graphs of links as sets of bits. */
#include "grid/taag/schedule/link_graph.h"

#include <string.h>

#include "base/mem.h"

bool link_graph_make(LinkGraph *out, int32_t count)
{
    LinkGraph g = {.count = count, .words = (count + 63) / 64};
    if (!mem_new_zeroed(g.linked, (size_t)count * (size_t)g.words) ||
        !mem_new_zeroed(g.room, count)) {
        link_graph_free(&g);
        return false;
    }
    *out = g;
    return true;
}

void link_graph_free(LinkGraph *g)
{
    mem_free_all(g->linked, g->room);
    *g = (LinkGraph){0};
}

int32_t link_graph_colour(const LinkGraph *g, const uint64_t *set, uint64_t *scratch,
                          int32_t *order, Room *bound)
{
    uint64_t *left = scratch, *open = scratch + g->words;
    size_t bytes = (size_t)g->words * sizeof *left;
    Room sum = {{0}};
    int32_t done = 0;
    memcpy(left, set, bytes);
    for (bool any = true; any;) {
        Room most = {{0}};
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
                for (int i = 0; i < ROOMS; i++)
                    most.of[i] = g->room[v].of[i] > most.of[i] ? g->room[v].of[i] : most.of[i];
                order[done] = v;
                bound[done++] = room_sum(sum, most);
                any = true;
            }
        sum = room_sum(sum, most);
    }
    return done;
}
