/* The work of stages, estimated from services: what a service took / the unit time of its process
 * at that time. */
#ifndef GRID_STEER_STAGE_WORK_H
#define GRID_STEER_STAGE_WORK_H

#include "grid/machine/monitor.h"

typedef struct {
    Window services;    /* seconds, bytes out, and the process */
    double work, error; /* units, and the relative standard error */
    double output;      /* bytes; < 0: not measured */
    bool known;         /* work is given, or was measured */
    int32_t compared; /* the process whose services were compared with those elsewhere; -1: none */
    int differences;  /* updates in a row at which it seemed to differ there */
} StageWork;

typedef struct {
    MachineMonitor *machines; /* borrowed */
    int32_t stages;
    StageWork *each;
    double updated; /* time of the last update of the description */
    bool whole;     /* the longest services count */
} StageWorks;

/* Estimate works and outputs from services, and correct the speeds of processes that these
 * contradict. After machines_estimate.  O(window) per stage. */
void stage_work_update(StageWorks *works);

#endif
