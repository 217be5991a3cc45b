/* The library's choice of a method, with as many states to eliminate first as forcing.c says. */
#include "property/forcing.h"

#include "solvers/tuning.h"

#define FEW_STATES forcing_few_states()
#define solve_flow forced_solve_flow
#define method_renewal forced_method_renewal
#include "solvers/auto.c"
