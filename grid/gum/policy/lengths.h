/* How long tasks are: a histogram of their works, and what a task that has run some time gains if it is
 * begun a second time.
 *
 * What is left of a task depends on the distribution: nothing but the rest of the mean where works are
 * equal, as much as at its beginning where they are exponential, more and more where a few are much longer
 * than others.  A histogram of those that have ended has all of these, without a name for the
 * distribution (the mean residual life, Cox, Renewal theory, 1962).
 *
 * Work is in seconds of one process, the same for all, so that lengths of all processes fit together.  Bins are a
 * quarter of an octave wide, from 0.1 us to most of a year; what is shorter or longer is in the first or the
 * last one. */
#ifndef GRID_GUM_POLICY_LENGTHS_H
#define GRID_GUM_POLICY_LENGTHS_H

#include <stdint.h>

enum { LENGTH_BINS = 192 };

typedef struct {
    int32_t tasks; /* that were added */
    uint16_t bin[LENGTH_BINS];
} Lengths; /* starts as {0} */

/* A task had this work.  Where its bin is full all are halved before: later tasks count more.  O(1). */
void lengths_add(Lengths *lengths, double work);

/* How much earlier a task ends, in seconds, that is begun a second time elsewhere: the mean of
 *
 *     max(0, left x here - all x there - way)
 *
 * over works `all` = done + left of the tasks that are longer than what is done, and of one more of which
 * `guess` is left, which is all that is known at first.
 *   done, guess  work
 *   here, there  seconds for a unit of work where it runs, and where it is begun again
 *   way          seconds
 * Works of a bin count as uniform in it.  O(bins). */
double lengths_gain(const Lengths *lengths, double done, double guess, double here, double there,
                    double way);

#endif
