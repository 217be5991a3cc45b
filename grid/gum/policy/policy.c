/* Policies: whom a process without work asks, and what it gets. */
#include "grid/gum/policy/policy.h"

#include <math.h>
#include <string.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/predicted.h"
#include "grid/gum/policy/tuning.h"

static const char *const names[POLICIES] = {"random", "nearest-loaded", "busiest", "predicted"};

PolicyName policy_find(const char *name)
{
    for (int i = 0; i < POLICIES; i++)
        if (strcmp(names[i], name) == 0)
            return (PolicyName)i;
    return POLICY_UNKNOWN;
}

const char *policy_text(PolicyName name)
{
    return name >= 0 && name < POLICIES ? names[name] : NULL;
}

/* ---- whom ----------------------------------------------------------------------------------- */

static int32_t by_chance(const Tables *tables, int32_t origin, uint64_t *chance)
{
    int32_t left = tables->size - 1 - (origin != tables->self);
    if (left <= 0)
        return -1;
    int32_t drawn = policy_draw(chance, left);
    for (int32_t p = 0; p < tables->size; p++)
        if (policy_fits(tables, p, origin) && drawn-- == 0)
            return p;
    return -1;
}

/* choosePE's last line: the main process, which has made the first sparks.  If that is no choice,
 * chance, so that a FISH does not end while somebody may have work. */
static int32_t otherwise(const Tables *tables, int32_t origin, uint64_t *chance)
{
    return policy_fits(tables, tables->main, origin) ? tables->main
                                                     : by_chance(tables, origin, chance);
}

/* Latencies of one decade are equally near: they differ by chance within a cluster. */
static double decade(double latency)
{
    return latency > 0 ? floor(log10(latency)) : -HUGE_VAL;
}

/* 2007, figure 4: by latency, the first that offers less than the origin.  Of those that are equally near
 * the one that offers least: fast processes find that all slow ones offer less, idle ones too. */
static int32_t nearest_loaded(const Tables *tables, int32_t origin, uint64_t *chance)
{
    double ratio = tables_ratio(tables, origin), found_ratio = 0, found_decade = HUGE_VAL;
    int32_t found = -1;
    for (int32_t p = 0; p < tables->size; p++) {
        double its = tables_ratio(tables, p), near = decade(tables->communication[p].latency);
        if (!policy_fits(tables, p, origin) || !(ratio > its))
            continue;
        if (near < found_decade || (near == found_decade && its < found_ratio)) {
            found = p;
            found_ratio = its;
            found_decade = near;
        }
    }
    return found >= 0 ? found : otherwise(tables, origin, chance);
}

/* 2005, figure 7: the highest load relative to speed, of those that are known to have sparks;
 * `near`: of this cluster. */
static int32_t busiest_of(const Tables *tables, int32_t origin, int near)
{
    int32_t found = -1;
    for (int32_t p = 0; p < tables->size; p++)
        if (policy_fits(tables, p, origin) && tables->dynamic[p].sparks > 0 &&
            (!near || tables->fixed[p].cluster == tables->fixed[tables->self].cluster) &&
            (found < 0 || tables_ratio(tables, p) < tables_ratio(tables, found)))
            found = p;
    return found;
}

static int32_t busiest(const Tables *tables, int32_t origin, int near, uint64_t *chance)
{
    int32_t found = near ? busiest_of(tables, origin, 1) : -1;
    if (found < 0)
        found = busiest_of(tables, origin, 0);
    return found >= 0 ? found : otherwise(tables, origin, chance);
}

int policy_both(const Policy *policy, const Tables *tables)
{
    return policy->name == POLICY_PREDICTED && tables->near > 0 && tables->near < tables->size - 1;
}

