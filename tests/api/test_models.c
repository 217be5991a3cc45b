/* Every model of models/ against its .expect: numbers that come from elsewhere. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa.h"

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaChainInfo info;
    double *pi, *throughput, *share, *population;
    int facts;
} Solved;

static Solved solve(const char *path, int aggregate)
{
    Solved s = {0};
    PepaError err;
    PepaSettings set = {0};
    set.derive.separate_copies = !aggregate;
    cr_assert_eq(pepa_model_load(&s.model, path, NULL, &err), PEPA_OK, "%s: %s", path, err.message);
    cr_assert_eq(pepa_chain_derive(&s.chain, s.model, &set, &err), PEPA_OK, "%s: %s", path,
                 err.message);
    s.info = pepa_chain_info(s.chain);
    if (!aggregate)
        return s;
    s.pi = calloc((size_t)s.info.states, sizeof *s.pi);
    s.throughput = calloc((size_t)s.info.actions + 1, sizeof *s.throughput);
    s.share = calloc((size_t)s.info.counts + 1, sizeof *s.share);
    s.population = calloc((size_t)s.info.local_states + 1, sizeof *s.population);
    cr_assert_eq(pepa_solve_steady(s.chain, &set, s.pi, NULL, &err), PEPA_OK, "%s: %s", path,
                 err.message);
    pepa_throughputs(s.chain, s.pi, s.throughput);
    cr_assert_eq(pepa_utilisations(s.chain, s.pi, s.share, &err), PEPA_OK);
    cr_assert_eq(pepa_populations(s.chain, s.pi, s.population, &err), PEPA_OK);
    return s;
}

static void solved_free(Solved *s)
{
    pepa_chain_free(s->chain);
    pepa_model_free(s->model);
    free(s->pi);
    free(s->throughput);
    free(s->share);
    free(s->population);
}

static double throughput(const Solved *s, const char *action)
{
    for (int32_t a = 0; a < s->info.actions; a++)
        if (strcmp(pepa_chain_action_name(s->chain, a), action) == 0)
            return s->throughput[a];
    return NAN;
}

static double population(const Solved *s, const char *local)
{
    for (int32_t l = 0; l < s->info.local_states; l++)
        if (strcmp(pepa_chain_local_name(s->chain, l), local) == 0)
            return s->population[l];
    return NAN;
}

static double utilisation(const Solved *s, const char *component, int32_t number, const char *local)
{
    for (int32_t p = 0, at = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        for (int32_t l = 0; l < position.local_count; l++, at++)
            if (p + 1 == number && strcmp(position.component, component) == 0 &&
                strcmp(pepa_chain_local_name(s->chain, position.local[l]), local) == 0)
                return s->share[at];
    }
    return NAN;
}

/* One line of an .expect; the tolerance may come after the facts, so it is read before. */
static void check_line(Solved *s, const char *path, char *line, double tolerance)
{
    char word[64], a[128], b[128];
    double value, got = NAN;
    long long count;
    int position;
    line[strcspn(line, "#\r\n")] = '\0';
    if (sscanf(line, "%63s", word) != 1 || strcmp(word, "source") == 0 ||
        strcmp(word, "tolerance") == 0)
        return;
    s->facts++;
    if (sscanf(line, "states %lld", &count) == 1) {
        cr_expect_eq(s->info.states, count, "%s: %lld states", path, (long long)s->info.states);
        return;
    }
    if (sscanf(line, "transitions %lld", &count) == 1) {
        cr_expect_eq(s->info.transitions, count, "%s: %lld transitions", path,
                     (long long)s->info.transitions);
        return;
    }
    if (sscanf(line, "states-unaggregated %lld", &count) == 1) {
        Solved all = solve(path, 0);
        cr_expect_eq(all.info.states, count, "%s: %lld", path, (long long)all.info.states);
        solved_free(&all);
        return;
    }
    if (sscanf(line, "transitions-unaggregated %lld", &count) == 1) {
        Solved all = solve(path, 0);
        cr_expect_eq(all.info.transitions, count, "%s: %lld", path,
                     (long long)all.info.transitions);
        solved_free(&all);
        return;
    }
    if (sscanf(line, "throughput %127s %lf", a, &value) == 2)
        got = throughput(s, a);
    else if (sscanf(line, "utilisation %127s %d %127s %lf", a, &position, b, &value) == 4)
        got = utilisation(s, a, position, b);
    else if (sscanf(line, "population %127s %lf", a, &value) == 2)
        got = population(s, a);
    else
        cr_assert_fail("%s: what is '%s'?", path, line);
    cr_expect(fabs(got - value) <= tolerance * fabs(value), "%s: %s: got %.15g", path, line, got);
}

static void check_model(const char *stem)
{
    char path[512], expect[512], line[512];
    double tolerance = NAN;
    (void)snprintf(path, sizeof path, "models/%s.pepa", stem);
    (void)snprintf(expect, sizeof expect, "models/%s.expect", stem);
    FILE *file = fopen(expect, "r");
    cr_assert_not_null(file, "%s is missing", expect);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "tolerance %lf", &tolerance) == 1)
            break;
    cr_assert(tolerance <= 1e-6, "%s states no tolerance", expect);
    rewind(file);
    Solved s = solve(path, 1);
    while (fgets(line, sizeof line, file))
        check_line(&s, path, line, tolerance);
    cr_assert_geq(s.facts, 3, "%s says next to nothing", expect);
    solved_free(&s);
    (void)fclose(file);
}

Test(models, each_meets_its_expectations)
{
    DIR *folder = opendir("models");
    cr_assert_not_null(folder, "run from the top of the tree");
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char *dot = strstr(entry->d_name, ".pepa");
        if (!dot || dot[5])
            continue;
        *dot = '\0';
        check_model(entry->d_name);
        count++;
    }
    (void)closedir(folder);
    cr_assert_geq(count, 15);
}
