/* Predicted rounds: the calibrated example, closed forms, the engine; and the search against an
 * enumeration of all placements, whose rounds are timed apart from it. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "grid/predict/maximum.h"
#include "grid/taag/predict/branch.h"
#include "grid/taag/predict/find.h"
#include "grid/taag/predict/model.h"
#include "grid/taag/predict/predict.h"

enum { MOST = 8 };

static void near(int line, double x, double y, double relative)
{
    cr_expect(fabs(x - y) <= relative * fabs(y), "line %d: %.17g, not %.17g", line, x, y);
}
#define NEAR(x, y, relative) near(__LINE__, x, y, relative)

/* ---- the calibrated example ------------------------------------------------------------------ */

/* 2500 and 1400 Mflop/s, 5 ms apart; a step is what makes a round of the third mapping 0.5144 s less
 * the exchange, as a step of 1000 particles in Bosa and Schreiner, figure 7. */
#define SITE_A "alex time 0.4ms cores 12; "
#define SITE_B "altix1 time 0.714285714285714ms cores 6; "
#define REST                                                                                       \
    "} network { latency default 5ms; latency local 0.000000001ms; } "                             \
    "program { graph 3 sizes 3 6 9; work 120.0267; }"

static Prediction predicted(const char *text, bool by_time, bool in_order)
{
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    PepaError err = {0};
    Schedule s = {0};
    Prediction time = {0};
    double bound;
    ScheduleSettings set = {.coefficient = 1, .in_order = in_order};
    cr_assert_eq(amoget_program_parse(&machine, &program, "m", text, strlen(text), NULL, &err),
                 PEPA_OK, "%s", err.message);
    PepaStatus status = by_time ? predict_fastest(&s, &bound, machine, program, &set, &err)
                                : schedule_find(&s, machine, program, &set, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    status = predict_mapping(&time, &s, machine, program, 1, NULL, NULL, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    cr_expect(time.solved);
    if (by_time)
        NEAR(time.predicted, bound, 1e-8);
    schedule_free(&s);
    amoget_program_free(program);
    amoget_machine_free(machine);
    return time;
}

Test(predict, calibrated_example)
{
    const Prediction first = predicted("processors { " SITE_B SITE_A REST, false, true);
    const Prediction second = predicted("processors { " SITE_A SITE_B REST, false, true);
    const Prediction third = predicted("processors { " SITE_A SITE_B REST, false, false);
    const Prediction fourth = predicted("processors { " SITE_A SITE_B REST, true, false);
    NEAR(first.least, 0.5494, 1e-4);
    NEAR(second.least, 0.8216, 1e-4);
    NEAR(third.least, 0.5244, 1e-4);
    NEAR(first.predicted, 0.571, 1e-3);
    NEAR(second.predicted, 0.822, 1e-3);
    NEAR(third.predicted, 0.551, 1e-3);
    NEAR(fourth.predicted, third.predicted, 1e-9);
}

/* ---- one model ------------------------------------------------------------------------------- */

static double solved(double *time, int32_t groups, double exchange, int32_t phases)
{
    const Round round = {groups, time, exchange};
    PepaError err = {0};
    double out = 0;
    cr_assert_eq(round_solve(&round, phases, NULL, &out, &err), PEPA_OK, "%s", err.message);
    return out;
}

static double integral(double *time, int32_t groups, double exchange, int32_t phases)
{
    const Round round = {groups, time, exchange};
    double out = 0;
    cr_assert_eq(round_mean(&round, phases, &out, NULL), PEPA_OK);
    return out;
}

/* n equal exponential groups: the harmonic number of n. */
Test(predict, closed_forms)
{
    double equal[5] = {2, 2, 2, 2, 2};
    NEAR(solved(equal, 5, 0.5, 1), 2 * (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0 + 1 / 5.0) + 0.5, 1e-9);
    NEAR(solved(equal, 1, 0.5, 7), 2.5, 1e-9);
    NEAR(solved(equal, 5, 0, 1), 2 * 137 / 60.0, 1e-9);
    NEAR(solved((double[]){1, 3}, 2, 0.25, 1), 1 + 3 - 1 / (1 + 1 / 3.0) + 0.25, 1e-9);
}

Test(predict, the_engine_and_the_integral)
{
    double time[5] = {2, 2, 2, 1, 0.3}, before = HUGE_VAL;
    const double least = round_least(&(Round){5, time, 0.1});
    NEAR(least, 2.1, 1e-15);
    for (int32_t k = 1; k <= 5; k++) {
        const double mean = solved(time, 5, 0.1, k);
        NEAR(mean, integral(time, 5, 0.1, k), 1e-8);
        cr_expect(mean > least && mean < before, "more phases vary less");
        before = mean;
    }
    /* nearly normal, of deviation 2 / 10: the largest of three is 0.8463 deviations above */
    NEAR(integral(time, 5, 0.1, 100), least + 0.8463 * 0.2, 2e-3);
}

/* Copies are counted: their states are those of multisets. */
Test(predict, states)
{
    double time[20];
    char *text = NULL;
    for (int i = 0; i < 20; i++)
        time[i] = 1;
    const Round round = {20, time, 0.1};
    NEAR(round_states(&round, 1), 21, 1e-12);
    NEAR(round_states(&round, 2), 231, 1e-12);
    NEAR(solved(time, 20, 0.1, 2), integral(time, 20, 0.1, 2), 1e-8);
    cr_assert_eq(round_text(&round, 2, "about", &text, NULL), PEPA_OK);
    cr_expect(strstr(text, "G1[20]{exch}") != NULL);
    mem_free(text);
}

/* ---- all placements -------------------------------------------------------------------------- */

static uint64_t state;

static int32_t below(int32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)n);
}