int32_t policy_target(const Policy *policy, const Tables *tables, int early, Reach reach,
                      uint64_t *chance)
{
    switch (policy->name) {
    case POLICY_NEAREST_LOADED:
        return nearest_loaded(tables, tables->self, chance);
    case POLICY_BUSIEST:
        return busiest(tables, tables->self, 0, chance);
    case POLICY_PREDICTED:
        return predicted_target(tables, tables->self, early, reach, chance);
    default:
        return by_chance(tables, tables->self, chance);
    }
}

/* ---- what a FISH gets ----------------------------------------------------------------------- */

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

int32_t policy_bulk(const Tables *tables, int32_t origin)
{
    int32_t theirs = tables->fixed[origin].cluster, ours = tables->fixed[tables->self].cluster;
    double times = floor(tables_cluster_ratio(tables, theirs) / tables_cluster_ratio(tables, ours));
    int32_t most =
        least(tables->dynamic[tables->self].sparks / 2, tables_cluster_size(tables, theirs));
    if (!(times > 1) || most < 1)
        return 1;
    return times < most ? (int32_t)times : most;
}

static FishAnswer serve(int32_t sparks)
{
    return (FishAnswer){.action = FISH_SERVE, .sparks = sparks};
}

static FishAnswer pass_on(const Policy *policy, const Tables *tables, const Fish *fish,
                          uint64_t *chance)
{
    int32_t to = -1;
    if (fish->age < policy->age_limit)
        switch (policy->name) {
        case POLICY_NEAREST_LOADED:
            to = nearest_loaded(tables, fish->origin, chance);
            break;
        case POLICY_BUSIEST:
            to = busiest(tables, fish->origin, 1, chance);
            break;
        case POLICY_PREDICTED:
            to = predicted_target(tables, fish->origin, fish->early, fish->reach, chance);
            break;
        default:
            to = by_chance(tables, fish->origin, chance);
        }
    return to < 0 ? (FishAnswer){.action = FISH_NULL}
                  : (FishAnswer){.action = FISH_FORWARD, .to = to};
}

/* Sparks for a FISH from another cluster; 0: it has to look elsewhere. */
static int32_t for_others(const Policy *policy, const Tables *tables, int32_t origin)
{
    double theirs = tables_cluster_ratio(tables, tables->fixed[origin].cluster),
           ours = tables_cluster_ratio(tables, tables->fixed[tables->self].cluster);
    if (theirs > ours)
        return policy_bulk(tables, origin);
    return policy->weak_cluster_waits ? 0 : 1;
}

FishAnswer policy_answer(const Policy *policy, const Tables *tables, const Fish *fish,
                         uint64_t *chance)
{
    int32_t sparks = 1, origin = fish->origin;
    if (tables->dynamic[tables->self].sparks <= (fish->early ? EARLY_LEAVES : 0))
        return pass_on(policy, tables, fish, chance);
    if (policy->name == POLICY_RANDOM)
        return serve(sparks);
    if (policy->name == POLICY_PREDICTED)
        return serve(predicted_sparks(tables, origin));
    if (policy->name == POLICY_NEAREST_LOADED &&
        !(tables_ratio(tables, origin) > tables_ratio(tables, tables->self)))
        return pass_on(policy, tables, fish, chance);
    if (tables->fixed[origin].cluster != tables->fixed[tables->self].cluster)
        sparks = for_others(policy, tables, origin);
    return sparks > 0 ? serve(sparks) : pass_on(policy, tables, fish, chance);
}

int policy_early(const Policy *policy)
{
    return policy->name == POLICY_PREDICTED;
}

/* ---- how often ------------------------------------------------------------------------------ */

double policy_pause(int32_t nulls)
{
    return fmin(LONGEST_PAUSE, FIRST_PAUSE * pow(PAUSE_GROWTH, nulls - 1));
}

int32_t policy_watermark(const Tables *tables, int32_t mark)
{
    const double mean = tables_speed(tables) / tables->size;
    return (int32_t)ceil(mark * tables->fixed[tables->self].speed / mean - 1e-9);
}
