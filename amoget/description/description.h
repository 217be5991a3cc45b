/* What stands behind an AmogetDescription: plain arrays, complete as soon as they are set. */
#ifndef AMOGET_DESCRIPTION_H
#define AMOGET_DESCRIPTION_H

#include <stdbool.h>

#include "amoget.h"
#include "base/error.h"
#include "base/intern.h"

enum {
    MOST_PHASES = 100,
    MOST_STAGES = 40,
    MOST_ACTIVITIES = 3 * MOST_STAGES,
    MOST_PROCESSORS = 1024
};

/* How specific a statement about a pair is: it stands against those of lower levels, and replaces
 * those of its own. */
typedef enum {
    LEVEL_NONE, /* nothing was said */
    LEVEL_DEFAULT,
    LEVEL_LOCAL,
    LEVEL_CLUSTERS,          /* two clusters, or one */
    LEVEL_CLUSTER_PROCESSOR, /* a cluster and a processor */
    LEVEL_PAIR               /* two processors, or one with itself */
} Level;

/* A number for each ordered pair of processors, symmetric. */
typedef struct {
    double *value;       /* capacity x capacity: of (a, b) at a x capacity + b */
    uint8_t *level;      /* the same */
    double every, local; /* what AMOGET_DEFAULT and AMOGET_LOCAL were given; NaN: nothing */
} PairTable;

struct AmogetDescription {
    Intern stage_names, processor_names; /* ids are the numbers of stages and processors */
    int32_t stages, processors;
    double work[MOST_STAGES];
    int32_t phases[MOST_STAGES];
    AmogetSharing sharing;
    AmogetTransfer transfer;
    double output[MOST_STAGES + 1]; /* bytes into each move: [0] come in, [i + 1] from stage i */
    int32_t capacity;               /* room for processors */
    double *time, *availability;    /* processors */
    int32_t *cores;
    PairTable latency, bandwidth; /* bandwidth: +inf where none is given */
    int32_t input, output_to;     /* processors or AMOGET_NOWHERE */
    int32_t *mappings;            /* mapping_count x stages */
    size_t mapping_count, mapping_cap;
};

/* An empty description; NULL: out of memory.  Numbers must lie in this range: then so do products
 * and quotients of the few that make up a duration. */
AmogetDescription *description_new(void);
#define LEAST_NUMBER 1e-30
#define MOST_NUMBER  1e30

/* Add a new name, the maxima not being reached; false: out of memory, nothing has changed. */
bool description_add_stage(AmogetDescription *desc, const char *name);
bool description_add_processor(AmogetDescription *desc, const char *name, double time);

/* Set at a level, both ways; a == b as well.  No checks.  The others: for all pairs of the first
 * `count` processors, and those of processors to come. */
void pair_set(PairTable *table, int32_t capacity, int32_t a, int32_t b, Level level, double value);
void pair_set_every(PairTable *table, int32_t capacity, int32_t count, double value);
void pair_set_local(PairTable *table, int32_t capacity, int32_t count, double value);

/* A copy, so that a change can be made whole or not at all; NULL: out of memory. */
AmogetDescription *description_copy(const AmogetDescription *desc);
/* Exchange the numbers of two descriptions of the same stages and processors; names and mappings
 * stay where they are. */
void description_swap_numbers(AmogetDescription *a, AmogetDescription *b);

/* Seconds that move i (0 .. stages) takes from a to b; of ends that are AMOGET_NOWHERE the other
 * one is taken.  NaN: the latency is missing. */
double move_seconds(const AmogetDescription *desc, int32_t move, int32_t a, int32_t b);
/* Seconds that a stage on processor j takes to fetch an item from its place; NaN: no local latency.
 */
double take_seconds(const AmogetDescription *desc, int32_t j);
/* Seconds that stage i takes on processor j when `there` stages are on it. */
double process_seconds(const AmogetDescription *desc, int32_t stage, int32_t j, int32_t there);

/* The first pair of processors (a == b: moves within it) whose latency a mapping needs but nobody
 * gave; false: there is none.  The same for every mapping that there can be: O(processors^2). */
bool mapping_lacks(const AmogetDescription *desc, const int32_t *mapping, int32_t *a, int32_t *b);
bool description_lacks(const AmogetDescription *desc, int32_t *a, int32_t *b);

/* Can one mapping (NULL: every) be evaluated?  PEPA_EMODEL: no stages, no processors, or a latency
 * is missing: the first one that is. */
PepaStatus description_complete(const AmogetDescription *desc, const int32_t *mapping,
                                PepaError *err);

#endif