typedef struct {
    const AmogetProgram *program;
    const Shape *shape;
    int32_t hosts, cores[MOST], places[MOST], free[MOST];
    double time[MOST], share[MOST], latency[MOST][MOST], bandwidth[MOST][MOST];
    int32_t group[MOST], at[MOST];
    int32_t placed;
    double best, best_of[MOST]; /* of all, and by the number of parts */
    bool solve; /* by the engine; else phases is 1, and by inclusion and exclusion */
} Brute;

static double message(const Brute *b, int32_t p, int32_t q, double bytes)
{
    return b->latency[b->at[p]][b->at[q]] + bytes / b->bandwidth[b->at[p]][b->at[q]];
}

/* Of two groups, over all pairs of their processes. */
static double connection(const Brute *b, int32_t x, int32_t y)
{
    double most = 0;
    for (int32_t p = 0; p < b->program->processes; p++)
        for (int32_t q = 0; q < b->program->processes; q++)
            if (b->group[p] == x && b->group[q] == y)
                most = fmax(most, message(b, p, q, b->program->exchange));
    return most;
}

static double exchange(const Brute *b)
{
    const Shape *s = b->shape;
    double most = 0;
    for (int32_t x = 0; x < s->groups; x++) {
        double path = 0;
        if (b->program->kind == AMOGET_TREE)
            for (int32_t at = x; at != 0; at = s->parent[at])
                path += connection(b, at, s->parent[at]);
        for (int32_t y = 0; y < s->groups && b->program->kind != AMOGET_TREE; y++) {
            bool talk = x != y && s->complete;
            for (int32_t e = 0; e < s->edge_count; e++)
                talk = talk || (s->edges[e].a == x && s->edges[e].b == y);
            path = talk ? fmax(path, connection(b, x, y)) : path;
        }
        most = fmax(most, path);
    }
    return 2 * most;
}

