/* The same grid and program for the models and in the simulation. */
#ifndef TESTS_GRID_GUM_SIM_COMPARE_H
#define TESTS_GRID_GUM_SIM_COMPARE_H

#include "grid/gum/predict/predict.h"
#include "grids.h"

/* PEPA_OK, or what was wrong; to be freed by platform_free. */
PepaStatus compare_platform(Platform *out, const TestGrid *grid, PepaError *err);
/* The makespan of one simulation; runs differ by what chance decides.  -1: out of memory. */
double compare_simulated(const TestGrid *grid, const TestProgram *program, PolicyName policy,
                         int run);
/* The median of three.  -1: out of memory. */
double compare_median(const TestGrid *grid, const TestProgram *program, PolicyName policy);

#endif
