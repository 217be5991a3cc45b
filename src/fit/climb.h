/* EM until it ends, from one start. */
#ifndef PEPA_FIT_CLIMB_H
#define PEPA_FIT_CLIMB_H

#include "fit/forms.h"
#include "fit/watch.h"

typedef struct {
    int64_t max_iter; /* steps of EM */
    double tolerance; /* what the log-likelihood of a value may be short of that of the maximum */
    Watch *watch;
} Effort;

/* From *p to a local maximum of the likelihood, as far as the effort goes; it never falls.  The times of the sample have
 * the mean 1, about.  False: memory is out, or the watch has stopped. */
bool climb(const Sample *s, const Effort *effort, Phases *p, PepaFitCandidate *found);

#endif
