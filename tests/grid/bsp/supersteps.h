/* Work of a given size, in simulated time (smpi/work.c) or real time (bench/supersteps_work.c). */
#ifndef TESTS_GRID_BSP_SUPERSTEPS_H
#define TESTS_GRID_BSP_SUPERSTEPS_H

/* Takes flops / 534e6 seconds on a host of time 1. */
void work(double flops);

#endif
