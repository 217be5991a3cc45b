/* Steps in time of any length for stiff chains: x(s) = exp(s A) x(0) as a series of Laguerre
 * polynomials in s, whose coefficients take nothing but solutions with one matrix.
 *
 * With gamma > 0 and the resolvent B = (I - gamma A)^-1, a stochastic matrix,
 *
 *     exp(s A) = sum over k of L_k(s / gamma) B (I - B)^k,
 *
 * by the generating function of the polynomials.  So, with e_0 = x(0),
 *
 *     w_k = B e_k,    e_k+1 = e_k - w_k,    u(s) = sum over k < K of L_k(s / gamma) w_k.
 *
 * The error is proved afterwards, whatever the w_k are.  With the residuals r_k = (I - gamma A) w_k -
 * e_k and the rounding errors f_k = e_k+1 - e_k + w_k,
 *
 *     gamma (u' - A u) = e_K sum L_j + sum r_j L_j - sum f_k sum over j <= k of L_j,
 *     u(0) - x(0)      = -e_K + sum f_k.
 *
 * Since exp(s A) lengthens no vector in the 1-norm, |u(s) - x(s)| <= |u(0) - x(0)| + the integral of
 * |u' - A u| up to s.  It has no factor |A|: rates may be as large as they like.
 *
 * Integrals of polynomials: sum over j <= k of L_j = L_k^(1) has the squared norm k + 1 with weight
 * s exp(-s), so that Cauchy's inequality bounds its integral, and is at most (k + 1) exp(s / 2), which
 * serves near 0.  That of |L_k| is found by the midpoint rule, whose error the other one bounds.
 * Residuals are computed in twice the digits, and coefficients are corrected by them: a residual is
 * as much as the fastest rate times what a coefficient is off.
 *
 * Sources: Norsett, Restricted Pade approximations to the exponential function, SIAM J. Numer. Anal.
 * 15 (1978); Szego, Orthogonal Polynomials, 1939, sec. 5.1, 7.21; Botchev, Grimm, Hochbruck, SIAM J.
 * Sci. Comput. 35 (2013), for errors by the defect. */
#ifndef PEPA_SOLVERS_TRANSIENT_LAGUERRE_H
#define PEPA_SOLVERS_TRANSIENT_LAGUERRE_H

#include "solvers/internal.h"

/* A step is at most so many gamma long: L_k grows like exp(s / 2), and with it rounding errors.
 * For pipeline 6 with moves of 1e-6, until 5: 4: 581 solutions; 8: 324; 12: 254, whose bound of
 * rounding is five times as large. */
#define LAGUERRE_REACH 8.0
/* Terms of a step; and lengths that are offered: what was requested, a half and a quarter of it. */
enum { LAGUERRE_TERMS = 100, LAGUERRE_LENGTHS = 3 };

typedef struct Laguerre Laguerre;

/* What the vectors are.  With Q the generator, distributions follow x' = Q^T x, and means by starting
 * state, of what states are worth, x' = Q x.  Then B has rows that sum to 1 in place of columns, and
 * all above holds with the largest entry in place of the 1-norm. */
typedef enum { LAGUERRE_DISTRIBUTIONS, LAGUERRE_MEANS } LaguerreKind;

/* Finds an order for the factors; borrows rates.
 *   rates    DISTRIBUTIONS: row i has the rates into state i, MEANS: those out of it, without its own;
 *            exit: the exit rates
 *   leak     per state: the part of its exit rate that leads to none of these; NULL: 0.  exp(s A)
 *            then shortens vectors, and all bounds hold as they are
 *   control  memory: bytes that the factors and 10 vectors may take
 * Errors: PEPA_ELIMIT: the factors would be too large; PEPA_ENOMEM. */
PepaStatus laguerre_new(Laguerre **out, const Flow *rates, LaguerreKind kind, const double *leak,
                        const Control *control);
void laguerre_free(Laguerre *laguerre); /* NULL is legal */

/* Multiply-adds, estimated: of factors; of a solution. */
double laguerre_factor_work(const Laguerre *laguerre);
double laguerre_solve_work(const Laguerre *laguerre);

/* w is the k-th coefficient.  What is not PEPA_OK ends the step. */
typedef PepaStatus LaguerreTerm(void *user, int32_t k, const double *w);

typedef struct {
    double gamma;
    double length;                    /* that is wanted; at most LAGUERRE_REACH x gamma */
    double allowed[LAGUERRE_LENGTHS]; /* truncation, with length, length / 2, length / 4 */
    LaguerreTerm *term;
    void *user;
} LaguerreStep;

typedef struct {
    int32_t which;     /* the length is step->length / 2^which; -1: no step with so little error,
                       * or with a bound of it */
    int32_t terms;     /* solutions */
    bool factored;     /* gamma was another before */
    double truncation; /* bounds of the error that the step adds to x: of |e_K| and its integral; */
    double rounding;   /* of all else */
    double reading;    /* of what the rounding of a sum of terms adds at any time of the step */
    double speed; /* |A x| before the step: a time that is off by d makes an error <= d speed */
} LaguerreFound;

/* x becomes x(length).  If which is -1, or with an error, x stays as it was.
 * Errors: PEPA_ENOMEM, PEPA_ENOCONV (a pivot of 0), those of step->term. */
PepaStatus laguerre_step(Laguerre *laguerre, const LaguerreStep *step, double *x,
                         LaguerreFound *found);

/* value[k] = L_k(s) for k = 0 .. terms.  Their integrals up to s are L_k(s) - L_k+1(s). */
void laguerre_values(double s, int32_t terms, double *value);

#endif
