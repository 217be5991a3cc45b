/* A probe of this process's speed: a fixed piece of work. */
#ifndef GRID_MACHINE_PROBE_H
#define GRID_MACHINE_PROBE_H

/* Seconds for a fixed piece of work of about a millisecond. */
double probe_work(void);

#endif
