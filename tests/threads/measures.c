/* Measures and predicates as text in several threads: one model, one chain, one list. */
#include <pepa_measure.h>
#include <stdlib.h>
#include <string.h>

#include "team.h"

static const char model_text[] = "r = 2.0; P = (a, r).Q + (b, 1).P; Q = (c, 3).P;\n"
                                 "S = (a, T).S1; S1 = (e, 1).S; (P[3] <a> S[2]) / {e}";
static const char asked[] = "X = throughput:{a, tau}\nprobability:{enabled(c) && Q > S1}\n"
                            "response:Q + reward:{r * Q} / X\n";
enum { ASKED = 3, ROUNDS = 5 };

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaMeasures *measures;
    PepaPredicate *predicate;
    double *pi;
} Shared;

static PepaMeasures *list(const PepaModel *model)
{
    PepaMeasures *measures = NULL;
    PepaError err;
    need(pepa_measures_new(&measures, model, &err) == PEPA_OK, &err);
    need(pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, &err) == PEPA_OK,
         &err);
    return measures;
}

static void evaluate(const Shared *s, const PepaMeasures *measures, Digest *digest)
{
    double value[ASKED];
    PepaError err;
    need(pepa_measures_count(measures) == ASKED, NULL);
    need(pepa_measures_values(measures, s->chain, s->pi, value, &err) == PEPA_OK, &err);
    digest_bytes(digest, value, sizeof value);
    for (int32_t i = 0; i < ASKED; i++)
        digest_text(digest, pepa_measures_name(measures, i));
}

/* What is shared is evaluated by all, and each reads a list of its own for the same model. */
static void ask(void *shared, int member, Digest *digest)
{
    const Shared *s = shared;
    size_t states = (size_t)pepa_chain_info(s->chain).states;
    uint8_t *where = calloc(states + 1, sizeof *where);
    (void)member;
    need(where != NULL, NULL);
    for (int round = 0; round < ROUNDS; round++) {
        PepaMeasures *own = list(s->model);
        PepaError err;
        evaluate(s, s->measures, digest);
        evaluate(s, own, digest);
        need(pepa_predicate_states(s->predicate, s->chain, where, &err) == PEPA_OK, &err);
        digest_bytes(digest, where, states);
        pepa_measures_free(own);
    }
    free(where);
}

static void share_chain(PepaExplore explore, const char *name)
{
    Shared s = {0};
    PepaSettings set = {0};
    PepaError err;
    set.derive.explore = explore;
    need(pepa_model_parse(&s.model, "m", model_text, sizeof model_text - 1, NULL, &err) == PEPA_OK,
         &err);
    need(pepa_chain_derive(&s.chain, s.model, &set, &err) == PEPA_OK, &err);
    need(pepa_predicate_new(&s.predicate, s.model, "p", "Q && !deadlock", 14, NULL, NULL, &err) ==
             PEPA_OK,
         &err);
    s.measures = list(s.model);
    s.pi = calloc((size_t)pepa_chain_info(s.chain).states, sizeof *s.pi);
    need(s.pi && pepa_solve_steady(s.chain, NULL, s.pi, NULL, &err) == PEPA_OK, &err);
    team_run(name, ask, &s);
    free(s.pi);
    pepa_measures_free(s.measures);
    pepa_predicate_free(s.predicate);
    pepa_chain_free(s.chain);
    pepa_model_free(s.model);
}

void share_measures(void)
{
    share_chain(PEPA_EXPLICIT, "measures and predicates are shared by all");
    share_chain(PEPA_SYMBOLIC, "the same on a chain explored as sets");
}
