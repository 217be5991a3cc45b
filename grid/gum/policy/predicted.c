/* The policy `predicted`.
 *
 * Whether a process has sparks is a chain of two states.  What was heard of it, `age` seconds ago, is
 * forgotten at the rate at which it runs tasks: of s sparks and tasks of t seconds after k t, k = s; without
 * any, one that runs a task may have made some after a few, and one that is idle has to find some
 * first.  So with p the share of processes that are known to have some,
 *
 *     P(has sparks) = p + ((s > 0) - p) exp(-age / (k t))
 *
 * age is counted to when a FISH arrives there.  Nobody has to be told of the main process: it begins
 * with all sparks.
 *
 * A FISH that goes to j costs the time there and back and what messages wait for their receivers in the mean,
 * c_j = 2 L_j + W; if j has none, it goes on to another.  L_j is the shortest time of a message: what those of j
 * take in the mean would say how often j is spoken to, and nothing of those to which nobody has spoken.  The
 * expected time until sparks are found is least if those are asked first for which P_j / c_j is largest
 * (Blackwell's search problem; Matula, A periodic optimal search, 1964).  If all did that, all would ask the
 * same one; and where tasks make tasks, the oldest of many sparks is more work than that of a few.  So who is
 * asked is drawn, each in proportion to
 *
 *     s_j P_j / c_j
 *
 * sparks per second.  Who has just said that it has none is hardly asked; a far process that surely has many
 * is asked before near ones that have one.
 *
 * Near processes answer many times while a far one does once.  So a process has two requests out, one in its
 * cluster and one to the others, each to whom the rule above draws of these, and what is near keeps it busy until what
 * is far has come (van Nieuwpoort, Kielmann, Bal, Efficient load balancing for wide-area divide-and-conquer
 * applications, 2001).
 *
 * Who begins the last task that it has asks already, so that asking takes no time of its own.  Such an early
 * FISH gets a spark where at least two are: the last one is for a process that has nothing to do, and does
 * not go to and fro between two that run something.  Slow processes do so only where asking takes long against
 * their tasks: what they hold meanwhile, faster ones would run sooner.
 *
 * Of its n sparks a process gives b.  A process of speed v among V in all will run n v / V of them; with b
 * at a time it asks n v / (V b) times and loses 2 L each time; at the end it may have b / 2 too many, of
 * t seconds.  The sum is least for
 *
 *     b = sqrt(4 L t' n v / V) / t',     t' = t V_self / v
 *
 * Near processes so get one where tasks are long, and several where tasks are shorter than messages.
 * Where a pool is nearly empty, half of what it has is the most.  Where tasks make tasks, pools are
 * small, and so is b.
 *
 * When nobody has sparks, an idle process begins a task of a slower one again.  Of work u that has done d on a
 * process of t_g seconds per unit, the second, of t_f, gains
 *
 *     max(0, (u - d) t_g - u t_f - 2 L)
 *
 * seconds.  How long u is if it is more than d, the tasks that have ended say (lengths.h), and when each began,
 * the tables; who is asked is the process whose task gains most in the mean.
 *
 * The square root is that of the economic lot (Harris 1913) and of fixed-size chunking (Kruskal, Weiss,
 * Allocating independent subtasks on parallel processors, 1985); `at most half of what is due` is
 * factoring (Hummel, Schonberg, Flynn 1992). */
#include "grid/gum/policy/predicted.h"

#include <math.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/tuning.h"

/* Seconds, one way, where nobody has to wait for a receiver that computes. */
static double way(const Tables *t, int32_t process)
{
    const Communication *it = &t->communication[process];
    return it->least > 0 ? it->least : it->latency;
}

/* Seconds of a task on a process. */
static double task_on(const Tables *t, int32_t process)
{
    const double here = t->task > 0 ? t->task : UNKNOWN_TASK;
    return here * t->fixed[t->self].speed / t->fixed[process].speed;
}

/* The share of processes with sparks: as if one more had and one more had not. */
static double share(const Tables *t)
{
    double have = 1, heard = 2;
    for (int32_t p = 0; p < t->size; p++)
        if (p != t->self && t->dynamic[p].stamp >= 0) {
            heard++;
            have += t->dynamic[p].sparks > 0;
        }
    return have / heard;
}

static double chance_of(const Tables *t, int32_t process, double mean)
{
    const PeDynamic *it = &t->dynamic[process];
    if (it->stamp < 0)
        return process == t->main ? 1 : mean;
    const double age = fmax(0, t->dynamic[t->self].stamp - it->stamp) + way(t, process);
    const double tasks = it->sparks > 0 ? it->sparks : it->threads > 0 ? BUSY_KEEPS : IDLE_KEEPS;
    const double keeps = task_on(t, process) * tasks;
    return mean + ((it->sparks > 0) - mean) * exp(-age / keeps);
}

double predicted_chance(const Tables *t, int32_t process)
{
    return chance_of(t, process, share(t));
}

/* Seconds until a process has answered. */
static double asking(const Tables *t, int32_t process)
{
    return 2 * way(t, process) + t->late + HANDLING;
}

