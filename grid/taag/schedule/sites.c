/* Sets of hosts, and walks through them. */
#include "grid/taag/schedule/sites.h"

#include <math.h>

#include "base/mem.h"

/* Of latencies that are nearly those of their sites, and where hosts are of no sites. */
static const double LITTLE_LOSS = 0.1, MOST_LOSS = 0.25;

/* ---- closed walks --------------------------------------------------------------------------- */

static void find_ways(SiteWalks *w, const Sites *s, double allowed)
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

static int32_t first_of(int32_t set)
{
    int32_t first = 0;
    while (!(set >> first & 1))
        first++;
    return first;
}

/* The least sums over ways from the first site of each set through all of it. */
static void find_least(SiteWalks *w)
{
    for (int32_t set = 1; set < 1 << w->n; set++) {
        const int32_t first = first_of(set);
        for (int32_t b = 0; b < w->n; b++) {
            const int32_t before = set & ~(1 << b);
            w->least[set][b] = b == first && before == 0 ? 0 : INFINITY;
            for (int32_t a = 0; a < w->n && b != first && (set >> b & 1); a++)
                if (before >> a & 1)
                    w->least[set][b] = fmin(w->least[set][b], w->least[before][a] + w->way[a][b]);
        }
    }
}

void sites_measure(SiteWalks *w, const Sites *s, double allowed)
{
    w->n = s->count;
    find_ways(w, s, allowed);
    find_least(w);
}

double sites_closed_walk(const SiteWalks *w, int32_t set)
{
    const int32_t first = first_of(set);
    double least = INFINITY;
    for (int32_t a = 0; a < w->n; a++)
        if (set >> a & 1)
            least = fmin(least, w->least[set][a] + w->way[a][first]);
    return least;
}

/* Sets from those with short links on: what has a walk keeps it. */
static bool find_walks(Sites *s)
{
    SiteWalks *w = NULL;
    if (!mem_new(w, 1) || !mem_new_zeroed(s->longest, 1 << s->count) ||
        !mem_new(s->walk, 1 << s->count)) {
        mem_free(w);
        return false;
    }
    for (int32_t set = 1; set < 1 << s->count; set++)
        s->walk[set] = (set & (set - 1)) == 0 ? 0 : INFINITY;
    for (double at = 0, next = 0; isfinite(next); at = next) {
        next = INFINITY;
        for (int32_t a = 0; a < s->count; a++)
            for (int32_t b = 0; b < a; b++)
                if (s->ms[a][b] > at && s->ms[a][b] < next)
                    next = s->ms[a][b];
        sites_measure(w, s, next);
        for (int32_t set = 1; set < 1 << s->count && isfinite(next); set++) {
            if (isfinite(s->walk[set]))
                continue;
            s->walk[set] = sites_closed_walk(w, set);
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

/* The sets that links no slower than `most` join.  False: out of memory, and nothing is held; count = 0: they are more
 * than MOST_SITES. */
static bool cut(Sites *s, const Hosts *h, const LatencyTree *t, double most)
{
    bool few = true;
    *s = (Sites){0};
    if (!mem_new(s->of, h->count))
        return false;
    for (int32_t i = 0; i < h->count; i++)
        s->of[i] = -1;
    for (int32_t n = 0; n < t->nodes && few; n++) {
        const Cluster *c = &t->node[n];
        const bool top = c->parent < 0 || t->node[c->parent].height > most;
        if (c->height <= most && top && c->capacity > 0)
            few = add_site(s, h, t, c);
    }
    if (few)
        find_latencies(s, h);
    else
        s->count = 0;
    return true;
}

static bool measured(Sites *s)
{
    if (s->count > MOST_WALK_SITES || find_walks(s))
        return true;
    sites_free(s);
    return false;
}

bool sites_find(Sites *out, const Hosts *h, const LatencyTree *t, int32_t level)
{
    return cut(out, h, t, h->most[level]) && measured(out);
}

/* How far the least latencies of two sites, or of one, are below those of their hosts, as a part of these, in the mean;
 * the most of all sites. */
static double loss_of(const Sites *s, const Hosts *h)
{
    double sum[MOST_SITES][MOST_SITES] = {{0}}, most = 0;
    int32_t pairs[MOST_SITES][MOST_SITES] = {{0}};
    for (int32_t i = 0; i < h->count; i++)
        for (int32_t j = 0; j < h->count; j++)
            if (i != j && s->of[i] >= 0 && s->of[j] >= 0) {
                const double ms = hosts_ms(h, i, j);
                sum[s->of[i]][s->of[j]] += ms > 0 ? 1 - s->ms[s->of[i]][s->of[j]] / ms : 0;
                pairs[s->of[i]][s->of[j]]++;
            }
    for (int32_t a = 0; a < s->count; a++)
        for (int32_t b = 0; b < s->count; b++)
            most = pairs[a][b] > 0 ? fmax(most, sum[a][b] / pairs[a][b]) : most;
    return most;
}

bool sites_closest(Sites *out, const Hosts *h, const LatencyTree *t, int32_t most)
{
    /* Of the cut that has so many sites; height < 0: there is none. */
    double loss[MOST_SITES + 1], height[MOST_SITES + 1];
    int32_t count = 0;
    for (int32_t i = 0; i <= most; i++)
        height[i] = -1;
    for (int32_t k = t->heights - 1; k >= 0 && t->sets[k] <= most; k--) {
        Sites s;
        if (!cut(&s, h, t, t->height[k]))
            return false;
        count = s.count;
        loss[count] = loss_of(&s, h);
        height[count] = t->height[k];
        sites_free(&s);
    }
    if (count == 0 || loss[count] > MOST_LOSS)
        return sites_find(out, h, t, 1);
    const double allowed = fmax(LITTLE_LOSS, 2 * loss[count]);
    for (count = 1; height[count] < 0 || loss[count] > allowed;)
        count++;
    return cut(out, h, t, height[count]) && measured(out);
}

int32_t sites_widest(const Sites *s)
{
    int32_t widest = 0;
    for (int32_t a = 0; a < s->count; a++)
        widest = s->widest[a] > widest ? s->widest[a] : widest;
    return widest;
}

void sites_free(Sites *s)
{
    mem_free_all(s->of, s->longest, s->walk);
    *s = (Sites){0};
}

double sites_next_limit(const Sites *s, double ms)
{
    double next = INFINITY;
    for (int32_t a = 0; a < s->count; a++)
        for (int32_t b = 0; b <= a; b++)
            if (s->ms[a][b] > ms)
                next = fmin(next, s->ms[a][b]);
    return next;
}
