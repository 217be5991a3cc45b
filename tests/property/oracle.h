/* The referee's word on a reference model: states, transitions and measures by the most naive road,
 * terms compared by structure, dense elimination in long double. */
#ifndef PEPA_TESTS_ORACLE_H
#define PEPA_TESTS_ORACLE_H

#include "property/ref_model.h"

typedef enum {
    ORACLE_OK,
    ORACLE_UNDRIVEN, /* a reachable state has a passive activity that nothing drives */
    ORACLE_MIXED,    /* one has activities of one type in one component that are of several levels
                        (timed, immediate, passive) or priorities */
    ORACLE_BAD_RATE, /* one has an activity whose rate is negative or not finite */
    ORACLE_TIMELESS, /* in one, immediate activities go on for ever */
    ORACLE_TOO_LARGE /* more states than asked for: nothing is known */
} OracleStatus;

const char *oracle_status_text(OracleStatus status);

typedef struct {
    size_t states, transitions; /* distinct (source, action, target), self-loops too */
    size_t deadlocks;           /* states without any transition */
    int bottoms;
} OracleGraph;

typedef struct {
    const char *name;
    long double value;
} OracleValue;

typedef struct {
    OracleValue *item;
    size_t count, cap;
} OracleValues;

typedef struct {
    const char *component; /* name of the initial local state */
    int copies;
    OracleValues share; /* of the time of one copy, per local state that occurs */
} OraclePosition;

typedef struct {
    OracleStatus status;
    size_t vanishing;     /* states without counting where immediate activities happen, */
    OracleGraph concrete; /* and the others: every copy of a P[n] on its own */
    OracleGraph counted;  /* copies in any order are the same state */
    OracleValues throughput, population;
    OraclePosition *position;
    size_t position_count;
    RefNames names; /* the model's: what the values are named after */
} OracleResult;

/* Everything above for a model, which must outlive the result.  At most max_states states without
 * counting are looked at.  On a status but ORACLE_OK the rest is empty. */
OracleResult oracle_run(const RefModel *model, size_t max_states);
/* The same where an immediate activity of weight w is a timed one of rate w x haste instead: what
 * the result above is the limit of, where there are no priorities. */
OracleResult oracle_run_hasty(const RefModel *model, size_t max_states, double haste);
void oracle_result_free(OracleResult *result);

/* The value of a name, 0 when it is not there. */
double oracle_value(const OracleValues *values, const char *name);

#endif
