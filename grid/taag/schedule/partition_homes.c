/* Groups with sites on hosts: which connected sets have a host, and whether all fit. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_inner.h"

/* Of a packing: rows^2, entries. */
enum { MOST_CELLS = 40000, MOST_ENTRIES = 200000 };

bool homes_make(Homes *h)
{
    const size_t n = (size_t)h->shape->groups;
    return mem_new(h->item, n) && mem_new(h->sorted, n) && mem_new(h->index, n) &&
           mem_new(h->host, n) && mem_new(h->placed, n) && mem_new(h->free, h->hosts->count) &&
           mem_new(h->room, h->sites->count) && mem_new(h->bundle, n) &&
           mem_new(h->entry, n + 2 * (size_t)WIDTHS);
}

void homes_free(Homes *h)
{
    mem_free_all(h->item, h->sorted, h->index, h->host, h->placed, h->free, h->room, h->bundle,
                 h->entry, h->set);
    h->set = NULL;
}

/* ---- solutions ------------------------------------------------------------------------------ */

/* Groups that are spread, and have no connections: each on the site with least room.  False: not all fit so. */
static bool place_single(Homes *h)
{
    const Shape *s = h->shape;
    for (int32_t a = 0; a < h->sites->count; a++)
        h->room[a] = h->sites->places[a];
    for (int32_t g = 0; g < s->groups; g++)
        if (h->site[g] >= 0)
            h->room[h->site[g]] -= s->size[g];
    for (int32_t k = 0; k < s->groups; k++) {
        const int32_t g = s->order[k];
        int32_t best = -1;
        h->placed[g] = h->site[g];
        if (h->site[g] >= 0)
            continue;
        for (int32_t a = 0; a < h->sites->count; a++)
            if (h->room[a] >= s->size[g] && (best < 0 || h->room[a] < h->room[best]))
                best = a;
        if (best < 0)
            return false;
        h->placed[g] = best;
        h->room[best] -= s->size[g];
    }
    return true;
}

/* Bundles, and where groups are on one host each, all others. */
static void list_items(Homes *h, const int32_t *bundle)
{
    const int32_t groups = h->shape->groups;
    h->items = 0;
    for (int32_t g = 0; g < groups; g++) {
        const int32_t number = bundle ? bundle[g] : -1;
        int32_t i = 0;
        if (number < 0 && h->spread)
            continue;
        while (i < h->items && (number < 0 || h->item[i].bundle != number))
            i++;
        if (i == h->items)
            h->item[h->items++] =
                (Item){.site = h->site[g], .bundle = number < 0 ? -1 - g : number};
        h->item[i].size += h->shape->size[g];
    }
}

CliqueAnswer homes_place(Homes *h, const int32_t *bundle)
{
    list_items(h, bundle);
    const CliqueAnswer answer = homes_pack(h);
    if (answer != CLIQUE_FOUND)
        return answer;
    for (int32_t g = 0; g < h->shape->groups; g++)
        h->host[g] = -1;
    for (int32_t i = 0; i < h->items; i++) {
        const int32_t number = h->item[i].bundle;
        if (number < 0)
            h->host[-1 - number] = h->item[i].host;
        for (int32_t g = 0; g < h->shape->groups && number >= 0; g++)
            if (bundle[g] == number)
                h->host[g] = h->item[i].host;
    }
    if (h->spread)
        return place_single(h) ? CLIQUE_FOUND : CLIQUE_UNKNOWN;
    for (int32_t g = 0; g < h->shape->groups; g++)
        h->placed[g] = h->sites->of[h->host[g]];
    return CLIQUE_FOUND;
}

static CliqueAnswer possible(void *data, const int32_t *times)
{
    Homes *h = data;
    const Subsets *sets = h->sets;
    for (int32_t g = 0; g < h->shape->groups; g++)
        h->bundle[g] = -1;
    for (int32_t j = 0; j < h->lp.columns; j++)
        for (size_t m = sets->first[h->set[j]]; m < sets->first[h->set[j] + 1] && times[j] > 0; m++)
            h->bundle[sets->member[m]] = sets->member[sets->first[h->set[j]]];
    return homes_place(h, h->bundle);
}

