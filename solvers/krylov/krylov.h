/* What Krylov methods share: they solve (I - P') d = P'y + b - y for a correction d of the best
 * vector so far, in rounds from one true residual to the next.  The singular system is consistent
 * (both sides sum to 0) and is left as it is: fixing an unknown makes its spectrum worse. */
#ifndef PEPA_SOLVERS_KRYLOV_KRYLOV_H
#define PEPA_SOLVERS_KRYLOV_KRYLOV_H

#include "solvers/krylov/precondition.h"

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
    int passes, solves;    /* of a step: over the matrix, and by the preconditioner */
    void (*begin)(Recurrence *s); /* a round from r */
    /* One step of the round, the k-th; false: broken down. */
    bool (*advance)(Recurrence *s, int32_t k);
    void *own; /* the method's */
};

/* Rounds until the tolerance is met or given up: of at most so many steps, as the residual by
 * recurrence drifts away from the true one.  The preconditioner is that of krylov_bytes. */
void recurrence_run(Recurrence *s, int32_t longest);

#endif
