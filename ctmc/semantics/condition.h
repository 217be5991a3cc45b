/* Conditions on counts that are real numbers.
 *
 * At whole counts they are what a chain has, 0 or 1; between, they are linear, so that no rate
 * jumps.  Where b - a is linear in the counts, its values at whole counts are multiples of some step
 * from an offset on; a < b goes from 0 to 1 between the last of these that is not above 0 and the
 * next one.  Where it is not linear, that takes a thousandth of what one component changes it by. */
#ifndef PEPA_CTMC_SEMANTICS_CONDITION_H
#define PEPA_CTMC_SEMANTICS_CONDITION_H

#include "ctmc/semantics/flow.h"

/* a op b, a comparison.
 *   typical  per variable, `variables` of them: counts that are not 0, at which slopes are taken
 * Where memory is out, flows->no_memory. */
int32_t condition_compare(Flows *flows, ExprOp op, int32_t a, int32_t b, const double *typical,
                          int32_t variables);

#endif
