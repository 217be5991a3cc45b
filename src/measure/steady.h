/* The steady state within bottom components: one interface over the forms in which a chain stores
 * its states, and what these forms share. */
#ifndef PEPA_MEASURE_STEADY_H
#define PEPA_MEASURE_STEADY_H

#include "ctmc/chain.h"
#include "measure/flow_build.h"

/* One solution. */
typedef struct {
    const Chain *chain;
    const double *value;     /* per term: its rate */
    const double *forced;    /* per rate of the model: what it was set to, or NaN */
    const PepaSettings *set; /* complete */
    double *pi;              /* one entry per state; in: a guess if set->solve.warm_start */
    PepaInfo *info;       /* method, iterations, caution, trail, matrix, residual of the method */
    PepaError *err;       /* not NULL */
    const Keeper *keeper; /* of vectors like pi; NULL: nothing is kept */
} SteadyJob;

/* A form.  `space` is what it keeps for one chain: data of the structure, and workspace.  It
 * borrows the chain.  A form that keeps nothing has no make, free and workspace: they are NULL. */
typedef struct {
    PepaStatus (*make)(void **space, const Chain *chain, PepaError *err);
    void (*free)(void *space);
    /* pi of the states of bottom component `bottom`, with sum `weight`; the states of no bottom
     * component are left alone.  Errors: PEPA_ENOCONV, PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
    PepaStatus (*solve)(void *space, const SteadyJob *job, int32_t bottom, double weight);
    /* How many states a bottom component has; order, if not NULL, gets them in the order in which
     * they are swept. */
    int32_t (*order)(const Chain *chain, const void *space, int32_t bottom, int32_t *order);
    /* Workspace of two entries per state, free between solutions. */
    double *(*workspace)(void *space);
    /* Bytes of chain, pi and space / bytes that a solution takes besides, at least. */
    double (*bytes_kept)(const Chain *chain);
    double (*bytes_needed)(const Chain *chain, const PepaSettings *set);
} SteadyForm;

extern const SteadyForm steady_by_rows, steady_by_sets;

/* ---- tuned numbers --------------------------------------------------------------------------- */

/* They choose between ways to the same answer.  CPU times are those of `pepa solve`; counts are
 * those of solvers/blocks/tuning.h. */
enum {
    /* Joint states of the last slots that make up a leaf of a diagonal block, at most.  On pipeline
     * 13, kanban 4, cluster 128 and polling 14, relative to 64, CPU time is 1.07, 1.04, 1.08, 1.01
     * with 16, and 0.96, 0.98, 1.02, 1.04 with 256. */
    LEAF_STATES = 64,
    CENSOR_FIRST = 2000,     /* transient states up to which censoring comes first; its cost
                                     * is their third power */
    CENSOR_SOON = 50 * 1000, /* the same where it takes little work, for the sake of digits: an
                                     * order of elimination is found in some tenths of a second */
    CENSOR_CELLS = 4 * 1000 * 1000, /* transient states x components it may store: 32 MB */
    START_SWEEPS = 3,               /* before the guess.  1: 72 35 12 21 28; 6: 73 34 12 21 28 */
    WORTH_LUMPING = 4               /* times fewer states that are worth it: an estimate */
};
#define CENSOR_WORK  1e9 /* multiply-adds */
#define MOST_ENTRIES 4e8 /* by rows; a limit of memory: some 5 GB */
/* What another method takes by rows, for an entry or a state, in the unit of schedule/costs.h:
 * sweeps that seem to take more are given up.  200 to 400 on most models of bench/structures. */
#define BY_ROWS 350.0
/* The same of processes, whose factors are of what each has, so that they take more iterations.  With 440 transfer 5 9,
 * furnace 19 8 and repressilator 30 of bench/structures leave their sweeps and take 1.3 to 1.5 times as long. */
#define BY_ROWS_SHARED 700.0
/* Backward flow of another order of the rows, of that of the sets, with which sweeps are another
 * matter: an estimate. */
#define OTHER_FLOW 0.7

/* ---- what the forms share -------------------------------------------------------------------- */

/* What a solver that may take `memory` bytes is given of the settings; the preconditioner is its
 * own choice. */
Control settings_control(const PepaSettings *set, int64_t memory);
/* The same with the caller's preconditioner, and a tolerance a little stricter than the
 * caller's, so that rounding between the solver and the certificate costs no answer. */
Control stricter_control(const PepaSettings *set, int64_t memory);
/* The account of a component begins: none was solved before it, or smaller ones, which count less.
 *   entries, bytes  of its matrix */
void evidence_begin(PepaSolveEvidence *evidence, const ChosenOrder *chosen, int64_t entries,
                    double bytes);
/* What is known before anything has been solved. */
PepaInfo info_unsolved(const PepaSettings *set, const char *matrix);

/* Row i of a flow is the state order[i]; or, if order is NULL, i or n - 1 - i (reversed). */
typedef struct {
    const int32_t *order;
    bool reversed;
} RowOrder;

/* Solve by rows, from pi if that is a guess: pi gets the sum `weight`.
 *   control     as stricter_control has it
 *   y, scratch  flow->n entries each of workspace; scratch may be pi if that has flow->n entries
 *   largest     this is the largest component so far: its method is the one to report */
PepaStatus steady_solve_flow(const SteadyJob *job, const FlowOwner *flow, RowOrder layout,
                             PepaMethod method, const Control *control, double weight, bool largest,
                             double *y, double *scratch);

/* job->pi of a chain explored as a diagram without aggregation, from the steady state of the
 * aggregated chain at the same rates: states that are alike but for the order of copies share their
 * class's probability equally, which is exact (Kemeny, Snell, Finite Markov Chains, 1960, sec. 6.3;
 * Hillston 1996, ch. 8: strong equivalence).
 *   memory  bytes that this may take; 0: no limit
 *   *found  whether there is such a chain, much smaller, and it could be solved, which the trail
 *           then says; else pi is as before
 * Errors: PEPA_ECANCEL.  After any other failure *found is false. */
PepaStatus lumped_guess(const SteadyJob *job, int64_t memory, bool *found);

#endif
