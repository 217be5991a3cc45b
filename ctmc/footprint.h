/* How much memory chains and the search for their states take: bytes in use, not reserved. */
#ifndef PEPA_CTMC_FOOTPRINT_H
#define PEPA_CTMC_FOOTPRINT_H

#include "base/room.h"
#include "ctmc/chain.h"

double table_bytes(const Table *table);
double diagram_bytes(const Diagram *diagram);
/* What grows with the states. */
double chain_bytes(const Chain *chain);

#endif
