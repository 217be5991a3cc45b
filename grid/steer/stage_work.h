/* The work of stages, estimated from services: what a service took / the unit time of its process at
 * that time.  And the inside of a monitor, for the files that make it. */
#ifndef GRID_STEER_STAGE_WORK_H
#define GRID_STEER_STAGE_WORK_H

#include "grid/machine/monitor.h"
#include "grid/steer/monitor.h"

typedef struct {
    Window services;    /* seconds, bytes out, and the process */
    double work, error; /* units, and the relative standard error */
    double output;      /* bytes; < 0: not measured */
    bool known;         /* work is given, or was measured */
    int32_t compared;   /* the process whose services were compared with those elsewhere; -1: none */
    int differences;    /* updates in a row at which it seemed to differ there */
} StageWork;

struct GridMonitor {
    MachineMonitor machines;
    int32_t stages;
    bool adjust_work;
    double updated;   /* time of the last update */
    StageWork *works; /* stages */
};

/* Works and outputs from services, and corrections of speeds that contradict them.  After
 * machines_estimate. */
void stage_work_update(GridMonitor *m);

#endif