static double time_of(const Brute *b, int32_t g)
{
    double step = 0, pass = 0;
    for (int32_t p = 0; p < b->program->processes; p++) {
        int32_t here = 0;
        if (b->group[p] != g)
            continue;
        for (int32_t q = 0; q < b->program->processes; q++) {
            here += b->at[q] == b->at[p];
            if (q != p && b->group[q] == g)
                pass = fmax(pass, message(b, p, q, b->program->data));
        }
        const double crowd = here > b->cores[b->at[p]] ? (double)here / b->cores[b->at[p]] : 1;
        step = fmax(step, b->program->work * b->time[b->at[p]] / b->share[b->at[p]] * crowd);
    }
    return b->shape->size[g] * step + (b->shape->size[g] - 1) * pass;
}

/* E max of exponential times: the sum over the sets of groups of +- 1 / sum of their rates. */
static double longest(const double *time, int32_t groups)
{
    double sum = 0;
    for (uint32_t set = 1; set < 1u << groups; set++) {
        double rate = 0, sign = -1;
        for (int32_t g = 0; g < groups; g++)
            if (set >> g & 1) {
                rate += 1 / time[g];
                sign = -sign;
            }
        sum += sign / rate;
    }
    return sum;
}

static void evaluate(Brute *b)
{
    double time[MOST], x = exchange(b);
    for (int32_t g = 0; g < b->shape->groups; g++)
        time[g] = time_of(b, g);
    const double seconds = b->solve ? solved(time, b->shape->groups, x, b->program->phases)
                                    : longest(time, b->shape->groups) + x;
    b->best = fmin(b->best, seconds);
    b->best_of[b->shape->parts] = fmin(b->best_of[b->shape->parts], seconds);
    b->placed++;
}

static void assign(Brute *b, int32_t p)
{
    if (p == b->program->processes) {
        evaluate(b);
        return;
    }
    for (int32_t h = p > 0 && b->group[p] == b->group[p - 1] ? b->at[p - 1] : 0; h < b->hosts; h++)
        if (b->free[h] > 0) {
            b->free[h]--;
            b->at[p] = h;
            assign(b, p + 1);
            b->free[h]++;
        }
}

/* Partitions are those of shape.h, which test_schedule.c compares with its own. */
static void enumerate(Brute *b)
{
    int32_t first, last, step;
    bool no_memory = false;
    b->best = HUGE_VAL;
    for (int32_t parts = 0; parts < MOST; parts++)
        b->best_of[parts] = HUGE_VAL;
    memcpy(b->free, b->places, sizeof b->free);
    division_parts(b->program, &first, &last, &step);
    for (int32_t parts = first; parts <= last; parts += step) {
        Shape shape;
        if (!division_make(&shape, b->program, parts, &no_memory))
            continue;
        b->shape = &shape;
        do {
            for (int32_t g = 0, rank = 0; g < shape.groups; g++)
                for (int32_t i = 0; i < shape.size[g]; i++)
                    b->group[rank++] = g;
            assign(b, 0);
        } while (division_next(&shape));
        division_free(&shape);
    }
}

static double one_of(const double *values, int32_t count)
{
    return values[below(count)];
}

static AmogetMachine *random_machine(Brute *b, int32_t hosts, int32_t coefficient)
{
    static const double times[] = {1e-3, 1e-3, 2e-3, 8e-3}, shares[] = {1, 1, 1, 0.5},
                        latencies[] = {0.2e-3, 0.2e-3, 2e-3, 20e-3}, widths[] = {1e6, 1e7};
    AmogetMachine *m = NULL;
    char name[16];
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    const bool alike = below(2); /* all hosts are, and all links */
    b->hosts = hosts;
    for (int32_t i = 0; i < hosts; i++) {
        b->time[i] = one_of(times, alike ? 1 : 4);
        b->share[i] = one_of(shares, alike ? 1 : 4);
        b->cores[i] = alike ? 2 : 1 + below(3);
        b->places[i] = (int32_t)floor(b->cores[i] * b->share[i]) * coefficient;
        (void)snprintf(name, sizeof name, "h%d", (int)i);
        cr_assert_eq(amoget_add_processor(m, name, b->time[i], NULL), PEPA_OK);
        cr_assert_eq(amoget_set_cores(m, i, b->cores[i], NULL), PEPA_OK);
        cr_assert_eq(amoget_set_availability(m, i, b->share[i], NULL), PEPA_OK);
    }
    for (int32_t i = 0; i < hosts; i++)
        for (int32_t j = 0; j <= i; j++) {
            b->latency[i][j] = b->latency[j][i] = i == j ? 1e-5 : one_of(latencies, alike ? 1 : 4);
            b->bandwidth[i][j] = b->bandwidth[j][i] = i == j ? 1e9 : one_of(widths, alike ? 1 : 2);
            cr_assert_eq(amoget_set_latency(m, i, j, b->latency[i][j], NULL), PEPA_OK);
            cr_assert_eq(amoget_set_bandwidth(m, i, j, b->bandwidth[i][j], NULL), PEPA_OK);
        }
    return m;
}

