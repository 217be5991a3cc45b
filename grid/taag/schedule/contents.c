/* Patterns of hosts, and packings of them. */
#include "grid/taag/schedule/contents.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Patterns; rows^2 of a packing, and its entries. */
enum { MOST_PATTERNS = 4000, MOST_CELLS = 40000, MOST_ENTRIES = 200000 };

/* ---- patterns ------------------------------------------------------------------------------- */

/* Append the pattern in `left`, of so many processes and groups. */
static bool add_pattern(Contents *c, int32_t sum, int32_t held)
{
    const size_t n = (size_t)c->patterns, sizes = (size_t)c->sizes;
    if (!mem_grow(c->times, c->times_cap, (n + 1) * sizes) ||
        !mem_grow(c->sum, c->sum_cap, n + 1) || !mem_grow(c->held, c->held_cap, n + 1)) {
        c->no_memory = true;
        return false;
    }
    memcpy(c->times + n * sizes, c->left, sizes * sizeof *c->left);
    c->sum[n] = sum;
    c->held[n] = held;
    return ++c->patterns <= MOST_PATTERNS;
}

/* All patterns with more groups of sizes from i on.  False: too many, or out of memory.  As deep as there are
 * sizes. */
static bool add_patterns(Contents *c, int32_t i, int32_t sum, int32_t held)
{
    if (i == c->sizes)
        return held == 0 || (c->spread && held == 1) || add_pattern(c, sum, held);
    bool good = true;
    for (int32_t n = 0; n <= c->number[i] && sum + n * c->size[i] <= c->widest && good; n++) {
        c->left[i] = n;
        good = add_patterns(c, i + 1, sum + n * c->size[i], held + n);
    }
    c->left[i] = 0;
    return good;
}

/* ---- hosts ---------------------------------------------------------------------------------- */

static void sort_hosts(Contents *c)
{
    const Hosts *h = c->hosts;
    int32_t at = 0;
    for (int32_t a = 0; a < c->sites->count; a++) {
        c->first[a] = at;
        for (int32_t i = 0; i < h->count; i++) {
            int32_t j = at;
            if (c->sites->of[i] != a)
                continue;
            for (; j > c->first[a] && h->places[c->by_width[j - 1]] < h->places[i]; j--)
                c->by_width[j] = c->by_width[j - 1];
            c->by_width[j] = i;
            at++;
        }
        if (at > c->first[a] && h->places[c->by_width[c->first[a]]] > c->widest)
            c->widest = h->places[c->by_width[c->first[a]]];
    }
    c->first[c->sites->count] = at;
}

bool contents_make(Contents *out, const Hosts *h, const Sites *sites, int32_t groups,
                   const int32_t *sorted, bool spread)
{
    Contents c = {.hosts = h, .sites = sites, .spread = spread, .groups = groups};
    const size_t n = (size_t)groups;
    bool good = mem_new(c.size, n) && mem_new(c.number, n) && mem_new_zeroed(c.left, n) &&
                mem_new(c.by_width, h->count) && mem_new(c.site, n) && mem_new(c.host, n);
    for (size_t g = 0; g < n && good; g++) {
        if (g == 0 || sorted[g] < sorted[g - 1]) {
            c.size[c.sizes] = sorted[g];
            c.number[c.sizes++] = 0;
        }
        c.number[c.sizes - 1]++;
    }
    if (good) {
        sort_hosts(&c);
        if (!add_patterns(&c, 0, 0, 0))
            c.patterns = 0;
    }
    if (!good || c.no_memory) {
        contents_free(&c);
        return false;
    }
    *out = c;
    return true;
}

void contents_free(Contents *c)
{
    mem_free_all(c->size, c->number, c->times, c->sum, c->held, c->by_width, c->site, c->host,
                 c->left);
    *c = (Contents){0};
}

/* ---- packings ------------------------------------------------------------------------------- */

typedef struct {
    Contents *c;
    const int32_t *count;
    PackLp lp;
    int32_t row
        [MOST_SITES]; /* of sites; first those of sizes, and of pairs of one: groups, then places if groups are spread, then widths */
    int32_t *pattern, *site; /* of columns; pattern: -1 - size: a group that is anywhere */
    size_t pattern_cap, site_cap;
    PackEntry *entry;         /* scratch: rows */
    double whole;             /* what placing a group counts */
    double longest, shortest; /* latencies within sites that are used */
} Patterns;

static double within(const Patterns *p, int32_t a)
{
    return p->c->sites->ms[a][a];
}

