/* Relaxation factors found by trial. */
#include "solvers/internal.h"

#include <math.h>

Relax relax_start(double factor, double step, double low, double high)
{
    return (Relax){.now = factor,
                   .best = factor,
                   .fall = HUGE_VAL,
                   .step = step,
                   .low = low,
                   .high = high};
}

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The best factor is run again after every failed trial: its slope of long ago, when other error
 * components still prevailed, is no measure for today's trials.  If it has come to let errors grow,
 * which may take a while to show, nothing from there on upwards is tried again. */
void relax_next(Relax *relax, double slope)
{
    const double least_step = 0.005, retreat = 0.1;
    if (relax->now == relax->best && !(slope <= 0)) {
        relax->high = fmax(relax->best, relax->low);
        relax->best = relax->now = clamp(relax->best - retreat, relax->low, relax->high);
        relax->step = -retreat / 2;
        relax->fall = HUGE_VAL;
        return;
    }
    if (relax->now == relax->best) {
        relax->fall = slope;
    } else if (slope < relax->fall) {
        relax->best = relax->now;
        relax->fall = slope;
        relax->step *= 1.5;
    } else {
        relax->now = relax->best;
        relax->step *= -0.5;
        return;
    }
    double trial = clamp(relax->best + relax->step, relax->low, relax->high);
    if (trial == relax->best) {
        relax->step *= -0.5;
        trial = clamp(relax->best + relax->step, relax->low, relax->high);
    }
    if (fabs(relax->step) >= least_step)
        relax->now = trial;
    else
        relax->step *= 1.2; /* stay for a while, then look around again */
}
