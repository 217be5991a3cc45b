/* What the methods for Poisson's equation share.  Private to this folder. */
#ifndef PEPA_SOLVERS_POTENTIAL_PRIVATE_H
#define PEPA_SOLVERS_POTENTIAL_PRIVATE_H

#include "solvers/direct/factors.h"
#include "solvers/krylov/krylov.h"

/* Incomplete factors, which BiCGSTAB takes, and whole ones, where these did not do. */
struct PotentialFactors {
    Flow jumps;
    bool has_incomplete, has_whole;
    Preconditioner incomplete;
    Factors whole;
};

typedef struct {
    Attempt try; /* its criterion: how flat w is, as last judged: see solve_potential */
    const Poisson *problem;
    Flow flow;      /* the jumps, with b = c = (r - mean) / d */
    double *h, *c;  /* n */
    double *defect; /* n: P h + c - h as last judged */
    double mean;    /* X as far as known */
    PotentialFactors *factors;
} Search;

/* How far w is from flat, where P h + c - h is `defect`: the criterion. */
double potential_unevenness(const Search *s, const double *defect);

/* Take so much for X, for the next judgement. */
void potential_mean(Search *s, double mean);

/* Measure h afresh, take its mean reward for X, and put pi h to 0, so that no digits are lost on a
 * constant that drifts. */
void potential_judge(Search *s);

/* The method at hand from now on. */
void potential_turn(Search *s, const char *method, const char *unit, StallRule rule);

/* BiCGSTAB, with factors that fill up, or if these take too much with such that do not. */
void potential_accelerate(Search *s);

/* LU factors without the most visited state. */
void potential_factorise(Search *s);

/* Few states, censored one by one.  Where h has not the digits, differences are set apart: *problem->apart.  False: memory is
 * out, or there are too many. */
bool potential_censor(Search *s);

#endif
