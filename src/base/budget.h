/* The memory budget: what is left of a limit on bytes, and the message where that is too little. */
#ifndef PEPA_BASE_BUDGET_H
#define PEPA_BASE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* limit less what is taken, in bytes, at least 1; 0, which is no limit, of 0. */
int64_t budget_left(int64_t limit, double taken);
/* Whether so many bytes are within the limit. */
bool budget_allows(int64_t limit, double bytes);
/* PEPA_ELIMIT for memory: "WHAT needs 1.2 GB, and 1.0 GB of memory may be used; ...", where
 * `format` makes WHAT, up to 120 bytes. */
PepaStatus budget_exceeded(PepaError *err, double need, int64_t limit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "1.2 GB", powers of 1000: text. */
enum { BUDGET_TEXT = 32 };
const char *budget_bytes(double bytes, char text[BUDGET_TEXT]);

#endif
