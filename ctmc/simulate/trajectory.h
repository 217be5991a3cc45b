/* A trajectory of a model: from the initial state on, activity by activity, by chance.
 *
 * Gillespie's direct method: the time until the next activity has an exponential distribution with
 * the total rate of the state, and which one it is follows from the shares of the rates.  No
 * activity changes the state that a time in between sees, so that a trajectory can be stopped at
 * any time and goes on as if it had not been.
 * Source: Gillespie, J. Phys. Chem. 81 (1977). */
#ifndef PEPA_CTMC_SIMULATE_TRAJECTORY_H
#define PEPA_CTMC_SIMULATE_TRAJECTORY_H

#include "ctmc/simulate/observe.h"

typedef struct {
    Choices choices;
    Observer observer;
    Stream stream;
    double time, next; /* next: when the next activity happens; HUGE_VAL: never */
    int64_t activities;
    int32_t event; /* of the last activity */
} Trajectory;      /* starts as {0} */

typedef enum {
    TRAJECTORY_THERE,  /* at the time that was asked for */
    TRAJECTORY_STUCK,  /* in a state that is an error of the model: choices_stuck */
    TRAJECTORY_MEMORY, /* memory is out */
    TRAJECTORY_LIMIT,  /* after the most activities that were allowed */
    TRAJECTORY_STOPPED /* by the watch */
} TrajectoryEnd;

enum { WATCH_EVERY = 65536 }; /* activities: some milliseconds */
/* Asked now and then whether to stop. */
typedef struct {
    bool (*stops)(void *user, int64_t activities); /* since it was asked last */
    void *user;
} TrajectoryWatch;
/* Never stops. */
extern const TrajectoryWatch unwatched;

/* Plans are borrowed. */
PepaStatus trajectory_new(Trajectory *out, const ChoicePlan *plan, const ObservePlan *observe,
                          PepaError *err);
void trajectory_free(Trajectory *trajectory);
/* In the initial state at time 0, with a stream of its own. */
void trajectory_start(Trajectory *trajectory, uint64_t seed, uint64_t number);

/* Nothing can happen any more. */
static inline bool trajectory_is_over(const Trajectory *t)
{
    return !(choices_total(&t->choices) > 0);
}

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
