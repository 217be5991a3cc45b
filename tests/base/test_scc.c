#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/scc.h"

enum { MOST = 40 };

/* reach[i][j]: is there a path, by Warshall's algorithm. */
static void close_paths(int n, bool reach[MOST][MOST])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
}

Test(scc, agrees_with_mutual_reachability_on_random_graphs)
{
    srand(11);
    for (int round = 0; round < 2000; round++) {
        int n = 1 + rand() % MOST, edges = rand() % (2 * n + 1);
        bool reach[MOST][MOST] = {{false}};
        for (int i = 0; i < n; i++)
            reach[i][i] = true;
        for (int e = 0; e < edges; e++)
            reach[rand() % n][rand() % n] = true;
        int64_t row[MOST + 1] = {0};
        int32_t target[MOST * MOST], component[MOST], count;
        for (int i = 0; i < n; i++) {
            row[i + 1] = row[i];
            for (int j = 0; j < n; j++)
                if (reach[i][j])
                    target[row[i + 1]++] = j;
        }
        const Graph graph = {n, row, target};
        cr_assert_eq(scc_find(&graph, component, &count, NULL), PEPA_OK);
        close_paths(n, reach);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                cr_assert_eq(component[i] == component[j], reach[i][j] && reach[j][i]);
                cr_assert(!reach[i][j] || component[i] >= component[j], "edges go down");
                cr_assert_lt(component[i], count);
            }
    }
}

/* A path of a million states: recursion would overflow the C stack. */
Test(scc, deep_graphs)
{
    int32_t n = 1000000, count;
    int64_t *row = malloc(((size_t)n + 1) * sizeof *row);
    int32_t *target = malloc((size_t)n * sizeof *target);
    int32_t *component = malloc((size_t)n * sizeof *component);
    for (int32_t i = 0; i < n; i++) {
        row[i] = i;
        target[i] = i + 1;
    }
    row[n] = n;
    target[n - 1] = 0;
    const Graph graph = {n, row, target};
    cr_assert_eq(scc_find(&graph, component, &count, NULL), PEPA_OK);
    cr_assert_eq(count, 1);
    target[n - 1] = n - 1;
    cr_assert_eq(scc_find(&graph, component, &count, NULL), PEPA_OK);
    cr_assert_eq(count, n);
    cr_assert_eq(component[n - 1], 0);
    free(row);
    free(target);
    free(component);
}
