/* The PEPA model of a superstep: processes compute, in k exponential stages each, all meet, they
 * communicate, in k stages, and synchronise.
 *
 *     P = (compute, k / compute time)^k . (meet, T) . (communicate, k / communicate time)^k . (sync, T) . P
 *     ((P1[n1]{meet, sync} <meet, sync> P2[n2]{meet, sync} ...) <sync> Barrier) <meet> Meeting
 *
 * Processes with equal times are copies of one component, which the engine counts, so that many
 * equal processes make few states.  The mean superstep is 1 / throughput(sync) less what the meeting
 * takes; for k to infinity it becomes the formula. */
#ifndef GRID_BSP_PREDICT_MODEL_H
#define GRID_BSP_PREDICT_MODEL_H

#include "grid/bsp/predict/superstep.h"

enum { MOST_STAGES = 100 };

/* The text of the model, with `about` in its first remark: free with mem_free.
 * Errors: PEPA_EMODEL (nothing takes time), PEPA_ENOMEM. */
PepaStatus model_text(const Superstep *s, int32_t stages, const char *about, char **out,
                      PepaError *err);
/* How many states it has, as a bound that may be +inf. */
double model_states(const Superstep *s, int32_t stages);
/* The mean duration of the superstep, seconds, by the engine; 0 if nothing takes time.  Errors: as of pepa_chain_derive and
 * pepa_solve, and of model_text. */
PepaStatus model_solve(const Superstep *s, int32_t stages, const PepaSettings *set, double *out,
                       PepaError *err);
/* The same by the means of two maxima (maximum.h), since processes only wait for each other where all
 * meet: any number of processes.  Errors: as of maximum_mean. */
PepaStatus model_mean(const Superstep *s, int32_t stages, double *out, PepaError *err);

#endif
