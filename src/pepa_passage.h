/* How long it takes from one event to another: passage times, such as response times.
 *
 *   const char *from[] = {"request"}, *to[] = {"response"};  PepaPassageMoments m;
 *   PepaPassageEnds ends = {.from_action = from, .from_actions = 1,
 *                           .to_action = to, .to_actions = 1};
 *   if (pepa_passage_new(&passage, chain, pi, &ends, NULL, &err) == PEPA_OK &&
 *       pepa_passage_moments(passage, &m, &err) == PEPA_OK)
 *       printf("%g on average\n", m.mean);
 *   pepa_passage_free(passage);
 *
 * Distributions by uniformisation, moments by linear equations. */
#ifndef PEPA_PASSAGE_H
#define PEPA_PASSAGE_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A passage starts in the state that a completion of one of some actions leads to in the long run;
 * or in a state that satisfies a predicate, when it is entered from one that does not; or in the
 * initial state.  It ends with the first completion of one of some actions after that, or in the
 * first state that satisfies a predicate, which may be the one that it starts in. */
typedef struct {
    const char *const *from_action; /* from_actions names; or */
    size_t from_actions;
    const PepaPredicate *from; /* of the chain's model; or */
    int from_start;
    const char *const *to_action; /* to_actions names; or */
    size_t to_actions;
    const PepaPredicate *to;
    uint64_t reserved[8];
} PepaPassageEnds;

typedef struct PepaPassage PepaPassage;
/* Borrows the chain, whose rates must not change.
 *   pi   its steady state, from which passages start in the long run; may be NULL with from_start
 *   set  solve.tolerance: the most that truncation may add to the error of a probability, and the
 *        residual of the linear equations for the moments, which are solved by solve.method
 * Errors: PEPA_EARG (no such action, ends that are missing or given twice, a start that never
 * happens), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_passage_new(PepaPassage **out, const PepaChain *chain, const double *pi,
                                     const PepaPassageEnds *ends, const PepaSettings *set,
                                     PepaError *err);
PEPA_API void pepa_passage_free(PepaPassage *passage);

/* cdf: the probability that it takes t at most; pdf: the density there; error: bound of the error
 * of cdf, proved, rounding included, with pi as it is.  Each may be NULL.  Calls share their steps: about t x rate,
 * for the largest t until now, or fewer where Laguerre series follow.  Errors: PEPA_EARG, PEPA_ENOCONV
 * (the error is more than 1e-6 and the tolerance), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_passage_at(PepaPassage *passage, double t, double *cdf, double *pdf,
                                    double *error, PepaError *err);

typedef struct {
    double ends;           /* the probability that it ever ends */
    double mean, variance; /* +inf unless that is 1 */
    double deviation;      /* the variance's root, also where the variance is beyond the range of doubles: 0 or +inf */
    uint64_t reserved[3];
} PepaPassageMoments;
/* By linear equations.  Errors: PEPA_ENOCONV, PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_passage_moments(PepaPassage *passage, PepaPassageMoments *moments,
                                         PepaError *err);
/* The time within which a share (0 < share < 1) of the passages ends, to some 1e-10 of itself; +inf
 * if no more than that ever end.  Errors: PEPA_EARG; those of pepa_passage_at and pepa_passage_moments. */
PEPA_API PepaStatus pepa_passage_quantile(PepaPassage *passage, double share, double *t,
                                          PepaError *err);
/* Products of a vector with the uniformised chain until now. */
PEPA_API int64_t pepa_passage_steps(const PepaPassage *passage);
/* Of a stiff chain: the coefficients of Laguerre series until now, each a solution with LU factors; else
 * 0. */
PEPA_API int64_t pepa_passage_solves(const PepaPassage *passage);

/* A stochastic probe: a component that observes some actions of a model, given as a regular
 * expression over them, and so marks where passages begin and end.  pepa-probes(5) has the
 * language; "Client:(request:start, response:stop)" is an example. */
typedef struct {
    char *running, *stopped; /* predicates of the model with the probe; for pepa_text_free */
    int32_t states;          /* of the probe */
    uint64_t reserved[4];
} PepaProbe;

/* A copy of a model that has the probe of `length` bytes of text as one component more.  The probe
 * does what it observes passively and always, so that throughputs and times stay as they are.  Its
 * passages lead from entering `running` to entering `stopped`.
 *   once  0: the probe goes on after its :stop and counts passages in the long run.  Else it stays
 *         in `stopped` after the first :stop, for passages with from_start; it needs no :start
 *   name  what diagnostics call the text
 *   diagnose  receives all errors, in order of place; or NULL
 * Errors: PEPA_EARG (err: the first finding), PEPA_ELIMIT (more than 2 GB; a model too large),
 * PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_model_probe(PepaModel **out, const PepaModel *model, const char *name,
                                     const char *text, size_t length, int once,
                                     PepaDiagnose diagnose, void *user, PepaProbe *probe,
                                     PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
