/* What GUM's parts cost: a spark that nobody takes against a call, a number of Fibonacci without cut-off against
 * the sequential function, and with two processes a spark that is taken.  Rounds in turn; medians of the rounds'
 * times and ratios.  gum_tbb.cc has oneTBB beside it.
 *
 *   gumcc -O2 bench/gum.c -o bench_gum && gumrun -n 1 bench_gum && gumrun -n 2 bench_gum */
#include <gum.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 15, SPARKS = 1000000, N = 27, TAKES = 200 };
#define TASK  20e-6 /* seconds */
#define SHORT 2e-6

static GumType fib_type, empty_type, slow_type, own_type;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of this thread on a core: what other programs take does not count. */
static double spent(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void empty(const void *argument, void *result)
{
    *(int64_t *)result = *(const int32_t *)argument;
}

/* A call through a pointer that the compiler does not see through. */
static void (*volatile call)(const void *, void *) = empty;

static int64_t fib(int32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

/* The same with a call for each number: GCC makes one of ten levels of the recursion above. */
#ifdef __clang__
#define NOT_FLAT __attribute__((noinline))
#else
#define NOT_FLAT                                                                                   \
    __attribute__((noinline,                                                                       \
                   optimize("no-inline-functions", "no-inline-small-functions",                    \
                            "no-optimize-sibling-calls", "no-ipa-cp", "no-tree-tail-merge")))
#endif
static int64_t fib_calls(int32_t n) NOT_FLAT;
static int64_t fib_calls(int32_t n)
{
    return n < 2 ? n : fib_calls(n - 1) + fib_calls(n - 2);
}

static int64_t parallel_fib(int32_t n)
{
    int64_t other;
    int32_t less = n - 1;
    if (n < 2)
        return n;
    GumFuture f = gum_par(fib_type, &less);
    int64_t here = parallel_fib(n - 2);
    gum_take(f, &other);
    return here + other;
}

static void run_fib(const void *argument, void *result)
{
    *(int64_t *)result = parallel_fib(*(const int32_t *)argument);
}

/* ---- a spark that is taken ----------------------------------------------------------------------- */

static void work(double seconds)
{
    double until = now() + seconds;
    while (now() < until)
        ;
}

static double ended; /* when the task before ended on this process */

/* A task of 20 microseconds.  Its result: seconds since the one before ended here, in which its process sent
 * that one's result and a FISH, got a spark and began. */
static void slow(const void *argument, void *result)
{
    double begun = now();
    (void)argument;
    *(double *)result = begun - ended;
    work(TASK);
    ended = now();
}

/* The same work, of the process that has the sparks. */
static void own(const void *argument, void *result)
{
    work(SHORT);
    *(int64_t *)result = *(const int32_t *)argument;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *each, int count)
{
    qsort(each, (size_t)count, sizeof *each, compare);
    return each[count / 2];
}

static void alone(void)
{
    double spark[ROUNDS], direct[ROUNDS], parallel[ROUNDS], sequential[ROUNDS], calls[ROUNDS],
        ratio[ROUNDS], flat_ratio[ROUNDS];
    volatile int32_t n = N;
    int64_t sum = 0, value;
    for (int r = 0; r < ROUNDS; r++) {
        double begun = spent();
        for (int32_t i = 0; i < SPARKS; i++) {
            gum_take(gum_par(empty_type, &i), &value);
            sum += value;
        }
        spark[r] = (spent() - begun) / SPARKS;
        begun = spent();
        for (int32_t i = 0; i < SPARKS; i++) {
            call(&i, &value);
            sum -= value;
        }
        direct[r] = (spent() - begun) / SPARKS;
        begun = spent();
        sum += 2 * parallel_fib(n);
        parallel[r] = spent() - begun;
        begun = spent();
        sum -= fib(n);
        sequential[r] = spent() - begun;
        begun = spent();
        sum -= fib_calls(n);
        calls[r] = spent() - begun;
        ratio[r] = parallel[r] / calls[r];
        flat_ratio[r] = parallel[r] / sequential[r];
    }
    printf("a spark that nobody takes, with gum_take: %.1f ns; a call: %.1f ns\n",
           1e9 * median(spark, ROUNDS), 1e9 * median(direct, ROUNDS));
    printf("fib(%d) by sparks %.2f ms, by calls %.2f ms: ratio %.1f; with flattened recursion %.2f "
           "ms: "
           "%.1f%s\n",
           N, 1e3 * median(parallel, ROUNDS), 1e3 * median(calls, ROUNDS), median(ratio, ROUNDS),
           1e3 * median(sequential, ROUNDS), median(flat_ratio, ROUNDS),
           sum == 0 ? "" : ", and WRONG");
}

static void print_times(const char *what, double *each, int count)
{
    qsort(each, (size_t)count, sizeof *each, compare);
    printf("%s: %.2f us at least, quarter %.2f, median %.2f, three quarters %.2f\n", what,
           1e6 * each[0], 1e6 * each[count / 4], 1e6 * each[count / 2], 1e6 * each[3 * count / 4]);
}

/* The other process takes sparks one after the other, each when it has ended the one before.  This one
 * answers meanwhile: it only polls, or it runs tasks of its own. */
static void together(int works)
{
    static double each[ROUNDS * TAKES];
    GumFuture futures[TAKES];
    int64_t value;
    int count = 0;
    for (int r = 0; r < ROUNDS; r++) {
        int taken = 0;
        for (int32_t i = 0; i < TAKES; i++)
            futures[i] = gum_par(slow_type, &i);
        while (taken < TAKES) {
            int32_t n = taken;
            if (works)
                gum_take(gum_par(own_type, &n), &value);
            else
                gum_poll();
            while (taken < TAKES && gum_ready(futures[taken]))
                taken++;
        }
        for (int i = 0; i < TAKES; i++) {
            double seconds;
            gum_take(futures[i], &seconds);
            if (i > 0)
                each[count++] = seconds;
        }
    }
    print_times(
        works
            ? "a spark is taken from a process that runs tasks of 2 us, from the end of one to the "
              "start of the next"
            : "the same from a process that only polls",
        each, count);
}

/* What MPI alone needs, between process 0 and 1: there and back, by nonblocking calls and probes as the
 * run-time's, and by its own blocking ones. */
static void send_probed(void *bytes, int size, int to)
{
    MPI_Request request;
    (void)MPI_Isend(bytes, size, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request);
    (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_probed(void *bytes, int size, int from)
{
    int found = 0;
    MPI_Request request;
    while (!found)
        (void)MPI_Iprobe(from, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    (void)MPI_Irecv(bytes, size, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request);
    (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void ping_pong(int probed)
{
    enum { BYTES = 160, TRIPS = 2000 };
    static double each[TRIPS];
    char bytes[BYTES] = {0};
    int pid = gum_pid();
    (void)MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < TRIPS && pid < 2; i++) {
        double begun = now();
        for (int turn = 0; turn < 2; turn++)
            if (turn == pid) {
                if (probed)
                    send_probed(bytes, BYTES, !pid);
                else
                    (void)MPI_Send(bytes, BYTES, MPI_BYTE, !pid, 0, MPI_COMM_WORLD);
            } else if (probed) {
                receive_probed(bytes, BYTES, !pid);
            } else {
                (void)MPI_Recv(bytes, BYTES, MPI_BYTE, !pid, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        each[i] = now() - begun;
    }
    if (pid == 0)
        print_times(probed ? "MPI alone, there and back, Isend, Iprobe and Irecv"
                           : "MPI alone, there and back, Send and Recv",
                    each, TRIPS);
}

static void run(const void *argument, void *result)
{
    (void)argument;
    if (gum_processes() == 1)
        alone();
    else {
        together(1);
        together(0);
    }
    *(int32_t *)result = 0;
}

int main(int argc, char **argv)
{
    int32_t n = 0, result;
    gum_init(&argc, &argv);
    const GumValue number = {.size = sizeof n}, wide = {.size = sizeof(int64_t)};
    fib_type = gum_type(&(GumTask){"fib", run_fib, number, wide});
    empty_type = gum_type(&(GumTask){"empty", empty, number, wide});
    slow_type = gum_type(&(GumTask){"slow", slow, number, {.size = sizeof(double)}});
    own_type = gum_type(&(GumTask){"own", own, number, wide});
    if (gum_processes() > 1) {
        ping_pong(0);
        ping_pong(1);
    }
    (void)gum_run(gum_type(&(GumTask){"bench", run, number, number}), &n, &result);
    return gum_end();
}
