/* How long a process without work looks for some.
 *
 * A FISH of `random` goes from process to process; each has work with probability p, so that the number
 * of moves is geometric, cut by the limit of its age.  `busiest` knows who has work, and asks it.
 * `nearest-loaded` asks the nearest process that offers less than itself; if that has no sparks, the
 * FISH goes on among those that are near it, until it is too old.  Then the process pauses and asks the
 * same one again, until that has some: while it runs a task. */
#include "grid/gum/predict/search.h"

#include <math.h>

#include "grid/gum/policy/tuning.h"

/* From simulations of programs whose tasks make tasks (doc/gum-model.md). */
#define STUCK_TIMES  3.0 /* that a process asks again which asks one without sparks, at least */
#define STUCK_TASKS  4.0 /* that a process waits for which asks one without sparks again and again */
#define LOOK_TASKS   0.1  /* that a process waits for which looks by chances of success */
#define STALE_TASKS  0.2  /* that a process waits for which asks by tables that are out of date */
#define KNOWN_SPARKS 0.25 /* share of processes that still have the sparks which tables tell of */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double search_wait(const Profile *p, double time)
{
    return time * (p->slice / 2 + p->message);
}

static double mean_time(const Platform *p)
{
    return p->size / p->speed;
}

/* From an idle process to where the sparks are and back. */
static double there_and_back(const Profile *profile, double latency, double second, double time,
                             double own_time)
{
    return 2 * latency + profile->task_bytes * second + search_wait(profile, time) +
           own_time * profile->message;
}

/* Pauses after failures of probability `fails` each, until one succeeds. */
static double pauses(double fails)
{
    double sum = 0, reach = fails;
    for (int32_t k = 1; k <= 10000 && reach > 1e-9; k++, reach *= fails)
        sum += reach * policy_pause(k);
    return sum;
}

/* ---- random ---------------------------------------------------------------------------------- */

static Search search_random(const Platform *p, const Profile *profile, const Policy *policy,
                            const Sparks *sparks, const Group *group)
{
    const double others = larger(p->size - 2, 1);
    const double finds = sparks->spread ? sparks->share : 1 / others;
    const double fails = pow(1 - finds, policy->age_limit + 1.0);
    const double moves = (1 - fails) / finds; /* of a FISH until it finds or is too old */
    const double wait = search_wait(profile, mean_time(p));
    const double hop = p->mean + wait, first = p->far[group->cluster] + wait;
    const double back = sparks->spread ? p->far[group->cluster] : group->latency;
    const double once = first + (moves - 1) * hop + back + group->time * profile->message;
    return (Search){.seconds = once / (1 - fails) + pauses(fails),
                    .messages = (moves + 1) / (1 - fails),
                    .bulk = 1};
}

/* ---- bulk ------------------------------------------------------------------------------------ */

/* As policy_bulk, with mean loads: `from` is the cluster that gives. */
static int32_t bulk_of(const Platform *p, const Sparks *sparks, int32_t from, int32_t to)
{
    const int32_t size = p->members[to];
    const double most = fmin(size, floor(sparks->pool / 2));
    double ours = 0, theirs = 0, our_load = 0;
    if (from == to)
        return 1;
    for (int32_t i = 0; i < p->size; i++) {
        const int32_t c = p->tables.fixed[i].cluster;
        ours += c == from ? 1 / p->time[i] : 0;
        theirs += c == to ? 1 / p->time[i] : 0;
        our_load += c == from ? 2 : 0;
    }
    our_load += sparks->pool * (sparks->spread ? our_load / 2 * sparks->share : 1);
    const double times = floor(theirs / (1.5 * size) / (ours / our_load));
    return times > 1 && most >= 1 ? (int32_t)fmin(times, most) : 1;
}

/* ---- busiest --------------------------------------------------------------------------------- */

static Search search_busiest(const Platform *p, const Profile *profile, const Sparks *sparks,
                             const Group *group)
{
    const int32_t home = p->tables.fixed[p->tables.main].cluster;
    if (!sparks->spread)
        return (Search){.seconds = there_and_back(profile, group->latency, group->second,
                                                  p->time[p->tables.main], group->time),
                        .messages = 2,
                        .bulk = bulk_of(p, sparks, home, group->cluster)};
    /* Who makes many sparks has them for long. */
    const double known = larger(KNOWN_SPARKS, 1 - 2 * (1 - KNOWN_SPARKS) / sparks->branches);
    const double far = p->far[group->cluster];
    const double late = STALE_TASKS * fmin(1, 2 / sparks->branches) * sparks->task * mean_time(p);
    return (Search){.seconds =
                        there_and_back(profile, far, 0, mean_time(p), group->time) / known + late,
                    .messages = 1 + 1 / known,
                    .bulk = 1};
}

/* ---- nearest-loaded -------------------------------------------------------------------------- */

/* The process, slower and nearer than the main process, that a FISH of this group goes to first, since
 * even when it is idle it offers less; -1: none.  Own clusters have sparks of their own. */
static int32_t slower_nearby(const Platform *p, const Group *group)
{
    double nearest = group->latency;
    int32_t found = -1;
    for (int32_t a = 0; a < p->size; a++) {
        if (p->tables.fixed[a].cluster != group->cluster || p->time[a] != group->time)
            continue;
        for (int32_t b = 0; b < p->size; b++)
            if (b != p->tables.main && p->time[b] > p->time[a] &&
                platform_latency(p, a, b) < nearest) {
                nearest = platform_latency(p, a, b);
                found = b;
            }
    }
    return found;
}

/* Sparks are on the main process alone: who asks a process of its cluster that has none asks it for
 * ever. */
