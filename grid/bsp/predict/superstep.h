/* What a superstep of a trace costs on a machine: the parts of Valiant's formula w + h g + l, by
 * process.
 *
 *   compute      its work, where it is; processes that share cores all begin at once, and share them until
 *                they have ended
 *   communicate  the larger of what it sends and what it receives, each the sum over the other
 *                processes of bytes / bandwidth of the link, and what the library takes for the bytes
 *   barrier      placement.h
 *
 * Source: L. Valiant, A bridging model for parallel computation, CACM 33 (1990); unequal processors:
 * T. Williams, R. Parsons, The heterogeneous bulk synchronous parallel model, 2000. */
#ifndef GRID_BSP_PREDICT_SUPERSTEP_H
#define GRID_BSP_PREDICT_SUPERSTEP_H

#include "grid/bsp/predict/placement.h"
#include "grid/bsp/predict/trace.h"

/* A process that computes for so long if it has a core to itself. */
typedef struct {
    int32_t process, processor;
    double alone;
} Sharer;

typedef struct {
    int32_t processes;
    double *compute, *communicate; /* seconds, by process */
    double barrier;                /* seconds */
    double *received;              /* scratch */
    Sharer *sharer;                /* scratch: by processor and work */
} Superstep;

/* Memory for so many processes.  False: out of memory (free is legal). */
bool superstep_new(Superstep *s, int32_t processes);
void superstep_free(Superstep *s);
/* The costs of a superstep of the trace, whose processes are those of the placement.
 * O(processes x log processes + sends). */
void superstep_cost(Superstep *s, const Trace *trace, int64_t step, const Placement *where);

/* Seconds per byte that a process takes for the bytes of a send. */
double superstep_byte_time(const Placement *where, const TraceSend *send);
/* Seconds that the library of one process takes for so many bytes: what Platform.word says. */
double superstep_library_time(const Placement *where, double bytes);

/* With each process's own costs: max compute + max communicate + barrier. */
double superstep_unequal(const Superstep *s);
/* The formula of equal processors, which are as slow as the slowest in use: w + h g + l with w the
 * largest work, h the largest number of bytes that a process sends or receives, g of the slowest
 * link in use.  At least superstep_unequal. */
double superstep_equal(const Superstep *s, const Trace *trace, int64_t step,
                       const Placement *where);

#endif
