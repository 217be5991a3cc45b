/* One state at a time: what is enabled in a state, and where each activity leads.  No chain is
 * derived, so that a model may have any number of states.
 *
 *   PepaWalk *walk = NULL;
 *   if (pepa_walk_new(&walk, model, NULL, &err) == PEPA_OK)
 *       for (int32_t i = 0; i < pepa_walk_info(walk).enabled; i++)
 *           printf("%s at rate %g\n", pepa_walk_step(walk, i).action, pepa_walk_step(walk, i).rate);
 *   pepa_walk_free(walk);
 *
 * A walk belongs to one thread at a time. */
#ifndef PEPA_WALK_H
#define PEPA_WALK_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PepaWalk PepaWalk;

/* A walk in the initial state; it keeps the model alive.
 *   set  NULL for the default.  derive.separate_copies; derive.max_states, of pepa_walk_jump only;
 *        derive.diagnose, progress and user, which the functions below call as well.
 * Errors, here and of all that moves: PEPA_EMODEL (the state that it would move to is wrong:
 * derive.diagnose is told why), PEPA_ENOMEM.  A failure leaves the walk where it is. */
PEPA_API PepaStatus pepa_walk_new(PepaWalk **out, const PepaModel *model, const PepaSettings *set,
                                  PepaError *err);
PEPA_API void pepa_walk_free(PepaWalk *walk);

typedef struct {
    int64_t length; /* steps until now, jumps included, less those taken back */
    double exit;    /* the sum of the rates (of immediate steps: weights) of the enabled steps; 0: a
                      * deadlock */
    int32_t enabled;                         /* steps that are */
    int32_t positions, local_states, counts; /* as in PepaChainInfo */
    uint64_t reserved[4];
} PepaWalkInfo;
PEPA_API PepaWalkInfo pepa_walk_info(const PepaWalk *walk);

/* An enabled step, 0 .. info.enabled - 1: a transition of the state.  Steps are in the order of
 * actions in the model's text. */
typedef struct {
    const char *action;
    double rate;        /* 0 if it is immediate */
    double probability; /* that this one is the next: its share of info.exit */
    int immediate;      /* it takes no time; the other steps of the state are immediate, too */
    uint64_t reserved[1];
} PepaWalkStep;
PEPA_API PepaWalkStep pepa_walk_step(const PepaWalk *walk, int32_t step);

/* As pepa_chain_position and pepa_chain_local_name. */
PEPA_API PepaPosition pepa_walk_position(const PepaWalk *walk, int32_t position);
PEPA_API const char *pepa_walk_local_name(const PepaWalk *walk, int32_t local);

/* The present state (step < 0), or that which an enabled step leads to: how many copies are in each
 * local state of each position, info.counts entries; or as text, "(Stage1, Client:3|ClientWait:1)",
 * to be freed by pepa_text_free.  Errors: PEPA_EARG (no such step), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_walk_counts(const PepaWalk *walk, int32_t step, int32_t *counts,
                                     PepaError *err);
PEPA_API PepaStatus pepa_walk_text(const PepaWalk *walk, int32_t step, char **text, PepaError *err);
/* Whether a predicate of the walk's model is true in the present state.  Errors: PEPA_EARG (of
 * another model), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_walk_holds(const PepaWalk *walk, const PepaPredicate *predicate,
                                    int *holds, PepaError *err);

/* Take an enabled step.  The work of one state.  Errors: PEPA_EARG (no such step) too. */
PEPA_API PepaStatus pepa_walk_take(PepaWalk *walk, int32_t step, PepaError *err);
/* To where the walk was so many steps ago, 0 .. info.length: PEPA_EARG otherwise. */
PEPA_API PepaStatus pepa_walk_back(PepaWalk *walk, int64_t steps, PepaError *err);
/* To the state that a text describes, as pepa_walk_text writes it; parentheses may be left out.
 * Whether it can be reached is not looked at.  Errors: PEPA_EARG (it is no state) too. */
PEPA_API PepaStatus pepa_walk_go(PepaWalk *walk, const char *state, PepaError *err);
/* To the state with a number that pepa_chain_derive gives it, one by one, from 0 on.  The states up
 * to it are found on the way, and remembered.  Errors: PEPA_EARG (there are fewer), PEPA_ELIMIT
 * (beyond derive.max_states), PEPA_ECANCEL too. */
PEPA_API PepaStatus pepa_walk_jump(PepaWalk *walk, int64_t number, PepaError *err);

typedef enum {
    PEPA_RUN_FOUND,    /* the predicate is true here */
    PEPA_RUN_DEADLOCK, /* nothing is enabled here; the predicate is false */
    PEPA_RUN_MOST      /* so many steps were allowed; likewise */
} PepaRunEnd;
/* Take steps at random, each by its probability, until a predicate is true after a step: at least
 * one, and `most` at most (>= 1).
 *   until   of the walk's model; NULL: `most` steps are wanted, and end in PEPA_RUN_FOUND
 *   random  in: the seed, any; out: to go on from
 *   taken   out: the steps, which pepa_walk_back takes back one by one; written in any case
 * Errors, with the steps taken until then: PEPA_EARG (a predicate of another model), PEPA_ECANCEL
 * too. */
PEPA_API PepaStatus pepa_walk_run(PepaWalk *walk, const PepaPredicate *until, int64_t most,
                                  uint64_t *random, int64_t *taken, PepaRunEnd *end,
                                  PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
