/* A program, as mathematics has the word: an objective to be made small within bounds and under
 * constraints.  What the searches of this room work on; it knows nothing of models. */
#ifndef PEPA_OPTIMISE_PROGRAM_H
#define PEPA_OPTIMISE_PROGRAM_H

#include <stdbool.h>

#include "base/error.h"

/* What is known of a point: value[0] is the objective, value[1 + c] what constraint c exceeds 0 by,
 * as a share of its bound. */
typedef struct {
    int32_t variables, constraints;
    const double *low, *high; /* per variable, finite, low <= high */
    const uint8_t *whole;     /* per variable: only whole numbers; its ends are whole then */
    void *user;
    /* value: 1 + constraints entries.  slope: NULL, or (1 + constraints) x variables: derivatives by
     * the variables that are not whole; slope[0] is NaN where there are none.  PEPA_EMODEL: the
     * point is not feasible; other errors end the search. */
    PepaStatus (*evaluate)(void *user, const double *x, double *value, double *slope,
                           PepaError *err);
    /* What can be known without evaluation: entries are NaN where nothing is.  Errors as above. */
    PepaStatus (*foresee)(void *user, const double *x, double *value, PepaError *err);
} Program;

/* Excesses of constraints: they hold up to this, and bind from this below it on. */
#define PROGRAM_TOLERANCE 1e-8
#define PROGRAM_BINDS     1e-6

/* The best point met.  Starts as {0} but for `program`; optimiser_new and optimiser_free. */
typedef struct {
    const Program *program;
    double *x; /* the best point; of an error, where it happened */
    bool met;  /* there is one */
    double value, violation;
    double *low, *high;               /* the window: where it searches, within the ranges */
    double *at, *worth, *slope;       /* scratch: a point, its values and derivatives */
    bool smooth;                      /* derivatives have existed everywhere so far */
    double size;                      /* of the objective: what changes are measured by; > 0 */
    int64_t skipped, searches, wrong; /* points ruled out; local searches; points without a model */
    PepaStatus status;                /* what has ended the search */
    PepaError err, first_wrong;
} Optimiser;

PepaStatus optimiser_new(Optimiser *s, const Program *program, PepaError *err); /* at: all low */
void optimiser_free(Optimiser *s);
/* Values at x, and derivatives unless slope is NULL; remembers the best.  False: it has none, or the
 * search is to end: see status. */
bool optimiser_evaluate(Optimiser *s, const double *x, double *value, double *slope);
/* A point that is not evaluated because `value`, what is foreseen, rules it out. */
bool optimiser_rules_out(Optimiser *s, const double *x, const double *value);
/* The largest excess of the constraints, at least 0. */
double optimiser_violation(const Optimiser *s, const double *value);
bool optimiser_feasible(const Optimiser *s); /* the best point satisfies the constraints */

/* Whether the best point has the whole numbers of s->at; to move its other variables to the ends of
 * their ranges where they are nearly there and that is no worse. */
bool optimiser_is_here(const Optimiser *s);
void optimiser_to_ends(Optimiser *s);

/* Over the variables that are not whole, with the others as in s->at: from several starts. */
void optimiser_continuous(Optimiser *s);
/* The residual of Karush, Kuhn and Tucker at the best point; NaN: there are no derivatives.  It is
 * the largest component of the Lagrangian's derivative with the best multipliers, >= 0, per window of
 * a variable and as a share of the objective's size. */
double optimiser_residual(Optimiser *s);
/* Over all variables.  *all: every combination of whole numbers was looked at or ruled out. */
void optimiser_whole(Optimiser *s, bool *all);

/* The window: all of the ranges, or within the factor `reach` of the best point (of one at 0: so much
 * less of it).  Wide: it spans many powers of ten.  Ends here: the best point is next to an end that is none
 * of the range. */
#define WINDOW_NEAR 1e-3 /* as a share */
void window_open(Optimiser *s);
void window_around(Optimiser *s, double reach);
bool window_is_wide(const Optimiser *s);
bool window_ends_here(const Optimiser *s);

/* A variable as a share of its window, and back: logarithmic where that is above 0.
 * share_slope: d x / d share. */
double share_of(const Optimiser *s, int32_t variable, double x);
double share_value(const Optimiser *s, int32_t variable, double share);
double share_slope(const Optimiser *s, int32_t variable, double share);

#endif