/* Distinct widths of the hosts of a site. */
static int32_t widths_of(const Contents *c, int32_t a)
{
    int32_t widths = 0;
    for (int32_t i = c->first[a]; i < c->first[a + 1]; i++)
        widths += i == c->first[a] ||
                  c->hosts->places[c->by_width[i]] < c->hosts->places[c->by_width[i - 1]];
    return widths;
}

static int32_t count_rows(Patterns *p)
{
    const Contents *c = p->c;
    int32_t rows = 2 * c->sizes;
    for (int32_t a = 0; a < c->sites->count; a++) {
        if (p->count[a] == 0)
            continue;
        p->row[a] = rows;
        rows += 1 + c->spread + widths_of(c, a);
    }
    return rows;
}

static void set_right(Patterns *p)
{
    const Contents *c = p->c;
    int32_t *right = p->lp.right;
    for (int32_t i = 0; i < c->sizes; i++) {
        right[i] = c->number[i];
        right[c->sizes + i] = c->number[i] / 2;
    }
    for (int32_t a = 0; a < c->sites->count; a++) {
        int32_t row = p->row[a];
        if (p->count[a] == 0)
            continue;
        right[row++] = p->count[a];
        if (c->spread)
            right[row++] =
                c->sites->places[a] < INT32_MAX ? (int32_t)c->sites->places[a] : INT32_MAX;
        for (int32_t i = c->first[a]; i < c->first[a + 1]; i++) {
            const bool last = i + 1 == c->first[a + 1];
            if (last || c->hosts->places[c->by_width[i + 1]] < c->hosts->places[c->by_width[i]])
                right[row++] = i + 1 - c->first[a];
        }
    }
}

static bool add_column(Patterns *p, int32_t a, int32_t pattern, double worth, int32_t entries)
{
    const size_t n = (size_t)p->lp.columns;
    if (!mem_grow(p->pattern, p->pattern_cap, n + 1) || !mem_grow(p->site, p->site_cap, n + 1) ||
        !pack_lp_add(&p->lp, worth, p->entry, entries))
        return false;
    p->pattern[n] = pattern;
    p->site[n] = a;
    return true;
}

/* A pattern on a host of a site. */
static bool add_whole(Patterns *p, int32_t a, int32_t k)
{
    const Contents *c = p->c;
    const int32_t *times = c->times + (size_t)k * (size_t)c->sizes;
    int32_t n = 0, row = p->row[a];
    for (int32_t i = 0; i < c->sizes; i++)
        if (times[i] > 0)
            p->entry[n++] = (PackEntry){i, times[i]};
    for (int32_t i = 0; i < c->sizes; i++)
        if (times[i] > 1)
            p->entry[n++] = (PackEntry){c->sizes + i, times[i] / 2};
    p->entry[n++] = (PackEntry){row++, c->held[k]};
    if (c->spread)
        p->entry[n++] = (PackEntry){row++, c->sum[k]};
    for (int32_t i = c->first[a]; i < c->first[a + 1]; i++) {
        const int32_t next = i + 1 < c->first[a + 1] ? c->hosts->places[c->by_width[i + 1]] : 0;
        if (next == c->hosts->places[c->by_width[i]])
            continue;
        if (c->sum[k] > next)
            p->entry[n++] = (PackEntry){row, 1};
        row++;
    }
    return add_column(p, a, k,
                      0.5 * c->held[k] * (c->held[k] - 1.0) * within(p, a) + c->held[k] * p->whole,
                      n);
}

/* Rows and columns of the sites that are used. */
static bool make_patterns(Patterns *p)
{
    const Contents *c = p->c;
    const int32_t rows = count_rows(p);
    bool good = pack_lp_make(&p->lp, rows) && mem_new(p->entry, rows);
    if (good)
        set_right(p);
    for (int32_t a = 0; a < c->sites->count && good; a++) {
        if (p->count[a] == 0)
            continue;
        for (int32_t k = 0; k < c->patterns && good; k++)
            if (c->sum[k] <= c->hosts->places[c->by_width[c->first[a]]] &&
                c->held[k] <= p->count[a])
                good = add_whole(p, a, k);
        for (int32_t i = 0; i < c->sizes && c->spread && good; i++) {
            p->entry[0] = (PackEntry){i, 1};
            p->entry[1] = (PackEntry){p->row[a], 1};
            p->entry[2] = (PackEntry){p->row[a] + 1, c->size[i]};
            good = add_column(p, a, -1 - i, p->whole, 3);
        }
    }
    return good;
}

