/* bsprun: starts the processes of a BSP program. */
#ifndef GRID_BSPRUN_H
#define GRID_BSPRUN_H

#include <stddef.h>
#include <stdint.h>

#include "grid/launch/launch.h"

enum { EXIT_USAGE = 2, EXIT_HOSTS = 1, EXIT_START = LAUNCH_FAILED };

typedef struct {
    int32_t processes;
    const char *hosts; /* a description; NULL: this machine */
    int prefix, show;
    char **program; /* with its arguments, NULL at the end */
} Options;

/* Print "bsprun: ..." to stderr; returns `status`. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- hosts.c ---------------------------------------------------------------------------------- */

/* A host's name (borrowed from the machine), and the processes that it gets. */
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

/* The description's hosts as a file for mpirun, which the caller removes; `path` has room for 64.
 * 0, or an exit status, with a message printed. */
int hosts_write(const Options *options, char *path);

#endif
