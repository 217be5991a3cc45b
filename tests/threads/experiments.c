/* Experiments in several threads, each with threads of its own, on one chain. */
#include <pepa_experiment.h>
#include <string.h>

#include "team.h"

static const char model_text[] = "r = 2.0; n = 3; on = 1;\n"
                                 "P = (a, r).Q + (b, on * P).P; Q = (c, 3).P;\n"
                                 "S = (a, T).S1; S1 = (e, r / 2).S; P[n] <a> S[2]";
static const char asked[] = "throughput:{a, e}\nresponse:Q\nprobability:{P > 1 && S == 0}";
enum { RATES = 40, COPIES = 2, SWITCHES = 2, ASKED = 3 };

typedef struct {
    PepaChain *chain;
    PepaMeasures *measures;
    double r[RATES], n[COPIES], on[SWITCHES];
} Shared;

static void solve(const Shared *s, const PepaVary *vary, size_t count, int32_t points,
                  Digest *digest)
{
    static const size_t size = sizeof(double) * ASKED;
    double value[RATES * COPIES * ASKED] = {0};
    const PepaSettings set = {.threads = 3};
    PepaExperimentInfo info;
    PepaError err;
    need(pepa_experiment_measures(s->chain, s->measures,
                                  &(PepaExperiment){.vary = vary, .count = count}, &set, value,
                                  &info, &err) == PEPA_OK,
         &err);
    digest_bytes(digest, value, size * (size_t)points);
    digest_number(digest, (double)info.iterations);
    digest_number(digest, info.residual);
}

static void sweep(void *shared, int member, Digest *digest)
{
    const Shared *s = shared;
    (void)member;
    solve(s, (PepaVary[]){{"n", s->n, COPIES}, {"r", s->r, RATES}}, 2, COPIES * RATES, digest);
    solve(s, (PepaVary[]){{"r", s->r, RATES}, {"on", s->on, SWITCHES}}, 2, RATES * SWITCHES,
          digest);
}

void share_experiments(void)
{
    Shared s = {.n = {3, 1}, .on = {1, 0}};
    PepaModel *model = NULL;
    PepaError err;
    for (int i = 0; i < RATES; i++)
        s.r[i] = 0.5 * (i + 1);
    need(pepa_model_parse(&model, "m", model_text, strlen(model_text), NULL, &err) == PEPA_OK,
         &err);
    need(pepa_chain_derive(&s.chain, model, NULL, &err) == PEPA_OK, &err);
    need(pepa_measures_new(&s.measures, model, &err) == PEPA_OK, &err);
    need(pepa_measures_add(s.measures, "m", asked, strlen(asked), NULL, NULL, &err) == PEPA_OK,
         &err);
    team_run("a chain is shared by experiments", sweep, &s);
    pepa_measures_free(s.measures);
    pepa_chain_free(s.chain);
    pepa_model_free(model);
}
