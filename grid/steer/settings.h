/* The settings of the rescheduler: rescheduler.h says what they mean. */
#ifndef GRID_STEER_SETTINGS_H
#define GRID_STEER_SETTINGS_H

#include <amoget.h>
#include <stdio.h>

typedef struct {
    double least_gain;     /* 0.05 */
    double caution;        /* 2 */
    double alarm;          /* 0.7 */
    double certainty;      /* 2.5: one in 160 mappings that are not better seems to be */
    int32_t least_samples; /* 4 */
    double horizon;        /* seconds; used when items is 0: 60 */
    int64_t items;         /* in all; 0: not known */
    double first_cost;     /* assumed seconds of a move: 0.5 */
    double budget;         /* share of the run's time for decisions: 0.005 */
    /* time_limit bounds the search of a decision and each of its two other solutions: 0.05 s.
     * AMOGET_AUTO: the listed mappings, else the best */
    AmogetSettings rank;
    FILE *log; /* a line per decision and per move; or NULL */
    int json;  /* as JSON objects, one per line */
} GridReschedulerSettings;

#endif
