/* What hosts of a site save. */
#include "grid/taag/schedule/partition_savings.h"

#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_hold.h"

/* All sites; hosts tried for sizes; results that are remembered. */
enum { ANYWHERE = -1, MOST_TRIES = 500, MOST_RESULTS = 100000 };
/* Of a site, and as a share of what is left. */
static const int64_t MOST_WORK = 20000000, SHARE = 2;

bool savings_make(Savings *out, const Hosts *hosts, const Sites *sites, const Shape *shape,
                  const PartitionCuts *cuts, size_t cells, bool *suit)
{
    const size_t n = (size_t)shape->groups + 1;
    Savings s = {.hosts = hosts, .sites = sites, .shape = shape, .widest = sites_widest(sites)};
    const bool good = mem_new(s.list, n) && mem_new(s.sorted, n) &&
                      mem_new(s.things, s.widest + 1) && mem_new(s.room, s.widest + 1) &&
                      mem_new(s.member, n) && mem_new(s.hosts_of, s.widest + 1) &&
                      mem_new(s.bundle, n) && mem_new_zeroed(s.degree, n) &&
                      bundles_make(&s.bundles, shape, cuts, s.widest, cells, suit);
    for (size_t g = 0; g < n && good; g++)
        s.bundle[g] = -1;
    for (int32_t e = 0; e < shape->edge_count && good; e++) {
        s.degree[shape->edges[e].a]++;
        s.degree[shape->edges[e].b]++;
    }
    *out = s;
    return good;
}

void savings_free(Savings *s)
{
    lists_free(&s->packed);
    lists_free(&s->loaded);
    bundles_free(&s->bundles);
    mem_free_all(s->fits, s->remembered, s->list, s->sorted, s->things, s->room, s->member,
                 s->hosts_of, s->bundle, s->degree);
    *s = (Savings){0};
}

/* ---- what fits ------------------------------------------------------------------------------ */

/* Things from `at` on.  slack: places that may stay empty. */
static CliqueAnswer pack(Savings *s, const int32_t *size, int32_t things, int32_t at, int64_t slack)
{
    const int32_t z = at < things ? size[at] : 0, least = size[things - 1];
    if (at == things)
        return CLIQUE_FOUND;
    for (int32_t room = z; room <= s->widest; room++) {
        const int32_t rest = room - z;
        const int64_t left = slack - (rest < least ? rest : 0);
        if (s->room[room] == 0 || left < 0)
            continue;
        s->room[room]--;
        s->room[rest]++;
        const CliqueAnswer answer = pack(s, size, things, at + 1, left);
        s->room[rest]--;
        s->room[room]++;
        if (answer != CLIQUE_NONE)
            return answer;
        if (++s->tries > MOST_TRIES)
            return CLIQUE_UNKNOWN;
    }
    return CLIQUE_NONE;
}

/* Is the host of the present site? */
static bool is_here(const Savings *s, int32_t host)
{
    const int32_t a = s->sites->of[host];
    return s->site == ANYWHERE ? a >= 0 : a == s->site;
}

/* The hosts of the site, empty; sizes: largest first. */
static CliqueAnswer pack_all(Savings *s, const int32_t *size, int32_t things)
{
    int64_t slack = 0;
    memset(s->room, 0, ((size_t)s->widest + 1) * sizeof *s->room);
    for (int32_t i = 0; i < s->hosts->count; i++)
        if (is_here(s, i)) {
            s->room[s->hosts->places[i]]++;
            slack += s->hosts->places[i] < size[things - 1] ? 0 : s->hosts->places[i];
        }
    for (int32_t i = 0; i < things; i++)
        slack -= size[i];
    s->tries = 0;
    const uint32_t sites = s->site == ANYWHERE ? UINT32_MAX : (uint32_t)1 << s->site;
    const CliqueAnswer answer = slack < 0 ? CLIQUE_NONE : pack(s, size, things, 0, slack);
    s->effort->work += 4 * (s->tries + things) + s->hosts->count;
    return answer == CLIQUE_UNKNOWN
               ? homes_hold(s->hosts, s->sites, sites, size, things, NULL, s->effort)
               : answer;
}

/* May the site hold all things? */
static bool all_fit(Savings *s)
{
    int32_t n = 1;
    s->list[0] = s->site;
    for (int32_t z = s->widest; z > 0; z--)
        for (int32_t i = 0; i < s->things[z]; i++)
            s->list[n++] = z;
    const int32_t known = s->packed.count;
    const int32_t at = known < MOST_RESULTS ? lists_put(&s->packed, s->list, (size_t)n)
                                            : lists_find(&s->packed, s->list, (size_t)n);
    s->effort->work += n;
    s->no_memory = s->no_memory || (at < 0 && known < MOST_RESULTS);
    s->no_memory = s->no_memory || !mem_grow(s->fits, s->fits_cap, s->packed.count);
    if (s->no_memory)
        return false;
    if (at >= 0 && at < known) {
        s->unsure = s->unsure || s->fits[at] == CLIQUE_UNKNOWN;
        return s->fits[at] != CLIQUE_NONE;
    }
    const CliqueAnswer answer = pack_all(s, s->list + 1, n - 1);
    if (at >= 0)
        s->fits[at] = (int8_t)answer;
    s->no_memory = answer == CLIQUE_NO_MEMORY;
    s->unsure = s->unsure || answer == CLIQUE_UNKNOWN;
    return answer != CLIQUE_NONE && !s->no_memory;
}

/* ---- what is saved -------------------------------------------------------------------------- */

