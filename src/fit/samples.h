/* Durations in a text. */
#ifndef PEPA_FIT_SAMPLES_H
#define PEPA_FIT_SAMPLES_H

#include "base/diag.h"
#include "pepa_fit.h"

struct PepaSamples {
    double *value;
    size_t count, cap;
};

/* Read them as pepa_samples_parse says; findings go to `diags`.  PEPA_ESYNTAX: there are errors. */
PepaStatus samples_read(struct PepaSamples *samples, const Source *source, const char *column,
                        DiagList *diags);

#endif
