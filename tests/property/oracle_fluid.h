/* The referee's word on the fluid limit of a model: mean counts of local states at given times, and
 * their covariances by the linear noise approximation.
 *
 * The differential equations are those of fluid_flow.h.  They are integrated by the classical
 * Runge-Kutta method, whose step is halved until a step and its two halves agree, and again with a
 * 32th of what may differ, until both runs agree to 1e-9.  Explicit: the cost is the largest rate x
 * the time, which is why it is no method for a product.
 * Source for covariances: dC/dt = J C + C J' + D, van Kampen, "Stochastic Processes in Physics and
 * Chemistry", chapter X; J, the derivatives of the drift, by differences. */
#ifndef PEPA_TESTS_ORACLE_FLUID_H
#define PEPA_TESTS_ORACLE_FLUID_H

#include "property/oracle.h"
#include "property/ref_parse.h"

typedef struct {
    const RefConstant *constants; /* rate definitions with other values */
    size_t constant_count;
    const double *times; /* ascending, >= 0 */
    size_t time_count;
    bool covariances;
    /* FluidSystem.edge: needed where a passive population empties, and stays empty. */
    double edge;
} OracleFluidQuestion;

/* A local state of a place: of one position of the system equation, the copies of a P[n] together.
 * Places are counted from 1, as `pepa solve` does. */
typedef struct {
    int place;
    const char *component, *name;
} OracleLocal;

typedef struct {
    OracleStatus status; /* of the model, and of its rates along the way */
    const char *failure; /* NULL, or why there is nothing in here: the text of the status, what is
                            wrong with the model's text, or that the integration came to an end */
    size_t where;        /* the byte of the text where that is */
    size_t locals, times;
    OracleLocal *local;
    long double *mean;       /* mean[k * locals + i] at times[k] */
    long double *covariance; /* covariance[(k * locals + i) * locals + j], or NULL */
    long double difference;  /* between the two runs, the largest; relative to counts above 1 */
    RefModel model;
    RefNames names;
} OracleFluid;

OracleFluid oracle_fluid(const char *text, const OracleFluidQuestion *question);
/* The same for a reference model, which must outlive the result; no constants. */
OracleFluid oracle_fluid_model(const RefModel *model, const OracleFluidQuestion *question);
void oracle_fluid_free(OracleFluid *result);

/* The local state's number; `locals` where there is none. */
size_t oracle_fluid_find(const OracleFluid *result, int place, const char *name);

#endif
