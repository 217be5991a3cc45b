/* The inside of a monitor, for the files that implement monitor.h. */
#ifndef GRID_STEER_MONITOR_PARTS_H
#define GRID_STEER_MONITOR_PARTS_H

#include <amoget.h>

#include "grid/steer/stage_work.h"

struct GridMonitor {
    AmogetDescription *desc; /* borrowed */
    MachineMonitor machines;
    StageWorks works; /* on these machines */
    bool adjust_work;
};

#endif