static CliqueAnswer fits(void *data, const int32_t *size, int32_t things)
{
    Savings *s = data;
    memset(s->things, 0, ((size_t)s->widest + 1) * sizeof *s->things);
    for (int32_t i = 0; i < things; i++)
        s->things[size[i]]++;
    s->unsure = false;
    const bool fit = all_fit(s);
    return s->no_memory ? CLIQUE_NO_MEMORY
           : !fit       ? CLIQUE_NONE
           : s->unsure  ? CLIQUE_UNKNOWN
                        : CLIQUE_FOUND;
}

/* On the hosts of the present site. */
static void find_bundles(Savings *s, const int32_t *site, int32_t known, int64_t work)
{
    Effort part = effort_of(s->effort, work);
    memset(s->hosts_of, 0, ((size_t)s->widest + 1) * sizeof *s->hosts_of);
    for (int32_t i = 0; i < s->hosts->count; i++)
        if (is_here(s, i))
            s->hosts_of[s->hosts->places[i]]++;
    for (int32_t g = 0; g < s->shape->groups; g++)
        s->member[g] = s->site == ANYWHERE || site[g] == s->site;
    s->bundles.effort = &part;
    s->bundles.fit = fits;
    s->bundles.data = s;
    s->no_memory =
        !bundles_find(&s->bundles, s->member, s->hosts_of, s->widest, known) || s->no_memory;
    effort_add(s->effort, &part);
}

int32_t savings_anywhere(Savings *s, int64_t work)
{
    s->site = ANYWHERE;
    find_bundles(s, NULL, -1, work);
    return s->bundles.most;
}

/* How many of the groups that talk to g fit beside it on a host, if a connection counts for the end that has more of
 * them. */
static int32_t beside(Savings *s, const int32_t *site, int32_t g)
{
    const Shape *shape = s->shape;
    int32_t room = s->sites->widest[site[g]] - shape->size[g], count = 0, z = 0;
    memset(s->room, 0, ((size_t)s->widest + 1) * sizeof *s->room);
    for (int32_t e = 0; e < shape->edge_count; e++) {
        const int32_t x = shape->edges[e].a, y = shape->edges[e].b, other = x == g ? y : x;
        const bool mine =
            s->degree[g] > s->degree[other] || (s->degree[g] == s->degree[other] && g < other);
        if ((x == g || y == g) && site[other] == site[g] && mine)
            s->room[shape->size[other]]++;
    }
    for (z = 1; z <= room; z++)
        for (; s->room[z] > 0 && z <= room; s->room[z]--) {
            room -= z;
            count++;
        }
    return count;
}

/* No more is saved: a simple bound. */
static int32_t simple_bound(Savings *s, const int32_t *site, int32_t a)
{
    int32_t sum = 0;
    for (int32_t g = 0; g < s->shape->groups; g++)
        sum += site[g] == a ? beside(s, site, g) : 0;
    return sum;
}

Saved savings_bundle(Savings *s, const int32_t *site, int32_t a, int32_t known)
{
    const int64_t left = (s->effort->limit - s->effort->work) / SHARE;
    int32_t groups = 0;
    s->site = a;
    s->unsure = false;
    memset(s->things, 0, ((size_t)s->widest + 1) * sizeof *s->things);
    for (int32_t g = 0; g < s->shape->groups; g++)
        if (site[g] == a) {
            s->things[s->shape->size[g]]++;
            groups++;
        }
    if (groups == 0)
        return (Saved){0, 0};
    if (!all_fit(s))
        return (Saved){SAVINGS_NONE, SAVINGS_NONE};
    find_bundles(s, site, known, left < MOST_WORK ? left : MOST_WORK);
    for (int32_t g = 0; g < s->shape->groups && s->bundles.found; g++)
        if (s->member[g])
            s->bundle[g] = s->bundles.bundle[g];
    return (Saved){s->bundles.found ? s->bundles.least : SAVINGS_NONE, s->bundles.most};
}

/* Does what is remembered say enough? */
static bool says_enough(const Remembered *r, int32_t known)
{
    return r->saved.least == r->saved.most || r->saved.most <= known || r->known <= known;
}

Saved savings_find(Savings *s, const int32_t *site, int32_t a, int32_t known)
{
    const Saved none = {SAVINGS_NONE, SAVINGS_NONE};
    int32_t n = 1;
    s->sorted[0] = a;
    for (int32_t g = 0; g < s->shape->groups; g++) {
        if (site[g] == a && s->shape->size[g] > s->sites->widest[a])
            return none;
        if (site[g] == a)
            s->sorted[n++] = g;
    }
    const int32_t before = s->loaded.count;
    const int32_t at = before < MOST_RESULTS ? lists_put(&s->loaded, s->sorted, (size_t)n)
                                             : lists_find(&s->loaded, s->sorted, (size_t)n);
    s->effort->work += s->shape->groups;
    if ((at < 0 && before < MOST_RESULTS) ||
        !mem_grow(s->remembered, s->remembered_cap, s->loaded.count)) {
        s->no_memory = true;
        return none;
    }
    if (at >= 0 && at < before && says_enough(&s->remembered[at], known))
        return s->remembered[at].saved;
    const int32_t simple = simple_bound(s, site, a);
    const Saved saved =
        simple <= known ? (Saved){SAVINGS_NONE, simple} : savings_bundle(s, site, a, known);
    if (at >= 0)
        s->remembered[at] = (Remembered){saved, effort_ended(s->effort) ? INT32_MAX : known};
    return saved;
}
