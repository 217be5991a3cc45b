/* What the library knows between TAAG_Init and TAAG_Free, and its errors. */
#ifndef GRID_TAAG_CONTEXT_H
#define GRID_TAAG_CONTEXT_H

#include "grid/taag/files/mapping.h"
#include "grid/taag/taag.h"

typedef struct Plan Plan;

typedef struct {
    Mapping *mapping;               /* NULL: not initialised */
    int32_t *cluster_of, *right_of; /* by host; RING: by group */
    int mode;                       /* of collectives: TAAG_CLUSTERS, TAAG_PLAIN */
    int keyval;                     /* of the plan that hangs on a communicator */
    Plan *plans;
    char message[512]; /* of the last error */
} Taag;

/* The context: made at the first call, or NULL.  The functions of the paper take no handle, so this
 * pointer is the library's only data. */
Taag *taag_context(void);
/* Keep the message "CALL: ..." and return code. */
int taag_fail(const char *call, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int taag_memory(const char *call);
/* MPI_ERR_NO_MEM is the library's own as well. */
int taag_mpi_failed(const char *call, int mpi_code);

/* ---- checks of arguments: TAAG_SUCCESS, or the error that the call returns ------------------- */

/* The mapping, if TAAG_Init was called, and `result` is not NULL. */
int taag_begin(const char *call, const void *result, const Mapping **mapping);
int taag_check_rank(const char *call, int rank);
int taag_check_group(const char *call, int group);
/* 0 <= nr <= most, and there is an array for them. */
int taag_check_count(const char *call, int nr, int most, const void *array);

#endif
