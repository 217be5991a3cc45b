#include "grid.h"

#include <stdio.h>
#include <stdlib.h>

const Cluster grid_cluster[CLUSTERS] = {{"edin1", 23, 534},
                                        {"edin2", 6, 1395},
                                        {"sbc", 6, 933},
                                        {"muni", 6, 1529}};

const double grid_latency[CLUSTERS][CLUSTERS] = {{0.20, 0.27, 2.03, 35.8},
                                                 {0.27, 0.15, 2.03, 35.8},
                                                 {2.03, 2.03, 0.20, 32.8},
                                                 {35.8, 35.8, 32.8, 0.13}};

static void print_network(FILE *to, double factor)
{
    (void)fprintf(to, "network { latency local %g us; bandwidth default %g MB/s;\n", 10 * factor,
                  GRID_BANDWIDTH / 1e6 / factor);
    for (int a = 0; a < CLUSTERS; a++)
        for (int b = 0; b <= a; b++)
            (void)fprintf(to, "latency %s %s %g ms;\n", grid_cluster[a].name, grid_cluster[b].name,
                          factor * grid_latency[a][b]);
    (void)fputs("}\n", to);
}

/* A unit of work is 10^6 cycles. */
char *grid_description(double factor)
{
    static const int work[] = {10, 14, 6, 12, 8, 16, 11, 7};
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    (void)fputs("pipeline {\n", to);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++)
        (void)fprintf(to, "stage s%zu work %d output 10 KB;\n", i + 1, work[i]);
    (void)fputs("}\ninput edin1_0 size 10 KB; output edin1_0;\nprocessors {\n", to);
    for (int c = 0; c < CLUSTERS; c++)
        for (int32_t i = 0; i < grid_cluster[c].processors; i++)
            (void)fprintf(to, "%s_%d time %g ms cluster %s;\n", grid_cluster[c].name, i,
                          factor * 1000 / grid_cluster[c].megahertz, grid_cluster[c].name);
    (void)fputs("}\n", to);
    print_network(to, factor);
    (void)fclose(to);
    return text;
}