/* Placing a group counts more than what all groups can save. */
static void weigh(Patterns *p)
{
    const Contents *c = p->c;
    p->longest = 0;
    p->shortest = INFINITY;
    for (int32_t a = 0; a < c->sites->count; a++)
        if (p->count[a] > 1) {
            p->longest = fmax(p->longest, within(p, a));
            p->shortest = fmin(p->shortest, within(p, a));
        }
    p->whole = p->longest > 0 ? p->longest * c->groups * c->widest : 1;
}

static bool by_sum_first(const Patterns *p, const int32_t *times, int32_t j, int32_t best)
{
    return times[j] > 0 && p->pattern[j] >= 0 &&
           (best < 0 || p->c->sum[p->pattern[j]] > p->c->sum[p->pattern[best]]);
}

/* `times` groups of a size on a host. */
static void put(Contents *c, int32_t size, int32_t times, int32_t site, int32_t host)
{
    int32_t g = 0;
    for (int32_t i = 0; i < size; i++)
        g += c->number[i];
    for (g += c->number[size] - c->left[size]; times > 0; times--, g++) {
        c->site[g] = site;
        c->host[g] = host;
        c->left[size]--;
    }
}

/* The placement of a packing, which is used up: the largest pattern of a site on its widest host. */
static void place(Patterns *p, int32_t *times)
{
    Contents *c = p->c;
    int32_t used[MOST_SITES] = {0};
    memcpy(c->left, c->number, (size_t)c->sizes * sizeof *c->left);
    for (int32_t best = 0; best >= 0;) {
        best = -1;
        for (int32_t j = 0; j < p->lp.columns; j++)
            best = by_sum_first(p, times, j, best) ? j : best;
        if (best < 0)
            break;
        const int32_t a = p->site[best];
        const int32_t *of = c->times + (size_t)p->pattern[best] * (size_t)c->sizes;
        const int32_t host = c->by_width[c->first[a] + used[a]++];
        for (int32_t i = 0; i < c->sizes; i++)
            put(c, i, of[i], a, host);
        times[best]--;
    }
    for (int32_t j = 0; j < p->lp.columns; j++)
        if (p->pattern[j] < 0)
            put(c, -1 - p->pattern[j], times[j], p->site[j], -1);
    memset(c->left, 0, (size_t)c->sizes * sizeof *c->left);
}

bool contents_find(Contents *c, const int32_t *count, double more, Saving *out, Effort *effort)
{
    Patterns p = {.c = c, .count = count};
    bool good = true;
    *out = (Saving){.bound = INFINITY};
    weigh(&p);
    good = make_patterns(&p);
    const double all = p.whole * c->groups;
    if (good && (int64_t)p.lp.rows * p.lp.rows <= MOST_CELLS && p.lp.entries <= MOST_ENTRIES) {
        const double wanted = more < 0 ? -1e-9 * all : more;
        PackBest best = {.lp = &p.lp, .cutoff = all + wanted, .effort = effort};
        best.unit = p.longest > 0 ? (p.shortest >= p.longest ? p.longest : 0) : p.whole;
        good = pack_best_find(&best);
        out->found = best.found;
        out->saved = best.worth - all;
        out->bound = best.bound - all;
        if (good && best.found)
            place(&p, best.best);
        pack_best_free(&best);
    }
    pack_lp_free(&p.lp);
    mem_free_all(p.pattern, p.site, p.entry);
    return good;
}

bool contents_pairs(const Contents *c, double *most, Effort *effort)
{
    Contents all;
    Sites one = {.count = 1, .ms = {{1}}};
    Saving saving = {.bound = INFINITY};
    int32_t *sorted = NULL, at = 0;
    const int32_t count[MOST_SITES] = {c->groups};
    bool good = mem_new(one.of, c->hosts->count) && mem_new(sorted, c->groups);
    for (int32_t i = 0; i < c->hosts->count && good; i++) {
        one.of[i] = c->sites->of[i] < 0 ? -1 : 0;
        one.places[0] += one.of[i] < 0 ? 0 : c->hosts->places[i];
    }
    for (int32_t i = 0; i < c->sizes && good; i++)
        for (int32_t n = 0; n < c->number[i]; n++)
            sorted[at++] = c->size[i];
    good = good && contents_make(&all, c->hosts, &one, c->groups, sorted, c->spread);
    if (good) {
        good = contents_find(&all, count, -1, &saving, effort);
        contents_free(&all);
    }
    *most = saving.bound;
    mem_free_all(one.of, sorted);
    return good;
}
