/* What stands behind an AmogetDescription: plain arrays, complete as soon as they are set. */
#ifndef AMOGET_DESCRIPTION_H
#define AMOGET_DESCRIPTION_H

#include <stdbool.h>

#include "amoget.h"
#include "amoget/machine/machine.h"

enum { MOST_STAGES = 40, MOST_ACTIVITIES = 3 * MOST_STAGES };

struct AmogetDescription {
    AmogetMachine *machine; /* owned */
    Intern stage_names;     /* ids are the numbers of stages */
    int32_t stages;
    double work[MOST_STAGES];
    int32_t phases[MOST_STAGES];
    AmogetSharing sharing;
    AmogetTransfer transfer;
    double output[MOST_STAGES + 1]; /* bytes into each move: [0] come in, [i + 1] from stage i */
    int32_t input, output_to;       /* processors or AMOGET_NOWHERE */
    int32_t *mappings;              /* mapping_count x stages */
    size_t mapping_count, mapping_cap;
};

/* An empty description; NULL: out of memory. */
AmogetDescription *description_new(void);
/* Add a new name, the maximum not being reached; false: out of memory, nothing has changed. */
bool description_add_stage(AmogetDescription *desc, const char *name);

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
