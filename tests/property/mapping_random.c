#include "property/mapping_random.h"

#include "property/random_model.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/* Processors of one kind have the same numbers, and those between two kinds are the same. */
typedef enum {
    ALL_DIFFERENT,
    TWO_KINDS,
    ALL_ALIKE,
    EQUAL_LATENCIES,
    EXTREME_LINKS,
    ONE_FAST,
    CLUSTERS,
    INSTANCE_COUNT
} Instance;

typedef struct {
    MappingProblem problem;
    uint64_t state;
    Instance instance;
    int kind[MOST_MAPPING_PROCESSORS];
    bool coarse; /* values from small sets */
} Sketch;

static int below(uint64_t *state, int n)
{
    return (int)random_below(state, (uint64_t)n);
}

static bool one_in(uint64_t *state, int n)
{
    return below(state, n) == 0;
}

/* A value of the set, or any between low and high, on a logarithmic scale. */
static double draw(Sketch *s, const double *set, int count, double low, double high)
{
    if (s->coarse)
        return set[below(&s->state, count)];
    return low * pow(high / low, below(&s->state, 1 << 24) / (double)(1 << 24));
}

#define DRAW(sketch, low, high, ...)                                                               \
    draw(sketch, (const double[]){__VA_ARGS__},                                                    \
         (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)), low, high)

static double some_latency(Sketch *s)
{
    if (s->instance == EXTREME_LINKS)
        return DRAW(s, 1e-5, 10, 1e-5, 1e-3, 1, 10);
    return DRAW(s, 1e-3, 1, 0.001, 0.1, 0.1, 1);
}

/* ---- stages ---- */

static void draw_stages(Sketch *s)
{
    MappingProblem *p = &s->problem;
    bool equal = one_in(&s->state, 2), sizes = one_in(&s->state, 3);
    double work = one_in(&s->state, 2) ? 1 : DRAW(s, 0.1, 10, 0.5, 2, 3);
    double size = DRAW(s, 1e3, 1e7, 1e6, 4e6);
    for (int i = 0; i < p->stages; i++)
        p->work[i] = equal ? work : DRAW(s, 0.1, 10, 0.5, 1, 1, 2, 10);
    for (int k = 0; k <= p->stages; k++)
        if (sizes)
            p->output[k] = equal ? size : DRAW(s, 1e3, 1e7, 0, 1e6, 4e6);
}

/* ---- processors and network, per kind ---- */

static void draw_kinds(Sketch *s)
{
    bool mixed = s->instance == TWO_KINDS || s->instance == CLUSTERS;
    for (int j = 0; j < s->problem.processors; j++)
        s->kind[j] = s->instance == ALL_ALIKE ? 0 : mixed ? below(&s->state, 2) : j;
}

static void draw_processors(Sketch *s)
{
    double time[MOST_MAPPING_PROCESSORS], share[MOST_MAPPING_PROCESSORS];
    int cores[MOST_MAPPING_PROCESSORS];
    bool many = one_in(&s->state, 3), busy = one_in(&s->state, 3);
    for (int k = 0; k < MOST_MAPPING_PROCESSORS; k++) {
        time[k] = s->instance == CLUSTERS ? 0.1 : DRAW(s, 0.01, 1, 0.05, 0.1, 0.1, 0.2, 1);
        share[k] = busy ? DRAW(s, 0.1, 1, 1, 0.5, 0.25) : 1;
        cores[k] = many ? 1 + below(&s->state, 4) : 1;
    }
    if (s->instance == ONE_FAST)
        time[below(&s->state, s->problem.processors)] = DRAW(s, 1e-5, 1e-3, 1e-4, 1e-3);
    for (int j = 0; j < s->problem.processors; j++) {
        s->problem.time[j] = time[s->kind[j]];
        s->problem.availability[j] = share[s->kind[j]];
        s->problem.cores[j] = cores[s->kind[j]];
    }
}

