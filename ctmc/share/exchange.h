/* What a process exchanges with others, put together piece by piece. */
#ifndef PEPA_CTMC_SHARE_EXCHANGE_H
#define PEPA_CTMC_SHARE_EXCHANGE_H

#include <stdbool.h>

#include "pepa_shared.h"

/* Something that is sent to another process, or received from it.  A piece that begins where the last one of the same
 * kind ends becomes part of it.  O(partners).  False: memory is out. */
bool exchange_add(PepaExchange *exchange, int32_t process, bool received, PepaPiece piece);
/* Partners ascending, when all has been added. */
void exchange_sort(PepaExchange *exchange);
void exchange_free(PepaExchange *exchange);

#endif
