/* Random chains as models of one component, whose rates are far apart. */
#ifndef PEPA_TESTS_PROPERTY_STIFF_MODEL_H
#define PEPA_TESTS_PROPERTY_STIFF_MODEL_H

#include "base/mem.h"

#include <stdint.h>

/* A chain of so many states with rates over nine decades, each state with one to four successors, by
 * the actions a0, a1 and a2.  The caller frees the text. */
Text stiff_model(uint64_t *state, uint64_t states);

#endif
