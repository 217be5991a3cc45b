/* What the methods share.  Private to solvers/. */
#ifndef PEPA_SOLVERS_INTERNAL_H
#define PEPA_SOLVERS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "solvers/solver.h"

/* ---- flows ------------------------------------------------------------------------------ */

/* sum + entries k .. end - 1 times y at their columns.  The engine's hot loop. */
static inline double flow_more(const Flow *flow, const double *y, int64_t k, int64_t end,
                               double sum)
{
    if (flow->val)
        for (; k < end; k++)
            sum += flow->val[k] * y[flow->col[k]];
    else
        for (; k < end; k++)
            sum += flow->chance[flow->code[k]] * y[flow->col[k]];
    return sum;
}

/* What others send: to be called by all processes before a pass over the matrix that reads y. */
void flow_receive(const Flow *flow, const double *y);
/* The same, where what others sent before, if that was of the same vector, goes on to count with the
 * rest of 1. */
void flow_receive_part(const Flow *flow, const double *y, double part);
/* Is it so in all processes? */
bool flow_agree(const Flow *flow, bool mine);
/* The largest of all processes. */
double flow_largest(const Flow *flow, double mine);

/* What flows into states from those of other processes; NULL: there are none. */
static inline const double *flow_come(const Flow *flow)
{
    return flow->share ? flow->share->come : NULL;
}

/* (P'y + b)_i: what flows into state i. */
static inline double flow_into(const Flow *flow, const double *y, int32_t i)
{
    const double *come = flow_come(flow), start = flow->b ? flow->b[i] : 0;
    return flow_more(flow, y, flow->row[i], flow->row[i + 1], come ? start + come[i] : start);
}

/* The sum of n numbers, in their order. */
static inline double vector_sum(const double *x, int32_t n)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

/* Multiply-adds of one pass over the matrix and the vectors. */
static inline int64_t flow_work(const Flow *flow)
{
    return flow->row[flow->n] + flow->n;
}

/* Multiply-adds that elimination is likely to take in a good order, by how few states part the chain; much where memory
 * is out.  Some passes over the matrix. */
double flow_elimination_work(const Flow *flow);
/* Is that at most so many passes? */
bool flow_is_parted(const Flow *flow, double most);

/* What must be <= tolerance: |y - P'y - b|_1 / |y|_1, with b divided by min(1, |y|_1); without b,
 * if that is more, the same weighted by the time 1/d_i that each visit takes, without which states
 * that are hardly ever visited but long would not count.  +inf if it is not a finite number.
 * *residual: the former, divided by |y|_1 in any case. */
double flow_criterion(const Flow *flow, const double *y, double *residual);

/* Clip negative entries and, without b, scale to sum 1 (where -y is as good as y: the one with the
 * larger positive part is taken).
 * False if some entry is not finite or no entry is positive; y is then unspecified. */
bool flow_normalise(const Flow *flow, double *y);
/* y_i = 1 / n: where nothing better is known. */
void flow_equal_shares(int32_t n, double *y);

/* r = P'y + b - y, the right-hand side of the correction equation (I - P') d = r; |r|_1. */
double flow_defect(const Flow *flow, const double *y, double *r);

/* next_i = y_i + factor pace_i (P'y + b - y)_i (pace NULL: all 1); |P'y + b - y|_1. */
double flow_relax(const Flow *flow, const double *pace, double factor, const double *y,
                  double *next);

/* w = (I - P') v: b plays no part. */
void flow_apply(const Flow *flow, const double *v, double *w);

/* out: n, the chance to leave each state for good.  If flow->leave does not give it: 1 - sum_j p_ij, exact for
 * the numbers given (a sum of two doubles without rounding errors: Knuth, TAOCP 2, 4.2.2).  It is then known
 * no better than P is: a chance of 1e-15 that was lost when the p_ij were rounded cannot be recovered.
 * False: out of memory. */
