/* How long a round of a mapping takes, and the mapping whose rounds take the least time. */
#ifndef TAAG_PREDICT_PREDICT_H
#define TAAG_PREDICT_PREDICT_H

#include "grid/taag/predict/round.h"
#include "grid/taag/schedule/schedule.h"

/* Seconds of a round. */
typedef struct {
    double predicted; /* mean, durations of groups being Erlang */
    double least;     /* durations being constant */
    int32_t phases;
    bool solved; /* `predicted` is the engine's; false: an integral, the model is too large */
} Prediction;

/* Both need a program whose `work` is known.  Errors: PEPA_EMODEL (it is not, or rounds are no time
 * that a double holds), those of maximum_mean and of text_throughput. */

/* Of a mapping that a schedule holds.  text: the PEPA model, with `about` in its first remark, to
 * be freed by mem_free; or NULL: it is not wanted. */
PepaStatus predict_mapping(Prediction *out, const Schedule *schedule, const AmogetMachine *machine,
                           const AmogetProgram *program, int32_t coefficient, const char *about,
                           char **text, PepaError *err);
/* The mapping with the least predicted round, of all; *bound: none has a shorter one, seconds.  Of the
 * settings: coefficient and seconds.  out->cost is that of its latencies; out->bound is not set.
 * Errors also: as schedule_find. */
PepaStatus predict_fastest(Schedule *out, double *bound, const AmogetMachine *machine,
                           const AmogetProgram *program, const ScheduleSettings *settings,
                           PepaError *err);

#endif
