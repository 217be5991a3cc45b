/* How long collectives take in simulated time, against the far latency and MPI's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "timed.h"

/* Of one number. */
typedef struct {
    const char *name;
    double quicker; /* than MPI's own, where ranks are mixed */
    double worst;   /* times the far latency */
} Limit;

/* Ours must be so many times quicker than MPI's own where ranks are mixed.  Ranks in the order of
 * hosts suit MPI's trees: there ours must not be slower. */
static void time_one(const Collective *collective, const Limit *limit)
{
    double plain = 0, ours = 0, bound = 0, worst = 0;
    for (int root = 0; root < (collective->rooted ? size : 1); root += 5) {
        TAAG_Collectives(TAAG_PLAIN);
        plain += seconds_of(collective, 1, root);
        TAAG_Collectives(TAAG_CLUSTERS);
        double each = seconds_of(collective, 1, root), least = far_latency(collective, root);
        ours += each;
        bound += least;
        if (each / least > worst)
            worst = each / least;
    }
    if (rank == 0)
        (void)printf(
            "  %s: %.3f times the farthest latency, at most %.3f; MPI's own takes %.2f times as "
            "long\n",
            collective->name, ours / bound, worst, plain / ours);
    expect(worst <= limit->worst && ours <= plain / (is_mixed() ? limit->quicker : 0.98),
           "%s is too slow", collective->name);
}

void times(void)
{
    static const Limit limits[] = {{"broadcast", 2, 1.1},   {"reduce", 0.95, 1.1},
                                   {"allreduce", 2, 1.1},   {"gather", 0.95, 1.1},
                                   {"alltoall", 0.95, 1.1}, {"barrier", 1.5, 1.1}};
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    timed_begin(1);
    for (int i = 0; i < collective_count; i++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
            if (strcmp(collectives[i].name, limits[k].name) == 0)
                time_one(&collectives[i], &limits[k]);
    timed_end();
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}

/* Lines for bench/collectives.sh: collective, bytes of a block, seconds of ours, of MPI's own, and
 * the least possible: the far latency and the time of the bytes that one process sends or
 * receives, by the bandwidth of its link. */
void table(void)
{
    enum { ROOTS = 3 };
    static const int counts[] = {1, 125, 1250, 12500, 125000};
    const double bandwidth = 12.5e6;
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        timed_begin(counts[k]);
        for (int i = 0; i < collective_count; i++) {
            const Collective *c = &collectives[i];
            double ours = 0, plain = 0, bound = 0;
            for (int root = 0; root < (c->rooted ? size : 1) && counts[k] <= c->most;
                 root += size / ROOTS) {
                TAAG_Collectives(TAAG_CLUSTERS);
                ours += seconds_of(c, counts[k], root);
                TAAG_Collectives(TAAG_PLAIN);
                plain += seconds_of(c, counts[k], root);
                bound += far_latency(c, root) + 8.0 * counts[k] * c->blocks(size) / bandwidth;
            }
            if (rank == 0 && bound > 0)
                (void)printf("%s,%d,%.6f,%.6f,%.6f\n", c->name, 8 * counts[k], ours, plain, bound);
        }
        timed_end();
    }
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}
