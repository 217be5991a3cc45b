/* The PEPA model of a pipeline under a mapping.
 *
 * With n stages and processors 1 .. p in use (Benoit, Cole, Gilmore, Hillston 2004, section 2.2):
 *
 *     Stage_i   = (move_i, T).(process_i, T).(move_{i+1}, T).Stage_i
 *     Network   = (move_1, lambda_1).Network + ... + (move_{n+1}, lambda_{n+1}).Network
 *     Processor = sum over its stages i of (process_i, mu_i).Processor
 *     Network <all moves> ((Stage_1 <move_2> ... <move_n> Stage_n) <all processes> (Processor ||
 * ...))
 *
 * The network and the processors never change state, so every mapping of n stages has the same
 * chain: 3^n states, of which each stage waits for input, works, or waits to pass on.  Mappings
 * differ in the rates alone. */
#ifndef AMOGET_GENERATE_H
#define AMOGET_GENERATE_H

#include "amoget/description.h"

/* The model for a reader: every rate with its source. */
PepaStatus generate_model(Text *out, const AmogetDescription *desc, const int32_t *mapping,
                          PepaError *err);

/* The same chain with all rates 1, for pepa_chain_set_rates: lambda1 .. lambda(n+1), mu1 .. mun. */
void generate_line(Text *out, int32_t stages);

#endif