/* A value for each pair of kinds: of different processors, and of one with itself. */
static void draw_pairs(Sketch *s, MappingPairs *pairs, double (*value)(Sketch *), bool locals)
{
    double among[MOST_MAPPING_PROCESSORS][MOST_MAPPING_PROCESSORS];
    double within[MOST_MAPPING_PROCESSORS];
    for (int k = 0; k < MOST_MAPPING_PROCESSORS; k++) {
        within[k] = value(s);
        for (int l = 0; l <= k; l++)
            among[k][l] = among[l][k] = value(s);
    }
    for (int a = 0; a < s->problem.processors; a++)
        for (int b = 0; b < s->problem.processors; b++)
            if (a != b)
                pairs->pair[a][b] = among[s->kind[a]][s->kind[b]];
            else if (locals)
                pairs->pair[a][a] = within[s->kind[a]];
}

static double cluster_latency(Sketch *s)
{
    return one_in(&s->state, 2) ? 0.001 : 0.1;
}

static void draw_latencies(Sketch *s)
{
    MappingPairs *latency = &s->problem.latency;
    bool plain = s->instance == ALL_ALIKE || s->instance == EQUAL_LATENCIES;
    latency->every = plain || one_in(&s->state, 2) ? some_latency(s) : NAN;
    if (isnan(latency->every) || !one_in(&s->state, 3))
        latency->local = DRAW(s, 1e-5, 1e-2, 1e-4, 1e-5);
    if (!plain)
        draw_pairs(s, latency, s->instance == CLUSTERS ? cluster_latency : some_latency,
                   one_in(&s->state, 4));
}

static double some_bandwidth(Sketch *s)
{
    return DRAW(s, 1e5, 1e9, 1e6, 1e7, 1e8);
}

static void draw_bandwidths(Sketch *s)
{
    MappingPairs *bandwidth = &s->problem.bandwidth;
    if (one_in(&s->state, 2))
        return;
    if (one_in(&s->state, 2))
        bandwidth->every = some_bandwidth(s);
    if (one_in(&s->state, 2))
        bandwidth->local = 1e10;
    if (one_in(&s->state, 2))
        draw_pairs(s, bandwidth, some_bandwidth, one_in(&s->state, 4));
}

static void draw_size(Sketch *s, int least_stages, int most_stages, int most_mappings)
{
    MappingProblem *p = &s->problem;
    int mappings;
    do {
        p->stages = least_stages + below(&s->state, most_stages - least_stages + 1);
        p->processors = 1 + below(&s->state, MOST_MAPPING_PROCESSORS);
        mappings = 1;
        for (int i = 0; i < p->stages; i++)
            mappings *= p->processors;
    } while (mappings > most_mappings);
}

MappingProblem random_mapping_problem(uint64_t seed, int least_stages, int most_stages,
                                      int most_mappings)
{
    Sketch s = {.state = seed * 0x9e3779b97f4a7c15U};
    MappingProblem *p = &s.problem;
    draw_size(&s, least_stages, most_stages, most_mappings);
    s.instance = (Instance)below(&s.state, INSTANCE_COUNT);
    s.coarse = !one_in(&s.state, 3);
    p->latency = p->bandwidth = mapping_pairs_missing();
    p->input = p->output_to = -1;
    draw_kinds(&s);
    draw_stages(&s);
    draw_processors(&s);
    draw_latencies(&s);
    draw_bandwidths(&s);
    if (one_in(&s.state, 3))
        p->input = below(&s.state, p->processors);
    if (one_in(&s.state, 3))
        p->output_to = below(&s.state, p->processors);
    if (one_in(&s.state, 4)) /* almost alike */
        random_mapping_change(p, &s.state);
    return s.problem;
}

/* ---- other numbers ---- */

static void change_pair(MappingPairs *pairs, double value, int processors, uint64_t *state)
{
    int a = below(state, processors), b = below(state, processors);
    switch (below(state, 4)) {
    case 0:
        pairs->every = value;
        break;
    case 1:
        pairs->local = value;
        break;
    default:
        pairs->pair[a][b] = pairs->pair[b][a] = value;
    }
}

