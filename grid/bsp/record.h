/* The trace of a run, which bsppredict reads: what each process computed and sent in each superstep.
 *
 * BSP_TRACE=FILE in the environment of process 0 requests one.  Each process keeps its own part in
 * memory; at the end process 0 collects all and writes the file (predict/trace.h has its form), with the
 * h-relation of each superstep as a comment.  Work is
 * processor time between the supersteps' ends; with BSP_TRACE_TIME=wall, time by the clock, as for
 * work that sleeps.  Supersteps of groups count as part of the superstep of all. */
#ifndef GRID_BSP_RECORD_H
#define GRID_BSP_RECORD_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "grid/core/buffer.h"

typedef struct {
    bool active; /* nothing else is used without */
    bool wall, lost;
    FILE *file; /* of process 0 */
    int nprocs, pid;
    double since;      /* when this process began to compute */
    double work;       /* seconds, in this superstep before that */
    uint64_t *sent;    /* in this superstep, by process: bytes to it */
    uint64_t *replied; /* bytes that it has requested */
    uint64_t *taken;   /* bytes from it, by this process alone */
    GridBuffer steps;  /* of each superstep: work, a count, and as many times what was sent */
    /* On process 0, by process: the size of its steps; these; how far they are written. */
    int *size;
    GridBuffer *part;
    Cursor *from;
    uint64_t *bytes, *h; /* of the superstep that is written; see schedule.h */
} Record;

/* Process 0 opens the file that BSP_TRACE names; NULL: there is no such variable, or (*error: why) it
 * cannot be opened. */
FILE *record_open(const char **error);
/* False: out of memory. */
bool record_begin(Record *record, FILE *file, int nprocs, int pid);
/* The process stops computing, as a superstep ends, and goes on. */
void record_stop(Record *record);
void record_go(Record *record);
void record_send(Record *record, int to, uint64_t bytes);
/* The same when the bytes were requested: for gets. */
void record_reply(Record *record, int to, uint64_t bytes);
/* The same where `from` does nothing for it. */
void record_take(Record *record, int from, uint64_t bytes);
/* The superstep of all has ended. */
void record_step(Record *record);
/* Collective: the end.  The result, on process 0: NULL, or why there is no trace. */
const char *record_end(Record *record, MPI_Comm comm);
void record_free(Record *record);

#endif
