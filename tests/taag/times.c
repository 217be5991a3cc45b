/* How long collectives take in simulated time, against the far latency and MPI's own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "timed.h"

/* Roots are tried `step` ranks apart.  MPI's own (SimGrid's defaults) must take so many times as
 * long: where ranks are in the order of hosts its trees suit them. */
typedef struct {
    const char *name;
    int count, step;
    double worst;          /* times the lower bound */
    double ordered, mixed; /* MPI's own, times ours */
} Limit;

static void time_one(const Collective *collective, const Limit *limit)
{
    double plain = 0, ours = 0, bound = 0, worst = 0, bytes = 8.0 * limit->count;
    timed_begin(limit->count);
    for (int root = 0; root < (collective->pattern != ALL_TO_ALL ? size : 1); root += limit->step) {
        TAAG_Collectives(TAAG_PLAIN);
        plain += seconds_of(collective, limit->count, root);
        TAAG_Collectives(TAAG_CLUSTERS);
        double each = seconds_of(collective, limit->count, root);
        double least = lower_bound(collective, bytes, root);
        ours += each;
        bound += least;
        worst = each / least > worst ? each / least : worst;
    }
    timed_end();
    if (rank == 0)
        (void)printf("  %s of %g bytes: %.3f times the lower bound, at most %.3f; MPI's own takes "
                     "%.2f times as long\n",
                     collective->name, bytes, ours / bound, worst, plain / ours);
    expect(worst >= 1 && worst <= limit->worst,
           "%s of %g bytes takes %.3f times its lower bound, not 1 to %.3f", collective->name,
           bytes, worst, limit->worst);
    expect(plain >= (is_mixed() ? limit->mixed : limit->ordered) * ours,
           "%s of %g bytes: MPI's own takes %.2f times as long", collective->name, bytes,
           plain / ours);
}

void times(void)
{
    static const Limit limits[] = {{"broadcast", 1, 5, 1.1, 1.6, 2.2},
                                   {"reduce", 1, 5, 1.1, 0.98, 0.98},
                                   {"allreduce", 1, 5, 1.1, 1.8, 3.5},
                                   {"gather", 1, 5, 1.1, 0.98, 0.98},
                                   {"alltoall", 1, 5, 1.1, 5, 5},
                                   {"barrier", 1, 5, 1.1, 1.8, 1.8},
                                   {"broadcast", 12500, 20, 1.15, 2.5, 2.5},
                                   {"reduce", 12500, 20, 1.15, 5, 5},
                                   {"allreduce", 12500, 20, 1.35, 5, 5},
                                   {"gather", 1250, 20, 1.1, 0.98, 0.98},
                                   {"alltoall", 1250, 20, 1.1, 0.98, 0.98}};
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        for (int i = 0; i < collective_count; i++)
            if (strcmp(collectives[i].name, limits[k].name) == 0)
                time_one(&collectives[i], &limits[k]);
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}

/* Once before anything is timed: MPI's own prepare themselves at the first call. */
static void warm_up(void)
{
    TAAG_Collectives(TAAG_PLAIN);
    timed_begin(1);
    for (int i = 0; i < collective_count; i++)
        (void)seconds_of(&collectives[i], 1, 0);
    timed_end();
}

/* One line of the table: sums over some roots. */
static void time_for_table(const Collective *c, int count)
{
    enum { ROOTS = 3 };
    double ours = 0, plain = 0, bound = 0;
    timed_begin(count);
    for (int root = 0; root < (c->pattern != ALL_TO_ALL ? size : 1); root += size / ROOTS) {
        TAAG_Collectives(TAAG_CLUSTERS);
        ours += seconds_of(c, count, root);
        TAAG_Collectives(TAAG_PLAIN);
        plain += seconds_of(c, count, root);
        bound += lower_bound(c, 8.0 * count, root);
    }
    timed_end();
    if (rank == 0)
        (void)printf("%s,%d,%.6f,%.6f,%.6f\n", c->name, 8 * count, ours, plain, bound);
    (void)fflush(stdout);
}

/* Lines for bench/collectives.sh: collective, bytes of a block, seconds of ours, of MPI's own, and
 * the lower bound. */
void table(void)
{
    static const int counts[] = {1, 125, 1250, 12500, 125000};
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    warm_up();
    for (int i = 0; i < collective_count; i++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            if (counts[k] <= collectives[i].most)
                time_for_table(&collectives[i], counts[k]);
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
}
