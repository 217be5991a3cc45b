/* Allocations that are counted, and fail on demand.  A program that is linked with --wrap for malloc, calloc, realloc
 * and free has those of its own objects come here, and not those of MPI. */
#ifndef TESTS_GRID_ALLOCATIONS_H
#define TESTS_GRID_ALLOCATIONS_H

#include <stdint.h>

typedef struct {
    int64_t calls; /* since it was set to 0 */
    int64_t first; /* the call that fails; 0: none */
    int64_t held;  /* blocks that were not freed */
    int for_good;  /* all behind it fail too */
} Allocations;

extern Allocations allocations;

#endif
