/* One component among large populations: a model of it alone, whose rates are those that it meets
 * where the populations settle.
 *
 * A move of rate R that takes one of x components from a local state takes a given one of these with
 * rate R / x.  In the limit of large populations components are independent of each other, so that
 * what happens to one of them, such as how long it waits, is what happens in this model.
 * Source: Hayden, Stefanek, Bradley, Fluid computation of passage-time distributions in large Markov
 * models, TCS 413, 2012. */
#ifndef PEPA_MEASURE_FLUID_INDIVIDUAL_H
#define PEPA_MEASURE_FLUID_INDIVIDUAL_H

#include "base/source.h"
#include "measure/fluid.h"

/* The text of that model, of the first component from the left that begins as `component`; its local
 * states and actions have the names that they have in the model, but for what is hidden.
 *   timeless  per action of the model: set where the component does it immediately, which that model
 *             leaves out
 *   found  what of it is not known: found->scarce
 * Errors: PEPA_EARG (no sequential component of that name), PEPA_ENOMEM; those of settle. */
PepaStatus fluid_individual(FluidModel *model, const char *component, bool *timeless, Text *text,
                            FluidFound *found, PepaError *err);

#endif
