/* What the counts of a model's local states do in the population view: their drift and diffusion,
 * rule by rule over the system equation.
 *
 * A place is a position of the system equation; P[n] with sequential P is one place with n
 * components, counted by local state.  The apparent rate of a place is the sum of count x rate,
 * that of a cooperation the smaller of both sides', and each activity takes part with its share.
 * Copies of a composite P, and those that cooperate, are written out one by one.
 * Source: Tribastone, Gilmore, Hillston, IEEE Transactions on Software Engineering 38 (2012). */
#ifndef PEPA_TESTS_FLUID_FLOW_H
#define PEPA_TESTS_FLUID_FLOW_H

#include "property/oracle.h"

typedef struct {
    int place; /* positions of the system equation, from 0; copies share theirs */
    const char *component, *name; /* initial local state of the place, and this one */
    const RefTerm *term;
} FluidVariable;

typedef struct FluidNode FluidNode;

typedef struct {
    const RefModel *model;
    Arena arena;
    RefNames names;
    const FluidNode *root;
    FluidVariable *variable; /* those of one place together, copies that are written out apart */
    long double *start;      /* initial counts */
    size_t count;
    int places;
    /* A passive side of fewer than this many components takes part by its count / edge: the jump of
     * the rate at count 0 as a steep slope, whose limit for edge -> 0 is Filippov's solution.  0:
     * the jump. */
    long double edge;
} FluidSystem;

/* No immediate activities and no priorities (ORACLE_MIXED); ORACLE_TOO_LARGE: more than
 * max_variables.  diffuse: fluid_flow will be asked for diffusion.  Free it in every case. */
OracleStatus fluid_system(FluidSystem *system, const RefModel *model, size_t max_variables,
                          bool diffuse);
void fluid_system_free(FluidSystem *system);

/* At counts x (those below 0 count as 0): drift[i], change of count i per unit of time, and, unless
 * NULL, diffusion[i * count + j], the sum over all activities of rate x change of i x change of j.
 * Errors: ORACLE_UNDRIVEN, ORACLE_MIXED, ORACLE_BAD_RATE. */
OracleStatus fluid_flow(const FluidSystem *system, const long double *x, long double *drift,
                        long double *diffusion);

#endif
