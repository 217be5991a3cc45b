/* How long a process without work looks for some, and how much it gets: what policies differ in. */
#ifndef GRID_GUM_PREDICT_SEARCH_H
#define GRID_GUM_PREDICT_SEARCH_H

#include <stdbool.h>

#include "grid/gum/policy/policy.h"
#include "grid/gum/predict/platform.h"
#include "grid/gum/predict/profile.h"

/* Where the sparks are that processes look for. */
typedef struct {
    bool spread;     /* on all processes; else on the main process alone */
    double pool;     /* sparks of a pool, a mean over the time */
    double share;    /* spread: of processes that have some */
    double task;     /* units of what is not divided further */
    double branches; /* spread: sparks that a task makes which makes any */
} Sparks;

typedef struct {
    double seconds;  /* from asking to the work, mean; > 0 */
    double messages; /* that this takes, mean */
    int32_t bulk;    /* sparks that come; >= 1 */
} Search;

/* The search of a process of that group. */
Search search_of(const Platform *platform, const Profile *profile, const Policy *policy,
                 const Sparks *sparks, const Group *group);
/* Seconds that a process of that group needs at the beginning until it knows where sparks are. */
double search_learning(const Platform *platform, const Profile *profile, const Policy *policy,
                       const Group *group);
/* Mean seconds until a message is looked at by, and has been handled on, a process that is busy. */
double search_wait(const Profile *profile, double time);

/* `predicted`: from when a process of that group has nothing to do and nobody has sparks, until it runs a
 * task of a slower process again. */
typedef struct {
    double ask;  /* seconds, if the first that is asked has one; > 0 */
    double hop;  /* seconds more for each one that has none */
    double gone; /* of `ask`, from when the task is found on */
} Repeating;
Repeating search_repeat(const Platform *platform, const Profile *profile, const Group *group);

#endif
