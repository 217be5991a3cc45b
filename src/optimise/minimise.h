/* Minima of functions without bounds or constraints.  GSL stays behind this header. */
#ifndef PEPA_OPTIMISE_MINIMISE_H
#define PEPA_OPTIMISE_MINIMISE_H

#include <stdbool.h>
#include <stdint.h>

/* A function of a few variables, finite everywhere.  slope: NULL, or out: its derivatives. */
typedef struct {
    int32_t variables;
    void *user;
    double (*value)(void *user, const double *t, double *slope);
    bool (*stop)(void *user); /* whether the search is to end early */
} Smooth;

/* From t, in; out: where the search has ended, no higher than t.  Ends where no derivative exceeds
 * `tolerance`, where no step leads down, or after `most` steps.  step: the length of the first.
 * Each of these has GSL make some vectors by malloc, for whose size memory is tried for first; false:
 * memory is out. */
bool minimise_smooth(const Smooth *f, double *t, double step, double tolerance, int32_t most);

/* The same without derivatives: by Brent's method in one variable, by simplices in more.  step: how
 * far to look at first; ends when steps are shorter than `tolerance`. */
bool minimise_rough(const Smooth *f, double *t, double step, double tolerance, int32_t most);

/* The same with derivatives that may jump, by `most` passes of steps from `step` to the `shortest`: ends where a
 * pass gains no more than that.  tolerance: derivatives that lead nowhere.  GSL has no part in it. */
bool minimise_kinked(const Smooth *f, double *t, double step, double shortest, double tolerance,
                     int32_t most);

#endif
