/* Whether things fit on hosts as wholes: bin packing. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_inner.h"

/* Hosts tried one after the other. */
enum { MOST_TRIES = 1000 };

static void sort_items(Homes *h)
{
    for (int32_t i = 1; i < h->items; i++) {
        const Item item = h->item[i];
        int32_t at = i;
        for (; at > 0 && h->item[at - 1].size < item.size; at--)
            h->item[at] = h->item[at - 1];
        h->item[at] = item;
    }
}

/* The host after `before` in the order of trial for an item: least room first; of equal room on a site only
 * one.  -1: none. */
static int32_t next_host(const Homes *h, const Item *item, int32_t before)
{
    int32_t best = -1;
    for (int32_t i = 0; i < h->hosts->count; i++) {
        const int32_t a = h->sites->of[i];
        if (a < 0 || (item->site >= 0 && a != item->site) || h->free[i] < item->size)
            continue;
        if (before >= 0 && (h->free[i] < h->free[before] ||
                            (h->free[i] == h->free[before] && a <= h->sites->of[before])))
            continue;
        if (best < 0 || h->free[i] < h->free[best] ||
            (h->free[i] == h->free[best] && a < h->sites->of[best]))
            best = i;
    }
    return best;
}

/* As deep as there are items. */
static CliqueAnswer pack(Homes *h, int32_t at)
{
    if (at == h->items)
        return CLIQUE_FOUND;
    Item *item = &h->item[at];
    for (int32_t i = next_host(h, item, -1); i >= 0; i = next_host(h, item, i)) {
        h->free[i] -= item->size;
        item->host = i;
        const CliqueAnswer answer = pack(h, at + 1);
        h->free[i] += item->size;
        if (answer != CLIQUE_NONE)
            return answer;
        if (++h->tries > MOST_TRIES)
            return CLIQUE_UNKNOWN;
    }
    return CLIQUE_NONE;
}

/* Those with a site by a packing of patterns, the others after them where they fit best. */
static CliqueAnswer pack_sites(Homes *h)
{
    for (int32_t a = 0; a < h->sites->count; a++) {
        int32_t things = 0;
        for (int32_t i = 0; i < h->items; i++)
            if (h->item[i].site == a) {
                h->index[things] = i;
                h->sorted[things++] = h->item[i].size;
            }
        const CliqueAnswer answer = things == 0 ? CLIQUE_FOUND
                                                : homes_hold(h->hosts, h->sites, (uint32_t)1 << a,
                                                             h->sorted, things, h->sorted, h->leaf);
        if (answer != CLIQUE_FOUND)
            return answer;
        for (int32_t i = 0; i < things; i++) {
            Item *item = &h->item[h->index[i]];
            item->host = h->sorted[i];
            h->free[item->host] -= item->size;
        }
    }
    for (int32_t i = 0; i < h->items; i++) {
        Item *item = &h->item[i];
        if (item->site >= 0)
            continue;
        item->host = next_host(h, item, -1);
        if (item->host < 0)
            return CLIQUE_UNKNOWN;
        h->free[item->host] -= item->size;
    }
    return CLIQUE_FOUND;
}

CliqueAnswer homes_pack(Homes *h)
{
    sort_items(h);
    memcpy(h->free, h->hosts->places, (size_t)h->hosts->count * sizeof *h->free);
    h->tries = 0;
    const CliqueAnswer answer = pack(h, 0);
    h->leaf->work += h->tries * h->hosts->count;
    return answer == CLIQUE_UNKNOWN ? pack_sites(h) : answer;
}
