/* Exponential activities from random points that models with other rates have in common: what
 * differs between two trajectories is then due to their rates, and not to chance (common random
 * numbers).
 *
 * Each event has a Poisson process of unit intensity over time and level, which depends on the seed
 * and on nothing else, and happens at those of its points whose level is below its rate in the
 * state then.  Where two trajectories are in the same state, an event with the rates a < b happens
 * in both at the rate a, and in one only at the rate b - a: the stacked coupling.  Numbers that are
 * used up one after the other would part for good at the first difference.
 *
 * Levels are cut into strips unit x [2^k, 2^(k+1)), time into windows in which a strip has three
 * points in the mean.  The points of a window are a function of seed, replication, event, strip and
 * window, so that a strip is joined at any time: at most every second point of an event is above
 * its rate.  Below the unit, which is to be much less than the rates that matter, and in windows
 * too many to be counted, points are drawn without memory as the state changes: as exact, but not
 * in common.  Which component moves is drawn from a stream of the point.
 * Sources: Lewis, Shedler, Naval Research Logistics Quarterly 26 (1979), thinning; Anderson, SIAM
 * J. Numerical Analysis 50 (2012); Anderson, Yuan, Bulletin of Mathematical Biology 81 (2019), the
 * stacked coupling; Rathinam, Sheppard, Khammash, J. Chemical Physics 132 (2010), common reaction
 * paths. */
#ifndef PEPA_CTMC_SIMULATE_THINNING_H
#define PEPA_CTMC_SIMULATE_THINNING_H

#include "ctmc/semantics/choices.h"

enum { STRIP_POINTS = 4 };
/* A strip of levels of an event, and the first of its points that is still to come. */
typedef struct {
    double window; /* its number; -1: none yet */
    double time, level;
    uint64_t index;                 /* of the point after it in the window */
    double number[STRIP_POINTS][2]; /* for its points, so many at a time */
} Strip;

typedef struct {
    double rate;
    double low;    /* the part of the rate that is below the strips, */
    double within; /* and when it makes the event happen */
    Strip *strip;  /* of which the first `strips` are below the rate, in part or as a whole */
    int32_t strips, made;
    size_t cap;
    int32_t first;  /* the strip of the first point; BELOW_STRIPS */
    uint64_t drawn; /* points without memory */
} ThinnedEvent;
enum { BELOW_STRIPS = -1 };

typedef struct {
    Choices *choices;
    double unit;
    uint64_t seed, number; /* of the replication */
    ThinnedEvent *event;
    double
        *first; /* a tree: node i has the earlier of 2 i and 2 i + 1; event e is event_count + e */
    int32_t chosen;
    Stream pick; /* of what is drawn at the last point */
} Thinning;      /* starts as {0} */

/* choices: borrowed; unit > 0.  Errors: PEPA_ENOMEM.  thinning_free in any case. */
PepaStatus thinning_new(Thinning *out, Choices *choices, double unit, PepaError *err);
void thinning_free(Thinning *thinning);
/* At time 0, where the choices have been reset: in a tangible state look at all events next. */
void thinning_start(Thinning *thinning, uint64_t seed, uint64_t number);
/* The rates of events may be others from this time on: those that the last activity changed, or
 * all. Where memory is out, choices->no_memory is set. */
void thinning_look(Thinning *thinning, double time, bool all);
/* When the next event happens, if the rates do not change before; HUGE_VAL: not before `end`, at
 * which they may change. */
double thinning_next(Thinning *thinning, double end);
/* It does: returns it, and thinning->pick begins. */
int32_t thinning_take(Thinning *thinning);

/* The stream of the durations of activity `which` in a replication. */
void thinning_durations(Stream *out, uint64_t seed, uint64_t number, uint64_t which);

#endif