/* Sparks for each second that asking takes: all that it has, or those beside the last one. */
static double worth(const Tables *t, int32_t process, double mean, int early)
{
    const int32_t sparks = t->dynamic[process].sparks;
    const double most = early ? sparks - EARLY_LEAVES : sparks > 1 ? sparks : 1;
    if (!(most > 0))
        return 0;
    return most * chance_of(t, process, mean) / asking(t, process);
}

/* Seconds since this was so. */
static double age_of(const Tables *t, int32_t process)
{
    return fmax(0, t->dynamic[t->self].stamp - t->dynamic[process].stamp);
}

/* Had it nothing to do, less than a task ago? */
static int idle(const Tables *t, int32_t process)
{
    const PeDynamic *it = &t->dynamic[process];
    return it->stamp >= 0 && it->threads == 0 && it->sparks == 0 &&
           age_of(t, process) < task_on(t, process);
}

int32_t predicted_instead(const Tables *t, int32_t origin)
{
    double soonest = task_on(t, origin) + way(t, origin);
    const double late = soonest;
    int32_t found = -1, better = 0;
    if (!(t->task > 0))
        return -1;
    for (int32_t p = 0; p < t->size; p++) {
        const double end = task_on(t, p) + way(t, p);
        if (!policy_fits(t, p, origin) || !idle(t, p) || end * SOONER > late)
            continue;
        better++;
        if (end < soonest) {
            soonest = end;
            found = p;
        }
    }
    return t->dynamic[t->self].sparks <= better ? found : -1;
}

/* Of a task that has run on `process` for so many seconds, beside running - 1 others, if the origin begins it
 * again.  The way between them is known if one of the two is this process; else that to the origin is taken. */
static double gain(const Tables *t, int32_t process, int32_t origin, double ran, int32_t running)
{
    const double unit = tables_unit(t, process), done = ran / unit;
    const double mean = t->task / tables_unit(t, t->self);
    const int32_t other = origin == t->self ? process : origin;
    return lengths_gain(&t->lengths, done, fmax(mean - done, done), running * unit,
                        tables_unit(t, origin), 2 * way(t, other));
}

/* Nobody has sparks: of the slower processes the one whose task ends most of all earlier if the origin runs
 * it as well; -1: none does. */
static int32_t slower(const Tables *t, int32_t origin)
{
    int32_t found = -1;
    double best = 0;
    for (int32_t p = 0; p < t->size; p++) {
        const PeDynamic *it = &t->dynamic[p];
        if (!policy_fits(t, p, origin) || it->began < 0 ||
            t->fixed[p].speed >= t->fixed[origin].speed)
            continue;
        const double earlier =
            gain(t, p, origin, fmax(0, t->dynamic[t->self].stamp - it->began), it->threads);
        if (earlier > best) {
            best = earlier;
            found = p;
        }
    }
    return found;
}

static int may_have(const Tables *t, int32_t process, int32_t origin, Reach reach)
{
    return policy_fits(t, process, origin) && tables_reach(t, reach, origin, process);
}

/* Is it slow, and asking short against its tasks? */
static int should_wait(const Tables *t, int32_t process)
{
    const int slow = t->fixed[t->self].speed * t->size <= tables_speed(t) * (1 + 1e-9);
    return slow && !(t->task < EARLY_TASKS * asking(t, process));
}

int32_t predicted_target(const Tables *t, int32_t origin, int early, Reach reach, uint64_t *chance)
{
    const int repeats = !early && reach != REACH_NEAR && t->repeats && predicted_dry(t);
    const int32_t other = repeats ? slower(t, origin) : -1;
    if (other >= 0)
        return other;
    if (t->dynamic[t->main].stamp < 0 && may_have(t, t->main, origin, reach))
        return t->main;
    const double mean = share(t);
    double all = 0;
    int32_t found = -1;
    for (int32_t p = 0; p < t->size; p++) {
        const double its = may_have(t, p, origin, reach) ? worth(t, p, mean, early) : 0;
        all += its;
        if (its > 0 && policy_uniform(chance) * all < its)
            found = p;
    }
    return found >= 0 && early && origin == t->self && should_wait(t, found) ? -1 : found;
}

int32_t predicted_sparks(const Tables *t, int32_t origin)
{
    if (!(t->task > 0))
        return 1;
    const double has = t->dynamic[t->self].sparks, task = task_on(t, origin);
    const double due = has * t->fixed[origin].speed / tables_speed(t);
    const double best = sqrt(4 * way(t, origin) * due / task);
    const double most = fmax(1, fmin(due / 2, has / 2));
    return (int32_t)fmax(1, floor(fmin(best, most)));
}

int predicted_dry(const Tables *t)
{
    for (int32_t p = 0; p < t->size; p++)
        if (t->dynamic[p].stamp < 0 || t->dynamic[p].sparks > 0)
            return 0;
    return 1;
}

double predicted_gain(const Tables *t, int32_t origin, double ran, int32_t running)
{
    return gain(t, t->self, origin, ran, running);
}
