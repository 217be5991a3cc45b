/* The controller's calls, on process 0: what it observes and decides. */
#ifndef GRID_PIPELINE_CONTROL_H
#define GRID_PIPELINE_CONTROL_H

#include "grid/pipeline/run.h"

/* The run starts: the first decision is a period away. */
void control_start(Run *run);
/* TAG_REPORT: samples for the controller. */
void control_report(Run *run, const Message *message);
/* Decide if that is due.  1: did; 0; -1: failed. */
int control_step(Run *run, double now);
double control_next(const Run *run);

#endif
