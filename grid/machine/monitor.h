/* The machine monitor: speeds of processes and links between them, from samples, into an
 * AmogetMachine.  No MPI here.
 *
 * Gives a run-time: on process 0 it feeds the samples of all processes to machines_observe, and
 * work whose units it knows to machines_service; at each decision machines_estimate and
 * machines_publish bring the machine up to date.  Between the two it may correct speeds by
 * evidence of its own (speed_correct).
 *
 *   availability of a process  from probes and services (speed.h), relative to the description or
 *                              to the beginning of the run; a process that is faster than that gets
 *                              availability 1 and a lower time
 *   latency and bandwidth      of a pair, in both directions: from transfers (links.h)
 * What was never measured keeps the description's value. */
#ifndef GRID_MACHINE_MONITOR_H
#define GRID_MACHINE_MONITOR_H

#include <amoget_machine.h>
#include <stdbool.h>
#include <stdio.h>

#include "grid/machine/links.h"
#include "grid/machine/samples.h"
#include "grid/machine/speed.h"

typedef struct {
    AmogetMachine *machine; /* borrowed */
    int32_t processes;
    int32_t window;  /* samples kept per process and pair */
    double max_age;  /* seconds for which samples count */
    bool has_header; /* of the measurements written */
    bool lost;       /* an observation since the last estimate, for lack of memory */
    Speed *speeds;   /* processes */
    bool *unwritten; /* processes: measured since the last report */
    GridLinks links;
    double *workspace; /* 2 x window */
} MachineMonitor;

/* machine: borrowed; window 0: 61; max_age 0: 60 s.  -1: out of memory (free is legal). */
int machines_new(MachineMonitor *m, AmogetMachine *machine, int32_t window, double max_age);
void machines_free(MachineMonitor *m);

bool machines_has(const MachineMonitor *m, int32_t process);
/* Is the duration positive, and are all numbers finite? */
bool sample_is_valid(const GridSample *sample);
/* A valid transfer or probe; other samples do nothing.  O(window). */
void machines_observe(MachineMonitor *m, const GridSample *sample);
/* A service on a process: seconds per unit of its work without pauses, if that is known, else NAN;
 * and of pauses (speed.h). */
void machines_service(MachineMonitor *m, int32_t process, double time, double seconds_per_unit,
                      double paused);
/* Pauses and the longest services count, or not, which is so at first (speed.h). */
void machines_count_whole(MachineMonitor *m, bool whole);

/* Links into the machine; speeds into m->speeds.  work_measured: speed.h. */
PepaStatus machines_estimate(MachineMonitor *m, bool work_measured, PepaError *err);
/* Speeds into the machine.  Errors: PEPA_ENOMEM: an observation was lost; the rest is done. */
PepaStatus machines_publish(MachineMonitor *m, PepaError *err);

/* Write what is new in the format that amoget includes: "time,what,from,to,value", with `start`
 * (seconds since 1970) as the beginning of the run.  That a process has become faster than described
 * is a comment: a line `time` would hold when it is slow again.  1: something was written; 0: nothing. */
int machines_write(MachineMonitor *m, double start, FILE *to);

#endif
