/* The error of a run: one code and one message, the same on all processes. */
#ifndef GRID_CORE_ERROR_H
#define GRID_CORE_ERROR_H

#include <stdint.h>

enum {
    GRID_OK,
    GRID_EARG,  /* settings that are wrong, or that differ between processes */
    GRID_EUSER, /* a function of the user failed */
    GRID_ENOMEM,
    GRID_EMPI, /* MPI failed */
    GRID_ELOST /* a process does not answer: MPI cannot be finalized any more, see grid_finish */
};
typedef struct {
    int code;        /* GRID_OK: none */
    int32_t speaker; /* the process that should print the message: one that still runs */
    char message[256];
} GridError;

#endif
