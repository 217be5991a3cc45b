/* The contract of every linear solver.  Knows matrices, not PEPA.
 *
 * Flow form.  Let d_i > 0 be the exit rate of state i, p_ij = q_ij / d_i the jump chain, and
 * y_i = pi_i d_i the probability flow out of i.  Then pi Q = 0 is
 *
 *     y = P' y            (steady state: P stochastic and irreducible, y up to a factor)
 *     y = P' y + b        (expected visits to transient states from the start b: P substochastic,
 *                          from every state there is a way out, b >= 0, sum b = 1)
 *
 * with unit diagonal whatever the scale of the rates; residuals are shares of flow, free of units.
 * Source: Stewart, Introduction to the Numerical Solution of Markov Chains, 1994, ch. 1-4. */
#ifndef PEPA_SOLVERS_SOLVER_H
#define PEPA_SOLVERS_SOLVER_H

#include <stdbool.h>

#include "base/error.h"
#include "pepa.h"
#include "pepa_evidence.h"
#include "pepa_shared.h"

/* Threads that share the rows of a matrix: see rows/rows.h. */
typedef struct FlowTeam FlowTeam;

/* Rows that several processes share: each has those of some states, and the other fields of a Flow are
 * of these states and of entries between them.  What flows in from states of others is here. */
typedef struct {
    const PepaProcesses *processes;
    void *exchange; /* opened: of `buffer` */
    double *buffer; /* entries of states that flow into others', `sent`; then those of others */
    const int32_t *sent; /* sent_count */
    int32_t sent_count;
    int32_t rows;         /* into which others flow */
    const int32_t *place; /* rows, ascending: which they are */
    const int64_t *row;   /* rows + 1 */
    const int32_t *col;   /* row[rows], index after `sent` in buffer */
    const double *val;    /* row[rows]: p_ji; or NULL, and they are chance[code[k]] */
    const uint16_t *code;
    const double *chance;
    double *come;         /* per own state: what others send, as of ...; 0 at first */
    const double **read;  /* ... this vector, NULL at first */
} FlowShare;

/* P', by rows: row i lists the states j with p_ji > 0, ascending, no diagonal. Borrowed.
 * Explicit: entry k is val[k], 12 bytes with its column.  Compact: few different numbers occur, val
 * is NULL, and entry k is chance[code[k]], 6 bytes with its column. */
typedef struct {
    int32_t n;
    const int64_t *row; /* n + 1 */
    const int32_t *col; /* row[n] */
    const double *val;  /* row[n]: p_ji, or NULL */
    const double *exit; /* n: d_i, or NULL: all 1 */
    const double *b;    /* n, or NULL for the steady state */
    const double
        *leave; /* n: with b, the chance to leave for good; or NULL: what the p_ji lack to 1 */
    const uint16_t *code;
    const double *chance;
    const FlowShare *share; /* NULL: one process has all rows */
    FlowTeam *team; /* of this flow, for one solution at a time; NULL: the caller's thread alone */
} Flow;

/* A team of at most `threads` threads, the caller's among them, which start when they are needed.
 * It keeps a schedule of sweeps for the pattern of this flow's matrix.  Every method gives the same
 * bits whatever the number of threads.  *out is NULL if one thread suffices.  False: out of
 * memory. */
bool flow_team_new(FlowTeam **out, const Flow *flow, int32_t threads);
void flow_team_free(FlowTeam *team); /* NULL is legal */

/* p_ji of entry k. */
static inline double flow_val(const Flow *flow, int64_t k)
{
    return flow->val ? flow->val[k] : flow->chance[flow->code[k]];
}
static inline double flow_share_val(const FlowShare *share, int64_t k)
{
    return share->val ? share->val[k] : share->chance[share->code[k]];
}

/* When an iteration stops early: after `patience` iterations, as soon as more than `horizon` seem
 * to be left. */
typedef struct {
    int64_t patience;
    double horizon; /* 0: this is no rule */
} StallRule;

/* Keeps iterates of a long solution, now and then, and when it is cancelled. */
typedef struct {
    void *user;
    bool (*due)(void *user);
    /* x: the unknowns of the solution, as far as they are known; now: seconds are the keeper's own. */
    void (*keep)(void *user, const double *x, const PepaProgress *now);
} Keeper;

/* Incomplete factors that BiCGSTAB and IDR(s) leave to the next solution, whose flow has the same matrix and share:
 * the bytes of one solution's factors. */
