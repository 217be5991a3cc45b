/* Cases of runs in simulated time. */
#ifndef GRID_TESTS_SIMULATED_H
#define GRID_TESTS_SIMULATED_H

#include "grid/machine/platform.h"

void adapts(void);             /* adapts.c */
void measures_latencies(void); /* latencies.c */
void predictions_hold(void);   /* predictions.c */
void thousand_moves(void);     /* main.c */
void hundred_processes(void);

/* Injected times; NULL after `expect`. */
GridPlatform *platform_of(const char *text, const char *changes, int static_sharing);
/* Throughput by libamoget of a mapping, or (mapping NULL) of the best, which is written to `best`.
 */
double throughput_of(const AmogetDescription *desc, const int32_t *mapping, int32_t *best);
AmogetDescription *description_of(const char *text);

#endif
