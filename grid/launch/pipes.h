/* Pipes for what a program prints: one for all processes, or two, or two for each. */
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
