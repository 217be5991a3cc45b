/* Where the processes of a program run: from a machine and a program to a mapping. */
#ifndef TAAG_SCHEDULE_SCHEDULE_H
#define TAAG_SCHEDULE_SCHEDULE_H

#include "grid/taag/files/mapping.h"
#include "grid/taag/schedule/cost.h"

typedef struct {
    bool paper;          /* the paper's heuristic alone */
    bool any_partition;  /* of it: without its filter */
    bool in_order;       /* no search: hosts are filled in the order of the description */
    int32_t coefficient; /* processes per CPU; from 1 */
    double seconds;      /* for it all; 0: a fixed amount of work */
} ScheduleSettings;

typedef struct {
    double partitions; /* that the program allows */
    Cost cost;
    bool optimal;  /* proved: no placement has a lower cost */
    Cost bound;    /* no placement has a lower one */
    bool whole;    /* of the paper's heuristic: all of several clusters were tried; in order: all
                      partitions */
    int64_t nodes; /* that the search looked at */
    int32_t parts; /* groups whose sizes the program leaves open (shape.h) */
    Mapping *mapping;
} Schedule;

/* A host for each process. */
typedef struct {
    const AmogetProgram *program;
    int32_t parts;
    const int32_t *sizes;   /* parts */
    const int32_t *host_of; /* by rank */
} Placement;

/* Errors: PEPA_EMODEL (more processes than places, or the paper's heuristic places none of its
 * partitions; the message says how many and what to do), PEPA_ELIMIT (clusters.h, or the heuristic
 * placed nothing in its time), PEPA_ENOMEM. */
PepaStatus schedule_find(Schedule *out, const AmogetMachine *machine, const AmogetProgram *program,
                         const ScheduleSettings *settings, PepaError *err);
/* PEPA_EMODEL, with advice: more processes than places. */
PepaStatus schedule_room(const Hosts *hosts, const AmogetProgram *program, PepaError *err);
/* The mapping of a placement: mapping_free, in any case.  False: out of memory. */
bool schedule_mapping(Mapping **out, const Hosts *hosts, const AmogetMachine *machine,
                      const Placement *placement);
void schedule_free(Schedule *schedule);

#endif
