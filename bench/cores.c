/* bench_cores [THREADS]: how many times the work of one thread so many [2] do in the same time:
 * their number where each has a core to itself, less where cores are shared or lent out.
 * Each does the same multiplications, in registers; the best of three, by turns with one thread
 * alone. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 256, STEPS = 20000000, CHAINS = 4, TURNS = 3 };

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Chains that do not wait for each other keep a core busy: two threads on one would show. */
static void *spin(void *result)
{
    uint64_t x[CHAINS] = {1, 2, 3, 4}, *sum = result;
    for (int64_t k = 0; k < STEPS; k++)
        for (int i = 0; i < CHAINS; i++)
            x[i] = x[i] * 6364136223846793005u + 1;
    *sum = x[0] ^ x[1] ^ x[2] ^ x[3]; /* what is never looked at need not be computed */
    return NULL;
}

/* The seconds until `threads` have done their work, or a negative number. */
static double seconds_of(int threads, uint64_t *sum)
{
    pthread_t thread[MOST];
    double start = now();
    int begun = 1;
    while (begun < threads && pthread_create(&thread[begun], NULL, spin, &sum[begun]) == 0)
        begun++;
    (void)spin(&sum[0]);
    for (int i = 1; i < begun; i++)
        (void)pthread_join(thread[i], NULL);
    return begun == threads ? now() - start : -1;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2;
    uint64_t sum[MOST];
    if (threads < 1 || threads > MOST) {
        (void)fprintf(stderr, "usage: bench_cores [THREADS]: 1 to %d\n", MOST);
        return 2;
    }
    double one = 1e300, all = 1e300;
    for (int turn = 0; turn < TURNS; turn++) {
        double alone = seconds_of(1, sum), together = seconds_of(threads, sum);
        if (together < 0) {
            (void)fputs("bench_cores: threads cannot be started\n", stderr);
            return 1;
        }
        one = alone < one ? alone : one;
        all = together < all ? together : all;
    }
    (void)printf("%.2f\n", threads * one / all);
    return 0;
}
