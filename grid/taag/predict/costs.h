/* What a step and a message of a program cost on each host and link of a machine.
 *
 * A unit of work takes a process time / availability seconds, times processes per core where they
 * are more than cores.  A message takes latency + size / bandwidth. */
#ifndef TAAG_PREDICT_COSTS_H
#define TAAG_PREDICT_COSTS_H

#include <amoget_program.h>
#include <stdbool.h>

#include "grid/taag/schedule/hosts.h"

typedef struct {
    const Hosts *hosts; /* places; the caller's */
    int32_t count;
    double *second; /* of a step of a process that shares no core */
    int32_t *cores;
    double *pass;                      /* count^2, seconds: a message within a group */
    double *exchange;                  /* count^2: one between groups */
    double least_pass, least_exchange; /* of all pairs, and within hosts */
    double least_far;                  /* the least of a message within a group between two hosts */
    int32_t *alike; /* an earlier host, the last, that nothing tells apart from this one; or -1 */
} Costs;

static inline double costs_pass(const Costs *c, int32_t a, int32_t b)
{
    return c->pass[(size_t)a * (size_t)c->count + (size_t)b];
}

static inline double costs_exchange(const Costs *c, int32_t a, int32_t b)
{
    return c->exchange[(size_t)a * (size_t)c->count + (size_t)b];
}

/* Seconds of a step of each of `processes` on a host. */
double costs_step(const Costs *c, int32_t host, int32_t processes);
/* program->work > 0.  All pairs of the machine have a latency; one that is not given within a host
 * is 0.  O(hosts^3) at most, hosts^2 where hosts differ in their speeds.  Errors: PEPA_ENOMEM. */
PepaStatus costs_make(Costs *out, const AmogetMachine *machine, const AmogetProgram *program,
                      const Hosts *hosts, PepaError *err);
void costs_free(Costs *costs);

#endif
