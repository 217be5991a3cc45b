/* Rates that do not fall to 0 as the components end that have them.
 *
 * A server with a constant rate for all is often written as (serve, 5 / P) of each of P: together they have
 * the rate 5 as long as there is one.  At P = 0 that would take components that are not there.  So the
 * rate is that of flow_rate.h with as many ready: where P runs out it falls to what comes in, and P stays
 * at 0, which is the limit of the chain. */
#ifndef PEPA_CTMC_SEMANTICS_FLOW_END_H
#define PEPA_CTMC_SEMANTICS_FLOW_END_H

#include "ctmc/semantics/flow.h"

/* The rate of `count` components, a variable: as it is, or as long as some are there.  Those which share it,
 * as in 5 / (P + Q), count together.
 *   typical  per variable, `variables` of them: counts that are not 0
 * Where memory is out, flows->no_memory. */
int32_t flow_until_end(Flows *flows, int32_t rate, int32_t count, const double *typical,
                       int32_t variables);

#endif
