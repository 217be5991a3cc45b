/* A job: a command that runs in a process of its own, with limits of memory and time.
 *
 * A crash or a limit costs this job only.  Its results go to a spool.  What it says on standard
 * error is taken apart into progress, which overwrites itself, and messages. */
#ifndef PEPA_SERVE_JOB_H
#define PEPA_SERVE_JOB_H

#include <sys/types.h>

#include "serve/request.h"
#include "serve/spool.h"

typedef struct {
    int64_t memory;     /* bytes of a job; 0: no limit */
    double seconds;     /* until it is ended; 0: no limit */
    int jobs;           /* that may run at a time */
    int64_t output;     /* bytes */
    const char *folder; /* that has the programs pepa and amoget */
} JobLimits;

typedef struct {
    int64_t id;
    pid_t process; /* 0: it has ended */
    int out, err;  /* pipes; -1: closed */
    Spool spool;
    Text said;                       /* on standard error */
    size_t line;                     /* where its last line begins, which may be progress */
    double begun, seconds, deadline; /* real time; seconds: taken, once it has ended */
    int how;                         /* what wait() says of it */
    int64_t peak;                    /* bytes */
    const char *limit;               /* that ended it, or its output: "time", "output" (too long),
                                      * "storage" (cannot be stored), "cancelled"; or NULL */
    bool keep;
} Job;

/* Start it.  False, with *why: it cannot be; the job is then as job_free leaves it. */
bool job_start(Job *job, const Request *request, const JobLimits *limits, const char **why);
/* Read what is there of one of its pipes; true: there may be more. */
bool job_read(Job *job, int *pipe);
/* End it, for this reason; nothing if it has ended. */
void job_kill(Job *job, const char *limit);
/* Look whether its process has ended, and be done with it. */
void job_reap(Job *job);
/* The process has ended and all its output has been read. */
bool job_over(const Job *job);
/* The present line of progress; "" without any. */
const char *job_progress(const Job *job);
void job_free(Job *job);
/* Real time in seconds, from some beginning. */
double job_now(void);

#endif
