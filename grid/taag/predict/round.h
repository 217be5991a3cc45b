/* How long a round takes whose processes have hosts: the times of the groups, and of the exchange
 * that follows.
 *
 *     T_g = n_g * slowest step of its processes + (n_g - 1) * slowest message between two of them
 *     X   = 2 * slowest connection of two groups that talk
 *     round = E max_g T_g + X,      T_g of mean T_g in k exponential phases (Erlang)
 *
 * A group of n processes is a ring in which what each holds goes once round: n steps and n - 1
 * messages.  An exchange is a message each way, at the same time on all connections; in a tree it
 * goes from the leaves to the root and back.  The order of ranks in a ring is not known: the slowest
 * message is over all pairs of a group.
 *
 * Durations that are constant (k to infinity) give max_g T_g + X, which is never more: the maximum
 * is convex, so E max_g T_g >= max_g E T_g (Jensen).  Longer T_g give longer rounds: an Erlang
 * duration is its mean times a variable that does not depend on the mean.  Hence times of groups
 * that are too short give a bound of the round, for each k.
 * Source: Bosa, Schreiner, section 7, for the program; the model is ours. */
#ifndef TAAG_PREDICT_ROUND_H
#define TAAG_PREDICT_ROUND_H

#include "grid/taag/predict/costs.h"
#include "grid/taag/schedule/shape.h"

typedef struct {
    int32_t groups;
    double *time;    /* of each group, seconds */
    double exchange; /* X */
} Round;

bool round_make(Round *round, int32_t groups);
void round_free(Round *round);
/* host_of: by rank, ranks of a group are consecutive.  *out has room for the groups of the shape.
 * At most processes^2.  Errors: PEPA_ENOMEM. */
PepaStatus round_fill(Round *out, const Costs *costs, const Shape *shape, const int32_t *host_of,
                      PepaError *err);
/* Phases of a program's groups. */
int32_t round_phases(const AmogetProgram *program);
/* Seconds, for constant durations. */
double round_least(const Round *round);
/* Seconds, for durations of k phases.  Errors: as of maximum_mean. */
PepaStatus round_mean(const Round *round, int32_t phases, double *out, PepaError *err);
/* X from the connection of each two groups that talk: link(user, a, b). */
double round_exchange(const Shape *shape, double (*link)(const void *user, int32_t a, int32_t b),
                      const void *user);

#endif
