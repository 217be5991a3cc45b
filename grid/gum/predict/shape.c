/* What of a program's shape decides how its work spreads.
 *
 * Level d has N_d tasks, below which is all deeper work.  While processes take m = N / P each of the
 * level above, those are dealt out as they are needed, and only the last round leaves some process
 * without: 1 / (m + 1) of the work.  So of level d that share has to move again, as N_d (1 - 1 / b)
 * sparks of it, with b sparks for each task above: who takes the oldest of two takes half of all. */
#include "grid/gum/predict/shape.h"

#include <math.h>

/* Work of the levels from d on. */
static double work_from(const Profile *p, int32_t d)
{
    double work = 0;
    for (; d < p->levels; d++)
        work += p->level[d].work;
    return work;
}

static double sparks_of(const Profile *p, int32_t d)
{
    return d < p->levels ? (double)p->level[d].tasks : 0;
}

/* The deepest level that has a quarter of all work below it, itself as well: its tasks are what
 * processes run at the end. */
static int32_t leaf_level(const Profile *p)
{
    int32_t d = p->levels - 1;
    while (d > 0 && (work_from(p, d) < 0.25 * profile_work(p) || p->level[d].tasks == 0))
        d--;
    return d;
}

/* Of the tasks of the levels from d on, the share that may run on two processes. */
static double pure_from(const Profile *p, int32_t d)
{
    double pure = 0, tasks = 0;
    for (; d < p->levels; d++) {
        pure += (double)p->level[d].pure;
        tasks += (double)p->level[d].tasks;
    }
    return pure / tasks;
}

static void set_leaf(const Profile *p, WorkShape *s)
{
    const int32_t d = leaf_level(p);
    const double tasks = sparks_of(p, d);
    s->leaves = tasks;
    s->leaf = work_from(p, d) / tasks;
    s->pure = pure_from(p, d);
    s->deviation = p->level[d].deviation;
    s->longest = fmax(p->level[d].longest, s->leaf);
}

WorkShape work_shape(const Profile *p, int32_t processes)
{
    WorkShape s = {.work = profile_work(p), .sparks = sparks_of(p, 1)};
    double moves = 0, most = 0, made = 0;
    set_leaf(p, &s);
    for (int32_t d = 2; d < p->levels && sparks_of(p, d) > 0; d++) {
        const double above = sparks_of(p, d - 1), rounds = above / processes;
        const double branches = sparks_of(p, d) / above, share = 1 / (rounds + 1);
        if (branches > 1) {
            const double moved = sparks_of(p, d) * (1 - 1 / branches) * share;
            moves += moved;
            made += moved * branches;
        }
        if (d == 2)
            most = share * work_from(p, 2);
    }
    s.spread = moves > 0 ? most : 0;
    s.piece = moves > 0 ? s.spread / moves : 0;
    s.branches = moves > 0 ? made / moves : 0;
    s.main = s.work - s.spread;
    s.granule = s.sparks > 0 ? s.main / s.sparks : 0;
    /* Who has made a task and runs it itself has nobody run it again. */
    if (moves > 0)
        s.pure *= fmin(1, moves / s.leaves);
    return s;
}
