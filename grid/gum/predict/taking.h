/* The PEPA model of processes that take sparks from others: as text, and its throughputs.
 *
 * A group of n equal processes is P[n].  A process with `stock` sparks runs one after another; when it
 * has fewer than `watermark`, a FISH is under way, which brings `bulk` sparks.  The search takes
 * `stages` exponential stages, so does a task.  Sparks never run out: what is at the end is added by
 * predict.h.  With one process that all take from, and to which a FISH is work of `serve` seconds, what
 * it gives is bounded by 1 / serve:
 *
 *     P1_0 = (give, 1 / search).P1_1;   P1_1 = (work1, mu).P1_0;
 *     Main = (work0, mu0).Main + (give, 1 / serve).Main;
 *     Main <give> (P1[3] || P2[1])
 *
 * With watermark 1 and bulk 1 this is GUM1; with watermark 2, GUM2; with bulk, GUM2 that schedules
 * several sparks at once. */
#ifndef GRID_GUM_PREDICT_TAKING_H
#define GRID_GUM_PREDICT_TAKING_H

#include <pepa.h>

typedef struct {
    int32_t copies;
    double work;             /* seconds of a task, > 0 */
    double search;           /* seconds from a FISH to the work that it brings, > 0 */
    int32_t watermark, bulk; /* >= 1 */
} ModelGroup;

typedef struct {
    double
        work; /* seconds of a task on the main process, which never searches; 0: no such process */
    double
        serve; /* seconds that it takes to answer a FISH; 0: none, or it is not the only source */
    int32_t stages;
    const ModelGroup *group;
    int32_t groups;
} TakingModel;

typedef enum { MODEL_EXACT, MODEL_FLUID } ModelMethod;
const char *taking_method(ModelMethod method);

enum { MOST_STAGES = 20, MOST_STOCK = 64 };

/* *out: the text, to be freed by mem_free.  `about`: one line on top.  Errors: PEPA_ENOMEM. */
PepaStatus taking_text(const TakingModel *model, const char *about, char **out, PepaError *err);
/* States of its chain, with copies counted: an upper bound. */
double taking_states(const TakingModel *model);
/* rate[0]: tasks a second of the main process (0 if there is none); rate[1 + g]: of all of group g.
 * The chain is solved if it has at most `most_states` states, else the populations are followed in the
 * fluid limit, which is exact where only one process is the source and never the bottleneck.
 * Errors: those of pepa_solve_steady and pepa_fluid_measures. */
PepaStatus taking_solve(const TakingModel *model, double most_states, const PepaSettings *set,
                        double *rate, ModelMethod *method, PepaError *err);

#endif
