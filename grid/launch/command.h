/* The command line of mpirun, and who starts the program in it. */
#ifndef GRID_LAUNCH_COMMAND_H
#define GRID_LAUNCH_COMMAND_H

#include "grid/launch/launch.h"

/* Whether all processes are on this machine, where a shell before each opens what they print to. */
int command_is_here(const Launch *what);
/* mpirun with its arguments, of which *text holds one: free both.  NULL: out of memory.
 * output: a descriptor here for what processes print; with prefixes those from there on, two for each
 * process.  A process of which mpirun sees neither output any more gets no input either: so it keeps one
 * open, as 9. */
char **command_make(const Launch *what, int output, char **text);
void command_show(char **command);

#endif
