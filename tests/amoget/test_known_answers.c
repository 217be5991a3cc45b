/* Published and exact answers: the table of Benoit, Cole, Gilmore and Hillston 2004, lines of
 * machines without buffers, and the exclusion process with open ends. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget.h"

static void must(PepaStatus status, const PepaError *err)
{
    cr_assert(status == PEPA_OK, "%s: %s", pepa_status_text(status), err->message);
}

static AmogetDescription *description(int stages, int processors, const double *time)
{
    PepaError err = {0};
    AmogetDescription *desc = NULL;
    char name[16];
    must(amoget_new(&desc, &err), &err);
    for (int i = 1; i <= stages; i++) {
        (void)snprintf(name, sizeof name, "%d", i);
        must(amoget_add_stage(desc, name, &err), &err);
    }
    for (int j = 1; j <= processors; j++) {
        (void)snprintf(name, sizeof name, "%d", j);
        must(amoget_add_processor(amoget_machine(desc), name, time[j - 1], &err), &err);
    }
    return desc;
}

static AmogetRanking *rank(const AmogetDescription *desc, AmogetSearch search)
{
    PepaError err = {0};
    AmogetSettings set = {0};
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    set.search = search;
    must(amoget_ranker_new(&ranker, desc, &set, &err), &err);
    must(amoget_rank(ranker, &set, &ranking, &err), &err);
    amoget_ranker_free(ranker);
    return ranking;
}

/* ---- the published table ---- */

static const int32_t candidates[8][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0},
                                         {0, 0, 2}, {0, 2, 2}, {0, 2, 0}, {0, 1, 2}};

static const struct {
    double l12, l23, l13, time[3];
    int32_t best[2][3]; /* the second: tied with the first, or {-1} */
    double throughput;
} row[] = {{1e-4, 1e-4, 1e-4, {0.1, 0.1, 0.1}, {{0, 1, 2}, {-1}}, 5.63467},
           {1e-4, 1e-4, 1e-4, {0.2, 0.2, 0.2}, {{0, 1, 2}, {-1}}, 2.81892},
           {1e-4, 1e-4, 1e-4, {0.1, 0.1, 1}, {{0, 1, 0}, {-1}}, 3.36671},
           {0.1, 0.1, 0.1, {0.1, 0.1, 1}, {{0, 0, 1}, {0, 1, 1}}, 2.59914},
           {1, 1, 1, {0.1, 0.1, 1}, {{0, 0, 0}, {-1}}, 1.87963},
           {0.1, 1, 1, {0.1, 0.1, 0.1}, {{0, 0, 1}, {0, 1, 1}}, 2.59914},
           {0.1, 1, 1, {1, 1, 0.01}, {{0, 2, 2}, {-1}}, 0.49988}};
enum { ROWS = sizeof row / sizeof *row };

static AmogetDescription *published(size_t i)
{
    PepaError err = {0};
    AmogetDescription *desc = description(3, 3, row[i].time);
    must(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1e-4, &err), &err);
    must(amoget_set_latency(amoget_machine(desc), 0, 1, row[i].l12, &err), &err);
    must(amoget_set_latency(amoget_machine(desc), 2, 1, row[i].l23, &err), &err);
    must(amoget_set_latency(amoget_machine(desc), 0, 2, row[i].l13, &err), &err);
    for (int k = 0; k < 8; k++)
        must(amoget_add_mapping(desc, candidates[k], &err), &err);
    return desc;
}

static bool is(const AmogetEntry *entry, const int32_t *mapping)
{
    return memcmp(entry->mapping, mapping, 3 * sizeof *mapping) == 0;
}

/* Some throughputs are cut off after the fifth decimal, not rounded. */
Test(amoget_known_answers, published_table)
{
    for (size_t i = 0; i < ROWS; i++) {
        AmogetDescription *desc = published(i);
        AmogetRanking *ranking = rank(desc, AMOGET_LISTED);
        const AmogetEntry *entry = ranking->entries;
        bool tied = row[i].best[1][0] >= 0;
        cr_assert_eq(ranking->count, 8);
        cr_expect(is(&entry[0], row[i].best[0]), "row %zu", i);
        cr_expect(!tied || is(&entry[1], row[i].best[1]), "row %zu", i);
        cr_expect_eq(!entry[0].tied, !tied, "row %zu", i);
        cr_expect_eq(entry[tied + 1].rank, tied + 2, "row %zu", i);
        cr_expect(fabs(entry[0].throughput - row[i].throughput) <= 1e-5, "row %zu: %.9f", i,
                  entry[0].throughput);
        cr_expect_eq(ranking->states, 27);
        cr_expect_eq(ranking->transitions, 51);
        amoget_ranking_free(ranking);
        amoget_free(desc);
    }
}