static AmogetProgram random_program(int32_t most, int32_t *sizes, AmogetEdge *edges)
{
    AmogetProgram p = {.kind = (AmogetProgramKind)below(5), .divisor = 1, .phases = 1};
    p.processes = 1 + below(most);
    p.work = 1 + below(10);
    p.data = 1000.0 * below(20);
    p.exchange = 1000.0 * below(100);
    p.least = 1 + below(p.processes);
    if (p.kind == AMOGET_TREE) {
        p.processes = p.processes < 3 ? 3 : p.processes;
        p.levels = 2 + below(2);
        p.least = 1 + below(p.processes - p.levels + 1);
    }
    if (p.kind == AMOGET_GRAPH) {
        p.sizes = sizes;
        p.edges = edges;
        for (int32_t left = p.processes; left > 0; left -= sizes[p.group_count++])
            sizes[p.group_count] = 1 + below(left);
        const bool some = below(2);
        for (int32_t a = 0; a < p.group_count && some; a++)
            for (int32_t c = 0; c < a; c++)
                if (below(2))
                    edges[p.edge_count++] = (AmogetEdge){c, a};
    }
    return p;
}

/* Each number of parts by itself, with nothing to begin with: bounds hold, and branches find it. */
static void expect_branches(const Brute *b, const AmogetMachine *machine, int32_t coefficient)
{
    Hosts hosts;
    Costs costs;
    bool no_memory = false;
    cr_assert_eq(hosts_make(&hosts, machine, coefficient, NULL), PEPA_OK);
    cr_assert_eq(costs_make(&costs, machine, b->program, &hosts, NULL), PEPA_OK);
    for (int32_t parts = 1; parts < MOST; parts++) {
        Fastest fastest;
        Branch branch;
        Shape shape;
        if (isinf(b->best_of[parts]) || !division_make(&shape, b->program, parts, &no_memory))
            continue;
        cr_assert(fastest_make(&fastest, &costs, b->program, NULL));
        cr_assert(branch_make(&branch, &fastest, b->program->processes));
        branch.limit = INT64_MAX;
        cr_expect_leq(branch_bound(&branch, &shape), b->best_of[parts] * (1 + 1e-9));
        do
            branch_into(&branch, &shape);
        while (division_next(&shape));
        cr_expect(fabs(fastest.seconds - b->best_of[parts]) <= 1e-8 * fastest.seconds,
                  "%d parts: %.12g, enumerated %.12g", (int)parts, fastest.seconds,
                  b->best_of[parts]);
        branch_free(&branch);
        fastest_free(&fastest);
        division_free(&shape);
    }
    costs_free(&costs);
    hosts_free(&hosts);
}

