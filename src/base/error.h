/* Filling in the caller's PepaError. */
#ifndef PEPA_BASE_ERROR_H
#define PEPA_BASE_ERROR_H

#include "pepa.h"

/* Record code and message (err may be NULL) and return code, for `return error_set(...)`:
 * error_set(err, code, format, ...). */
#define error_set(err, code, ...) error_limit(err, code, PEPA_LIMIT_NONE, __VA_ARGS__)
/* The same where a limit was hit: PEPA_ELIMIT, or another code if `limit` says what to change. */
PepaStatus error_limit(PepaError *err, PepaStatus code, PepaLimit limit, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* PEPA_ELIMIT: a chain has more than `most` states.  No setting goes beyond ERROR_MOST_STATES. */
enum { ERROR_MOST_STATES = INT32_MAX - 1 };
PepaStatus error_states(PepaError *err, int64_t most);
/* PEPA_EARG: an argument of that function is NULL. */
PepaStatus error_null(PepaError *err, const char *function);
/* The same for PEPA_ENOMEM. */
PepaStatus error_memory(PepaError *err);

#endif
