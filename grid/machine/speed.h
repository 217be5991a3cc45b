/* The speed estimator of a process: seconds that it needs for a unit of work, now.
 *
 * There are two kinds of evidence.  A probe is always the same work: it shows changes of the speed,
 * but it is short and there are few.  Services (the run-time's work) are many, and their speed is
 * what matters, but they also change when the work does.
 *
 *   Work given     The kind with the smaller error counts: services, or probes times the ratio of
 *                  services to probes that was seen when there were both.
 *   Work measured  Probes count, relative to the first ones of the process, until the run-time
 *                  knows better (speed_correct).  When services change and hardly any probe was
 *                  made since, the process is taken to have changed and not the work.
 *
 * Either kind can show a change (window.h); two probes suffice if the services agree.
 *
 * A process whose share of a processor is limited (a container's quota) runs at full speed until
 * the share of a tenth of a second is used up, and then not at all: most services are as quick as
 * ever, some take many times as long, and a probe hardly ever sees it.  A service that mostly
 * waited for a processor counts without that, and what it waited is a pause.  Pauses, and services
 * far longer than others, count only once a run shows that it is slower than it should be without
 * them (whole): else a few disturbances would look like a change. */
#ifndef GRID_MACHINE_SPEED_H
#define GRID_MACHINE_SPEED_H

#include <stdbool.h>

#include "grid/machine/tuning.h"
#include "grid/machine/window.h"

typedef struct {
    double time, availability; /* the description's: seconds per unit of work, and share */
    Window probes;             /* seconds */
    Window services;           /* seconds per unit of work, of services whose work is known */
    double first[FIRST_PROBES];
    int32_t first_count;
    double calibration, calibration_error; /* services' unit time / probes', at the same time */
    double probe_spread;                   /* relative standard deviation of a probe */
    double unit_time, error;               /* now, and its relative standard error */
    double pauses, pauses_error;           /* factor >= 1 by which pauses lengthen services */
    bool whole;                            /* pauses and the longest services count */
    int32_t served;                        /* services it comes from; 0: it comes from probes */
    double since;                          /* the time of the last change */
    double until;     /* time of the last evidence before that change: <= since */
    double suspected; /* the newest probes differ since this time: perhaps a change; +inf: no */
    bool changed;     /* the last update found a change */
    bool measured;    /* unit_time is not the description's */
} Speed;

/* -1: out of memory (free is legal). */
int speed_new(Speed *speed, int32_t window);
void speed_free(Speed *speed);
/* What the description says. */
void speed_start(Speed *speed, double time, double availability);
void speed_probe(Speed *speed, double time, double seconds);
/* A service for a unit of work: seconds without pauses, and of pauses. */
void speed_service(Speed *speed, double time, double seconds_per_unit, double paused);
/* workspace: as many values as a window has.  O(window). */
void speed_update(Speed *speed, bool work_measured, double max_age, double *workspace);
/* Seconds per unit of work, with pauses if they count. */
double speed_now(const Speed *speed);
/* The process needs `factor` times as long for a unit as was estimated, and always did. */
void speed_correct(Speed *speed, double factor);

#endif