static Search nearest_to_main(const Platform *p, const Profile *profile, const Sparks *sparks,
                              const Group *group)
{
    Search it = search_busiest(p, profile, sparks, group);
    const int32_t via = slower_nearby(p, group);
    if (group->cluster != p->tables.fixed[p->tables.main].cluster) /* its own ones first */
        it.seconds +=
            platform_near(p, group->cluster, group->cluster) + search_wait(profile, mean_time(p));
    if (via >= 0 && p->tables.fixed[via].cluster == p->tables.fixed[p->tables.main].cluster)
        it.seconds += profile_work(profile) / p->speed;
    return it;
}

/* Sparks are everywhere: a FISH is passed on among the nearest, and then the same again, until one of
 * them has some. */
static Search nearest_of_all(const Platform *p, const Profile *profile, const Policy *policy,
                             const Sparks *sparks, const Group *group)
{
    const double latency = platform_near(p, group->cluster, group->cluster);
    const double wait = search_wait(profile, mean_time(p));
    const double failing = policy->age_limit * (latency + wait) + policy_pause(1);
    const double few = fmin(1, 2 / sparks->branches);
    const double stuck =
        few * larger(STUCK_TIMES * failing, STUCK_TASKS * sparks->task * mean_time(p));
    return (Search){.seconds =
                        there_and_back(profile, latency, 0, mean_time(p), group->time) + stuck,
                    .messages = 2 + policy->age_limit * log2(1 + stuck / failing),
                    .bulk = 1};
}

/* ---- predicted ------------------------------------------------------------------------------- */

/* Who asks while its last task runs waits for what asking takes longer than that: of exponential times
 * ask - task (1 - exp(-ask / task)).  Slow processes do so only where tasks are short. */
static double unhidden(const Platform *p, const Sparks *sparks, const Group *group, double ask)
{
    const double task = sparks->task * group->time;
    const bool slow =
        group->time * p->speed * (1 + 1e-9) >= p->size; /* as the policy: at most the mean */
    if (slow && task > EARLY_TASKS * ask)
        return ask;
    return ask + task * expm1(-ask / task);
}

/* As predicted.h, with mean loads: the main process at once, with a lot; or near ones and others. */
static Search search_predicted(const Platform *p, const Profile *profile, const Sparks *sparks,
                               const Group *group)
{
    Search it = search_busiest(p, profile, sparks, group);
    it.bulk = 1;
    if (!sparks->spread) {
        const double due = sparks->pool / group->time / p->speed;
        const double lot = sqrt(4 * group->latency * due / (sparks->task * group->time));
        it.bulk =
            (int32_t)fmax(1, floor(fmin(lot, fmin(due / 2, fmin(INT32_MAX, sparks->pool / 2)))));
        it.seconds = unhidden(p, sparks, group, it.seconds);
        return it;
    }
    const double near = platform_near(p, group->cluster, group->cluster),
                 far = p->far[group->cluster];
    const double first = p->members[group->cluster] > 1 ? near : far;
    const double late = LOOK_TASKS * fmin(1, 2 / sparks->branches) * sparks->task * mean_time(p);
    it.seconds = there_and_back(profile, first, 0, mean_time(p), group->time) +
                 (1 - sparks->share) / sparks->share * 2 * far + late;
    it.seconds = unhidden(p, sparks, group, it.seconds);
    it.messages = 1 + 1 / sparks->share;
    return it;
}

Repeating search_repeat(const Platform *p, const Profile *profile, const Group *group)
{
    double slower = 0, there = 0, among = 0, time = 0;
    for (int32_t a = 0; a < p->groups; a++) {
        const Group *one = &p->group[a];
        if (one->time <= group->time)
            continue;
        slower += one->copies;
        time += one->copies * one->time;
        there += one->copies * platform_near(p, group->cluster, one->cluster);
        for (int32_t b = 0; b < p->groups; b++)
            if (p->group[b].time > group->time)
                among += one->copies * p->group[b].copies *
                         platform_near(p, one->cluster, p->group[b].cluster);
    }
    if (slower == 0)
        return (Repeating){1, 0, 0};
    const double wait = search_wait(profile, time / slower), far = there / slower;
    return (Repeating){.ask = 2 * far + wait + group->time * profile->message,
                       .hop = among / slower / slower + wait,
                       .gone = far};
}

/* As long as nothing is heard of the main process, all slower processes seem to offer less than it: who
 * has slower ones asks these, until one of those that are slowest of all has asked the main process. */
double search_learning(const Platform *p, const Profile *profile, const Policy *policy,
                       const Group *group)
{
    double slowest = 0, far = 0;
    for (int32_t i = 0; i < p->groups; i++)
        slowest = larger(slowest, p->group[i].time);
    for (int32_t i = 0; i < p->groups; i++)
        if (p->group[i].time == slowest)
            far = larger(far, p->group[i].latency);
    if (policy->name != POLICY_NEAREST_LOADED || group->time >= slowest)
        return 0;
    return 2 * (far + group->latency) + policy_pause(1) +
           policy->age_limit * (platform_near(p, group->cluster, group->cluster) +
                                search_wait(profile, mean_time(p)));
}

Search search_of(const Platform *p, const Profile *profile, const Policy *policy,
                 const Sparks *sparks, const Group *group)
{
    Search it;
    switch (policy->name) {
    case POLICY_NEAREST_LOADED:
        it = sparks->spread ? nearest_of_all(p, profile, policy, sparks, group)
                            : nearest_to_main(p, profile, sparks, group);
        break;
    case POLICY_BUSIEST:
        it = search_busiest(p, profile, sparks, group);
        break;
    case POLICY_PREDICTED:
        it = search_predicted(p, profile, sparks, group);
        break;
    default:
        it = search_random(p, profile, policy, sparks, group);
    }
    it.seconds = larger(it.seconds, 1e-9);
    return it;
}
