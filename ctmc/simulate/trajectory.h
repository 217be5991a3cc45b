/* A trajectory of a model: from the initial state on, activity by activity, by chance.
 *
 * Gillespie's direct method: the time until the next activity has an exponential distribution with
 * the total rate of the state, and which one it is follows from the shares of the rates.  No
 * activity changes the state that a time in between sees, so that a trajectory can be stopped at
 * any time and goes on as if it had not been.  In a vanishing state the next activity happens at
 * once.  Of activities with clocks and the others, the one that is first happens; as an exponential
 * time has no memory, it is drawn anew in every state.
 * Source: Gillespie, J. Phys. Chem. 81 (1977). */
#ifndef PEPA_CTMC_SIMULATE_TRAJECTORY_H
#define PEPA_CTMC_SIMULATE_TRAJECTORY_H

#include "ctmc/simulate/observe.h"
#include "ctmc/simulate/thinning.h"

typedef struct {
    Choices choices;
    Observer observer;
    bool only_timed;   /* nothing is immediate or has a priority or a clock, or is thinned */
    Clocks clocks;     /* if some activities have clocks */
    Thinning thinning; /* if exponential activities are those of common points */
    Stream stream;
    double time, next; /* next: when the next activity happens; HUGE_VAL: never */
    bool by_clock;     /* it is one with a clock */
    int64_t activities;
    int64_t in_row; /* the last so many were immediate */
    double most_in_row;
    int32_t event; /* of the last activity */
} Trajectory;      /* starts as {0} */

typedef enum {
    TRAJECTORY_THERE,    /* at the time that was asked for */
    TRAJECTORY_STUCK,    /* in a state that is an error of the model: choices_stuck */
    TRAJECTORY_MEMORY,   /* memory is out */
    TRAJECTORY_TIMELESS, /* in a vanishing state: time does not seem to go on */
    TRAJECTORY_LIMIT,    /* after the most activities that were allowed */
    TRAJECTORY_STOPPED   /* by the watch */
} TrajectoryEnd;

enum { WATCH_EVERY = 65536 }; /* activities: some milliseconds */
/* Asked now and then whether to stop. */
typedef struct {
    bool (*stops)(void *user, int64_t activities); /* since it was asked last */
    void *user;
} TrajectoryWatch;
/* Never stops. */
extern const TrajectoryWatch unwatched;

/* Plans are borrowed.  unit > 0: that of a thinning, from which exponential activities come, while
 * each activity with a clock has durations from a stream of its own: trajectories of a seed and a
 * number have random numbers in common, whatever the rates of their models. */
PepaStatus trajectory_new(Trajectory *out, const ChoicePlan *plan, const ObservePlan *observe,
                          double unit, PepaError *err);
void trajectory_free(Trajectory *trajectory);
/* In the initial state at time 0, with a stream of its own. */
void trajectory_start(Trajectory *trajectory, uint64_t seed, uint64_t number);

/* Nothing can happen any more. */
static inline bool trajectory_is_over(const Trajectory *t)
{
    return choices_is_over(&t->choices);
}

/* The observer looks at the present state, which trajectory_until has got to.  May find out that the
 * next one is an error of the model: TRAJECTORY_STUCK, or TRAJECTORY_TIMELESS. */
TrajectoryEnd trajectory_look(Trajectory *trajectory);

/* On to a time, which is not before the present one.
 *   integrals  the observer follows; else its values are those of long ago
 *   most       of activities, since the start */
TrajectoryEnd trajectory_until(Trajectory *trajectory, double time, bool integrals, int64_t most,
                               const TrajectoryWatch *watch);

/* The next activity, which there is: `next` is a time; t->event says which it was.  The observer
 * follows. */
TrajectoryEnd trajectory_step(Trajectory *trajectory, int64_t most, const TrajectoryWatch *watch);

/* To the state of these cells at this time; the stream goes on.  Exponential times have no memory, so
 * that what follows has the distribution that it has wherever that state is reached. */
void trajectory_go(Trajectory *trajectory, const int64_t *cells, double time);

#endif
