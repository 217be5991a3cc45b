/* What mappings of a pipeline's stages are worth, computed from the definition: the joint states of
 * the stages, one by one, and a dense elimination.  Slow, small, and without a line of libamoget.
 * Source: Benoit, Cole, Gilmore, Hillston, ICCS 2004, section 2.2. */
#ifndef PEPA_TESTS_MAPPING_ORACLE_H
#define PEPA_TESTS_MAPPING_ORACLE_H

#include "base/mem.h"

enum {
    MOST_MAPPING_STAGES = 6,
    MOST_MAPPING_PROCESSORS = 5,
    MOST_PARTS = 2 * MOST_MAPPING_STAGES + 1,
    MOST_MAPPINGS = 729
};

/* What is said about pairs of processors, NaN where nothing is said: a pair's own value stands
 * before the local one (of two equal processors), that before the one for every pair. */
typedef struct {
    double pair[MOST_MAPPING_PROCESSORS][MOST_MAPPING_PROCESSORS]; /* symmetric */
    double local, every;
} MappingPairs;

/* Of which nothing is said: all are missing. */
MappingPairs mapping_pairs_missing(void);

/* Seconds, bytes and bytes per second.  output[0] comes in, output[i] is what stage i - 1 sends;
 * a missing bandwidth is infinite; input and output_to are processors or -1. */
typedef struct {
    int stages, processors;
    double work[MOST_MAPPING_STAGES], output[MOST_MAPPING_STAGES + 1];
    double time[MOST_MAPPING_PROCESSORS], availability[MOST_MAPPING_PROCESSORS];
    int cores[MOST_MAPPING_PROCESSORS];
    MappingPairs latency, bandwidth;
    int input, output_to;
} MappingProblem;

/* As a description file, for a failure's report. */
void mapping_problem_print(const MappingProblem *problem, Text *out);

/* Where move k (0 .. stages) starts and ends. */
void mapping_move_ends(const MappingProblem *problem, const int32_t *mapping, int k, int *from,
                       int *to);
/* Mean seconds of move_1, process_1, move_2, ..., process_n, move_{n+1}. */
void mapping_durations(const MappingProblem *problem, const int32_t *mapping, long double *seconds);

/* Items per second of a pipeline whose activities take these mean times, exponentially
 * distributed: 2 x stages + 1 entries in the order above.  Accurate to some 1e-17.  0.1 ms for 4
 * stages, 27 times as much for each one more. */
long double mapping_throughput(int stages, const long double *seconds);
/* States and transitions of its chain. */
void mapping_chain_size(int stages, int *states, int *transitions);

/* Exchanging a and b changes no number of the problem, and neither is an end. */
bool mapping_alike(const MappingProblem *problem, int a, int b);

typedef struct {
    int32_t mapping[MOST_MAPPING_STAGES];
    long double throughput;
    int processors; /* different ones */
    int rank;       /* 1 + how many are better */
    bool tied;      /* with another one, which mapping_cut may have cut off */
    int stands_for; /* mappings that differ by exchanging alike processors, this one included */
} MappingEntry;

/* Best first; equal throughput: fewest processors first, then as they were. */
typedef struct {
    int count;
    MappingEntry entry[MOST_MAPPINGS];
    /* No two throughputs are so near to each other, and not the same, that rounding to 9 digits
     * may or may not tell them apart. */
    bool clear;
} MappingRanking;

/* The ranking of some mappings, count x problem->stages; of all in the order of the processors,
 * stage by stage; and of the first of each class of mappings that exchanging alike processors
 * turns into one another. */
void mapping_rank(const MappingProblem *problem, const int32_t *mappings, int count,
                  MappingRanking *out);
void mapping_rank_all(const MappingProblem *problem, MappingRanking *out);
void mapping_rank_classes(const MappingProblem *problem, MappingRanking *out);
/* Keep the first `top` entries only. */
void mapping_cut(MappingRanking *ranking, int top);
/* Of mappings that differ by exchanging alike processors the first, and ranks and ties among those;
 * in: a ranking, where rank is equal just for tied entries. */
void mapping_keep_classes(const MappingProblem *problem, MappingRanking *ranking);

/* "(0,1,1)" */
void mapping_add(Text *out, const int32_t *mapping, int stages);

#endif
