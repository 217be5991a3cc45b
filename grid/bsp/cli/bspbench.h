/* What the files of bspbench share. */
#ifndef GRID_BSP_CLI_BSPBENCH_H
#define GRID_BSP_CLI_BSPBENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "grid/bsp/predict/estimate.h"

enum {
    BENCH_ROUNDS = 31,   /* each measures everything once, so that a disturbance hits few numbers */
    BENCH_LENGTH = 1024, /* of the vectors of s: they stay in the cache of one core */
    BENCH_HOST = 64      /* bytes of a host's name */
};

/* The parameters of the BSP cost model, in seconds; of process 0 after bench_measure. */
typedef struct {
    int processes;
    Estimate flop;   /* s: of a multiplication or addition of y += a x, the mean of the processes */
    Estimate memory; /* the same with vectors that no cache holds */
    Estimate block;  /* g: per double, where each process sends each other one block */
    Estimate word;   /* the same with one put for each double */
    Estimate sync;   /* l: of a superstep in which nothing is sent */
} Bench;

/* The same between two hosts, or within one that has several processes; nobody else sends then. */
typedef struct {
    int a, b; /* hosts; a <= b */
    Estimate g, l;
} BenchPair;

typedef struct {
    int hosts, pairs;
    char (*name)[BENCH_HOST]; /* of hosts */
    BenchPair *pair;
} BenchPairs;

/* Collective, within bsp_begin and bsp_end.  False: out of memory, on all processes. */
bool bench_measure(Bench *bench);
/* The same of all pairs of hosts, one after another.  *pairs belongs to the caller. */
bool bench_pairs(BenchPairs *pairs);
void bench_pairs_free(BenchPairs *pairs);

/* Draw what runs with --csv have printed into these files, "-" for standard input, as the ending of `path` says.
 * An exit status. */
int bench_plot(const char *path, char **files, int count);

/* Seconds that a measurement should take at least, so that clocks and calls do not count. */
#define BENCH_LONG_ENOUGH 2e-3
/* Whether all processes say yes; collective. */
bool bench_all(bool mine);

#endif
