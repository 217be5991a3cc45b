/* Settings of a run, from the environment of process 0. */
#ifndef GRID_GUM_SETTINGS_H
#define GRID_GUM_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t policy;    /* GUM_POLICY: its name */
    int32_t threads;   /* GUM_THREADS: the limit of live threads of a process, >= 1 */
    int32_t watermark; /* GUM_WATERMARK: sparks and runnable threads below which a process of mean
                        * speed asks for more, >= 0; 0: when it has nothing to do */
    int32_t age_limit; /* GUM_AGE_LIMIT: of a FISH; -1: the number of processes */
    int32_t profile, summary; /* GUM_PROFILE is a file; GUM_SUMMARY is 1 */
    int32_t activity;         /* GUM_ACTIVITY is a file */
    int32_t weak_waits;       /* GUM_WEAK_CLUSTER=waits: as figure 6 of 2007 */
    int32_t sparks;           /* GUM_SPARKS: of its own that a process keeps; more are discarded */
    double patience;          /* GUM_PATIENCE: seconds without a message until a process is lost */
    double stack;             /* GUM_STACK: bytes of a thread's stack */
    int32_t measures;         /* process 0 says so: speeds and latencies are measured before this run */
} Settings;

/* The first "HOST=SPEED" of GUM_SPEEDS, whose parts end in `;`: what follows it; NULL: it is none. */
const char *settings_speed(const char *text, double *speed);
/* 0; -1: a variable is wrong, and *problem says which and why (it has `size` bytes). */
int settings_read(Settings *settings, char *problem, size_t size);

#endif