bool flow_ways_out(const Flow *flow, double *out);

/* Of a flow with b: the closed chain, of n + 1 states, which has its team; its flows are a multiple of the visits
 * and of 1.  To be freed in any case.  False: out of memory. */
bool flow_close(const Flow *flow, Flow *out);
void flow_closed_free(Flow *closed);
double flow_closed_bytes(const Flow *flow); /* that it takes, and a vector */

/* Of vectors with flow->n entries: a b; in one pass a a and a b; y += factor x. */
double flow_dot(const Flow *flow, const double *a, const double *b);
void flow_dots(const Flow *flow, const double *a, const double *b, double *aa, double *ab);
void flow_axpy(const Flow *flow, double factor, const double *x, double *y);

/* ---- the clock and the progress callback ------------------------------------------------ */

/* A bounded record of (iteration, log of the measure): when full, every other entry goes. */
enum { TREND_MARKS = 64 };
typedef struct {
    int64_t at[TREND_MARKS];
    double level[TREND_MARKS];
    int32_t count;
    int64_t stride; /* least distance between entries */
} Trend;            /* starts as {0} */

enum { BETWEEN_READINGS = 1 << 20 }; /* multiply-adds, about a millisecond */
typedef struct {
    const Control *control;
    const char *method; /* that the callback is told; NULL at first */
    Trend trend;        /* of the measures reported to it */
    double measure;     /* the last of that */
    double start, last; /* seconds on the clock; start is 0 if nobody wants to know */
    int64_t wait;       /* multiply-adds until the clock is read again */
} Monitor;

Monitor monitor_start(const Control *control);

bool monitor_report(Monitor *monitor, int64_t count, double measure); /* by monitor_cancels */
/* Account for `work` multiply-adds; about every 0.1 s, and the first time, call the callback.
 * True: it wants to stop. */
static inline bool monitor_cancels(Monitor *monitor, int64_t work, int64_t count, double measure)
{
    return monitor->control->progress && (monitor->wait -= work) <= 0 &&
           monitor_report(monitor, count, measure);
}

/* ---- one method at work on one problem -------------------------------------------------- */

/* From the first look at the clock to the report.  Methods for flows iterate on vectors of their
 * own and offer them; the best one is kept in the caller's y. */
typedef struct {
    const Control *control;
    const char *method, *unit; /* "gauss-seidel", "sweeps" */
    const char *precondition;  /* NULL: none */
    int64_t work;              /* multiply-adds of a pass over the matrix */
    int64_t iterations, max_iter;
    double criterion, residual; /* of the answer, as of flow_criterion; +inf: there is none */
    /* No entry is off by more than a small share of itself: only the residual counts. */
    bool every_digit;
    double first; /* the criterion of the guess */
    StallRule rule;
    Trend trend;       /* of the measure by which the method judges its progress */
    double goal;       /* of that measure: the tolerance, unless the method has another */
    double left;       /* iterations that seem to be left */
    double effort;     /* as of Outcome */
    bool coupled;      /* as of Outcome */
    bool gathered;     /* as of Outcome */
    const char *why;   /* it stopped short, in words: "stalled" */
    double need;       /* bytes that it would take, if that is too much */
    PepaStatus status; /* PEPA_OK; or a failure to report regardless of the answer */
    Monitor monitor;
    const Flow *flow; /* NULL: the solution is not that of a flow */
    double *y;        /* the best settled iterate so far */
    bool kept;        /* the keeper has that */
    double taken;     /* most bytes requested so far */
} Attempt;

/* What is known of a method beforehand. */
typedef struct {
    const char *name, *unit;
    int passes;      /* of an iteration over the matrix, about: decides the default max_iter */
    int32_t vectors; /* that it works on */
    double (*bytes)(const Flow *flow, const Control *control); /* it takes besides; NULL: none */
    StallRule stall; /* {0}: firm, as for a method that the user requested by name */
    /* Iterate from try->y.  vectors: n x method->vectors entries, the first n a copy of y */
    void (*run)(Attempt *try, double *vectors);
} Method;

