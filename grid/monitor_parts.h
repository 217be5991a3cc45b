/* The inside of a monitor, for the files that make it. */
#ifndef GRID_MONITOR_PARTS_H
#define GRID_MONITOR_PARTS_H

#include "grid/links.h"
#include "grid/monitor.h"
#include "grid/paces.h"

typedef struct {
    GridSeries services; /* seconds, bytes out, and where */
    double work, error;  /* units, and the relative standard error */
    double output;       /* bytes; < 0: not measured */
    bool known;          /* work is given, or was measured */
    int32_t compared;    /* the process on which it has been compared with elsewhere; -1: none */
    int suspicions;      /* updates in a row at which it seemed to differ there */
} GridWork;

struct GridMonitor {
    AmogetDescription *desc; /* borrowed */
    int32_t stages, processes;
    double max_age;
    bool adjust_work;
    bool has_header; /* of measurements written */
    bool no_memory;  /* for an observation since the last update */
    double updated;  /* time of the last update */
    GridWork *works; /* stages */
    GridPace *paces; /* processes */
    bool *unwritten; /* processes: measured since the last report */
    GridLinks links;
    double *room; /* 2 x window */
};

/* Works and outputs from services, and where these contradict probes, corrections of paces; after
 * the paces of now are known. */
void works_update(GridMonitor *m);

#endif
