/* The grid that the simulated runs are on: Tables 1 and 2 of Al Zain, Trinder, Michaelson,
 * Supporting High-Level Grid Parallel Programming, without the cluster SBC's inner latency and
 * clock rate, which they do not give.  grid.xml says the same to SimGrid. */
#ifndef GRID_TESTS_SMPI_GRID_H
#define GRID_TESTS_SMPI_GRID_H

#include <stdint.h>

enum { CLUSTERS = 4, GRID_PROCESSORS = 41 };

typedef struct {
    const char *name;
    int32_t processors;
    double megahertz;
} Cluster;
extern const Cluster grid_cluster[CLUSTERS];
extern const double grid_latency[CLUSTERS][CLUSTERS]; /* milliseconds, one way */
#define GRID_BANDWIDTH 12.5e6                         /* bytes per second, of every link */

/* A description of the grid and a pipeline of 8 stages, from and to process 0; all times are
 * multiplied by `factor`.  Free it. */
char *grid_description(double factor);

#endif
