/* The PEPA model of a pipeline under a mapping.
 *
 * With n stages and processors 1 .. p in use (Benoit, Cole, Gilmore, Hillston 2004, section 2.2):
 *
 *     Stage_i   = (move_i, T).(process_i, T).(move_{i+1}, T).Stage_i
 *     Network   = (move_1, lambda_1).Network + ... + (move_{n+1}, lambda_{n+1}).Network
 *     Processor = sum over its stages i of (process_i, mu_i).Processor
 *     Network <all moves>
 *         ((Stage_1 <move_2> ... <move_n> Stage_n) <all processes> (Processor || ...))
 *
 * The network and the processors never change state, so every mapping of n stages has the same
 * chain: 3^n states, of which each stage waits for input, works, or waits to pass on.  Mappings
 * differ in the rates alone.
 *
 * AMOGET_SERIAL: a processor takes part in the moves into its stages.  It is busy until the stage
 * has been processed, at a rate that does not depend on how many stages it has.  A processor of c
 * cores appears c times:
 *
 *     Processor = sum over its stages i of (move_i, T).Busy_i
 *     Busy_i    = (process_i, mu_i).Processor
 *
 * AMOGET_BUFFERED: a place on each link between stages, from which stage i takes items:
 *
 *     Place_i = (move_i, T).(take_i, T).Place_i,   Stage_i = (take_i, T).(process_i, T)...
 *     Network = ... + (take_i, kappa_i).Network      and processors take part in take_i, not move_i
 *
 * (Turn_i = (move_i, T).(process_{i+1}, T).Turn_i stands in bounds only: shape.h.)
 *
 * A stage of k phases does k - 1 phase_i before process_i, all at rate mu_i = k / mean. */
#ifndef AMOGET_GENERATE_H
#define AMOGET_GENERATE_H

#include "amoget/model/shape.h"

/* The chain of a shape with all rates 1, for pepa_chain_set_rates: lambda1 .. lambda(n+1),
 * mu1 .. mun, kappa2 .. kappan. */
void generate_chain_model(Text *out, const Shape *shape);

#endif
