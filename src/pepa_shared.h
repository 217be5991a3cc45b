/* The steady state of one chain, shared by several processes: each has a part of the probabilities.
 *
 *   PepaShared *shared = NULL;
 *   if (pepa_shared_solve(&shared, chain, processes, NULL, NULL, &err) == PEPA_OK &&
 *       pepa_shared_throughputs(shared, flow, &err) == PEPA_OK)
 *       printf("%g per unit of time", flow[0]);
 *   pepa_shared_free(shared);
 *
 * Of a chain whose states are kept as sets, which are small, every process has all sets; it keeps the
 * probabilities of the states that it owns, and copies of those that flow into them.  Of a chain by
 * rows each process has the rows of some states.  All functions
 * with a PepaError are called by all processes, in the same order, and give the same answers in all
 * of them.  How processes talk is in PepaProcesses; pepa_mpi.h has them for MPI. */
#ifndef PEPA_SHARED_H
#define PEPA_SHARED_H

#include "pepa_measure.h"
#include "pepa_passage.h"
#include "pepa_transient.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Consecutive entries of a vector. */
typedef struct {
    int64_t first, count;
} PepaPiece;

/* What goes to a process, and where that which comes from it is put, one piece after the other. */
typedef struct {
    int32_t process, sent_count, received_count;
    PepaPiece *sent, *received;
} PepaPartner;

typedef struct {
    int32_t number; /* 0 .. 32,766: of two processes, exchanges with one number belong together */
    int32_t partner_count;
    PepaPartner *partner; /* ascending by process */
} PepaExchange;

/* Processes, and how they talk.  Functions are called by all of them, in the same order. */
typedef struct {
    int32_t count, rank; /* rank: of this one, 0 .. count - 1 */
    void *user;
    /* Each of n numbers becomes the sum, or the largest, of those of all processes: the same bits in
     * all of them. */
    void (*sum)(void *user, double *x, int32_t n);
    void (*largest)(void *user, double *x, int32_t n);
    /* Prepare an exchange, which stays as it is until it is closed; NULL: memory is out.  The pieces
     * that a process sends to another have as many entries as those into which that one puts them. */
    void *(*open)(void *user, const PepaExchange *exchange);
    /* Begin to send and to receive pieces of x, which may be another vector at every call; pieces are
     * not to be touched until it is finished.  A process may start an exchange before the other one
     * has finished it the last time. */
    void (*start)(void *user, void *opened, double *x);
    /* Wait until that is done, if it was started. */
    void (*finish)(void *user, void *opened);
    void (*close)(void *user, void *opened);
    /* The numbers 0, 1, 2 ..., each of which one process gets: `deal` begins anew; `take` is the next of
     * them, at any time and by any process, but by one thread of it at a time. */
    void (*deal)(void *user);
    int64_t (*take)(void *user);
    /* Called now and then, as `take` is, by a process that works for long: others may wait for it, or for
     * exchanges that it has started. */
    void (*poll)(void *user);
    /* Bytes from each process to each, itself included: sent[p * most ..] has count[p] <= most of them
     * for process p; received[p * most ..] gets the come[p] that it sends to this one.  most: the same
     * in all processes, at most 2^30. */
    void (*swap)(void *user, const void *sent, const int64_t *count, void *received, int64_t *come,
                 int64_t most);
    /* Per process: what part of the work and of the states it gets, in the sum 1, as far as its memory
     * allows; the same in all.  NULL: all the same. */
    const double *part;
    /* Of messages between them, the same in all: seconds until one arrives; seconds for each byte.  0: those of one
     * machine.  What one process solves sooner than messages arrive is not shared. */
    double latency, byte;
    /* Wait until all have called it, without keeping a processor busy: one of them may work for long before.  NULL: others wait
     * as in `sum`. */
    void (*wait)(void *user);
} PepaProcesses;

/* As pepa_chain_derive, for pepa_shared_solve.  Sets of states, and up to some 200,000 states one by one,
 * are derived by each process.  More states one by one are spread: each process explores and keeps
 * about the same number of them, some 30 bytes and 6 for each transition, and chunks of what is sent.  Where sets suit
 * the model, each finds them, and then writes the transitions of a run of its states, for which nothing is sent.
 * Of such a chain pepa_chain_info tells what all have, and other functions that take a chain return
 * PEPA_EARG (PEPA_LIMIT_EXPLORE).  All processes call it; an error in one is one in all.
 * set   threads and memory are those of each process; derive.max_states 0: 20 million for each process */
PEPA_API PepaStatus pepa_shared_derive(PepaChain **out, const PepaModel *model,
                                       const PepaProcesses *processes, const PepaSettings *set,
                                       PepaError *err);

/* One process's part of a solution.  Borrows the chain and the processes. */
typedef struct PepaShared PepaShared;

