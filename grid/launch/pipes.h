/* Where a program prints to: one pipe for all its processes, or two for each; or, through mpirun, one file or two.
 *
 * Of what mpirun has not written when the program ends it tries to write each piece once, and gives up all that is left
 * when a write is cut short (Open MPI 4.1, orte/mca/iof), as one to a full pipe is by the end of a child.  To a file in
 * memory it can always write. */
#ifndef GRID_LAUNCH_PIPES_H
#define GRID_LAUNCH_PIPES_H

#include "grid/launch/command.h"
#include "grid/launch/output.h"

typedef struct {
    int count; /* of streams: two of all or of each process, one, or none */
    Stream *each;
    int *end; /* where it is written to; -1: there is none */
} Pipes;

/* Where processes have pipes of their own, their ends are descriptors one after the other.  Not 0: errno
 * says why not.  To be freed in any case. */
int pipes_open(Pipes *pipes, const Launch *what);
void pipes_free(Pipes *pipes);

#endif
