/* Means of the largest of the groups' times, remembered: searches come to the same times of groups again
 * and again, in other placements. */
#ifndef TAAG_PREDICT_MEANS_H
#define TAAG_PREDICT_MEANS_H

#include "base/memo.h"
#include "grid/taag/predict/round.h"

typedef struct {
    int32_t phases;
    Lists times;  /* of groups, ascending, each the two halves of a double */
    double *mean; /* for each list */
    size_t mean_cap;
    double *sorted; /* groups: scratch */
    int32_t *key;   /* twice as many: scratch */
} Means;

/* False: out of memory. */
bool means_make(Means *means, int32_t phases, int32_t groups);
void means_free(Means *means);
/* Seconds of a round, as round_mean has them.  *work goes up by what that took, in processes looked at.
 * Errors: as of maximum_mean. */
PepaStatus means_of(Means *means, const Round *round, double *out, int64_t *work, PepaError *err);

#endif