typedef struct FlowFactors FlowFactors;
void flow_factors_free(FlowFactors *factors); /* before the matrix is; NULL is legal */

/* {0} in all but the tolerance: no limits, no callback. */
typedef struct {
    /* |y - P'y - b|_1 <= tolerance * |y|_1; with b: <= tolerance * 1 as well; without b: also with
     * entries weighted by 1/d_i, on both sides */
    double tolerance;
    int64_t max_iter; /* 0: the method's own default */
    /* Called at the start and about every 0.1 s, or NULL.  AMD cannot be interrupted. */
    int (*progress)(void *user, const PepaProgress *now);
    void *user;
    int64_t memory;                /* bytes that the method may take; 0: no limit */
    PepaPrecondition precondition; /* of Krylov methods; AUTO: the method's own */
    /* Of incomplete factors: most entries for one of the matrix, and multiply-adds for a row, beyond
     * which a method returns PEPA_ELIMIT; 0: no limit. */
    double fill, effort;
    double work;     /* multiply-adds to be expected of an elimination, beyond which it returns
                  * PEPA_ELIMIT; 0: some hours */
    StallRule stall; /* in place of the method's own */
    double left; /* sweeps that seemed to be left when others were given up; 0: there were none */
    /* Of methods tried before, for the callback: when the first began, and their iterations. */
    double began;
    int64_t done;
    PepaSolveEvidence *evidence; /* where attempts are written down; or NULL */
    PepaTried why;               /* this one is made, for the evidence */
    const Keeper *keeper;        /* borrowed; NULL: nothing is kept */
    FlowFactors **factors;       /* in, out: as far as there are any, NULL at first; or NULL: none are left */
} Control;

/* What one more iteration changes. */
typedef struct {
    double time; /* in the distribution of time, of which the sum is 1 */
    double rare; /* in flows of about the same size, as a part of them: as of flow_rare_change */
    double growth; /* of flows too small for that: as of flow_growth; 0 where processes share them */
} Drift;

typedef struct {
    int64_t iterations;
    double residual; /* |y - P'y - b|_1 / |y|_1, recomputed from y by flow_residual */
    const char *method;
    const char *precondition; /* its name, or NULL: it has none */
    double left;              /* estimate of the iterations left when it stalled, else 0 */
    double need;              /* bytes that it needs if PEPA_ELIMIT is for lack of memory, else 0 */
    double effort;   /* of incomplete factors with fill-in: multiply-adds for a row, as far as
                      * they were made; else 0 */
    bool coupled;    /* shares of groups that rare jumps join are as good as those within groups */
    Drift drift;     /* of the answer; only if it is `judged` */
    bool judged;     /* PEPA_AUTO: drift is that of the answer, and groups of states are in balance */
    bool uneven;     /* PEPA_AUTO: they are not, and no cycles brought them there */
    const char *caution; /* PEPA_AUTO by processes: what flow_caution has said of the answer; or NULL */
    bool gathered;   /* PEPA_AUTO: one of the processes that share the flow has solved it, with all rows */
    bool shaky;      /* PEPA_AUTO: the chain calls for a stricter tolerance, which was missed */
    char trail[256]; /* PEPA_AUTO: methods tried before, and why each of them failed */
} Outcome;

/* The solution by a method; PEPA_AUTO: the one that suits its size, or the next when one stalls,
 * which out->trail tells.
 *   y  n entries; in: a guess (>= 0, not all 0; what is not finite is replaced by equal shares);
 *      out: the solution, finite, >= 0, sum 1 if b is NULL
 * PEPA_OK only if flow_residual(y) <= tolerance.  out is always filled in.
 * Errors: PEPA_ENOCONV (y: the best found, finite and >= 0, sum > 0), PEPA_ELIMIT (the method is
 * not for this size, or takes more than control->memory), PEPA_ENOMEM, PEPA_ECANCEL; y is then
 * still finite and >= 0. */
PepaStatus solve_flow(PepaMethod method, const Flow *flow, const Control *control, double *y,
                      Outcome *out, PepaError *err);

/* The methods that processes can share: auto, gauss-seidel, bicgstab. */
bool flow_method_is_shared(PepaMethod method);

/* |y - P'y - b|_1 / |y|_1, or +inf if that is not a finite number. */
double flow_residual(const Flow *flow, const double *y);

/* One-sweep drift: what one more sweep of Gauss-Seidel would change in flows y with the sum 1.
 *   scratch  n entries
 * The residual weighs states by flow.  States with rare visits and long stays carry little flow, so
 * that their shares of time can be wrong although the residual is small, and the flows through rare
 * states may be wrong in every digit; the drift shows that.  O(entries). */
