/* What hosts of a site save. */
#include "grid/taag/schedule/partition_savings.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/partition_hold.h"

/* Hosts tried for sizes; results that are remembered. */
enum { MOST_TRIES = 500, MOST_RESULTS = 100000 };
/* Of a site, and as a share of what is left: what takes more is left to a packing by linear programs. */
static const int64_t MOST_WORK = 4000000, SHARE = 3;

bool savings_make(Savings *out, const Hosts *hosts, const Sites *sites, const Shape *shape,
                  const Subsets *sets)
{
    const size_t n = (size_t)shape->groups + 1;
    Savings s = {.hosts = hosts, .sites = sites, .shape = shape, .sets = sets};
    for (int32_t a = 0; a < sites->count; a++)
        s.widest = sites->widest[a] > s.widest ? sites->widest[a] : s.widest;
    const bool good = mem_new(s.list, n) && mem_new(s.sorted, n) &&
                      mem_new(s.things, s.widest + 1) && mem_new(s.room, s.widest + 1) &&
                      mem_new(s.set, sets->count) && mem_new(s.share, n) &&
                      mem_new_zeroed(s.covered, n) && mem_new(s.chosen, n) &&
                      mem_new(s.best_set, n);
    *out = s;
    return good;
}

void savings_free(Savings *s)
{
    lists_free(&s->packed);
    lists_free(&s->loaded);
    mem_free_all(s->fits, s->most, s->list, s->sorted, s->things, s->room, s->set, s->share,
                 s->covered, s->chosen, s->best_set);
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

/* The hosts of the site, empty; sizes: largest first. */
static CliqueAnswer pack_all(Savings *s, const int32_t *size, int32_t things)
{
    int64_t slack = 0;
    memset(s->room, 0, ((size_t)s->widest + 1) * sizeof *s->room);
    for (int32_t i = 0; i < s->hosts->count; i++)
        if (s->sites->of[i] == s->site) {
            s->room[s->hosts->places[i]]++;
            slack += s->hosts->places[i] < size[things - 1] ? 0 : s->hosts->places[i];
        }
    for (int32_t i = 0; i < things; i++)
        slack -= size[i];
    s->tries = 0;
    const CliqueAnswer answer = slack < 0 ? CLIQUE_NONE : pack(s, size, things, 0, slack);
    s->effort->work += 4 * (s->tries + things) + s->hosts->count;
    return answer == CLIQUE_UNKNOWN ? homes_hold(s->hosts, s->sites, (uint32_t)1 << s->site, size,
                                                 things, NULL, s->effort)
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

/* The sets within the site. */
static void list_sets(Savings *s, const int32_t *site)
{
    const Subsets *sets = s->sets;
    s->count = 0;
    for (int32_t k = 0; k < sets->count; k++) {
        bool within = sets->sum[k] <= s->sites->widest[s->site];
        for (size_t m = sets->first[k]; m < sets->first[k + 1] && within; m++)
            within = site[sets->member[m]] == s->site;
        if (within)
            s->set[s->count++] = k;
    }
    s->effort->work += 2 * sets->count;
}

static bool is_open(const Savings *s, int32_t k)
{
    bool open = true;
    for (size_t m = s->sets->first[k]; m < s->sets->first[k + 1] && open; m++)
        open = !s->covered[s->sets->member[m]];
    return open;
}

/* What each group saves at most, if those of a set share that.  Returns the sum; *most: the group that saves most, or
 * -1. */
static double find_shares(Savings *s, int32_t *most)
{
    const Subsets *sets = s->sets;
    double sum = 0;
    *most = -1;
    for (int32_t g = 0; g < s->shape->groups; g++)
        s->share[g] = 0;
    for (int32_t i = 0; i < s->count; i++) {
        const int32_t k = s->set[i];
        const size_t first = sets->first[k], end = sets->first[k + 1];
        for (size_t m = first; m < end && is_open(s, k); m++) {
            double *share = &s->share[sets->member[m]];
            *share = fmax(*share, (double)sets->edges[k] / (double)(end - first));
        }
    }
    for (int32_t g = 0; g < s->shape->groups; g++) {
        sum += s->share[g];
        if (s->share[g] > (*most < 0 ? 0 : s->share[*most]))
            *most = g;
    }
    s->effort->work += s->count + s->shape->groups;
    return sum;
}

/* The groups of a set become one thing; by: 1, or -1 to undo it. */
static void join(Savings *s, int32_t k, int32_t by)
{
    for (size_t m = s->sets->first[k]; m < s->sets->first[k + 1]; m++) {
        const int32_t g = s->sets->member[m];
        s->covered[g] = by > 0;
        s->things[s->shape->size[g]] -= by;
    }
    s->things[s->sets->sum[k]] += by;
}

static bool has_member(const Savings *s, int32_t k, int32_t g)
{
    bool has = false;
    for (size_t m = s->sets->first[k]; m < s->sets->first[k + 1]; m++)
        has = has || s->sets->member[m] == g;
    return has;
}

/* The sets of one group more, or it stays alone. */
static void choose(Savings *s, int32_t depth, int32_t saved)
{
    int32_t g;
    if (saved > s->best) {
        s->best = saved;
        s->best_sets = depth;
        memcpy(s->best_set, s->chosen, (size_t)depth * sizeof *s->chosen);
    }
    if (floor(saved + find_shares(s, &g) + 1e-9) <= s->best || g < 0)
        return;
    if (s->effort->work > s->end || effort_ended(s->effort)) {
        s->unsure = true;
        return;
    }
    for (int32_t i = 0; i < s->count && !s->no_memory; i++) {
        const int32_t k = s->set[i];
        if (!has_member(s, k, g) || !is_open(s, k))
            continue;
        join(s, k, 1);
        if (all_fit(s)) {
            s->chosen[depth] = k;
            choose(s, depth + 1, saved + s->sets->edges[k]);
        }
        join(s, k, -1);
    }
    s->covered[g] = true;
    choose(s, depth, saved);
    s->covered[g] = false;
}

void savings_sets(Savings *s, const int32_t *site, int32_t a)
{
    const int64_t left = (s->effort->limit - s->effort->work) / SHARE;
    s->site = a;
    s->best = SAVINGS_NONE;
    s->best_sets = 0;
    s->end = s->effort->work + (left < MOST_WORK ? left : MOST_WORK);
    s->unsure = false;
    memset(s->things, 0, ((size_t)s->widest + 1) * sizeof *s->things);
    list_sets(s, site);
    for (int32_t g = 0; g < s->shape->groups; g++)
        if (site[g] == a)
            s->things[s->shape->size[g]]++;
    if (all_fit(s))
        choose(s, 0, 0);
}

int32_t savings_most(Savings *s, const int32_t *site, int32_t a)
{
    int32_t n = 1;
    s->sorted[0] = a;
    for (int32_t g = 0; g < s->shape->groups; g++) {
        if (site[g] == a && s->shape->size[g] > s->sites->widest[a])
            return SAVINGS_NONE;
        if (site[g] == a)
            s->sorted[n++] = g;
    }
    if (n == 1)
        return 0;
    const int32_t known = s->loaded.count;
    const int32_t at = known < MOST_RESULTS ? lists_put(&s->loaded, s->sorted, (size_t)n)
                                            : lists_find(&s->loaded, s->sorted, (size_t)n);
    s->effort->work += s->shape->groups;
    if ((at < 0 && known < MOST_RESULTS) || !mem_grow(s->most, s->most_cap, s->loaded.count)) {
        s->no_memory = true;
        return SAVINGS_UNKNOWN;
    }
    if (at >= 0 && at < known && s->most[at] != SAVINGS_AGAIN)
        return s->most[at];
    savings_sets(s, site, a);
    const int32_t most = s->unsure || s->no_memory ? SAVINGS_UNKNOWN : s->best;
    if (at >= 0)
        s->most[at] = s->effort->ended ? SAVINGS_AGAIN : most;
    return most;
}