/* Returns whether there are placements. */
static bool expect_fastest(uint64_t seed, int32_t hosts, int32_t most, int32_t phases)
{
    Brute b = {.solve = phases > 1};
    int32_t sizes[MOST];
    AmogetEdge edges[MOST * MOST];
    Schedule s = {0};
    Prediction time = {0};
    double bound = 0;
    PepaError err = {0};
    state = seed;
    const int32_t coefficient = 1 + below(2);
    AmogetMachine *machine = random_machine(&b, 1 + below(hosts), coefficient);
    AmogetProgram program = random_program(most, sizes, edges);
    const ScheduleSettings set = {.coefficient = coefficient};
    program.phases = phases;
    b.program = &program;
    enumerate(&b);
    PepaStatus status = predict_fastest(&s, &bound, machine, &program, &set, &err);
    cr_assert_eq(status, b.placed > 0 ? PEPA_OK : PEPA_EMODEL, "seed %llu: %s",
                 (unsigned long long)seed, err.message);
    if (status == PEPA_OK) {
        int32_t used[MOST] = {0};
        expect_branches(&b, machine, coefficient);
        cr_expect(s.optimal, "seed %llu", (unsigned long long)seed);
        for (int32_t p = 0; p < program.processes; p++)
            cr_expect(++used[s.mapping->host_of[p]] <= b.places[s.mapping->host_of[p]]);
        cr_assert_eq(predict_mapping(&time, &s, machine, &program, coefficient, NULL, NULL, &err),
                     PEPA_OK);
        cr_expect(fabs(time.predicted - b.best) <= 1e-7 * b.best,
                  "seed %llu: %.12g, enumerated %.12g", (unsigned long long)seed, time.predicted,
                  b.best);
        cr_expect(fabs(bound - b.best) <= 1e-7 * b.best, "seed %llu: bound %.12g",
                  (unsigned long long)seed, bound);
        cr_expect(time.least <= time.predicted * (1 + 1e-9));
    }
    schedule_free(&s);
    amoget_machine_free(machine);
    return status == PEPA_OK;
}

Test(predict, the_fastest_of_all)
{
    int32_t placed = 0;
    for (uint64_t seed = 1; seed <= 3000; seed++)
        placed += expect_fastest(seed * 0x9E3779B97F4A7C15u, 4, 6, 1);
    cr_expect_gt(placed, 1000, "%d", placed); /* else little is compared */
}

/* All placements solved by the engine. */
Test(predict, the_fastest_by_the_engine)
{
    int32_t placed = 0;
    for (uint64_t seed = 1; seed <= 150; seed++)
        placed += expect_fastest(seed * 0x9E3779B97F4A7C15u, 3, 4, 2 + (int32_t)(seed % 3));
    cr_expect_gt(placed, 60, "%d", placed);
}

