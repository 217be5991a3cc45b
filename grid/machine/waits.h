/* Waiting for a processor: how long a thread was ready to run and had none. */
#ifndef GRID_MACHINE_WAITS_H
#define GRID_MACHINE_WAITS_H

/* A file to read the waits of the calling thread from; -1: the system does not tell.  The caller
 * closes it (waits_close takes -1 as well). */
int waits_open(void);
void waits_close(int file);
/* Seconds that the thread has waited for a processor since it began: others had it, or its host's
 * share of time (a quota of a container) was used up.  0 for -1.  About a microsecond. */
double waits_so_far(int file);

#endif