Drift flow_drift(const Flow *flow, const double *y, double *scratch);
/* The same for what has become of flows `old`. */
Drift flow_change(const Flow *flow, const double *y, const double *old);

/* How much flows have changed from `old` to y, both with the sum 1, as a part of themselves: that of
 * the states from one power of 8 to the next which have changed most.  Below 2e-22 nothing counts.  share: of the processes that have these and others; or NULL. */
double flow_rare_change(const FlowShare *share, int32_t n, const double *y, const double *old);
/* The same of what they have gained, below 2e-22 and above 1e-90. */
double flow_growth(int32_t n, const double *y, const double *old);
/* May states that hold next to nothing have to fill up (solvers/filling.h), of which some grow by so much of themselves?
 * False as well when memory is out. */
bool flow_may_fill(const Flow *flow, const double *y, double growth, int64_t memory);

/* How far groups of states, with more flow than those between them, groups of these, and so on, are from balance: what they
 * would hold if what flows out of each came into balance with what flows in from the others as that is, compared with what
 * they hold, flows y with the sum 1.  Where little flows between groups residuals of states do not show how wrong their
 * shares are; this does, for what flows between groups is added up without what flows within them.  0 where memory is out.
 * Some tens of sweeps; hardly more than one where there is only one such group. */
Drift flow_imbalance(const Flow *flow, const double *y);
double flow_imbalance_bytes(int64_t states, int64_t entries); /* that this takes, about */
/* Shares of groups are right to within about so much of the distribution of time. */
bool flow_balanced(Drift imbalance, double most);

/* Nearly completely decomposable chains.  Jumps with chances below RARE_JUMP are rare, as are
 * failures beside work.  The chain is nearly decomposable if several groups of states, each
 * strongly connected by common jumps, have no common jump to another group.  The residual then
 * hardly depends on how probability is divided among the groups: a small one does not vouch for the
 * solution.  Source: Courtois, Decomposability, 1977. */
#define RARE_JUMP 1e-4

bool flow_has_rare_jumps(const Flow *flow);
/* False as well when memory is out.  O(entries). */
bool flow_nearly_decomposable(const Flow *flow);

/* What to tell the user of such a chain, and of one that may be such. */
extern const char decomposable_caution[], decomposable_suspicion[];
/* And where groups of states are out of balance, by auto without rows, or states that are rare have not settled. */
extern const char uneven_caution[], uneven_free_caution[], uneven_shared_caution[], rare_caution[];

/* Why the residual may say little of the error: a sentence, or "" if nothing is known against it.
 *   out        the method's report; all that outcome_caution uses
 *   y          the answer, with n entries of scratch; or NULL, and the drift is not computed
 *   tolerance  the one that was requested
 * Elimination without subtractions (gth) needs no caution. */
const char *flow_caution(const Flow *flow, const double *y, const Outcome *out, double tolerance,
                         double *scratch);
const char *outcome_caution(const Outcome *out);

/* Probability of ending in each of `classes` absorbing classes from transient state `start`, by
 * censoring the other transient states one by one without subtractions (GTH): every digit counts
 * however rarely the chain leaves.
 *   flow       P' of the transient states; b ignored
 *   absorb     n x classes, row-major: one-step probabilities into each class
 *   control    for its progress callback
 *   weight     classes entries, out
 * Errors: PEPA_ENOCONV (weight untouched): no way from some state into a class, or a number is not
 * finite; PEPA_ELIMIT when the elimination would fill up too much; PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus absorb_gth(const Flow *flow, const double *absorb, int32_t classes, int32_t start,
                      const Control *control, double *weight, PepaError *err);

/* x of (sum_j rate_ij + leave_i) x_i = sum_j rate_ij x_j + c_i for transient states i, by the same elimination, one right side
 * beside the other.  All numbers are >= 0, and are never subtracted: x is off by at most *off x in each entry, however rarely
 * the states are left.
 *   rate    n x n, row-major; of its diagonal no use is made; spoiled
 *   leave   n, the rates at which these states are left; spoiled
 *   x       n x sides, row-major; in: c
 *   *off    out: bound of the relative error of what is computed here, but for that of the numbers that come in: if these are
 *           off by d each, times 1 + d, x is by 2 n d more (to first order)
 * Cost: n^3 / 3 multiply-adds of long doubles if all rates are there; those of 0 cost little.
 * Errors: PEPA_ENOCONV (some state is never left, or a number is not finite), PEPA_ECANCEL. */
