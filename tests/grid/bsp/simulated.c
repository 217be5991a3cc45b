/* Supersteps over clusters in simulated time: what latencies allow.
 *
 * Processes 0 to 2 are in one cluster, where a message takes 0.2 ms, 3 to 5 in another, where it takes
 * 0.13 ms; 35.8 ms are between them.  A dissemination barrier over all takes three far messages one after the other. */
#include <bsp.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double far = 35.8e-3, bandwidth = 12.5e6;

/* Seconds of one superstep, from when all have begun it: the mean of some. */
static double time_of(void (*sync)(void))
{
    enum { TIMES = 10 };
    sync();
    double before = bsp_time();
    for (int i = 0; i < TIMES; i++)
        sync();
    return (bsp_time() - before) / TIMES;
}

/* Seconds of a superstep in which each process puts so many bytes into the other cluster: the mean of
 * some, after the first one. */
static double time_of_puts(char *to, const char *from, int bytes)
{
    enum { TIMES = 10 };
    double before = 0;
    for (int i = 0; i <= TIMES; i++) {
        if (i == 1)
            before = bsp_time();
        bsp_put((bsp_pid() + 3) % 6, from, to, 0, bytes);
        bsp_sync();
    }
    return (bsp_time() - before) / TIMES;
}

static void require(int holds, const char *what, double seconds)
{
    if (!holds)
        bsp_abort("simulated: process %d: %s takes %g ms", bsp_pid(), what, 1e3 * seconds);
    if (bsp_pid() == 0)
        printf("%s: %.2f ms\n", what, 1e3 * seconds);
}

/* Where messages are asked for, bsp_begin warms connections up: 4 MB from each process to the five others,
 * which are on other hosts.  Nothing of that is left in the supersteps. */
static int warms_up(void)
{
    bsp_begin(bsp_nprocs());
    const double begun = MPI_Wtime(), sent = (4 << 20) / bandwidth;
    char *to = calloc(6, sizeof *to), from = (char)(1 + bsp_pid());
    if (!to)
        bsp_abort("out of memory");
    /* Beside it bsp_begin takes some 27 latencies. */
    require(begun >= sent + 20 * far && begun <= 1.1 * sent + 30 * far, "bsp_begin with warm-up",
            begun);
    bsp_push_reg(to, 6);
    bsp_sync();
    for (int q = 0; q < 6; q++)
        bsp_put(q, &from, to, bsp_pid(), 1);
    bsp_sync();
    for (int q = 0; q < 6; q++)
        if (to[q] != 1 + q)
            bsp_abort("simulated: after a warm-up %d came from process %d", to[q], q);
    bsp_end();
    free(to);
    return EXIT_SUCCESS;
}

/* Two processes each in three clusters, 2.03 to 35.8 ms apart. */
static int finds_clusters(void)
{
    int messages, bytes;
    bsp_begin(bsp_nprocs());
    bsp_push_group(BSP_BY_CLUSTER);
    for (int q = 0; q < bsp_nprocs(); q++)
        bsp_send(q, NULL, NULL, 0);
    bsp_sync_group();
    bsp_qsize(&messages, &bytes);
    if (messages != 2)
        bsp_abort("simulated: process %d is in a cluster of %d", bsp_pid(), messages);
    bsp_pop_group();
    bsp_end();
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "clusters") == 0)
        return finds_clusters();
    if (argc > 1 && strcmp(argv[1], "warm") == 0)
        return warms_up();
    bsp_begin(bsp_nprocs());
    int cluster = bsp_pid() / 3, x = 0, got = 0;
    double near = cluster == 0 ? 0.2e-3 : 0.13e-3;
    double all = time_of(bsp_sync);
    require(all >= far && all <= 1.05 * far, "bsp_sync over two clusters", all);
    bsp_push_group(cluster);
    double group = time_of(bsp_sync_group);
    require(group >= near && group <= 2 * near, "bsp_sync_group in a cluster", group);
    bsp_pop_group();
    bsp_push_group(BSP_BY_CLUSTER);
    group = time_of(bsp_sync_group);
    require(group >= near && group <= 2 * near, "bsp_sync_group in a measured cluster", group);
    bsp_pop_group();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    double before = bsp_time();
    bsp_get((bsp_pid() + 3) % 6, &x, 0, &got, sizeof x);
    bsp_sync();
    double get = bsp_time() - before;
    require(get <= 1.05 * 2 * far, "a get from the other cluster", get);
    /* One far latency and the time of the bytes on the link of a process, however many; 5% of a
     * link are for what the other direction acknowledges. */
    static const int sizes[] = {1000, 50000, 200000, 2000000};
    enum { MOST = 2000000 };
    char *from = calloc(1, MOST), *to = calloc(1, MOST);
    if (!from || !to)
        bsp_abort("out of memory");
    bsp_push_reg(to, MOST);
    bsp_sync();
    for (int i = 0; i < 4; i++) {
        char what[80];
        double put = time_of_puts(to, from, sizes[i]);
        (void)snprintf(what, sizeof what, "a put of %d bytes into the other cluster", sizes[i]);
        require(put >= far && put <= 1.05 * (far + 1.05 * sizes[i] / bandwidth), what, put);
    }
    bsp_end();
    free(from);
    free(to);
    return EXIT_SUCCESS;
}
