/* The hosts of a program on several machines: chosen from a description, and as mpirun is told of them. */
#ifndef GRID_START_HOSTS_H
#define GRID_START_HOSTS_H

#include <stdint.h>

#include "base/mem.h"

/* ---- choose.c --------------------------------------------------------------------------------- */

/* A host's address (borrowed from the machine), and the processes that it gets. */
typedef struct {
    const char *name;
    int32_t processes;
} Share;

struct AmogetMachine;
/* The hosts for so many processes, the lightest first: those with the largest free share, of these
 * the faster ones, of these the first in the description.  Each takes as many processes as it has
 * free cores (at least one); if all have, further ones go round in the same order.
 *   shares  room for all processors
 * Returns how many hosts there are; -1: out of memory. */
int32_t hosts_choose(const struct AmogetMachine *machine, int32_t processes, Share *shares);

/* ---- hosts.c ---------------------------------------------------------------------------------- */

typedef struct {
    struct AmogetMachine *machine;
    char **name;  /* those in use, in the order of processes, NULL at the end */
    char **place; /* of each three words (grid/launch/command.h), of which the last tells processes its name */
    Arena arena;  /* of these */
} Hosts;

/* The hosts of a description, for so many processes.  An exit status, with a
 * message printed unless it is EXIT_SOLVED; free them in any case. */
int hosts_find(const char *description, int32_t processes, Hosts *hosts);
void hosts_free(Hosts *hosts);

#endif
