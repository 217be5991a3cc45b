/* Windows: sweeps over blocks that are remembered together, and what their changes say of the sweeps that are left. */
#ifndef SOLVERS_BLOCKS_BLOCKS_WINDOW_H
#define SOLVERS_BLOCKS_BLOCKS_WINDOW_H

#include "solvers/blocks/blocks.h"
#include "solvers/blocks/extrapolate.h"
#include "solvers/internal.h"

typedef struct {
    Attempt try;
    const Blocks *b;
    BlocksWorkspace work;
    BlocksCoarse coarse; /* once blocks have been aggregated */
    History history;
    double *x;
    int64_t states;
    int64_t memory;        /* bytes for the history; 0: any */
    double patience, cost; /* as of solve_blocks; of a sweep */
    double tolerance;      /* of measure */
    double measure;        /* change per flow of the last sweep: the residual is less */
    /* Of its logarithm per sweep: in the last half of a window, in the flatter of the last two of
     * these, and in all of a window. */
    double steep, slope, fall;
    double wanted;  /* slope of the first half without which a window ends there */
    double settled; /* measure after the first sweeps, which were so many */
    int64_t settling;
    int32_t every;     /* sweeps from one iterate that is remembered to the next */
    int32_t place;     /* in the window: sweeps done */
    bool joined;       /* blocks are aggregated before sweeps */
    bool extrapolated; /* at least once */
} Solving;

/* `count` sweeps, the last of them measured.  False: cancelled, or there are none left. */
bool window_sweep(Solving *s, double omega, int32_t count);

typedef enum { WINDOW_FULL, WINDOW_LAST, WINDOW_DIVERGED, WINDOW_SLOW } WindowEnd;
/* How many sweeps a window has. */
int32_t window_size(const Solving *s);
/* A window: sweeps of one kind, or as many of them as seem to be needed.  WINDOW_LAST: no further
 * sweep is needed or allowed; WINDOW_DIVERGED: the measure has grown much; WINDOW_SLOW: it does not fall as is
 * wanted. */
WindowEnd window_run_up_to(Solving *s, double omega, int32_t window);
/* The same of window_size; several processes wait for each other at its end only, where far from the target. */
WindowEnd window_run(Solving *s, double omega);
/* Whether the first iterate of the window is there. */
bool window_can_go_back(const Solving *s);

/* The error is about the change times the sum of the powers of the factor by which it falls: sweeps
 * go on until that meets the tolerance, or the change is a hundredth of it. */
double window_target(double tolerance, double slope);
bool window_arrived(const Solving *s);
/* Sweeps until the target is met if the measure keeps falling by `slope`. */
double window_needed(const Solving *s, double slope);
/* The same as a whole number, at most `most`. */
int32_t window_length(const Solving *s, double slope, int32_t most);
/* The slope of all sweeps after the first ones: what extrapolation has gained is in it. */
double window_overall(const Solving *s);
/* A sweep and an aggregation, in sweeps; of one process, so that decisions do not depend on their number. */
double window_joint_cost(const Solving *s);

#endif
