/* What processes measure of each other and of themselves during a run.  No MPI here.
 *
 * With injected times (platform.h), seconds and bytes are the platform's. */
#ifndef GRID_MACHINE_SAMPLES_H
#define GRID_MACHINE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    /* Activity a of the run-time, which numbers its activities itself, took `seconds` on process b
     * and put out `bytes`.  The time is what it would take alone there, without waiting. */
    GRID_SERVICE,
    GRID_TRANSFER, /* `bytes` took `seconds` from process a to process b (a == b: within) */
    GRID_PROBE     /* process a took `seconds` for a fixed small piece of work */
} GridSampleKind;

typedef struct {
    GridSampleKind kind;
    int32_t a, b;
    double bytes, seconds;
    double time; /* seconds since the run began */
    /* Of a service: part of its seconds in which it was ready to run and had no processor, as others
     * had it or the host's share was used up; 0: not known. */
    double waited;
} GridSample;

#endif
