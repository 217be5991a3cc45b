/* Passage times on MPI: closed forms, and random models with random starts and ends; the processes of the run have
 * each chain by rows, however few, and the answers of each of them alone.   mpirun -n P passages FIRST-SEED MODELS */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/mem.h"
#include "deriving.h"
#include "pepa_mpi.h"
#include "pepa_shared.h"
#include "property/random_model.h"

enum { SMALL = 60, TIMES = 4, SHARES = 3, TEXT = 80 };

static const double shares[SHARES] = {0.05, 0.5, 0.95};

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaPassageMoments moments;
    double cdf[TIMES], pdf[TIMES], within[SHARES];
    bool stiff; /* series were worth it */
} Passed;

/* What is asked: predicates as text; "" where there is an action, or from the start. */
typedef struct {
    const char *from_action, *from, *to_action, *to;
    double time[TIMES];
    bool moments; /* nothing else: steps would be very many */
} Question;

static PepaSettings settings(void)
{
    PepaSettings set = {0};
    set.threads = 1;
    set.derive.explore = PEPA_EXPLICIT;
    set.derive.max_states = 100000;
    set.solve.tolerance = 1e-13;
    return set;
}

static void read_passage(PepaPassage *p, const Question *q, Passed *a)
{
    for (int i = 0; i < TIMES && a->status == PEPA_OK && !q->moments; i++)
        a->status = pepa_passage_at(p, q->time[i], &a->cdf[i], &a->pdf[i], NULL, &a->err);
    if (a->status == PEPA_OK)
        a->status = pepa_passage_moments(p, &a->moments, &a->err);
    const bool late = isfinite(a->moments.mean) && a->moments.mean > 100; /* millions of steps */
    for (int i = 0; i < SHARES && a->status == PEPA_OK && !q->moments && !late; i++)
        a->status = pepa_passage_quantile(p, shares[i], &a->within[i], &a->err);
    a->stiff = pepa_passage_solves(p) > 0;
}

/* False: there is no such predicate. */
static bool read_ends(const PepaModel *model, const Question *q, PepaPassageEnds *ends,
                      PepaPredicate **from, PepaPredicate **to)
{
    *ends = (PepaPassageEnds){.from_start = !q->from_action && !q->from};
    if (q->from_action) {
        ends->from_action = &q->from_action;
        ends->from_actions = 1;
    }
    if (q->to_action) {
        ends->to_action = &q->to_action;
        ends->to_actions = 1;
    }
    if (q->from && pepa_predicate_new(from, model, "from", q->from, strlen(q->from), NULL, NULL,
                                      NULL) != PEPA_OK)
        return false;
    if (q->to &&
        pepa_predicate_new(to, model, "to", q->to, strlen(q->to), NULL, NULL, NULL) != PEPA_OK)
        return false;
    ends->from = *from;
    ends->to = *to;
    return true;
}

static void ask_alone(const PepaModel *model, const PepaPassageEnds *ends, const Question *q,
                      Passed *a)
{
    const PepaSettings set = settings();
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    double *pi = NULL;
    memset(a, 0, sizeof *a);
    a->status = pepa_chain_derive(&chain, model, &set, &a->err);
    if (a->status == PEPA_OK) {
        pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
        a->status = pi ? PEPA_OK : PEPA_ENOMEM;
    }
    if (a->status == PEPA_OK && !ends->from_start)
        a->status = pepa_solve_steady(chain, &set, pi, NULL, &a->err);
    if (a->status == PEPA_OK)
        a->status = pepa_passage_new(&passage, chain, pi, ends, &set, &a->err);
    if (a->status == PEPA_OK)
        read_passage(passage, q, a);
    pepa_passage_free(passage);
    pepa_chain_free(chain);
    free(pi);
}

/* Of few states each process would have all. */
static void ask_together(PepaModel *model, const PepaProcesses *p, const PepaPassageEnds *ends,
                         const Question *q, Passed *a)
{
    const PepaSettings set = settings();
    PepaSettings all;
    PepaChain handle = {.owner = model};
    DiagList diags = {0};
    PepaShared *shared = NULL;
    PepaPassage *passage = NULL;
    static int asked;
    memset(a, 0, sizeof *a);
    a->status = settings_complete(&all, &set, &a->err);
    if (a->status == PEPA_OK)
        a->status =
            derive_parts(&handle.chain, model->model, p, asked++ % 2 == 0, &all, &diags, &a->err);
    if (a->status == PEPA_OK)
        a->status = local_ids_new(&handle.ids, handle.chain->system, &a->err);
    if (a->status == PEPA_OK && !ends->from_start)
        a->status = pepa_shared_solve(&shared, &handle, p, &set, NULL, &a->err);
    if (a->status == PEPA_OK)
        a->status = pepa_shared_passage(&passage, &handle, p, shared, ends, &set, &a->err);
    if (a->status == PEPA_OK)
        read_passage(passage, q, a);
    pepa_passage_free(passage);
    pepa_shared_free(shared);
    chain_free(handle.chain);
    local_ids_free(&handle.ids);
    diag_free(&diags);
}

