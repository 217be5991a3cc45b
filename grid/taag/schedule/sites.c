/* Sets of hosts, and walks through them. */
#include "grid/taag/schedule/sites.h"

#include <math.h>

#include "base/mem.h"

/* ---- closed walks --------------------------------------------------------------------------- */

typedef struct {
    int32_t n;
    double way[MOST_WALK_SITES][MOST_WALK_SITES]; /* shortest, by links that are allowed */
    double least[1 << MOST_WALK_SITES][MOST_WALK_SITES];
} Walks;

static void find_ways(Walks *w, const Sites *s, double allowed)
{
    for (int32_t a = 0; a < w->n; a++)
        for (int32_t b = 0; b < w->n; b++) {
            double off = 0.5 * (s->ms[a][a] + s->ms[b][b]);
            bool open = a != b && s->ms[a][b] <= allowed;
            w->way[a][b] = a == b ? 0 : open ? fmax(0, s->ms[a][b] - off) : INFINITY;
        }
    for (int32_t c = 0; c < w->n; c++)
        for (int32_t a = 0; a < w->n; a++)
            for (int32_t b = 0; b < w->n; b++)
                w->way[a][b] = fmin(w->way[a][b], w->way[a][c] + w->way[c][b]);
}

/* The least sum over ways from the first site of the set through all, and back. */
static double closed_walk(Walks *w, int32_t set)
{
    int32_t first = 0;
    double least = INFINITY;
    while (!(set >> first & 1))
        first++;
    for (int32_t part = 1; part <= set; part++) {
        if ((part & set) != part || !(part >> first & 1))
            continue;
        for (int32_t b = 0; b < w->n; b++) {
            const int32_t before = part & ~(1 << b);
            w->least[part][b] = b == first && part == 1 << first ? 0 : INFINITY;
            for (int32_t a = 0; a < w->n && b != first && (part >> b & 1); a++)
                if (before >> a & 1)
                    w->least[part][b] = fmin(w->least[part][b], w->least[before][a] + w->way[a][b]);
        }
    }
    for (int32_t a = 0; a < w->n; a++)
        if (set >> a & 1)
            least = fmin(least, w->least[set][a] + w->way[a][first]);
    return least;
}

/* Sets from those with short links on: what has a walk keeps it. */
static bool find_walks(Sites *s)
{
    Walks *w = NULL;
    if (!mem_new(w, 1))
        return false;
    w->n = s->count;
    for (int32_t set = 1; set < 1 << s->count; set++)
        s->walk[set] = (set & (set - 1)) == 0 ? 0 : INFINITY;
    for (double at = 0, next = 0; isfinite(next); at = next) {
        next = INFINITY;
        for (int32_t a = 0; a < s->count; a++)
            for (int32_t b = 0; b < a; b++)
                if (s->ms[a][b] > at && s->ms[a][b] < next)
                    next = s->ms[a][b];
        find_ways(w, s, next);
        for (int32_t set = 1; set < 1 << s->count && isfinite(next); set++) {
            if (isfinite(s->walk[set]))
                continue;
            s->walk[set] = closed_walk(w, set);
            s->longest[set] = next;
        }
    }
    mem_free(w);
    return true;
}

/* ---- sites ---------------------------------------------------------------------------------- */

/* The hosts of a set of the tree.  False: there are too many sets. */
static bool add_site(Sites *s, const Hosts *h, const LatencyTree *t, const Cluster *c)
{
    const int32_t at = s->count;
    if (at == MOST_SITES)
        return false;
    s->count++;
    s->places[at] = c->capacity;
    for (int32_t i = 0; i < c->count; i++) {
        const int32_t host = t->leaves[c->first + i], places = h->places[host];
        if (places == 0)
            continue;
        s->of[host] = at;
        s->hosts[at]++;
        s->widest[at] = places > s->widest[at] ? places : s->widest[at];
    }
    return true;
}

static void find_latencies(Sites *s, const Hosts *h)
{
    for (int32_t a = 0; a < s->count; a++)
        for (int32_t b = 0; b < s->count; b++)
            s->ms[a][b] = a == b && s->hosts[a] == 1 ? 0 : INFINITY;
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t j = 0; j < h->count; j++)
            if (i != j && s->of[i] >= 0 && s->of[j] >= 0) {
                double *ms = &s->ms[s->of[i]][s->of[j]];
                *ms = fmin(*ms, hosts_ms(h, i, j));
            }
}

bool sites_find(Sites *out, const Hosts *h, const LatencyTree *t, int32_t level)
{
    Sites s = {0};
    const double most = h->most[level];
    bool few = true;
    if (!mem_new(s.of, h->count))
        return false;
    for (int32_t i = 0; i < h->count; i++)
        s.of[i] = -1;
    for (int32_t n = 0; n < t->nodes && few; n++) {
        const Cluster *c = &t->node[n];
        const bool top = c->parent < 0 || t->node[c->parent].height > most;
        if (c->height <= most && top && c->capacity > 0)
            few = add_site(&s, h, t, c);
    }
    if (few)
        find_latencies(&s, h);
    else
        s.count = 0;
    *out = s;
    return s.count > MOST_WALK_SITES || find_walks(out);
}

void sites_free(Sites *s)
{
    mem_free(s->of);
    *s = (Sites){0};
}