/* ---- packings ------------------------------------------------------------------------------- */

static double within(const Homes *h, int32_t a)
{
    return h->sites->ms[a][a];
}

/* The site that holds all of a set; -1: none does. */
static int32_t site_of(const Homes *h, int32_t k)
{
    const Subsets *sets = h->sets;
    const int32_t a = h->site[sets->member[sets->first[k]]];
    for (size_t m = sets->first[k]; m < sets->first[k + 1]; m++)
        if (h->site[sets->member[m]] != a)
            return -1;
    return a;
}

/* A superadditive function: what lies on a host together has at most what the host has. */
static int32_t whole_times(int32_t size, int32_t width)
{
    return size / width;
}

/* What hosts of a site, or of all, have, less what their groups have one by one. */
static int64_t right_of(const Homes *h, int32_t a, int32_t width)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < h->hosts->count; i++)
        if (h->sites->of[i] >= 0 && (a < 0 || h->sites->of[i] == a))
            sum += whole_times(h->hosts->places[i], width);
    for (int32_t g = 0; g < h->shape->groups && !h->spread; g++)
        if (a < 0 || h->site[g] == a)
            sum -= whole_times(h->shape->size[g], width);
    return sum;
}

/* What a set has more than its groups have one by one. */
static int32_t more_of(const Homes *h, int32_t k, int32_t width)
{
    const Subsets *sets = h->sets;
    int32_t sum = whole_times(sets->sum[k], width);
    for (size_t m = sets->first[k]; m < sets->first[k + 1] && !h->spread; m++)
        sum -= whole_times(h->shape->size[sets->member[m]], width);
    return sum;
}

static int64_t processes_on(const Homes *h, int32_t a)
{
    int64_t sum = 0;
    for (int32_t g = 0; g < h->shape->groups; g++)
        sum += a < 0 || h->site[g] == a ? h->shape->size[g] : 0;
    return sum;
}

/* Numbers the rows of a site that can limit something.  Returns whether the site holds its groups at all. */
static bool number_rows(Homes *h, int32_t a, int32_t *rows)
{
    const int64_t processes = processes_on(h, a);
    bool all = true;
    for (int32_t width = 2; width < 2 + WIDTHS; width++) {
        const int64_t right = right_of(h, a, width);
        h->row[a + 1][width - 2] = right < processes / width ? (*rows)++ : -1;
        all = all && right >= 0;
    }
    return all;
}

static void set_right(Homes *h, int32_t a)
{
    for (int32_t width = 2; width < 2 + WIDTHS; width++)
        if (h->row[a + 1][width - 2] >= 0)
            h->lp.right[h->row[a + 1][width - 2]] = (int32_t)right_of(h, a, width);
}

static int32_t add_entries(Homes *h, int32_t k, int32_t a, int32_t n)
{
    for (int32_t width = 2; width < 2 + WIDTHS; width++) {
        const int32_t row = h->row[a + 1][width - 2], more = row < 0 ? 0 : more_of(h, k, width);
        if (more > 0)
            h->entry[n++] = (PackEntry){row, more};
    }
    return n;
}

/* The column of a set on a site, or on any: -1; all: rows of all sites too. */
static bool add_column(Homes *h, int32_t k, int32_t a, bool all, double worth)
{
    const Subsets *sets = h->sets;
    int32_t n = 0;
    for (size_t m = sets->first[k]; m < sets->first[k + 1]; m++)
        h->entry[n++] = (PackEntry){sets->member[m], 1};
    if (all)
        n = add_entries(h, k, -1, n);
    if (a >= 0)
        n = add_entries(h, k, a, n);
    if (!mem_grow(h->set, h->set_cap, h->lp.columns + 1))
        return false;
    h->set[h->lp.columns] = k;
    return pack_lp_add(&h->lp, sets->edges[k] * worth, h->entry, n);
}

