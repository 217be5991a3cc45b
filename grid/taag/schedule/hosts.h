/* The hosts on which processes are placed, as the scheduler sees them: places, latencies, latency
 * levels, and which hosts are alike.  Source: Bosa, Schreiner, section 6.1. */
#ifndef TAAG_SCHEDULE_HOSTS_H
#define TAAG_SCHEDULE_HOSTS_H

#include <amoget_machine.h>
#include <stdbool.h>

typedef struct {
    int32_t count;
    int32_t *places; /* floor(cores x availability) x coefficient */
    int64_t capacity;
    double *ms;     /* count^2, latency in milliseconds, symmetric, 0 on the diagonal */
    uint8_t *level; /* count^2: 1 .. levels by order of magnitude; 0 on the diagonal */
    int32_t levels; /* the orders of magnitude that there are */
    double *most;   /* levels + 1: the largest latency of this level or a lower one */
    int32_t *alike; /* the first host that can be exchanged with this one, or itself */
} Hosts;

static inline double hosts_ms(const Hosts *hosts, int32_t a, int32_t b)
{
    return hosts->ms[(size_t)a * (size_t)hosts->count + (size_t)b];
}

static inline int32_t hosts_level(const Hosts *hosts, int32_t a, int32_t b)
{
    return hosts->level[(size_t)a * (size_t)hosts->count + (size_t)b];
}

/* All pairs of the machine have a latency.  Errors: PEPA_ENOMEM.  hosts^2 where hosts are alike in
 * few ways. */
PepaStatus hosts_make(Hosts *out, const AmogetMachine *machine, int32_t coefficient,
                      PepaError *err);
void hosts_free(Hosts *hosts);

#endif
