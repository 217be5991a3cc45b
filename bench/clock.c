/* bench_clock [-o FILE] [-s SECONDS] [-c SECONDS] [-m MEBIBYTES] RUNS COMMAND...
 *     -o  where the command's output goes  [thrown away]
 *     -s  a run may take so long
 *     -c  and so much CPU time
 *     -m  and have so much address space
 * Prints one line: wall s, CPU s, peak bytes, status.  Times are of the fastest run (each of its
 * own fastest), CPU is user and system time of the whole process, peak bytes are resident, of the
 * largest run; the status is the command's, or 128 and the signal that ended it.  Ends at the first
 * run that fails. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    const char *output;
    unsigned seconds;
    rlim_t cpu_seconds;
    rlim_t mebibytes;
} Limits;

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Of all children that have ended so far. */
static double cpu_of_children(void)
{
    struct rusage use;
    (void)getrusage(RUSAGE_CHILDREN, &use);
    return seconds_of(use.ru_utime) + seconds_of(use.ru_stime);
}

static double peak_of_children(void)
{
    struct rusage use;
    (void)getrusage(RUSAGE_CHILDREN, &use);
#ifdef __APPLE__
    return (double)use.ru_maxrss;
#else
    return 1024 * (double)use.ru_maxrss;
#endif
}

static void become(char **command, const Limits *limits)
{
    int out = open(limits->output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0 || dup2(out, 1) < 0)
        _exit(127);
    if (limits->mebibytes > 0) {
        struct rlimit space = {limits->mebibytes << 20, limits->mebibytes << 20};
        (void)setrlimit(RLIMIT_AS, &space);
    }
    if (limits->cpu_seconds > 0) {
        struct rlimit time = {limits->cpu_seconds, limits->cpu_seconds + 1};
        (void)setrlimit(RLIMIT_CPU, &time);
    }
    (void)alarm(limits->seconds);
    (void)execvp(command[0], command);
    _exit(127);
}

/* The status of one run; 127 if it could not be started. */
static int run(char **command, const Limits *limits)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        become(command, limits);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    Limits limits = {"/dev/null", 0, 0, 0};
    int i = 1;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (argv[i][1] == 'o')
            limits.output = argv[i + 1];
        else if (argv[i][1] == 's')
            limits.seconds = (unsigned)strtoul(argv[i + 1], NULL, 10);
        else if (argv[i][1] == 'c')
            limits.cpu_seconds = (rlim_t)strtoul(argv[i + 1], NULL, 10);
        else if (argv[i][1] == 'm')
            limits.mebibytes = (rlim_t)strtoul(argv[i + 1], NULL, 10);
        else
            break;
    }
    if (i + 1 >= argc || argv[i][0] == '-') {
        (void)fputs("usage: bench_clock [-o FILE] [-s SECONDS] [-c SECONDS] [-m MEBIBYTES] RUNS "
                    "COMMAND...\n",
                    stderr);
        return 2;
    }
    double wall = 1e300, cpu = 1e300;
    int status = 0;
    for (long runs = strtol(argv[i], NULL, 10); runs > 0 && status == 0; runs--) {
        double start = now(), before = cpu_of_children();
        status = run(argv + i + 1, &limits);
        double took = now() - start, used = cpu_of_children() - before;
        wall = took < wall ? took : wall;
        cpu = used < cpu ? used : cpu;
    }
    (void)printf("%.6f %.6f %.0f %d\n", wall, cpu, peak_of_children(), status);
    return 0;
}
