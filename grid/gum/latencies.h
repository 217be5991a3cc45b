/* Latencies between the processes of GUM, measured before a run. */
#ifndef GRID_GUM_LATENCIES_H
#define GRID_GUM_LATENCIES_H

#include <mpi.h>

typedef struct {
    MPI_Comm comm;
    int self, processes;
    MPI_Request *in, *out;      /* of each process: the next number, the last one given */
    double *got, *given, *sent; /* numbers, most of which nobody reads; when the last one was given */
    int *received;              /* how many */
    double *row;                /* processes: seconds to each, half of the shortest round trip */
} LatencyTalks;

/* -1: out of memory; free is legal. */
int latencies_new(LatencyTalks *talks, MPI_Comm comm, int self, int processes);
void latencies_free(LatencyTalks *talks);
/* Collective: fill in row.  Some round trips to the farthest process, and some between each two near
 * ones.  MPI's status. */
int latencies_measure(LatencyTalks *talks);

#endif
