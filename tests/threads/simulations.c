/* Simulations in several threads, each with threads of its own, of one model. */
#include <pepa_simulate.h>
#include <string.h>

#include "team.h"

static const char model_text[] = "P = (a, 2).Q + (b, 0.2 * P).P; Q = (c, 3).P;\n"
                                 "S = (a, T).S1; S1 = (e, 1).S; P[3] <a> S[2]";
static const char asked[] = "throughput:{a, e}\nresponse:Q\nprobability:{P > 1 && S == 0}";
enum { TIMES = 4, ASKED = 3 };

typedef struct {
    PepaModel *model;
    PepaMeasures *measures;
} Shared;

static void run(const Shared *s, const PepaSimulation *how, size_t rows, Digest *digest)
{
    PepaEstimate x[TIMES * ASKED];
    PepaSimulationInfo info;
    PepaError err;
    need(pepa_simulate_measures(s->model, s->measures, how, &(PepaSettings){.threads = 3}, x, &info,
                                &err) == PEPA_OK,
         &err);
    digest_bytes(digest, x, rows * ASKED * sizeof *x);
    digest_number(digest, (double)info.events);
}

static void simulate(void *shared, int member, Digest *digest)
{
    const double time[TIMES] = {0, 1, 3, 10};
    (void)member;
    run(shared, &(PepaSimulation){.time = time, .count = TIMES, .runs = 200, .seed = 4}, TIMES,
        digest);
    run(shared, &(PepaSimulation){.steady = 1, .seed = 4, .events = 300000}, 1, digest);
}

void share_simulations(void)
{
    Shared s = {0};
    PepaError err;
    need(pepa_model_parse(&s.model, "m", model_text, strlen(model_text), NULL, &err) == PEPA_OK,
         &err);
    need(pepa_measures_new(&s.measures, s.model, &err) == PEPA_OK, &err);
    need(pepa_measures_add(s.measures, "m", asked, sizeof asked - 1, NULL, NULL, &err) == PEPA_OK,
         &err);
    team_run("a model is shared by simulations", simulate, &s);
    pepa_measures_free(s.measures);
    pepa_model_free(s.model);
}