static bool near(double a, double b, double size)
{
    return a == b || fabs(a - b) <= 1e-9 * size;
}

static bool agree(const Passed *a, const Passed *b)
{
    const PepaPassageMoments *m = &a->moments, *w = &b->moments;
    bool same = near(m->ends, w->ends, 1) && near(m->mean, w->mean, w->mean) &&
                near(m->variance, w->variance, w->variance + w->mean * w->mean);
    for (int i = 0; i < TIMES; i++)
        same = same && near(a->cdf[i], b->cdf[i], 1) && near(a->pdf[i], b->pdf[i], 1 + b->pdf[i]);
    for (int i = 0; i < SHARES; i++) /* where hardly any passage ends, they are less sharp */
        same = same && (near(a->within[i], b->within[i], 10 * b->within[i]) ||
                        fabs(shares[i] - w->ends) < 1e-6);
    return same;
}

static void show(const char *who, const Passed *a)
{
    (void)fprintf(stderr, "%s: status %d %s, ends %.12g mean %.12g variance %.12g\n", who,
                  (int)a->status, a->err.message, a->moments.ends, a->moments.mean,
                  a->moments.variance);
    for (int i = 0; i < TIMES; i++)
        (void)fprintf(stderr, " %.12g/%.12g", a->cdf[i], a->pdf[i]);
    for (int i = 0; i < SHARES; i++)
        (void)fprintf(stderr, " %.12g", a->within[i]);
    (void)fprintf(stderr, "\n");
}