/* The methods; each file says what its own does, and what that takes. */
extern const Method method_gth, method_direct, method_gauss_seidel, method_sor, method_jacobi,
    method_power, method_bicgstab, method_gmres, method_idr, method_multilevel;

/* For nearly decomposable chains, from any guess, or from the answer of another method.  Sets
 * Outcome.coupled; multilevel ends with it. */
extern const Method method_aggregation;
/* For the digits of rare states, from the answer of another method. */
extern const Method method_refinement, method_sweeping_on, method_sweeping_down;

/* For expected visits (flows with b): by all methods, as the steady state of the closed chain.  In auto.c. */
extern const Method method_renewal;

/* Flows that processes share, solved by the first of them if it has memory for all rows: by `solve`, contract of solve_flow.  y: n,
 * out, offered to the attempt. */
typedef PepaStatus GatherSolve(const Flow *flow, const Control *control, double *y, Outcome *out,
                               PepaError *err);
bool flow_gathers(const Flow *flow, const Control *control);
void gather_run(Attempt *try, GatherSolve *solve, double *y);

/* The whole life of an attempt on a flow.  Contract of solve_flow. */
PepaStatus attempt_run(const Method *method, const Flow *flow, const Control *control, double *y,
                       Outcome *out, PepaError *err);

/* The steady state y that `method` found, made better as far as that needs it, with its outcome.  Fails only where cancelled.
 * In finish.c.
 *   gathered for flows that processes share: one of them has all rows
 *   settles  shares of groups that rare jumps join have to be settled
 *   parted   elimination comes next where few states part the chain: what takes as long is left to it, as uneven */
PepaStatus answer_finish(const Flow *flow, const Method *method, const Method *gathered,
                         bool settles, bool parted, const Control *control, double *y, Outcome *out,
                         PepaError *why);

/* The clock starts.  work: multiply-adds of a pass. */
void attempt_open(Attempt *try, const Method *method, const Control *control, int64_t work);

/* The same for a flow, whose guess in y is settled (replaced by b, or by equal shares, if it is no
 * guess).  True: go on; false: all is said (one state, numbers that are not finite, cancelled). */
bool attempt_start(Attempt *try, const Method *method, const Flow *flow, const Control *control,
                   double *y);

/* Whether so many bytes are within control->memory; if not, that is noted. */
bool attempt_affords(Attempt *try, double bytes);

/* Settle x, measure it afresh, and keep a copy if it is the best.  Its criterion; +inf if it is not
 * finite. */
double attempt_offer(Attempt *try, double *x);

/* For methods that offer an iterate seldom.  Whether it is time to keep one; settle x, and keep it if it
 * is better than the best so far, which stays: keeping changes no answer. */
bool attempt_due(const Attempt *try);
void attempt_keep(Attempt *try, double *x);

/* As attempt_offer for the answer of a direct method, which is kept in any case if it meets the tolerance:
 * a small residual does not make the guess the better solution. */
double attempt_answer(Attempt *try, double *x);

/* Whether all processes have come so far; else the status of the worst is that of all. */
bool attempt_agree(Attempt *try, bool ok);

/* The answer is within the tolerance. */
bool attempt_met(const Attempt *try);

/* Count one iteration of `passes` passes; before it y is kept if that is due.  False: cancelled, or no
 * iteration is left. */
bool attempt_step(Attempt *try, int passes, double measure);

/* The measure is now so much: whether, by the rule, the method must stop. */
bool attempt_stalls(Attempt *try, double measure);
/* The same by another history of another measure. */
bool attempt_stalls_by(Attempt *try, Trend *trend, double measure);

/* Stop if more than `horizon` iterations are left: whether it is so. */
bool attempt_gives_up(Attempt *try, double left, double horizon);

