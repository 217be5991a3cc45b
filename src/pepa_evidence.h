/* What libpepa decided on the way to an answer, and on which evidence.
 *
 *   PepaEvidence evidence;
 *   PepaSettings set = {.evidence = &evidence};
 *
 * Deriving a chain replaces the whole account, solving the second part of it.  Both write on
 * failure too, as far as they came.  No answer depends on it.  What is not known is 0. */
#ifndef PEPA_EVIDENCE_H
#define PEPA_EVIDENCE_H

#include "pepa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why states were explored in the way that they were. */
typedef enum {
    PEPA_EXPLORED_NOT,       /* there is no chain */
    PEPA_EXPLORED_REQUESTED, /* the caller chose the way */
    PEPA_EXPLORED_FEW,       /* one by one: there are few states */
    PEPA_EXPLORED_SHARED,    /* as sets: there are many states, and sets share them */
    PEPA_EXPLORED_LEFT,      /* one by one: some of the states are left for ever */
    PEPA_EXPLORED_ABANDONED, /* one by one: the search for sets was abandoned */
    PEPA_EXPLORED_AFTER_ALL, /* as sets: there were too many states to explore, or to solve, one by one */
    PEPA_EXPLORED_RUNS       /* as sets, of which each process then has the rows of a run */
} PepaExplored;

/* Why a search for sets was abandoned. */
typedef enum {
    PEPA_SEARCH_NOT_ABANDONED,
    PEPA_SEARCH_UNFIT,  /* functional rates, one component, or an error in the model */
    PEPA_SEARCH_ALONE,  /* sets stood for too few states each */
    PEPA_SEARCH_COSTLY, /* too much work, too many sets, or too many entries for each state */
    PEPA_SEARCH_MEMORY
} PepaSearchEnd;

/* The order of states in a sweep: that of their discovery; by local states, those of the last or of
 * the first component counting most. */
typedef enum { PEPA_ORDER_NONE, PEPA_ORDER_FOUND, PEPA_ORDER_LAST, PEPA_ORDER_FIRST } PepaOrder;

/* Why a method was tried. */
typedef enum {
    PEPA_TRIED_REQUESTED,    /* the caller named it */
    PEPA_TRIED_FEW_STATES,   /* few states are eliminated */
    PEPA_TRIED_DECOMPOSABLE, /* only rare jumps join groups of states */
    PEPA_TRIED_NARROW,       /* entries are near the diagonal: elimination hardly fills up */
    PEPA_TRIED_SWEEPS,       /* most chains take few sweeps */
    PEPA_TRIED_BLOCKS,       /* the same, for states explored as sets: no matrix by rows */
    PEPA_TRIED_SLOW_SWEEPS,  /* many sweeps seemed to be left: `left` of the one before */
    PEPA_TRIED_NEXT,         /* those before did not meet the tolerance */
    PEPA_TRIED_PARTED        /* few states part the chain: elimination fills up little */
} PepaTried;

/* How it ended. */
typedef enum {
    PEPA_ENDED_MET,        /* the tolerance */
    PEPA_ENDED_STALLED,    /* too many iterations seemed to be left */
    PEPA_ENDED_ITERATIONS, /* none was left */
    PEPA_ENDED_FILL,       /* factors would have had too many entries, or taken too much work */
    PEPA_ENDED_MEMORY,     /* it would have taken too much, or there was none */
    PEPA_ENDED_CANCELLED,
    PEPA_ENDED_SHORT /* anything else: the chain does not suit it */
} PepaEnded;

typedef struct {
    const char *method;       /* as in PepaInfo */
    const char *precondition; /* the same */
    PepaTried why;
    PepaEnded end;
    int64_t iterations;
    double start, residual; /* what is compared with the tolerance, at first and at the end: the
                             * larger of the residual and the residual by time */
    double left;            /* iterations that it seemed to need still */
    double seconds;
    uint64_t reserved[4];
} PepaAttempt;

enum { PEPA_MOST_ATTEMPTS = 16 };

/* Of pepa_chain_derive. */
typedef struct {
    PepaExplored explored;
    PepaSearchEnd abandoned;
    int64_t visits, found;           /* of the search for sets that was used: visits of sets, and
                                      * the states that it found */
    int64_t left_visits, left_found; /* the same when a search was abandoned */
    double potential;                /* joint local states of all components */
    double seconds;
    double bytes; /* that states and transitions take */
    uint64_t reserved[8];
} PepaDeriveEvidence;

/* Of pepa_solve_steady and pepa_steady_solve; of several bottom components, mostly of the
 * largest. */
typedef struct {
    PepaOrder order;
    int reversed;    /* sweeps go against that order */
    double backward; /* share of the jumps that lead backwards in a sweep */
    int64_t entries; /* of the matrix, and the bytes that they take */
    double bytes;
    int32_t components; /* bottom components */
    int censored;       /* the probabilities of ending in each are by elimination, not by visits */
    int64_t transient;  /* states that are left for ever */
    int64_t lumped;     /* states of the aggregated chain that the first guess is from */
    int32_t attempts;   /* that there were; of more than the most, the last is the last entry */
    int32_t answer;     /* the entry that gave the answer; -1: none did */
    PepaAttempt attempt[PEPA_MOST_ATTEMPTS];
    double residual, by_time; /* of the certificate: the residual, and the residual by time */
    uint64_t reserved[8];
} PepaSolveEvidence;

struct PepaEvidence {
    PepaDeriveEvidence derive;
    PepaSolveEvidence solve;
};

#ifdef __cplusplus
}
#endif
#endif
