/* Cycles that find the shape of the solution. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "solvers/rows/rows.h"

typedef struct {
    const double *y, *old;
} Moving;

static void add_moved(void *user, int32_t first, int32_t end, double *sum)
{
    const Moving *moving = user;
    double moved = 0;
    for (int32_t i = first; i < end; i++)
        moved += fabs(moving->y[i] - moving->old[i]);
    sum[0] = moved;
}

/* A cycle as part of the attempt.  Its criterion; +inf: nothing more to do, or out of memory.
 * *moved: the share of probability that it moved. */
static double cycle(Attempt *try, CycleKind kind, double *y, double *old, double *moved)
{
    double sum[SUMS];
    const Moving moving = {y, old};
    if (!attempt_step(try, CYCLE_PASSES, try->criterion))
        return HUGE_VAL;
    memcpy(old, y, (size_t)try->flow->n * sizeof *y);
    try->status = cycle_groups(try->flow, kind, y);
    if (try->status != PEPA_OK)
        return HUGE_VAL;
    double criterion = attempt_offer(try, y);
    rows_each(try->flow, false, add_moved, (void *)&moving, sum);
    *moved = sum[0] / 2;
    return criterion;
}

bool shape_find(Attempt *try, Shaping *shaping, double *y, double *scratch)
{
    double criterion = HUGE_VAL, moved = 1;
    for (int32_t k = 0; k < SHAPE_CYCLES; k++) {
        criterion = cycle(try, shaping->kind, y, scratch, &moved);
        if (attempt_met(try) || !isfinite(criterion))
            return false;
        if (criterion > shaping->near)
            continue;
        if (moved <= SHAPE_MOVED)
            break;
        shaping->kind = CYCLE_W;
    }
    return true;
}

void shaping_harder(Shaping *shaping, double criterion)
{
    shaping->near = NEARER * fmin(shaping->near, criterion);
    shaping->kind = CYCLE_W;
}
