/* The profile of one run of a GUM program: what each process did, and the program's own shape, which
 * does not depend on the machine.  The run-time writes it at the end of a run; `gum predict` reads it
 * and says how long the program takes on other machines and with other policies.
 *
 * A text of lines, `#` begins a comment; after the first word of a line come names with values:
 *
 *     gum-profile 1
 *     program parfib
 *     run policy busiest processes 7 makespan 12.5 critical 0.8
 *     bytes task 120 result 16 fetched 0
 *     cost message 2e-06 slice 0.001
 *     level 0 tasks 1 work 0.5 deviation 0 longest 0.5
 *     level 1 tasks 5000 work 120 deviation 0.01 longest 0.3 pure 5000
 *     process 0 host edin1 cluster edin time 1.87 running 10.2 fetching 0.1 idle 2.2 made 5000 \
 *             taken 0 pruned 4000 messages 340              (on one line)
 *
 * A *unit* of work is what a processor of `time 1` does in a second, as in descriptions: a process
 * with `time` t that computes for s seconds does s / t units.
 *
 * A *task* is what a spark stands for, whoever ran it and in whatever way: as a thread of its own, or
 * inside the thread that forced it.  Its *own* work is without that of sparks which it forced, even
 * where they ran inside it.  Tasks have levels: the main program is the only task of level 0, sparks
 * that a task of level d makes have level d + 1; all that is deeper than PROFILE_MOST_LEVELS - 1 counts there.
 * So all work of level d and deeper is below the tasks of level d: their number and this sum say how
 * much a thief gets with one spark.
 *
 * No MPI and nothing of libpepa here: the run-time includes this header and profile_write.c alone.
 * Reading is profile_read.h. */
#ifndef GRID_GUM_PREDICT_PROFILE_H
#define GRID_GUM_PREDICT_PROFILE_H

#include <stdint.h>
#include <stdio.h>

enum {
    PROFILE_NAME = 64,             /* bytes of a name with its NUL */
    PROFILE_MOST_LEVELS = 64,      /* levels 0 .. 63 */
    PROFILE_MOST_PROCESSES = 65536 /* of a run */
};

/* The tasks of one level, of all processes together. */
typedef struct {
    int64_t tasks;    /* how many; level 0: 1; 0 only where all deeper levels have 0 as well */
    double work;      /* their own work, sum, units */
    double deviation; /* standard deviation of a task's own work, units; from a sample is enough */
    double longest;   /* own work of the longest, units */
    int64_t pure; /* how many may run on two processes: of types that gum_pure names, and they made
                       * no sparks; 0 where a profile does not say it */
} ProfileLevel;

/* One process, from the start of the main program to its end. */
typedef struct {
    char host[PROFILE_NAME];    /* the processor's name in the description; "-": not known */
    char cluster[PROFILE_NAME]; /* the name or number of its cluster; "-": not known */
    double time;                /* seconds per unit of work, as it was in this run; > 0 */
    double running;             /* seconds in tasks */
    double fetching;  /* seconds with nothing to run but tasks that wait for data or results */
    double idle;      /* seconds with nothing at all to run: looking for work */
    int64_t made;     /* sparks that its tasks made */
    int64_t taken;    /* sparks that came to it from other processes */
    int64_t pruned;   /* sparks that never became a thread: run inside who forced them */
    int64_t messages; /* messages that it sent, all kinds */
} ProfileProcess;

typedef struct {
    char program[PROFILE_NAME]; /* its name, one word */
    char policy[PROFILE_NAME];  /* of this run: random, nearest-loaded, busiest, predicted */
    double makespan;            /* seconds from the start of the main program to its end */
    double critical;      /* units: the longest chain of work in which each part can begin only
                                 * after the one before: from a task's start to where it makes a spark,
                                 * from the end of a spark to where it is forced.  What an unlimited
                                 * machine with no latency would need; <= all work */
    double task_bytes;    /* mean bytes of a packed spark */
    double result_bytes;  /* mean bytes of a packed result */
    double fetched_bytes; /* mean bytes that a task that was taken fetches besides */
    double message;       /* units: work of sending or receiving one message, packing as well */
    double slice;         /* units: mean work that a busy process does between two looks at its
                                 * messages; 0: it looks at once (a thread of its own for messages) */
    int32_t levels;       /* 1 .. PROFILE_MOST_LEVELS */
    ProfileLevel level[PROFILE_MOST_LEVELS];
    int32_t processes; /* 1 .. PROFILE_MOST_PROCESSES */
    ProfileProcess *process;
} Profile;

/* Writes all of it.  The caller keeps the profile.  Bytes of names that a name cannot have (blanks,
 * '#', what is not ASCII) become '_', an empty name "-".  Numbers are written with 17 digits, whatever
 * the locale.  Returns 0, or -1 if writing failed (ferror(to)). */
int profile_write(const Profile *profile, FILE *to);

/* All tasks but the main program. */
static inline int64_t profile_tasks(const Profile *profile)
{
    int64_t tasks = 0;
    for (int32_t d = 1; d < profile->levels; d++)
        tasks += profile->level[d].tasks;
    return tasks;
}

/* All work, units. */
static inline double profile_work(const Profile *profile)
{
    double work = 0;
    for (int32_t d = 0; d < profile->levels; d++)
        work += profile->level[d].work;
    return work;
}

#endif