PepaStatus absorb_values(int32_t n, int32_t sides, long double *rate, long double *leave, long double *x,
                         const Control *control, double *off, PepaError *err);
/* The differences of x where the chain ends in one of the first `ends` states: x_k = sum_j rate_kj x_j / sum_j rate_kj of the others,
 * which have their digits where x is nearly the same in many states.
 *   rate        n x n; rows of the first `ends` have no rates; spoiled
 *   difference  n x n, x_j - x_i in row i; in: those of the first `ends`
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus absorb_differences(int32_t n, int32_t ends, long double *rate, long double *difference,
                              const Control *control, PepaError *err);

/* Means of numbers >= 0 over the steady state of an irreducible chain of few states, by the same elimination.
 *   rate  n x n, row-major, of no diagonal; spoiled
 *   x     n x sides, row-major; spoiled
 *   mean  sides, out
 *   *off  as of absorb_values: if rates are off by d each and x by e, relative to themselves, means are by 2 n d + e more
 * Errors: PEPA_ENOCONV, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus means_gth(int32_t n, int32_t sides, long double *rate, const long double *x,
                     const Control *control, long double *mean, double *off, PepaError *err);

/* Poisson's equation.  A chain in its steady state pi earns reward r_i per unit of time in state i,
 * X = pi r on average.  Its potential h, the reward that starting in i brings beyond X in the long
 * run, up to a constant, solves
 *
 *     Q h = X 1 - r,     that is   h = P h + c,   c_i = (r_i - X) / d_i
 *
 * and gives all derivatives of X at once: dX = pi (dr + dQ h).
 * Source: Puterman, Markov Decision Processes, 1994, sec. 8.2; Cao, Chen, IEEE Trans. Automat.
 * Contr. 42 (1997). */
/* Factors that solutions with the same jumps may share. */
typedef struct PotentialFactors PotentialFactors;
void potential_factors_free(PotentialFactors *factors);

typedef struct {
    Flow jumps;              /* the rows of P itself in place of P', irreducible, with exit; no b */
    const double *pi;        /* n: as good as they are, sum > 0 */
    const double *reward;    /* n: r_i >= 0 */
    bool everywhere;         /* w is wanted flat in states that are hardly ever visited too */
    PotentialFactors **kept; /* factors for these jumps, and for the next solution; it starts as
                              * NULL.  Or NULL: none are kept */
    long double **apart;     /* n x n, h_j - h_i in row i, where a chain of few states stays so long in each of several ways that
                              * h has not the digits: in: NULL; out: the caller frees it.  Or NULL: nobody wants them */
} Poisson;

/* The potential, with pi h = 0, by Gauss-Seidel in the order of the states (PEPA_GAUSS_SEIDEL), by
 * BiCGSTAB (PEPA_BICGSTAB), by LU factors without the most visited state (PEPA_DIRECT), or these in
 * turn, few states by censoring (any other method).
 *   h  n; in: a guess (0 will do, and replaces what is no guess); out: the potential, 0 if X is 0
 * Where differences are set apart, what follows is said of these.
 * Stops when w = r + Q h, which is X 1 for the solution, is as flat as this:
 *
 *     pi |w - (pi w) 1|  <=  tolerance * pi w
 *
 * or, `everywhere`, max_i |w_i - pi w| <= tolerance * pi w.
 *
 * X counts as pi w, so that an error of pi matters in the second order only.  What that promises:
 * with w = X 1 + v, a derivative of X is wrong by (d pi) v, since pi Q = 0 gives
 * (d pi) Q + pi dQ = 0; that is, by at most max_i |d log pi_i| * pi |v|.  So the elasticities
 * d log X / d log rate are right to within the tolerance times the largest elasticity of any
 * state's probability: mostly about the number of customers, and never more than 2 n, for rates to
 * which no entry of Q answers more than in proportion, however stiff the chain (O'Cinneide, Numer.
 * Math. 65 (1993)).
 * out->residual: the left-hand side by pi w.  Work in proportion to the entries per sweep; allocates
 * nothing in between.  Errors: PEPA_ENOCONV (h is the last one), PEPA_ENOMEM, PEPA_ECANCEL: h is
 * unspecified. */
PepaStatus solve_potential(const Poisson *problem, PepaMethod method, const Control *control,
                           double *h, Outcome *out, PepaError *err);

#endif
