/* Passages of one trajectory: where they begin and end, and how long they take.
 *
 * As in a chain, states in which no time passes are none: predicates are looked at in the tangible
 * state that an activity and what follows it without time lead to, and passages begin and end by
 * activities that take time. */
#ifndef PEPA_MEASURE_PASSAGE_FOLLOW_H
#define PEPA_MEASURE_PASSAGE_FOLLOW_H

#include "measure/simulation.h"

/* One of the two: completions of actions; or states that satisfy a predicate. */
typedef struct {
    const uint8_t *action; /* per action of the model: it is one of them; or NULL */
    const Query *predicate;
} PassageMark;

/* What passages are, joined to a model that is ready to be simulated; it is borrowed. */
typedef struct {
    const Simulation *s;
    PassageMark from, to; /* from: neither, if passages begin in the initial state */
    Expressions *e[2];    /* of the predicates; else NULL */
    ObservePlan *observe[2];
} PassagePlan; /* starts as {0} */

/* Marks and their contents are borrowed.  Errors: PEPA_ENOMEM. */
PepaStatus passage_plan_new(PassagePlan *out, const Simulation *s, PassageMark from, PassageMark to,
                            PepaError *err);
void passage_plan_free(PassagePlan *plan);

/* A passage that has ended. */
typedef struct {
    double start, took; /* took: HUGE_VAL: it never ends, since nothing happens any more */
} Passed;

typedef struct {
    const PassagePlan *plan;
    Trajectory t;
    Observer to;  /* the trajectory's own is of `from` */
    bool was;     /* the present state satisfies `from` */
    bool begun;   /* there was a tangible state */
    double *open; /* when those began that have not ended: ascending */
    Passed *passed;
    size_t open_count, open_cap, passed_count, passed_cap;
} PassageFollower; /* starts as {0} */

PepaStatus passage_follower_new(PassageFollower *out, const PassagePlan *plan, PepaError *err);
void passage_follower_free(PassageFollower *follower);
/* In the initial state at time 0, with a stream of its own. */
void passage_follower_start(PassageFollower *follower, uint64_t seed, uint64_t number);
/* On, from a passage that begins at time 0 if the plan says so, until the time is `time` at least
 * and all passages that began until then have ended; where nothing can happen any more, those under
 * way never end. */
TrajectoryEnd passage_follow(PassageFollower *follower, double time, int64_t most,
                             const TrajectoryWatch *watch);

#endif