static void change_one(MappingProblem *p, uint64_t *state)
{
    static const double factor[] = {0.01, 0.5, 0.5, 2, 2, 30};
    double by = factor[below(state, 6)];
    int stage = below(state, p->stages), j = below(state, p->processors);
    switch (below(state, 8)) {
    case 0:
        p->work[stage] *= by;
        break;
    case 1:
        p->output[stage + below(state, 2)] = 1e6 * by;
        break;
    case 2:
        p->time[j] *= by;
        break;
    case 3:
        p->availability[j] = fmin(1, p->availability[j] * by);
        break;
    case 4:
        p->cores[j] = 1 + below(state, 3);
        break;
    case 5:
        change_pair(&p->latency, 0.1 * by, p->processors, state);
        break;
    case 6:
        change_pair(&p->bandwidth, 1e7 * by, p->processors, state);
        break;
    default:
        p->input = below(state, p->processors + 1) - 1;
        p->output_to = below(state, p->processors + 1) - 1;
    }
}

void random_mapping_change(MappingProblem *problem, uint64_t *state)
{
    do
        change_one(problem, state);
    while (one_in(state, 2));
}

void random_mapping(const MappingProblem *problem, uint64_t *state, int32_t *mapping)
{
    for (int i = 0; i < problem->stages; i++)
        mapping[i] = below(state, problem->processors);
}

/* ---- descriptions ---- */

static void must(PepaStatus status, const PepaError *err)
{
    cr_assert(status == PEPA_OK, "%s: %s", pepa_status_text(status), err->message);
}

typedef PepaStatus SetPair(AmogetMachine *machine, int32_t a, int32_t b, double value,
                           PepaError *err);

static void set_defaults(AmogetMachine *machine, const MappingPairs *pairs, SetPair *set)
{
    PepaError err = {0};
    if (!isnan(pairs->every))
        must(set(machine, AMOGET_DEFAULT, AMOGET_DEFAULT, pairs->every, &err), &err);
    if (!isnan(pairs->local))
        must(set(machine, AMOGET_LOCAL, AMOGET_LOCAL, pairs->local, &err), &err);
}

static void set_each_pair(AmogetMachine *machine, int processors, const MappingPairs *pairs,
                          SetPair *set)
{
    PepaError err = {0};
    for (int a = 0; a < processors; a++)
        for (int b = 0; b <= a; b++)
            if (!isnan(pairs->pair[a][b]))
                must(set(machine, a, b, pairs->pair[a][b], &err), &err);
}

void mapping_set_numbers(AmogetDescription *desc, const MappingProblem *p)
{
    PepaError err = {0};
    for (int i = 0; i < p->stages; i++)
        must(amoget_set_work(desc, i, p->work[i], &err), &err);
    for (int k = 0; k <= p->stages; k++)
        must(amoget_set_output(desc, k - 1, p->output[k], &err), &err);
    for (int j = 0; j < p->processors; j++) {
        must(amoget_set_time(amoget_machine(desc), j, p->time[j], &err), &err);
        must(amoget_set_availability(amoget_machine(desc), j, p->availability[j], &err), &err);
        must(amoget_set_cores(amoget_machine(desc), j, p->cores[j], &err), &err);
    }
    set_defaults(amoget_machine(desc), &p->latency, amoget_set_latency);
    set_each_pair(amoget_machine(desc), p->processors, &p->latency, amoget_set_latency);
    set_each_pair(amoget_machine(desc), p->processors, &p->bandwidth, amoget_set_bandwidth);
    set_defaults(amoget_machine(desc), &p->bandwidth, amoget_set_bandwidth);
    must(amoget_set_ends(desc, p->input, p->output_to, &err), &err);
}

AmogetDescription *mapping_description(const MappingProblem *p, uint64_t seed)
{
    PepaError err = {0};
    AmogetDescription *desc = NULL;
    char name[16];
    must(amoget_new(&desc, &err), &err);
    for (int i = 0; i < p->stages; i++) {
        (void)snprintf(name, sizeof name, "s%d", i);
        must(amoget_add_stage(desc, name, &err), &err);
    }
    if (seed % 2 == 0) /* what is said of every pair holds for processors that come later */
        set_defaults(amoget_machine(desc), &p->latency, amoget_set_latency);
    for (int j = 0; j < p->processors; j++) {
        (void)snprintf(name, sizeof name, "p%d", j);
        must(amoget_add_processor(amoget_machine(desc), name, seed % 3 ? p->time[j] : 1, &err),
             &err);
    }
    if (seed % 5 == 0) /* a default that comes later stands behind them */
        set_each_pair(amoget_machine(desc), p->processors, &p->latency, amoget_set_latency);
    mapping_set_numbers(desc, p);
    return desc;
}