/* Nine decimals of the first row, as pepa solves the models of models/pipeline3*.pepa. */
Test(amoget_known_answers, first_row_to_nine_decimals)
{
    static const double known[8] = {5.634666690, 3.366715064, 3.366715064, 3.205490476,
                                    3.205490476, 3.205490476, 3.205490476, 1.879634939};
    AmogetDescription *desc = published(0);
    AmogetRanking *ranking = rank(desc, AMOGET_LISTED);
    for (int i = 0; i < 8; i++)
        cr_expect(fabs(ranking->entries[i].throughput - known[i]) <= 0.5e-9, "%d: %.12f", i,
                  ranking->entries[i].throughput);
    amoget_ranking_free(ranking);
    amoget_free(desc);
}

/* Without the list the first stage may be elsewhere, too, which makes nothing better where all
 * processors are alike; there the best mapping stands for its 3! exchanges. */
Test(amoget_known_answers, best_of_all)
{
    AmogetDescription *desc = published(0);
    AmogetRanking *ranking = rank(desc, AMOGET_BEST);
    cr_assert_eq(ranking->count, 1);
    cr_expect(is(&ranking->entries[0], row[0].best[0]));
    cr_expect_float_eq(ranking->entries[0].stands_for, 6, 0);
    cr_expect_float_eq(ranking->candidates, 27, 0);
    cr_expect(ranking->optimal);
    cr_expect(fabs(ranking->entries[0].throughput - 5.634666690) <= 0.5e-9);
    amoget_ranking_free(ranking);
    amoget_free(desc);
}

/* ---- lines in closed form ---- */

enum { MOST_LINE = 6 };

/* Throughput of a line whose activities take `seconds` (2 x stages + 1 of them): each stage on a
 * processor of its own, data from one that does nothing else to another. */
static double line(int stages, const double *seconds)
{
    PepaError err = {0};
    double time[MOST_LINE + 2], found;
    int32_t mapping[MOST_LINE];
    for (int i = 0; i < stages; i++) {
        mapping[i] = i + 1;
        time[i + 1] = seconds[2 * i + 1];
    }
    time[0] = time[stages + 1] = 1;
    AmogetDescription *desc = description(stages, stages + 2, time);
    must(amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 7, &err), &err);
    for (int k = 0; k <= stages; k++)
        must(amoget_set_latency(amoget_machine(desc), k, k + 1, seconds[2 * k], &err), &err);
    must(amoget_set_ends(desc, 0, stages + 1, &err), &err);
    must(amoget_add_mapping(desc, mapping, &err), &err);
    AmogetRanking *ranking = rank(desc, AMOGET_LISTED);
    found = ranking->entries[0].throughput;
    amoget_ranking_free(ranking);
    amoget_free(desc);
    return found;
}

static void expect(const char *what, double got, double want, double precision)
{
    cr_expect(fabs(got - want) <= precision, "%s: %.12f, not %.12f", what, got, want);
}

/* One stage does one thing after the other. */
Test(amoget_known_answers, one_stage)
{
    expect("one", line(1, (const double[]){0.5, 0.25, 0.125}), 1 / 0.875, 1e-12);
    expect("one", line(1, (const double[]){1e-5, 2, 3}), 1 / 5.00001, 1e-12);
}

/* Moves next to nothing: machines without buffers that are never short of work, each blocked by the
 * next.  Hunt, Operations Research 4 (1956), Hillier and Boling, Operations Research 15 (1967). */
Test(amoget_known_answers, machines_without_buffers)
{
    static const double known[] = {0, 1, 0.6667, 0.5641, 0.5148, 0.4858, 0.4667};
    const double fast = 1e-9, a = 3, b = 0.7;
    for (int stages = 1; stages <= MOST_LINE; stages++) {
        double seconds[2 * MOST_LINE + 1];
        for (int part = 0; part <= 2 * stages; part++)
            seconds[part] = part % 2 ? 1 : fast;
        expect("machines", line(stages, seconds), known[stages], 0.5e-4);
    }
    expect("two", line(2, (const double[]){fast, 1, fast, 1, fast}), 2.0 / 3, 1e-8);
    expect("three", line(3, (const double[]){fast, 1, fast, 1, fast, 1, fast}), 22.0 / 39, 1e-8);
    expect("unlike", line(2, (const double[]){fast, 1 / a, fast, 1 / b, fast}),
           a * b * (a + b) / (a * a + a * b + b * b), 1e-8);
}

/* Processing next to nothing: a stage is empty or full and moves are hops of the exclusion process,
 * whose current with all rates 1 is (n + 2) / (2 (2n + 1)): Derrida, Domany and Mukamel, Journal of
 * Statistical Physics 69 (1992). */
Test(amoget_known_answers, exclusion_process)
{
    for (int n = 1; n <= MOST_LINE; n++) {
        double seconds[2 * MOST_LINE + 1];
        for (int part = 0; part <= 2 * n; part++)
            seconds[part] = part % 2 ? 1e-9 : 1;
        expect("exclusion", line(n, seconds), (n + 2) / (2.0 * (2 * n + 1)), 1e-8);
    }
}
