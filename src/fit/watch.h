/* The caller's progress function during a fit: told about every 0.1 s, asked whether to go on. */
#ifndef PEPA_FIT_WATCH_H
#define PEPA_FIT_WATCH_H

#include <stdbool.h>

#include "pepa_fit.h"

typedef struct {
    const PepaSettings *set;
    const char *phase;
    int64_t count; /* done so far */
    double all;    /* of so many; 0: not known */
    double began, last;
    bool stopped;
} Watch;

Watch watch_begin(const PepaSettings *set, const char *phase, double all);
/* True: the work is to stop, as it is from then on. */
bool watch_stops(Watch *w);

#endif
