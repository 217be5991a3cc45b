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
/* The most states of a chain by rows, and of one that is kept as sets. */
#define ERROR_MOST_STATES  INT64_C(2147483646)
#define ERROR_MOST_IN_SETS (INT64_C(1) << 52)
/* PEPA_ELIMIT: a chain has more than `most` states. */
PepaStatus error_states(PepaError *err, int64_t most);
/* PEPA_ELIMIT, or PEPA_OK: what is done state by state, `what`, takes ERROR_MOST_STATES. */
PepaStatus error_by_rows(PepaError *err, int64_t states, const char *what);
/* PEPA_ELIMIT: they have too many numbers. */
PepaStatus error_by_processes(PepaError *err);
/* PEPA_EARG: an argument of that function is NULL. */
PepaStatus error_null(PepaError *err, const char *function);
/* The same for PEPA_ENOMEM. */
PepaStatus error_memory(PepaError *err);

#endif
