/* Runs a program by mpirun, passes on what it prints and the signals that come, and says how it ended.
 *
 * mpirun gives processes on its own machine no input that is meant for all.
 *
 * Gives a command: options of mpirun that nobody should have to know (more processes than cores, runs
 * of root), output in the order in which it was printed where all processes are on this machine, or
 * lines that begin with the process. */
#ifndef GRID_LAUNCH_H
#define GRID_LAUNCH_H

#include <limits.h>

#include "grid/launch/command.h"

/* An exit status: the program cannot be started. */
enum { LAUNCH_FAILED = 5 };

/* Whether mpirun starts something on each host alone; says on stderr for which it does not.  0: on
 * all. */
int launch_fails(const char *name, char **hosts);

/* Why a file cannot be run as a program on this machine, as of errno; 0: it can, as far as its
 * permissions say. */
int launch_runnable(const char *path);
/* As mpirun finds programs, and a shell does not: `here` with ./NAME for a name without / that can be run in this folder;
 * others stay as they are. */
char *launch_path(char *name, char here[PATH_MAX]);
/* Whether a program cannot be run on this machine; LAUNCH_FAILED: says on stderr why not.  0: it
 * can.  A name without / is looked for in PATH. */
int launch_missing(const char *name, const char *program);

/* Returns the exit status of the program; 128 and more: the signal that ended it. */
int launch(const Launch *what);

#endif