/* The best sizes are neither the most equal nor the most different ones. */
Test(predict, sizes_between)
{
    static const char text[] = "processors { a time 1s cores 7; b time 1.5s cores 4; } "
                               "network { latency default 100s; latency local 1us; } "
                               "program { groups 11 min 3 divisor 2; work 1; }";
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    Schedule s = {0};
    double bound;
    PepaError err = {0};
    const ScheduleSettings set = {.coefficient = 1};
    cr_assert_eq(amoget_program_parse(&machine, &program, "m", text, strlen(text), NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_eq(predict_fastest(&s, &bound, machine, program, &set, &err), PEPA_OK);
    cr_expect(s.optimal && s.mapping->group_count == 2);
    cr_expect(s.mapping->groups[0].size == 7 && s.mapping->groups[1].size == 4);
    schedule_free(&s);
    amoget_program_free(program);
    amoget_machine_free(machine);
}

/* Three processes on hosts of one place: two links of a chain are needed, not the third. */
Test(predict, apart)
{
    static const char text[] =
        "processors { a time 1s; b time 1s; c time 1s; d time 1s; } network { latency default 9s; "
        "latency a b 1s; latency b c 2s; latency c d 3s; } program { singleton 3; work 1; }";
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    Hosts hosts;
    Costs costs;
    Apart apart;
    cr_assert_eq(amoget_program_parse(&machine, &program, "m", text, strlen(text), NULL, NULL),
                 PEPA_OK);
    cr_assert_eq(hosts_make(&hosts, machine, 1, NULL), PEPA_OK);
    cr_assert_eq(costs_make(&costs, machine, program, &hosts, NULL), PEPA_OK);
    for (int32_t processes = 1; processes <= 4; processes++) {
        cr_assert_eq(apart_find(&apart, &costs, processes, NULL), PEPA_OK);
        cr_expect_eq(apart.exchange, processes - 1);
    }
    cr_expect_eq(apart.pass, 3);
    costs_free(&costs);
    hosts_free(&hosts);
    amoget_program_free(program);
    amoget_machine_free(machine);
}

/* Groups 1 and 2 talk, group 3 to none of them: it can be far away. */
Test(predict, groups_that_do_not_talk)
{
    const Prediction time = predicted("processors { a time 1s cores 2; b time 1s; } network { "
                                      "latency default 9s; latency local 1us; } "
                                      "program { graph 3 sizes 1 1 1 edges (1,2); work 1; }",
                                      true, false);
    NEAR(time.least, 1 + 2e-6, 1e-12);
}

/* So many hosts of four cores, of random speeds and latencies. */
static AmogetMachine *random_hosts(int32_t count)
{
    AmogetMachine *m = NULL;
    char name[16];
    state = 7;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "h%d", (int)i);
        cr_assert_eq(amoget_add_processor(m, name, 1e-3 * (1 + below(100)), NULL), PEPA_OK);
        cr_assert_eq(amoget_set_cores(m, i, 4, NULL), PEPA_OK);
    }
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            cr_assert_eq(amoget_set_latency(m, i, j, 1e-4 * (1 + below(100)), NULL), PEPA_OK);
    return m;
}

/* A search that is stopped gives a placement, and a bound that holds, within a small multiple of the limit. */
Test(predict, a_time_limit)
{
    static const int32_t hosts[] = {30, 500};
    for (int k = 0; k < 2; k++) {
        AmogetMachine *m = random_hosts(hosts[k]);
        const AmogetProgram p = {.kind = AMOGET_GROUPS,
                                 .processes = 3 * hosts[k],
                                 .least = 3,
                                 .divisor = 1,
                                 .work = 1};
        const ScheduleSettings set = {.coefficient = 1, .seconds = 0.2};
        Schedule s = {0};
        Prediction time = {0};
        PepaError err = {0};
        double bound = 0, begin = clock_seconds();
        cr_assert_eq(predict_fastest(&s, &bound, m, &p, &set, &err), PEPA_OK, "%s", err.message);
        cr_expect_lt(clock_seconds() - begin, 6, "%g s", clock_seconds() - begin);
        cr_assert_eq(predict_mapping(&time, &s, m, &p, 1, NULL, NULL, &err), PEPA_OK);
        cr_expect(!s.optimal && bound > 0 && bound < time.predicted);
        schedule_free(&s);
        amoget_machine_free(m);
    }
}

Test(predict, nothing_known_of_rounds)
{
    static const char text[] = "processors { a time 1; } program { singleton 1; }";
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    Schedule s = {0};
    double bound;
    PepaError err = {0};
    const ScheduleSettings set = {.coefficient = 1};
    cr_assert_eq(amoget_program_parse(&machine, &program, "m", text, strlen(text), NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(predict_fastest(&s, &bound, machine, program, &set, &err), PEPA_EMODEL);
    cr_expect(strstr(err.message, "work UNITS") != NULL, "%s", err.message);
    program->work = 1e-320; /* less than the least normal double */
    cr_assert_eq(predict_fastest(&s, &bound, machine, program, &set, &err), PEPA_OK);
    cr_expect_eq(predict_mapping(&(Prediction){0}, &s, machine, program, 1, NULL, NULL, &err),
                 PEPA_EMODEL);
    cr_expect(strstr(err.message, "a round takes") != NULL, "%s", err.message);
    schedule_free(&s);
    amoget_program_free(program);
    amoget_machine_free(machine);
}
