/* Random grids and programs for tests of predictions. */
#ifndef TESTS_GRID_GUM_SIM_GRIDS_H
#define TESTS_GRID_GUM_SIM_GRIDS_H

#include "grid/gum/predict/profile.h"
#include "simulate.h"

typedef enum {
    SHAPE_LIST,   /* the main program makes all sparks: gamma-distributed works */
    SHAPE_SPREAD, /* the same with log-normal works, whose longest are far longer */
    SHAPE_TREE,   /* each task makes two sparks, which share what is left unevenly */
    SHAPE_GROUPS, /* a list of tasks, some of which make a list each */
    SHAPES
} Shape;

typedef struct {
    int32_t size;
    double *time, *latency;
} TestGrid;

typedef struct {
    int32_t tasks;
    double *work;
    int32_t *first, *level;
    double message, slice;
    bool pure; /* set by the caller: tasks that make no sparks may run on two processes */
} TestProgram;

/* A number in (0, 1), from a state. */
double chance_uniform(uint64_t *state);
double chance_log_uniform(uint64_t *state, double low, double high);

/* From 7 to 41 processes in one to four clusters whose speeds and links are like those of the papers. */
void test_grid_new(TestGrid *grid, uint64_t *state);
/* From one to eight processes of one to three speeds, and links of up to 0.2 s, which may be far longer
 * than tasks. */
void test_grid_few(TestGrid *grid, uint64_t *state);
void test_grid_free(TestGrid *grid);
/* mean: units; spread: deviation / mean of a task's work. */
void test_program_new(TestProgram *program, Shape shape, int32_t tasks, double mean, double spread,
                      uint64_t *state);
void test_program_free(TestProgram *program);
/* Its profile, as a run-time would write it, with one process; to be freed by test_profile_free. */
void test_profile_new(Profile *profile, const TestProgram *program);
void test_profile_free(Profile *profile);
static inline SimGrid sim_grid(const TestGrid *g)
{
    return (SimGrid){g->size, g->time, g->latency};
}
static inline SimProgram sim_program(const TestProgram *p)
{
    return (SimProgram){p->tasks, p->work, p->first, p->message, p->slice, p->pure};
}

#endif
