/* A chain of phases that is entered anywhere and left at its end, by uniformisation.
 * Source: Okamura, Dohi, Trivedi, "A refined EM algorithm for PH distributions", Performance
 * Evaluation 68 (2011). */
#ifndef PEPA_FIT_CHAIN_H
#define PEPA_FIT_CHAIN_H

#include "fit/forms.h"

/* One sum over jumps goes as far as so many are expected; longer times are divided. */
enum { CHAIN_JUMPS = 64, CHAIN_TERMS = 256 };

/* The chain with the same sequence of jumps, all at the rate `fastest`. */
typedef struct {
    int32_t n;
    double fastest, stay[MOST], leave[MOST];
} Uniform;
void uniform_begin(Uniform *u, const Phases *p);
/* Poisson probabilities of 0 .. R jumps in time t, where fastest * t <= CHAIN_JUMPS; returns R. */
int uniform_weights(const Uniform *u, double t, double weight[CHAIN_TERMS]);
/* x -> x P, and c -> P c. */
void uniform_forward(const Uniform *u, double x[MOST]);
void uniform_backward(const Uniform *u, double c[MOST]);
/* x -> x exp(Q t), fastest * t <= CHAIN_JUMPS. */
void uniform_move(const Uniform *u, double t, double x[MOST]);

/* 1 - F(t) and the density, as phases_at. */
void chain_at(const Phases *p, const double *time, size_t count, double *survival, double *density);
double chain_likelihood(const Phases *p, const Sample *s);

/* Room for steps of EM on a sample with rates of at most `most`. */
typedef struct {
    const Sample *sample;
    double most;
    size_t cap;      /* nodes */
    double *time;    /* of each node: the values, and times between them that are far apart */
    double *weight;  /* of the sample at this node, or 0 */
    double *forward; /* MOST per node: alpha exp(Q t), scaled to sum 1 */
    double *shrink;  /* the sum before it was scaled */
} ChainEm;
/* False: memory is out.  chain_em_free in any case. */
bool chain_em_new(ChainEm *em, const Sample *sample, double most);
void chain_em_free(ChainEm *em);
/* One step of EM, in place.  Returns the log-likelihood before the step, which none decreases. */
double chain_em_step(ChainEm *em, Phases *p);

#endif