/* Are there groups that may be on any site, on hosts beside others? */
static bool any_single(const Homes *h)
{
    for (int32_t g = 0; g < h->shape->groups && !h->spread; g++)
        if (h->site[g] < 0)
            return true;
    return false;
}

/* Rows: groups, then those of all hosts, or of sites.  everywhere: groups have no sites.  whole: what a connection
 * counts more that has to be saved.  *hold: all groups may fit. */
static bool make_packing(Homes *h, bool everywhere, double whole, bool *hold)
{
    const Subsets *sets = h->sets;
    const bool all = everywhere || any_single(h);
    const int32_t groups = h->shape->groups, last = everywhere ? -1 : h->sites->count - 1;
    int32_t rows = groups;
    *hold = true;
    for (int32_t a = all ? -1 : 0; a <= last; a++)
        *hold = number_rows(h, a, &rows) && *hold;
    if (!*hold)
        return true;
    if (!pack_lp_make(&h->lp, rows))
        return false;
    for (int32_t g = 0; g < groups; g++)
        h->lp.right[g] = 1;
    for (int32_t a = all ? -1 : 0; a <= last; a++)
        set_right(h, a);
    for (int32_t k = 0; k < sets->count; k++) {
        const int32_t a = everywhere ? -1 : site_of(h, k);
        if (!everywhere && (a < 0 || sets->sum[k] > h->sites->widest[a]))
            continue;
        const double worth = everywhere ? 1 : within(h, a);
        if (!add_column(h, k, a, all, worth + (worth > h->limit && !everywhere ? whole : 0)))
            return false;
    }
    return true;
}

static bool is_small(const Homes *h)
{
    return (int64_t)h->lp.rows * h->lp.rows <= MOST_CELLS && h->lp.entries <= MOST_ENTRIES;
}

bool homes_most(Homes *h, double *most, int64_t work)
{
    Effort effort = effort_of(h->effort, work);
    bool hold;
    *most = h->shape->edge_count;
    bool good = make_packing(h, true, 0, &hold);
    if (good && hold && is_small(h)) {
        PackBest best = {.lp = &h->lp, .unit = 1, .effort = &effort};
        good = pack_best_find(&best);
        *most = fmin(*most, best.bound);
        pack_best_free(&best);
    }
    effort_add(h->effort, &effort);
    pack_lp_free(&h->lp);
    return good;
}

/* Connections within sites: all of them; and those that are above the limit, so that hosts have to save them. */
static int32_t count_within(const Homes *h, double *longest, double *shortest)
{
    int32_t forced = 0;
    *longest = 0;
    *shortest = INFINITY;
    for (int32_t e = 0; e < h->shape->edge_count; e++) {
        const int32_t a = h->site[h->shape->edges[e].a];
        if (a != h->site[h->shape->edges[e].b])
            continue;
        *longest = fmax(*longest, within(h, a));
        *shortest = fmin(*shortest, within(h, a));
        forced += within(h, a) > h->limit;
    }
    return forced;
}

bool homes_find(Homes *h, double more, bool *found, double *saved, double *bound, int64_t work)
{
    double longest, shortest;
    Effort effort = effort_of(h->effort, work);
    const int32_t forced = count_within(h, &longest, &shortest);
    const double whole = longest > 0 ? longest * (h->shape->edge_count + 1) : 1;
    const double all = forced * whole;
    bool hold;
    h->leaf = &effort;
    bool good = make_packing(h, false, whole, &hold);
    *found = false;
    *bound = hold ? INFINITY : -1;
    if (good && hold && is_small(h)) {
        PackBest best = {.lp = &h->lp, .possible = possible, .data = h, .effort = &effort};
        best.cutoff = more < 0 ? all - 1e-9 * whole * (h->shape->edge_count + 1) : all + more;
        best.unit = shortest >= longest ? longest : 0;
        good = pack_best_find(&best);
        *found = best.found;
        *saved = best.worth - all;
        *bound = best.bound - all;
        pack_best_free(&best);
    }
    effort_add(h->effort, &effort);
    pack_lp_free(&h->lp);
    return good;
}
