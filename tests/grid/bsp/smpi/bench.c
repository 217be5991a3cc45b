/* What bspbench measures in simulated time, where the second half of the processes begins late: l of all, then of
 * each pair of hosts, in milliseconds. */
#include <bsp.h>
#include <simgrid/actor.h>

#include "grid/bsp/cli/bspbench.h"

int main(void)
{
    Bench bench;
    BenchPairs pairs;
    bsp_begin(bsp_nprocs());
    if (bsp_pid() >= bsp_nprocs() / 2)
        sg_actor_sleep_for(0.03);
    if (!bench_measure(&bench) || !bench_pairs(&pairs))
        bsp_abort("out of memory\n");
    if (bsp_pid() == 0) {
        printf("l %.2f", 1e3 * bench.sync.value);
        for (int i = 0; i < pairs.pairs; i++)
            printf(" %.2f", 1e3 * pairs.pair[i].l.value);
        printf("\n");
    }
    bench_pairs_free(&pairs);
    bsp_end();
    return 0;
}
