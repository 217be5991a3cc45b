/* What processes see of a run, and what steers it: no MPI here, so that it can be tested alone. */
#ifndef GRID_SAMPLES_H
#define GRID_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* What a process saw: sent to process 0 now and then.  With injected times, seconds and bytes are
 * those of the platform's description: what took the time. */
typedef enum {
    /* Stage a on process b took `seconds` for an item of `bytes` out: as long as it would alone
     * there, without waiting and without the stretch of static sharing. */
    GRID_SERVICE,
    GRID_MOVE, /* from process a to process b (a == b: within), `bytes`, took `seconds` */
    GRID_PROBE /* process a took `seconds` for a fixed small piece of work */
} GridSampleKind;
typedef struct {
    GridSampleKind kind;
    int32_t a, b;
    double bytes, seconds;
    double time; /* seconds since the run began */
} GridSample;

/* On process 0: what steers the run; all may be NULL. */
typedef struct {
    double period; /* seconds between calls of decide, > 0 */
    void (*observe)(void *user, const GridSample *samples, size_t count);
    /* done: items through the sink; mapping: as it is, in; as it shall be, out.  1: move; 0: stay;
     * < 0: end the run with an error. */
    int (*decide)(void *user, double time, int64_t done, int32_t *mapping);
    /* A move took `seconds` from decision to the next start of work. */
    void (*moved)(void *user, double time, const int32_t *mapping, double seconds);
    void *user;
} GridController;

#endif
