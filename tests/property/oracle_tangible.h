/* The chain of a model with immediate activities: its tangible states, those where time passes,
 * with the vanishing ones in between eliminated.
 * Source: Ajmone Marsan, Balbo, Conte, Donatelli and Franceschinis, Modelling with Generalized
 * Stochastic Petri Nets, 1995. */
#ifndef PEPA_TESTS_ORACLE_TANGIBLE_H
#define PEPA_TESTS_ORACLE_TANGIBLE_H

#include "property/oracle_space.h"

typedef struct {
    OracleSpace space;  /* the tangible states in the order in which they were found */
    size_t actions;     /* of the model, and tau after them */
    long double *start; /* of each state: the probability that time begins to pass there */
    /* states x actions: how many immediate activities happen on the way to the next tangible
     * state, per unit of time spent in this one */
    long double *passing;
} OracleTangible;

/* Rates times probabilities of ending: P_VT and the expected numbers of activities from
 * (I - P_VV) x = b by elimination with pivoting.
 * Error: ORACLE_TIMELESS.  vanishing^2 (vanishing + tangible) operations. */
OracleStatus oracle_tangible(const OracleSystem *system, const OracleSpace *all,
                             OracleTangible *tangible);
void oracle_tangible_free(OracleTangible *tangible);

#endif