/* Why the method stopped short, at which residual, after how many iterations: a sentence. */
void attempt_describe(const Attempt *try, char *text, size_t size);

/* Fill in out and err; the method's status. */
PepaStatus attempt_report(const Attempt *try, Outcome *out, PepaError *err);
/* The same for a flow, whose y is measured for the last time. */
PepaStatus attempt_end(Attempt *try, Outcome *out, PepaError *err);

/* ---- convergence history ---------------------------------------------------------------- */

void trend_add(Trend *trend, int64_t iteration, double measure);

/* Mean change of the logarithm per iteration over the latter half; negative is progress, 0 before
 * there is anything to go by. */
double trend_slope(const Trend *trend);

/* Seconds to `target` at that pace, each iteration taking `pace`; -1 as long as there is too little
 * to go by: few entries, no fall, or a fall so slow that it says nothing about so far ahead. */
double trend_seconds(const Trend *trend, double target, double pace);

/* Iterations from the last entry to `target` at that pace; +inf when it does not fall. */
double trend_left(const Trend *trend, double target);

/* ---- relaxation found by trial ---------------------------------------------------------- */

/* Searches the factor with which the residual falls fastest, one window of sweeps per trial. */
typedef struct {
    double now;        /* the factor to use */
    double best, fall; /* the best factor and its slope, re-measured from time to time */
    double step;       /* from best to the next trial */
    double low, high;
} Relax;

Relax relax_start(double factor, double step, double low, double high);

/* The window at `now` fell by `slope` per sweep (+inf: diverged): choose the next factor. */
void relax_next(Relax *relax, double slope);

/* ---- pieces of methods that others use -------------------------------------------------- */

/* One Gauss-Seidel sweep in place; |y_new - y_old|_1, which bounds |y_new - P'y_new - b|_1. */
double flow_sweep(const Flow *flow, double *y);
/* y_i += omega (P'y + b - y)_i in place. */
void flow_sweep_relaxed(const Flow *flow, double *y, double omega);

/* Multiply-adds that an elimination may be expected to take. */
double most_work(const Control *control);

/* A chain by sources, its states in the order of elimination.  The last columns - rows states are
 * absorbing and have no rows. */
typedef struct {
    int32_t rows, columns;
    int64_t *row;
    int32_t *col;
    double *val;
} Jumps;

/* The same, or fewer, if memory is limited. */
double gth_entries(const Control *control);

/* place[i]: when to eliminate state i for little fill-in; `last` (or -1: any) comes last.
 *   most   entries of the factors, 12 bytes each
 * *work: multiply-adds to expect, +inf if the factors are expected to exceed `most`.
 * Source: Amestoy, Davis, Duff, SIAM J. Matrix Anal. Appl. 17 (1996). */
PepaStatus gth_order(const Flow *flow, int32_t last, double most, int32_t *place, double *work);

double gth_order_bytes(const Flow *flow); /* that this takes, about */

/* The states of `flow` in that order, then `classes` columns with the chances leave (n x classes);
 * if `enter` is given, the first of these states has a row as well, with these chances. */
PepaStatus jumps_new(Jumps *jumps, const Flow *flow, const int32_t *place, int32_t classes,
                     const double *leave, const double *enter);
void jumps_free(Jumps *jumps);

/* Censor all states but the last row's.
 *   x       rows entries, out, or NULL: the flows, in elimination order, up to a factor (that of
 *           the last row is 1 unless others are beyond 1e100 of it)
 *   weight  columns - rows entries, out, or NULL: what the last row comes to
 * Work as estimated by gth_order.  Errors: PEPA_ENOCONV when the chance of a state to get to later ones is below LEAST_OUT,
 * or a number is not finite; PEPA_ELIMIT beyond GTH_ENTRIES; PEPA_ECANCEL; PEPA_ENOMEM. */
PepaStatus gth_sparse(const Jumps *jumps, Monitor *monitor, double *x, double *weight);

#endif
