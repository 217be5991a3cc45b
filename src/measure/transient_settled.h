/* Whether a run has come to the long run, where steps cannot tell: by the distance to it. */
#ifndef PEPA_MEASURE_TRANSIENT_SETTLED_H
#define PEPA_MEASURE_TRANSIENT_SETTLED_H

#include "measure/transient_steps.h"

/* The chain is solved for its long run p.  Since exp(t Q) lengthens no vector in the 1-norm,
 *
 *     |x exp(t Q) - p|_1 <= |x - p|_1 + t |p Q|_1,
 *
 * whatever p is, so that nothing needs to be known of its own error.  Of few states that is bounded by off, and the
 * distance to the exact long run does not grow: |x exp(t Q) - p|_1 <= |x - p|_1 + 2 off at any time.
 *   length    that times go on for
 *   little    that the second part may be, by rounding, in any case
 *   *settled  p is x from now on, and stands for all later ones (run->rests), since both parts are no
 *             more than the error of x or what is allowed.  Else x is as it was
 * Errors: PEPA_ENOMEM, PEPA_ECANCEL; a chain that is not solved is not settled. */
PepaStatus transient_settle(Run *run, double length, double little, bool *settled, PepaError *err);

#endif
