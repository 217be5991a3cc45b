/* The library's sweeps over blocks, aggregated where forcing.c says. */
#include "property/forcing.h"

#include "solvers/blocks/tuning.h"

#undef JOIN_GAIN
#define SLOW_SWEEPS  forcing_slow_sweeps()
#define JOIN_GAIN    forcing_join_gain()
#define solve_blocks forced_solve_blocks
#include "solvers/blocks/blocks_solve.c"