/* Both ways; false: they differ.  *answered: there is an answer.  together: out, or NULL. */
static bool compare(PepaModel *model, const PepaProcesses *p, const Question *q, bool *answered,
                    Passed *out)
{
    PepaPassageEnds ends;
    PepaPredicate *from = NULL, *to = NULL;
    Passed alone = {0}, together = {0};
    bool same = true;
    *answered = false;
    if (read_ends(model, q, &ends, &from, &to)) {
        Question asked = *q;
        ask_alone(model, &ends, &asked, &alone);
        if (alone.stiff) { /* millions of steps, which processes have no way round */
            asked.moments = true;
            ask_alone(model, &ends, &asked, &alone);
        }
        ask_together(model, p, &ends, &asked, &together);
        *answered = alone.status == PEPA_OK && together.status == PEPA_OK;
        same = *answered ? agree(&together, &alone) : alone.status == together.status;
        /* Series go further than steps do. */
        same = same || (alone.status == PEPA_OK && together.status == PEPA_ENOCONV);
        same = same && (together.status != PEPA_EARG ||
                        strcmp(alone.err.message, together.err.message) == 0);
    }
    if (!same && p->rank == 0) {
        (void)fprintf(stderr, "passage from %s%s to %s%s\n", q->from_action ? q->from_action : "",
                      q->from ? q->from : "", q->to_action ? q->to_action : "", q->to ? q->to : "");
        show("alone", &alone);
        show("together", &together);
    }
    if (out)
        *out = together;
    pepa_predicate_free(from);
    pepa_predicate_free(to);
    return same;
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A model, a question, and what is known of the answer; NaN: nothing. */
typedef struct {
    const char *name, *model;
    Question q;
    double ends, mean, variance, cdf[TIMES];
} Known;

static double erlang(int k, double x)
{
    double term = exp(-x), sum = 0;
    for (int i = 0; i < k; term *= x / ++i)
        sum += term;
    return 1 - sum;
}

static double hypoexponential(const double *rate, int k, double t)
{
    double sum = 0;
    for (int i = 0; i < k; i++) {
        double factor = exp(-rate[i] * t);
        for (int j = 0; j < k; j++)
            factor *= j == i ? 1 : rate[j] / (rate[j] - rate[i]);
        sum += factor;
    }
    return 1 - sum;
}

/* Customers arrive at rate l and leave at rate m: mean and variance of the time from none to k of them.  From i of
 * them it is a stay, and, if one leaves before the next arrives, the times from i - 1 to i and on to i + 1. */
static void birth_death(double l, double m, int k, double *mean, double *variance)
{
    double one = 0, square = 0; /* of the time from i - 1 to i */
    *mean = *variance = 0;
    for (int i = 0; i < k; i++) {
        const double back = i ? m : 0, all = l + back, p = back / all;
        const double next = 1 / l + back / l * one;
        square =
            (2 / all / all + 2 * p * (one + next) / all + p * (square + 2 * one * next)) * all / l;
        one = next;
        *mean += one;
        *variance += square - one * one;
    }
}

static bool matches(const Known *k, const Passed *a)
{
    bool same = a->status == PEPA_OK;
    same = same && (isnan(k->ends) || near(a->moments.ends, k->ends, 1));
    same = same && (isnan(k->mean) || near(a->moments.mean, k->mean, k->mean));
    same = same && (isnan(k->variance) || near(a->moments.variance, k->variance, k->variance));
    for (int i = 0; i < TIMES; i++)
        same = same && (isnan(k->cdf[i]) || near(a->cdf[i], k->cdf[i], 1));
    return same;
}

static bool check_known(Known *k, const PepaProcesses *p)
{
    PepaModel *model = NULL;
    Passed a = {0};
    bool answered,
        same = pepa_model_parse(&model, k->name, k->model, strlen(k->model), NULL, NULL) == PEPA_OK;
    same = same && compare(model, p, &k->q, &answered, &a);
    const bool right = same && matches(k, &a);
    if (!right && p->rank == 0) {
        (void)fprintf(stderr, "%s: mean %.12g, variance %.12g, not\n", k->name, k->mean,
                      k->variance);
        show("together", &a);
    }
    pepa_model_free(model);
    return right;
}

static bool check_all_known(const PepaProcesses *p)
{
    const double rates[] = {1, 2, 3, 4, 5}, inf = HUGE_VAL;
    const char *ring = "A = (a, 2).B; B = (b, 2).C; C = (c, 2).D; D = (done, 2).A; ";
    const char *line = "A = (a, 1).B; B = (b, 2).C; C = (c, 3).D; D = (d, 4).E; E = (done, 5).A; A";
    const char *queue =
        "Q0 = (in, 1).Q1; Q1 = (in, 1).Q2 + (out, 1.5).Q0; Q2 = (in, 1).Q3 + (out, 1.5).Q1;"
        "Q3 = (in, 1).Q4 + (out, 1.5).Q2; Q4 = (in, 1).Q5 + (out, 1.5).Q3; Q5 = (out, 1.5).Q4; Q0";
    const char *fork = "P = (a, 1).G + (b, 2).L; G = (c, 3).P; L = (d, 1).L1; L1 = (e, 1).L; P";
    const char *rare = "P = (a, 10).Q; Q = (b, 10).P + (end, 0.01).R; R = (c, 1).P; P";
    char one[TEXT * 2], two[TEXT * 2];
    (void)snprintf(one, sizeof one, "%sA", ring);
    (void)snprintf(two, sizeof two, "%sA || A", ring);
    Known known[] = {
        {"erlang", one, {.from_action = "done", .to_action = "done"}, 1, 2, 1, {0}},
        {"least of two", two, {.to_action = "done"}, 1, NAN, NAN, {0}},
        {"hypoexponential",
         line,
         {.from_action = "done", .to_action = "done"},
         1,
         1 + 0.5 + 1.0 / 3 + 0.25 + 0.2,
         1 + 0.25 + 1.0 / 9 + 1.0 / 16 + 0.04,
         {0}},
        {"hyperexponential",
         "P = (left, 3 : immediate).F + (right, immediate).S; F = (a, 4).E; S = (b, 1).E;"
         "E = (c, 1).E2; E2 = (d, 1).E; P",
         {.to = "E > 0"},
         1,
         0.75 / 4 + 0.25,
         NAN,
         {0}},
        {"deadlock",
         "P = (a, 1).S; S = (no, 1).P; Z = (a, 1).Z1; Z1 = (never, 1).Z; P <a, no, never> Z",
         {.to_action = "a"},
         1,
         1,
         1,
         {0}},
        {"queue", queue, {.to = "Q5 > 0"}, 1, 0, 0, {NAN, NAN, NAN, NAN}},
        {"fork", fork, {.to_action = "c"}, 1.0 / 3, inf, inf, {NAN, NAN, NAN, NAN}},
        {"fork to a state", fork, {.to = "G > 0"}, 1.0 / 3, inf, inf, {NAN, NAN, NAN, NAN}},
        {"never", fork, {.to = "P > 1"}, 0, inf, inf, {0}},
        {"at once", fork, {.to = "P > 0"}, 1, 0, 0, {1, 1, 1, 1}},
        {"self-loop that ends",
         "P = (tick, 3).P + (go, 1).Q; Q = (back, 2).P; P",
         {.to_action = "tick"},
         1,
         0.5,
         NAN,
         {NAN, NAN, NAN, NAN}},
        {"rare",
         rare,
         {.to_action = "end", .moments = true},
         1,
         200 + 0.1,
         NAN,
         {NAN, NAN, NAN, NAN}},
    };
    bool right = true;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        for (int i = 0; i < TIMES; i++)
            known[k].q.time[i] = 0.3 * (i + 1) * (i + 1);
    for (int i = 0; i < TIMES; i++) {
        const double t = known[0].q.time[i];
        known[0].cdf[i] = erlang(4, 2 * t);
        known[1].cdf[i] = 1 - (1 - erlang(4, 2 * t)) * (1 - erlang(4, 2 * t));
        known[2].cdf[i] = hypoexponential(rates, 5, t);
        known[3].cdf[i] = 1 - 0.75 * exp(-4 * t) - 0.25 * exp(-t);
        known[4].cdf[i] = 1 - exp(-t);
    }
    birth_death(1, 1.5, 5, &known[5].mean, &known[5].variance);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        right = check_known(&known[k], p) && right;
    return right;
}

/* ---- random models --------------------------------------------------------------------------- */

/* "NAME > 0", of a random local state of the model's chain. */
static void random_predicate(uint64_t *state, const PepaChain *chain, char text[TEXT])
{
    const int32_t locals = pepa_chain_info(chain).local_states;
    const char *name = pepa_chain_local_name(chain, (int32_t)random_below(state, (uint64_t)locals));
    (void)snprintf(text, TEXT, "%.60s > 0", name);
}

static const char *random_action(uint64_t *state, const PepaChain *chain)
{
    return pepa_chain_action_name(chain,
                                  (int32_t)random_below(state,
                                                        (uint64_t)pepa_chain_info(chain).actions));
}

typedef struct {
    int64_t all, infinite;
} Compared;

static bool check_random(uint64_t seed, const PepaProcesses *p, Compared *compared)
{
    RandomKnobs knobs = random_knobs_default();
    knobs.max_states = SMALL;
    knobs.careless = 0;
    knobs.stop = seed % 2 == 0 ? 0 : knobs.stop;
    RefModel ref = random_model(seed, &knobs);
    Text text = ref_model_print(&ref, (RefPrinting){0});
    const PepaSettings set = settings();
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    char from[TEXT], to[TEXT];
    uint64_t state = ~seed;
    Passed a;
    bool same = true, answered;
    if (pepa_model_parse(&model, "random", text.text, text.length, NULL, NULL) == PEPA_OK &&
        pepa_chain_derive(&chain, model, &set, NULL) == PEPA_OK &&
        pepa_chain_info(chain).actions > 0) {
        Question q = {.time = {0, 0.1, 0.7, 2}};
        const int begins = (int)random_below(&state, 3), ends = (int)random_below(&state, 2);
        random_predicate(&state, chain, from);
        random_predicate(&state, chain, to);
        q.from_action = begins == 0 ? random_action(&state, chain) : NULL;
        q.from = begins == 1 ? from : NULL;
        q.to_action = ends == 0 ? random_action(&state, chain) : NULL;
        q.to = ends == 1 ? to : NULL;
        same = compare(model, p, &q, &answered, &a);
        compared->all += answered;
        compared->infinite += answered && a.moments.ends < 1;
    }
    if (!same && p->rank == 0)
        (void)fprintf(stderr, "%d processes, seed %llu\n%s\n", p->count, (unsigned long long)seed,
                      text.text);
    pepa_chain_free(chain);
    pepa_model_free(model);
    text_free(&text);
    ref_model_free(&ref);
    return same;
}

int main(int argc, char **argv)
{
    const int64_t models = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    Compared compared = {0};
    MPI_Init(&argc, &argv);
    PepaProcesses *processes = pepa_mpi_processes(MPI_COMM_WORLD);
    if (!processes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    bool same = check_all_known(processes);
    for (int64_t i = 0; i < models; i++)
        same = check_random(first + (uint64_t)i, processes, &compared) && same;
    if (processes->rank == 0)
        (void)printf("mpi: passages on %d processes: closed forms, and %lld of %lld random models, "
                     "%lld of them with passages that never end\n",
                     processes->count, (long long)compared.all, (long long)models,
                     (long long)compared.infinite);
    pepa_mpi_free(processes);
    MPI_Finalize();
    return same && 3 * compared.all >= models && (models < 100 || compared.infinite > 0) ? 0 : 1;
}
