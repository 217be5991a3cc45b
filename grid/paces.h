/* The pace of a process: seconds that it needs for a unit of work, now.
 *
 * Two witnesses.  A probe is always the same work, so that it tells how the pace has changed, but
 * it is small and there are few.  Services are many, and they are what matters, but they also
 * change when the work does.
 *
 * Where works are given, that counts which is known better: services, or probes in proportion to
 * what services were when there were some.  Where works are measured, probes tell the pace, against
 * the first ones of the process, until a stage has come from elsewhere: it has brought its work
 * along, and tells how paces compare (monitor.c).  When services change, then it is taken to be the
 * process and not the work that has changed, until a probe says otherwise.  A change is seen by
 * either (series.h), or earlier when both agree. */
#ifndef GRID_PACES_H
#define GRID_PACES_H

#include <stdbool.h>

#include "grid/series.h"

enum { FIRST_PROBES = 9 };

typedef struct {
    double time, availability; /* the description's: seconds per unit of work, and share */
    GridSeries probes;         /* seconds */
    GridSeries services;       /* seconds per unit of work, of stages whose work is known */
    double first[FIRST_PROBES];
    int32_t first_count;
    double calibration, calibration_error; /* pace by services / pace by probes, of the same time */
    double probe_spread;                   /* relative standard deviation of a probe */
    double pace, error;                    /* now, and its relative standard error */
    int32_t served;                        /* services that say so; 0: probes do */
    double since;                          /* time from which it has been this pace */
    double until;                          /* and time up to which it was another: <= since */
    double suspected; /* time from which it may have changed, as the newest probe has; +inf: no */
    bool turned;      /* the last update has found that it changed */
    bool measured;    /* it is not the description's */
} GridPace;

/* -1: out of memory (free is legal). */
int pace_new(GridPace *pace, int32_t window);
void pace_free(GridPace *pace);
void pace_begin(GridPace *pace, double time, double availability);
void pace_probe(GridPace *pace, double time, double seconds);
void pace_service(GridPace *pace, double time, double seconds_per_unit);
/* room: a window's values.  O(window). */
void pace_update(GridPace *pace, bool works_measured, double max_age, double *room);

#endif
