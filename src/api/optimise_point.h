/* The points of an optimisation: each is solved for its steady state, on a chain that is derived
 * again where it has to be. */
#ifndef PEPA_API_OPTIMISE_POINT_H
#define PEPA_API_OPTIMISE_POINT_H

#include "api/queries.h"
#include "optimise/program.h"
#include "pepa_optimise.h"

typedef struct {
    const PepaModel *model;
    const PepaMeasures *measures;
    const PepaOptimise *what;
    PepaSettings set; /* complete */
    PepaOptimum *info;
    double start;       /* on the clock */
    int32_t *rate;      /* per rate to choose: of the model */
    double *scale;      /* per constraint: what its excess is a share of; 0: not known yet */
    PepaDefine *define; /* values that the model was read with, then those of the point */
    size_t given;       /* how many of the former */
    /* The chain of the last point; NULL: none */
    PepaModel *own;
    PepaChain *chain;
    PepaSteady *steady;
    PepaMeasures *asked; /* the measures of the model `own` */
    double *pi;
    double *at;                 /* the point that pi is about */
    bool solved;                /* there is one */
    double *value, *derivative; /* per measure, per rate of the model */
} Points;

/* rate, within_count entries, is taken.  Errors: PEPA_ENOMEM. */
PepaStatus points_new(Points *p, PepaError *err);
void points_free(Points *p);
/* Program.evaluate and Program.foresee of these; user: Points.  After points_evaluate p->value has
 * the values of all measures. */
PepaStatus points_evaluate(void *user, const double *x, double *value, double *slope,
                           PepaError *err);
PepaStatus points_foresee(void *user, const double *x, double *value, PepaError *err);

#endif
