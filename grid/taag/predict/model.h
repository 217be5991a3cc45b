/* The PEPA model of a round: each group goes through k exponential phases, all exchange, and begin
 * again.
 *
 *     G = (ring, k / T)^k . (exch, T) . G         X = (exch, 1 / exchange) . X
 *     (G1[n1]{exch} <exch> G2[n2]{exch} ...) <exch> X
 *
 * Groups with equal times are copies of one component, which the engine counts.  The mean round is
 * 1 / throughput(exch). */
#ifndef TAAG_PREDICT_MODEL_H
#define TAAG_PREDICT_MODEL_H

#include "grid/taag/predict/round.h"

/* The text, with `about` in its first remark: free with mem_free.  Some group takes time.
 * Errors: PEPA_ENOMEM. */
PepaStatus round_text(const Round *round, int32_t phases, const char *about, char **out,
                      PepaError *err);
/* How many states it has; +inf: too little memory to tell. */
double round_states(const Round *round, int32_t phases);
/* The mean duration of a round, seconds, by the engine.  Errors: as of text_throughput. */
PepaStatus round_solve(const Round *round, int32_t phases, const PepaSettings *set, double *out,
                       PepaError *err);

#endif
