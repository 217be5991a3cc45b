/* Policies: whom a process without work asks, and what it gets.
 *
 * A FISH is a request for work: of the process that has none (its origin), passed on by those that
 * have none to give.  Decisions are functions of the tables and of the FISH alone; chance comes from
 * a state that the caller keeps.  No MPI here.
 *
 * What the papers leave open (Al Zain and others 2005, figure 7; 2007, figures 4 to 6):
 *   - ratio = speed / (1 + load), load = sparks + threads;
 *   - sparks in bulk: floor(ratio of the origin's cluster / ratio of this one), at least 1, at most
 *     half of the pool and one for each process of the origin's cluster;
 *   - a FISH from a weaker cluster gets one spark (the text of both papers; figure 6 of 2007 passes
 *     it on: weak_cluster_waits);
 *   - every FISH that is passed on grows older, also where the pool is empty, and ends in a NULL when
 *     it has been passed on `age_limit` times, or when nobody is left to pass it on to.  It goes
 *     neither back to its origin nor to who holds it. */
#ifndef GRID_GUM_POLICY_POLICY_H
#define GRID_GUM_POLICY_POLICY_H

#include "grid/gum/policy/tables.h"

typedef enum {
    POLICY_RANDOM,         /* GUM1: whom chance says; one spark */
    POLICY_NEAREST_LOADED, /* 2007: the nearest one that offers less than the origin */
    POLICY_BUSIEST,        /* 2005: the one with the highest load relative to its speed */
    POLICY_PREDICTED,      /* where the expected time lost is least (predicted.h) */
    POLICIES,
    POLICY_UNKNOWN = -1
} PolicyName;

typedef struct {
    PolicyName name;
    int32_t age_limit;      /* of a FISH: times that it is passed on */
    int weak_cluster_waits; /* a FISH from another, weaker cluster is passed on */
} Policy;

typedef struct {
    int32_t origin, age;
    int32_t early; /* the origin still runs something: policy_early */
    Reach reach;   /* who may have it */
} Fish;

typedef enum { FISH_SERVE, FISH_FORWARD, FISH_NULL } FishAction;
typedef struct {
    FishAction action;
    int32_t sparks; /* FISH_SERVE: how many */
    int32_t to;     /* FISH_FORWARD: to whom */
} FishAnswer;

/* POLICY_UNKNOWN: there is no such policy. */
PolicyName policy_find(const char *name);
/* NULL: there is no such policy. */
const char *policy_text(PolicyName name);

/* Does a process ask already when it runs the last task that it has? */
int policy_early(const Policy *policy);
/* Does tables->self have two requests out at a time, one in its cluster and one outside of it?  Else one, of REACH_ALL. */
int policy_both(const Policy *policy, const Tables *tables);
/* Whom tables->self asks, which has no work, or `early` no more than it runs; -1: there is nobody else, or
 * nobody who is known to have some to spare. */
int32_t policy_target(const Policy *policy, const Tables *tables, int early, Reach reach,
                      uint64_t *chance);
/* What tables->self, with so many sparks in its pool, does with a FISH.  Tables are up to date with what
 * the FISH brought and with the pool. */
FishAnswer policy_answer(const Policy *policy, const Tables *tables, const Fish *fish,
                         uint64_t *chance);
/* Sparks for a FISH from another cluster. */
int32_t policy_bulk(const Tables *tables, int32_t origin);

/* Seconds before the next FISH after so many NULLs in a row (>= 1). */
double policy_pause(int32_t nulls);
/* The least number of sparks and runnable threads with which process `self` does not ask for more:
 * `mark` for a process of mean speed, more for faster ones. */
int32_t policy_watermark(const Tables *tables, int32_t mark);

#endif
