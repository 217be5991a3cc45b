/* The sampler: what one process measures of itself and its links, reported to process 0.
 *
 * Gives a run-time: at the start, the links between all pairs of processes (link_probe.h); during
 * the run, probes of this process's speed, pings of the other processes in turn, which also tell
 * how clocks differ, and a report with all samples to process 0 every period.  The run-time adds
 * samples of its own: services, and one-way times of its messages.  With injected times
 * (platform.h) the samples are the platform's. */
#ifndef GRID_MACHINE_SAMPLER_H
#define GRID_MACHINE_SAMPLER_H

#include "grid/core/session.h"
#include "grid/machine/platform.h"
#include "grid/machine/samples.h"

/* Messages of machine. */
enum {
    TAG_PING = -16,  /* to anybody */
    TAG_PONG = -17,  /* the answer */
    TAG_REPORT = -18 /* to process 0: progress, and samples */
};

typedef struct {
    Session *session;
    const GridPlatform *platform; /* injected times; NULL: none */
    int active;                   /* samples are taken */
    GridSample *samples;
    size_t count;
    int32_t streams, *taken; /* by stream: samples since the last report */
    double period, probe_period;
    double next_report, next_probe, next_ping; /* HUGE_VAL: never */
    int32_t pinged;                            /* process, the last time */
    double worked; /* when this process last did something longer than handling messages */
    int waits;     /* file of waits.h; -1: none */
} Sampler;

/* Memory; samples of the run-time come in so many streams (kinds of its own).  0; -1: out of memory
 * (free is legal). */
int sampler_new(Sampler *sampler, Session *session, const GridPlatform *platform, int32_t streams);
void sampler_free(Sampler *sampler);

/* The period of reports when decisions are made every `decision_period` seconds (> 0). */
double sampler_period(double decision_period);
/* The run starts.  period: of reports; probe_period: of probes. */
void sampler_start(Sampler *sampler, double period, double probe_period);

/* Seconds so far in which this process was ready to work and had no processor; 0: not known, or
 * times are injected. */
double sampler_waited(const Sampler *sampler);
/* The run-time has just worked: until then no message was looked at. */
void sampler_worked(Sampler *sampler, double when);
/* Add a sample, whose time is on this process's clock; dropped when there are many of its stream
 * since the last report. */
void sampler_offer(Sampler *sampler, int32_t stream, GridSample sample);
/* Add a sample in any case. */
void sampler_add(Sampler *sampler, GridSample sample);
/* Seconds that a message took that process `from` sent at time `sent` of its clock, and that was
 * received at `now`; NAN: not known well enough, as this process was at work when it arrived. */
double sampler_transit(const Sampler *sampler, int32_t from, double sent, double now);

/* TAG_PING and TAG_PONG.  1: the message was one of these; 0; -1: failed. */
int sampler_handle(Sampler *sampler, const Message *message);
/* Process 0, TAG_REPORT: the sender's progress, and its samples, which belong to the message. */
const GridSample *sampler_report(const Message *message, int64_t *progress, size_t *count);
/* Probe, ping and report if that is due.  progress: a number for process 0, the run-time's.
 * 1: did something; 0; -1: failed. */
int sampler_step(Sampler *sampler, double now, int64_t progress);
double sampler_next(const Sampler *sampler);

#endif