/* Solves by block Gauss-Seidel sweeps in the order in which one process does them, accelerated by
 * extrapolation; certified by balance equations that are evaluated afresh.  By auto, where many sweeps seem to be left
 * and each process has memory for it, by BiCGSTAB on the matrix by rows, of which each process has those of its own states.
 *   set   threads and memory are those of each process; method: auto, gauss-seidel or sor
 *   info  as pepa_solve_steady; may be NULL
 * What pepa_chain_derive tells derive.diagnose of states that are left for ever, of a chain by rows is told here.
 * Errors: as pepa_solve_steady; PEPA_EARG (PEPA_LIMIT_MATRIX): the chain is kept by rows, one by
 * one, not as sets, or has few states as sets, for so far a latency, which pepa_solve_steady looks at more closely, and set leaves all to auto, also
 * derive.explore and solve.matrix, and keeps nothing; PEPA_EARG (PEPA_LIMIT_METHOD): another method.  An
 * error in one process is one in all.  8 bytes per own state and per copy, up to 40 with extrapolation if memory allows;
 * by rows some 110 and 24 for each transition, and more for factors that fill up. */
PEPA_API PepaStatus pepa_shared_solve(PepaShared **out, const PepaChain *chain,
                                      const PepaProcesses *processes, const PepaSettings *set,
                                      PepaInfo *info, PepaError *err);
PEPA_API void pepa_shared_free(PepaShared *shared);

typedef struct {
    int64_t states;   /* own ones */
    int64_t copies;   /* of states of other processes */
    const double *pi; /* of own states, by their numbers in the chain; the solution's */
    uint64_t reserved[4];
} PepaSharedPart;
PEPA_API PepaSharedPart pepa_shared_part(const PepaShared *shared);

/* The bottom components in one of which the chain ends, in no order: how many; and what is known of one. */
typedef struct {
    double probability; /* of ending there */
    int64_t states;     /* how many it has */
    uint64_t reserved[4];
} PepaSharedBottom;
PEPA_API int32_t pepa_shared_bottoms(const PepaShared *shared);
PEPA_API PepaSharedBottom pepa_shared_bottom(const PepaShared *shared, int32_t bottom);
/* One of its states as pepa_chain_state_text has it, to be freed by pepa_text_free.
 * Errors: PEPA_EARG (no such component), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_shared_bottom_text(const PepaShared *shared, int32_t bottom, char **text,
                                            PepaError *err);

/* As pepa_throughputs, pepa_utilisations, pepa_populations and pepa_measures_values.
 * Errors: theirs. */
PEPA_API PepaStatus pepa_shared_throughputs(const PepaShared *shared, double *per_time,
                                            PepaError *err);
PEPA_API PepaStatus pepa_shared_utilisations(const PepaShared *shared, double *share,
                                             PepaError *err);
PEPA_API PepaStatus pepa_shared_populations(const PepaShared *shared, double *mean, PepaError *err);
PEPA_API PepaStatus pepa_shared_values(const PepaShared *shared, const PepaMeasures *measures,
                                       double *value, PepaError *err);

/* As pepa_throughput_bounds and pepa_measure_bounds, of a solution of a chain that processes have spread: each has a
 * part of the linear solution, and of the proof.  set: as of pepa_shared_solve.
 * Errors: theirs; PEPA_EARG (PEPA_LIMIT_MATRIX): the processes have not spread its rows.  Beside the solution the
 * matrix of another one and its incomplete factors, which stay until the solution is freed, and 76 bytes per own state;
 * with several bottom components 130 more for a while, and the jumps between states that are left for ever. */
PEPA_API PepaStatus pepa_shared_throughput_bounds(PepaShared *shared, const PepaSettings *set,
                                                  const char *action, double *low, double *high,
                                                  PepaError *err);
PEPA_API PepaStatus pepa_shared_measure_bounds(PepaShared *shared, const PepaSettings *set,
                                               const PepaMeasures *measures, double *low,
                                               double *high, PepaError *err);

/* As pepa_transient_measures, by uniformisation alone.  All processes call it, with the same times.
 * Errors: its own; as pepa_shared_solve for chains that each process has by rows.  Beside the chain 5 vectors
 * over own states and copies. */
PEPA_API PepaStatus pepa_shared_transient(const PepaChain *chain, const PepaProcesses *processes,
                                          const PepaMeasures *measures, const PepaTransient *at,
                                          const PepaSettings *set, double *value,
                                          PepaTransientInfo *info, PepaError *err);

/* As pepa_passage_new, of a chain that each process has by rows, by uniformisation alone.  All processes call it,
 * with the same ends, and then all functions of the passage that can fail, in the same order and with the same
 * numbers.  Borrows the processes.
 *   shared  a solution of the chain, from which passages start in the long run; may be NULL with from_start
 * Errors: its own; PEPA_EARG (PEPA_LIMIT_MATRIX): the processes have not spread the chain's rows; PEPA_EARG
 * (PEPA_LIMIT_METHOD), as pepa_shared_solve.  Beside the chain two matrices and some 20 vectors over own states. */
PEPA_API PepaStatus pepa_shared_passage(PepaPassage **out, const PepaChain *chain,
                                        const PepaProcesses *processes, const PepaShared *shared,
                                        const PepaPassageEnds *ends, const PepaSettings *set,
                                        PepaError *err);

#ifdef __cplusplus
}
#endif

#endif
