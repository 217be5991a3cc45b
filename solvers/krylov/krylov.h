/* What Krylov methods share: they solve (I - P') d = P'y + b - y for a correction d of the best
 * vector so far, in rounds from one true residual to the next.  The singular system is consistent
 * (both sides sum to 0) and is left as it is: fixing an unknown makes its spectrum worse. */
#ifndef PEPA_SOLVERS_KRYLOV_KRYLOV_H
#define PEPA_SOLVERS_KRYLOV_KRYLOV_H

#include "solvers/krylov/tuning.h"
#include "solvers/multilevel/levels.h"

/* What to keep. */
typedef struct {
    double drop;   /* nothing below `drop` times the largest entry of its row off the diagonal */
    int32_t extra; /* entries in a row of L, or of U, beyond those that the matrix has there */
    int32_t block; /* 0, or entries within blocks of so many consecutive states, at most MOST_BLOCK:
                    * factored exactly, in an order with little fill-in */
    double most;   /* entries in all */
    /* Looked at early, when some of the rows are done; 0: no limit.  Entries for one of the matrix,
     * before `extra` makes them fewer; multiply-adds for a row. */
    double growth, effort;
} Filling;

/* LU factors of I - P', or of its diagonal blocks; L has a unit diagonal.  Row i of L is at row[i]
 * .. upper[i] - 1, that of U, off the diagonal, at upper[i] .. row[i + 1] - 1. */
typedef struct {
    const Flow *flow;
    int32_t block;
    int64_t *row, *upper; /* n + 1, n; row and col: own, or those of the flow */
    int32_t *col;         /* in a block: from its first row on */
    float *val;           /* digits enough for a preconditioner, in two thirds of the memory */
    double *inverse;      /* n: reciprocal pivots */
    int32_t *order;       /* n: row i is that of state order[i]; NULL: of state i */
    size_t cols, vals;
} Ilu; /* starts as {0} */

/* On the pattern of the matrix: ILU(0).  PEPA_OK or PEPA_ENOMEM.
 * Source: Meijerink, van der Vorst 1977; Saad, Iterative Methods for Sparse Linear Systems, 2003,
 * alg. 10.4. */
PepaStatus ilu_factor(Ilu *ilu, const Flow *flow);
double ilu_bytes(const Flow *flow); /* that this takes */

/* With fill-in.  PEPA_OK, PEPA_ENOMEM, or PEPA_ELIMIT: more entries than filling->most, or by
 * growth.
 *   *effort  out: multiply-adds for a row, of those that were factored
 * Source: Saad 2003, alg. 10.6 (ILUT); Amestoy, Davis, Duff 1996 for the order within
 * blocks. */
PepaStatus ilu_factor_filling(Ilu *ilu, const Flow *flow, const Filling *filling, double *effort);
double ilu_filling_bytes(const Flow *flow, const Filling *filling); /* that this takes at most */

/* z = (LU)^-1 r; r and z may be one unless there are blocks.  With blocks: z = (D - L)^-1 r, D the
 * diagonal blocks and L the part of P' below them: a sweep of block Gauss-Seidel. */
void ilu_solve(const Ilu *ilu, const double *r, double *z);
void ilu_free(Ilu *ilu);

/* The pivot of row i of I - P', or what stands for it where that would make the factors singular.
 *   whole  all states are factored together, and i is the last of them */
double pivot_guard(const Flow *flow, bool whole, double pivot);

typedef struct {
    const Flow *flow;
    PepaPrecondition kind;
    Ilu ilu;
    Levels levels;
    double *shape; /* n: the flows that the levels were made for */
} Preconditioner;  /* starts as {0} */

/* What the caller asks for, or else `usual`. */
PepaPrecondition precondition_kind(const Control *control, PepaPrecondition usual);

/* What it takes at most, and the work of applying it and I - P' in passes over the matrix, about.
 */
double precondition_bytes(PepaPrecondition kind, const Flow *flow);
int precondition_passes(PepaPrecondition kind);

/* Set up for try->y; for levels, cycles improve that first.  False: try->status or try->why says
 * why not; precondition_free in any case. */
bool precondition_new(Preconditioner *out, PepaPrecondition kind, Attempt *try);
void precondition_free(Preconditioner *m);

/* For the report. */
void precondition_name(PepaPrecondition kind, Attempt *try);

/* The same two for solutions that share factors (Control.factors): these are taken from there, or made.
 *   made  whether all processes have theirs; they are then kept for the next solution
 * A refusal is kept too, with its limits, and then takes no time. */
bool precondition_take(Preconditioner *out, PepaPrecondition kind, Attempt *try);
void precondition_return(Preconditioner *m, bool made, const Attempt *try);

/* Adapt to the iterate x, where that matters.  False as above. */
bool precondition_renew(Preconditioner *m, const double *x, Attempt *try);

/* z = M^-1 r; z is not r. */
void precondition_solve(const Preconditioner *m, const double *r, double *z);
/* z = M^-1 r, w = (I - P') z; all three are different. */
void precondition_operate(const Preconditioner *m, const double *r, double *z, double *w);

/* M^-1 is not quite linear: what is to be used again must be kept, not computed again. */
static inline bool precondition_varies(PepaPrecondition kind)
{
    return kind == PEPA_PRECONDITION_MULTILEVEL;
}

/* The preconditioner, ILU(0) unless the caller asks for another, and what it takes. */
PepaPrecondition krylov_kind(const Control *control);
double krylov_bytes(const Flow *flow, const Control *control);

/* Start a round from the best iterate: sweep it a few times, settle it, and compute its defect r.
 * |r|_1; +inf if the numbers went bad. */
double krylov_restart(Attempt *try, double *x, double *r);

/* A method of short recurrences. */
typedef struct Recurrence Recurrence;
struct Recurrence {
    Attempt *try;
    Preconditioner m;
    double *x, *r, *spare; /* iterate; its residual by recurrence; any values between steps */
    double size;           /* |r|_1 after a step, in the terms of the tolerance */
    int passes, solves;    /* of a step: over the matrix, and by the preconditioner */
    void (*begin)(Recurrence *s); /* a round from r */
    /* One step of the round, the k-th; false: broken down, and size may be that of the last. */
    bool (*advance)(Recurrence *s, int32_t k);
    void *own; /* the method's */
};

/* A step of `length` along the direction in `spare`, whose image is (I - P') spare.  The last one of
 * `advance` finds the size, too, and *rr = r r, *shadowed = shadow r on the way; shadow: NULL: they are
 * not asked for. */
void krylov_go(Recurrence *s, double length, const double *image);
void krylov_go_last(Recurrence *s, double length, const double *image, const double *shadow, double *rr,
                    double *shadowed);
/* The size, of |r|_1 and |x|_1. */
void krylov_measure(Recurrence *s, double off, double all);

/* Rounds until the tolerance is met or the method stops: of at most so many steps, as the residual
 * by recurrence drifts away from the true one.  The preconditioner is that of krylov_bytes. */
void recurrence_run(Recurrence *s, int32_t longest);

/* BiCGSTAB on so many vectors of try->flow->n entries, the first of them the iterate x. */
enum { BICGSTAB_VECTORS = 7 };
typedef struct {
    double *shadow, *p, *v, *t; /* shadow: fixed; Recurrence.spare: a preconditioned direction */
    double rho, alpha, omega, beta;
    double square, rr, shadowed; /* shadow shadow, r r, shadow r */
} Bicgstab;
Recurrence bicgstab_recurrence(Attempt *try, Bicgstab *own, double *vectors);

#endif
