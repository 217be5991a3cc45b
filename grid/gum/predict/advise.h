/* What a prediction depends on: where another policy becomes the best, and what to buy next. */
#ifndef GRID_GUM_PREDICT_ADVISE_H
#define GRID_GUM_PREDICT_ADVISE_H

#include "grid/gum/predict/predict.h"

/* The policy with the shortest makespan; among those within a thousandth of it the last one of the
 * enumeration: each learns more than those before it. */
PolicyName best_policy(const Prediction each[POLICIES]);
/* All of them.  Errors: those of predict_policy. */
PepaStatus predict_all(const Platform *platform, const Profile *profile, const Predicting *how,
                       Prediction each[POLICIES], PepaError *err);

/* Where the best policy changes when all tasks, or all latencies, are so many times as large. */
typedef struct {
    double factor; /* between powers of 2: their geometric mean */
    PolicyName below, above;
} Crossover;
enum { MOST_CROSSOVERS = 12 }; /* factors 1/64 .. 64 */
/* Returns how many there are through *count.  The platform's latencies change meanwhile and are as they
 * were afterwards.  52 predictions. */
PepaStatus task_crossovers(const Platform *platform, const Profile *profile, const Predicting *how,
                           Crossover out[MOST_CROSSOVERS], int32_t *count, PepaError *err);
PepaStatus latency_crossovers(Platform *platform, const Profile *profile, const Predicting *how,
                              Crossover out[MOST_CROSSOVERS], int32_t *count, PepaError *err);

/* What one cluster is worth: elasticities of the makespan, d log makespan / d log x. */
typedef struct {
    double speed;     /* of the processes of the cluster */
    double latency;   /* of its links to others and within it */
    double processes; /* of their number */
    double one_more;  /* seconds of makespan with one more process like its first */
} Worth;
/* worth: one entry per cluster.  5 predictions for each that is not like one before it.  As above. */
PepaStatus cluster_worth(Platform *platform, const Profile *profile, PolicyName policy,
                         const Predicting *how, Worth *worth, PepaError *err);

/* How many predictions all of these take together, at most. */
int32_t advise_predictions(const Platform *platform);

#endif
