/* The power method on the uniformised chain. */
#include "solvers/internal.h"

#include <math.h>

/* pace_i = d_i / Lambda with Lambda a little above the largest rate, so that every state has a
 * self-loop and the uniformised chain is aperiodic.  Without rates all states are alike. */
static bool uniformise(const Flow *flow, double *pace)
{
    double most = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        pace[i] = flow->exit ? flow->exit[i] : 1;
        if (!(pace[i] > 0 && isfinite(pace[i])))
            return false;
        if (pace[i] > most)
            most = pace[i];
    }
    for (int32_t i = 0; i < flow->n; i++)
        pace[i] = pace[i] / most / 1.02;
    return true;
}

/* Steps of pi_i = y_i / d_i. */
static void iterate(Attempt *try, const double *pace, double *x, double *next)
{
    double off = try->criterion, *both[] = {x, next};
    int64_t due = 16;
    for (;;) {
        (void)attempt_relax(try, pace, 1, due - try->iterations, both, &off);
        off = attempt_offer(try, both[0]);
        if (attempt_met(try) || try->why || try->status != PEPA_OK)
            return;
        if (try->iterations < due)
            due = try->iterations + 1;
        else
            due += 16;
        if (attempt_stalls(try, off))
            return;
    }
}

static void run(Attempt *try, double *x)
{
    double *next = x + try->flow->n, *pace = next + try->flow->n;
    if (uniformise(try->flow, pace))
        iterate(try, pace, x, next);
    else
        try->why = "met exit rates that are not > 0";
}

/* Steady state or visits by pi <- pi (I + Q / Lambda), Lambda = 1.02 max d.  Slow when exit rates
 * differ by orders of magnitude.  4 vectors.  Source: Stewart 1994, ch. 3. */
const Method method_power = {"power", "steps", .passes = 1, .vectors = 3, .run = run};
