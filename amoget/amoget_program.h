/* How the processes of a parallel program talk, and the machine on which to place them: what the
 * block `program` of a description says.  Conventions are those of amoget_machine.h.
 *
 *   program { groups 16 min 4 divisor 1; }
 *   program { graph 3 sizes 3 6 9 edges (1,2) (2,3); }
 *   program { tree 19 levels 3 min 5; }
 *   program { ring 12 min 4; }
 *   program { singleton 8; }
 *   program { ring 12 min 4; work 30; data 80kB; exchange 1MB; phases 20; }   # what a round costs
 *
 * Source: Bosa, Schreiner, A supercomputing API for the grid, section 3. */
#ifndef AMOGET_PROGRAM_H
#define AMOGET_PROGRAM_H

#include <amoget_machine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Groups are sets of processes that often talk to each other.
 *   GROUPS     groups of any sizes; each talks to each other
 *   GRAPH      groups of given sizes, and which of them talk to each other
 *   TREE       a root, managers, and groups of leaves with a manager each
 *   RING       as GROUPS; each talks to its two neighbours
 *   SINGLETON  one group */
typedef enum {
    AMOGET_GROUPS,
    AMOGET_GRAPH,
    AMOGET_TREE,
    AMOGET_RING,
    AMOGET_SINGLETON
} AmogetProgramKind;

/* Two groups that talk to each other: numbered from 0, in texts from 1. */
typedef struct {
    int32_t a, b;
} AmogetEdge;

typedef struct {
    AmogetProgramKind kind;
    int32_t processes;      /* in all: 1 .. AMOGET_MOST_PROCESSES */
    int32_t least, divisor; /* GROUPS, RING: the smallest group has at least this many processes,
                               the number of groups is divisible by this; TREE: least of leaves */
    int32_t levels;         /* TREE: from 2; level 1 is the root, the last one holds the leaves */
    int32_t group_count, *sizes; /* GRAPH */
    int32_t edge_count;
    AmogetEdge *edges; /* GRAPH; none: each group talks to each other */
    /* A round, as far as it is known.  In a group of n processes each takes n steps of `work`, and
     * hands on a message after each step but the last; then the groups that talk exchange. */
    double work;     /* units of work of a process in a step; 0: not known */
    double data;     /* bytes of a message within a group */
    double exchange; /* bytes that a group sends to each group that it talks to */
    int32_t phases;  /* exponential phases of a group's time; 0: AMOGET_PROGRAM_PHASES */
} AmogetProgram;

enum {
    AMOGET_MOST_PROCESSES = 10000,
    AMOGET_MOST_LEVELS = 16,
    AMOGET_PROGRAM_PHASES = 20,
    AMOGET_MOST_PROGRAM_PHASES = 100
};

/* Read machine and program of a description.  Statements about a pipeline may be there: they say
 * nothing here.  All pairs of processors need a latency.  *program is NULL if the text has none.
 * Both results are the caller's: amoget_machine_free, amoget_program_free.
 * Errors: those of amoget_machine_parse. */
PEPA_API PepaStatus amoget_program_parse(AmogetMachine **machine, AmogetProgram **program,
                                         const char *name, const char *text, size_t length,
                                         const AmogetReading *how, PepaError *err);
/* Copy a program after checking its numbers.  Errors: PEPA_EARG (the message says which number, and
 * what it can be), PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_program_new(AmogetProgram **out, const AmogetProgram *from,
                                       PepaError *err);
PEPA_API void amoget_program_free(AmogetProgram *program);
/* "groups", "graph", "tree", "ring", "singleton"; "" for what is none. */
PEPA_API const char *amoget_program_kind(AmogetProgramKind kind);

#ifdef __cplusplus
}
#endif
#endif
