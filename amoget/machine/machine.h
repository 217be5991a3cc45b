/* The data of an AmogetMachine: plain arrays, complete as soon as they are set. */
#ifndef AMOGET_MACHINE_MACHINE_H
#define AMOGET_MACHINE_MACHINE_H

#include <stdbool.h>

#include "amoget_machine.h"
#include "base/error.h"
#include "base/intern.h"

enum { MOST_PROCESSORS = 1024 };

/* How specific a statement about a pair is.  It overrides lower levels, and replaces an earlier
 * statement of the same level. */
typedef enum {
    LEVEL_NONE, /* nothing was said */
    LEVEL_DEFAULT,
    LEVEL_LOCAL,
    LEVEL_CLUSTERS,          /* two clusters, or one */
    LEVEL_CLUSTER_PROCESSOR, /* a cluster and a processor */
    LEVEL_PAIR               /* two processors, or one with itself */
} Level;

/* A number for each ordered pair of processors, symmetric. */
typedef struct {
    double *value;       /* capacity x capacity: of (a, b) at a x capacity + b */
    uint8_t *level;      /* the same */
    double every, local; /* what AMOGET_DEFAULT and AMOGET_LOCAL were given; NaN: nothing */
} PairTable;

struct AmogetMachine {
    Intern names; /* ids are the numbers of processors */
    int32_t processors;
    int32_t capacity;            /* room for processors */
    double *time, *availability; /* processors */
    int32_t *cores;
    double *memory;               /* bytes; 0: not given */
    char **address;               /* NULL: the name */
    PairTable latency, bandwidth; /* bandwidth: +inf where none is given */
};

/* Where a table has the number of a pair. */
static inline size_t machine_pair(const AmogetMachine *machine, int32_t a, int32_t b)
{
    return (size_t)a * (size_t)machine->capacity + (size_t)b;
}

/* A machine without processors; NULL: out of memory. */
AmogetMachine *machine_new(void);
/* Add a new name, the maximum not being reached; false: out of memory, nothing has changed. */
bool machine_add_processor(AmogetMachine *machine, const char *name, double time);
/* False: out of memory, nothing has changed. */
bool machine_set_address(AmogetMachine *machine, int32_t processor, const char *address);
/* A copy, so that a change can be made whole or not at all; NULL: out of memory. */
AmogetMachine *machine_copy(const AmogetMachine *machine);

/* Set a number of one of the machine's tables, both ways, a == b as well.  No checks.  The others:
 * for all pairs of processors, and those of processors to come. */
void pair_set(const AmogetMachine *machine, PairTable *table, int32_t a, int32_t b, Level level,
              double value);
void pair_set_every(const AmogetMachine *machine, PairTable *table, double value);
void pair_set_local(const AmogetMachine *machine, PairTable *table, double value);

/* ---- checks of arguments: PEPA_EARG and why ---- */

/* A new name, an identifier or an integer, as in descriptions. */
PepaStatus check_name(const Intern *names, const char *what, const char *name, PepaError *err);
/* What mpirun takes for a host: letters, digits, `.`, `-`, `_`, and letters beyond ASCII; no other processor's. */
PepaStatus check_address(const AmogetMachine *machine, int32_t processor, const char *address,
                         PepaError *err);
PepaStatus check_index(int32_t index, int32_t count, const char *what, PepaError *err);
/* Positive, and in the range of quantity.h. */
PepaStatus check_number(double value, const char *what, PepaError *err);

#endif
