/* Hosts that are near to each other. */
#include "grid/core/clusters.h"

#include <criterion/criterion.h>
#include <math.h>

enum { MOST = 6 };

/* Of n hosts with these latencies above the diagonal, row by row: the clusters as digits. */
static void expect_clusters(int32_t n, const double *above, const char *wanted)
{
    double latency[MOST * MOST] = {0};
    int32_t cluster[MOST];
    char found[MOST + 1] = {0};
    for (int32_t a = 0; a < n; a++)
        for (int32_t b = a + 1; b < n; b++)
            latency[a * n + b] = latency[b * n + a] = *above++;
    cr_assert_geq(cluster_hosts(n, latency, cluster_threshold(n, latency), cluster), 1);
    for (int32_t h = 0; h < n; h++)
        found[h] = (char)('0' + cluster[h]);
    cr_expect_str_eq(found, wanted);
}

Test(clusters, hosts_on_either_side_of_the_first_gap)
{
    const double two[] = {0.3e-3, 36e-3, 36e-3, 36e-3, 36e-3, 0.3e-3};
    const double three[] = {0.13e-3, 2.03e-3, 2.03e-3, 33e-3, 33e-3, 35e-3};
    const double chain[] = {1e-3, 2e-3, 90e-3, 1e-3, 90e-3, 90e-3};
    expect_clusters(4, two, "0011");
    expect_clusters(4, three, "0012");
    expect_clusters(4, chain, "0001");
}

Test(clusters, without_a_gap_by_how_far_they_are)
{
    const double room[] = {0.1e-3, 0.2e-3, 0.15e-3}, country[] = {5e-3, 12e-3, 9e-3};
    const double nearly[] = {4.9e-3}, just[] = {5e-3}, same[] = {0};
    expect_clusters(3, room, "000");
    expect_clusters(3, country, "012");
    expect_clusters(2, nearly, "00");
    expect_clusters(2, just, "01");
    expect_clusters(2, same, "00");
    expect_clusters(1, NULL, "0");
}
