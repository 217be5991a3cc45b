/* The placement with the shortest round of all: every partition of a program, and every placement of
 * each (branch.h), from good placements on (start.h). */
#ifndef TAAG_PREDICT_FIND_H
#define TAAG_PREDICT_FIND_H

#include "grid/taag/predict/fastest.h"

typedef struct {
    double seconds; /* stop then; 0: after a fixed amount of work, some seconds */
    bool optimal;   /* result: no round is shorter, by more than FASTEST_EQUAL of it */
    double bound;   /* result: no round is shorter than this */
    int64_t nodes;  /* result: shares of groups tried */
} FindSettings;

/* All processes fit on the hosts.  *fastest is empty.  Errors: those of maximum_mean. */
PepaStatus find_fastest(const AmogetProgram *program, FindSettings *settings, Fastest *fastest,
                        PepaError *err);

#endif
