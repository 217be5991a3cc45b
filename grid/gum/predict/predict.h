/* How long a GUM program takes on a grid with a policy, from a profile of another run.
 *
 * Makespan = start-up + work / throughput + tail.  The throughput is that of the PEPA model (taking.h),
 * once for sparks of the main program and once for those that move again (shape.h); searches are those
 * of search.h.  Start-up: what processes do not do until they have their first work.  Tail: the last
 * tasks, while others have none (tail.h).  doc/gum-model.md says what is assumed and how good it is. */
#ifndef GRID_GUM_PREDICT_PREDICT_H
#define GRID_GUM_PREDICT_PREDICT_H

#include "grid/gum/policy/policy.h"
#include "grid/gum/predict/platform.h"
#include "grid/gum/predict/profile.h"
#include "grid/gum/predict/taking.h"

typedef struct {
    int32_t age_limit;  /* of a FISH; -1: the number of processes, as the run-time has it */
    int32_t mark;       /* watermark for a process of mean speed; 0: who has nothing to do asks */
    int32_t stages;     /* exponential stages of searches and tasks, 1 .. MOST_STAGES */
    double most_states; /* larger chains are solved in the fluid limit */
    const PepaSettings *set;    /* of the solver; or NULL */
    void (*begins)(void *user); /* is called before each prediction; or NULL */
    void *user;
} Predicting;

typedef struct {
    double makespan, start, tail; /* seconds */
    double efficiency;            /* work / (makespan x speed of all) */
    double throughput;            /* units a second while there are sparks */
    double messages;              /* to find work, in all */
    ModelMethod method;
} Prediction;

/* Errors: those of taking_solve, PEPA_ENOMEM. */
PepaStatus predict_policy(const Platform *platform, const Profile *profile, PolicyName policy,
                          const Predicting *how, Prediction *out, PepaError *err);
/* The model of sparks of the main program, or, where there are few of them, of those that move again, as
 * text, to be freed by mem_free.  Errors: PEPA_EMODEL (the program makes no sparks), PEPA_ENOMEM. */
PepaStatus predict_text(const Platform *platform, const Profile *profile, PolicyName policy,
                        const Predicting *how, char **out, PepaError *err);

#endif
