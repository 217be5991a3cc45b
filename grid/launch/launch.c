/* Runs a program by mpirun.
 *
 * On this machine all processes write to one pipe, so that what they print appears in the order in
 * which they printed it: mpirun itself mixes the output of processes as it comes.  With prefixes each
 * has pipes of its own; from other machines output comes through mpirun, whose tags become pids. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll, pipe2 */
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grid/launch/launch.h"
#include "grid/launch/output.h"

enum {
    NOT_STARTED = 255, /* of mpirun, where a host does not answer, ... */
    HOST_LOST = 205    /* ... or does not any more */
};

/* Signal handlers reach nothing else. */
static volatile sig_atomic_t requested, child_changed;
static volatile sig_atomic_t ending;   /* the signal that requested the end */
static volatile sig_atomic_t together; /* mpirun is in the process group of this process */

/* ---- the command ---------------------------------------------------------------------------- */

static int complain(const Launch *what, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static int complain(const Launch *what, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "%s: ", what->name);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    return LAUNCH_FAILED;
}

static size_t count(char **words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

static void add(char **command, size_t *at, char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        command[(*at)++] = words[i];
}

/* Lines go through sed, which is not a child of the program and lasts until it has all; on hosts without mkfifo they
 * are printed as they are. */
const char launch_padded[] =
    "d=$(mktemp -d) && mkfifo \"$d/1\" \"$d/2\" && { "
    "(trap '' TERM; export LC_ALL=C; s='sed -u'; "
    "command -v stdbuf >/dev/null && s='stdbuf -oL sed'; "
    "$s 's/$/" OUTPUT_PAD "/' <\"$d/1\" & $s 's/$/" OUTPUT_PAD "/' <\"$d/2\" >&2 &); "
    "exec >\"$d/1\" 2>\"$d/2\"; rm -r \"$d\"; }; exec \"$0\" \"$@\"";

static bool is_here(const Launch *what)
{
    return !what->hosts && what->program;
}

/* mpirun with its arguments, of which `text` holds one: free both.  output: a descriptor here for what processes print;
 * with prefixes those from there on, two for each process.  A process of which mpirun sees neither output any more gets no
 * input either: so it keeps one open, as 9. */
static char **make_command(const Launch *what, int output, char **text)
{
    enum { FIXED = 12, TEXT = 200 };
    const long here = (long)getpid();
    static const char *const fixed[] = {"mpirun", "-q", "--oversubscribe", "--bind-to", "none"};
    size_t at = 0;
    char **command = calloc(FIXED + count(what->mpirun) + count(what->program), sizeof *command);
    *text = malloc(TEXT);
    if (!command || !*text) {
        free(command);
        return NULL;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        command[at++] = (char *)(uintptr_t)fixed[i];
    if (what->prefix && !is_here(what))
        command[at++] = (char *)(uintptr_t) "--tag-output";
    if (what->input) {
        command[at++] = (char *)(uintptr_t) "--stdin";
        command[at++] = (char *)(uintptr_t) "all";
    }
    add(command, &at, what->mpirun);
    const char *shell = NULL;
    if (is_here(what)) {
        if (what->prefix)
            (void)snprintf(*text, TEXT,
                           "r=$((%d + 2 * $OMPI_COMM_WORLD_RANK)); "
                           "exec \"$0\" \"$@\" 9>&2 >/proc/%ld/fd/$r 2>/proc/%ld/fd/$((r + 1))",
                           output, here, here);
        else
            (void)snprintf(*text, TEXT, "exec \"$0\" \"$@\" >/proc/%ld/fd/%d", here, output);
        shell = *text;
    } else if (what->prefix && what->program) {
        shell = launch_padded;
    }
    if (shell) {
        command[at++] = (char *)(uintptr_t) "sh";
        command[at++] = (char *)(uintptr_t) "-c";
        command[at++] = (char *)(uintptr_t)shell;
    }
    add(command, &at, what->program);
    return command;
}

static void show(char **command)
{
    for (; *command; command++)
        (void)printf(strpbrk(*command, " \"$") ? "'%s'%c" : "%s%c", *command,
                     command[1] ? ' ' : '\n');
    (void)fflush(stdout);
}

/* ---- the process ---------------------------------------------------------------------------- */

static void on_request(int signal, siginfo_t *about, void *context)
{
    (void)context;
    ending = signal;
    /* From the keyboard a group gets it. */
    if (!together || signal != SIGINT || about->si_code != SI_KERNEL)
        requested = signal;
}

static void on_child(int signal)
{
    (void)signal;
    child_changed = 1;
}

static const int requests[] = {SIGTERM, SIGHUP, SIGINT};

/* mpirun takes a second signal for the wish to leave at once what it has started.  So a group that a signal is sent to,
 * as by `timeout`, has this process alone in it; but mpirun can read a terminal only in the group that has it. */
static int has_terminal(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Handle signals in ppoll only; *during: the mask there.  Those that are ignored, as by nohup, stay so. */
static void set_signals(sigset_t *during)
{
    struct sigaction request = {.sa_sigaction = on_request, .sa_flags = SA_SIGINFO};
    struct sigaction child = {.sa_handler = on_child}, before;
    sigset_t blocked;
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGCHLD);
    (void)sigaction(SIGCHLD, &child, NULL);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if (sigaction(requests[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN)
            continue;
        (void)sigaddset(&blocked, requests[i]);
        (void)sigaction(requests[i], &request, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigprocmask(SIG_BLOCK, &blocked, during);
}

/* What is printed, by way of pipes. */
typedef struct {
    int count; /* of streams: two of all or of each process, one, or none */
    Stream *each;
    int *end; /* where it is written to; -1: there is none */
} Output;

static void become_mpirun(const Launch *what, char **command, const Output *output,
                          const sigset_t *mask)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!together)
        (void)setpgid(0, 0);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    const int input = what->input ? open(what->input, O_RDONLY | O_CLOEXEC) : -1;
    if (input >= 0)
        (void)dup2(input, STDIN_FILENO);
    const int to = what->output ? open(what->output, O_WRONLY | O_TRUNC | O_CLOEXEC) : -1;
    if (to >= 0)
        (void)dup2(to, STDOUT_FILENO);
    if (what->prefix && !is_here(what)) {
        (void)dup2(output->end[0], STDOUT_FILENO);
        (void)dup2(output->end[1], STDERR_FILENO);
    }
    /* What its options say, for root as well. */
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    /* Open MPI's handler of SIGABRT and SIGSEGV allocates memory: a process whose heap is broken would wait for itself. */
    (void)setenv("OMPI_MCA_opal_signal", "", 0);
    /* A host that is off must not hold up the others for minutes. */
    if (!getenv("OMPI_MCA_plm_rsh_agent"))
        (void)setenv("OMPI_MCA_plm_rsh_args", "-o ConnectTimeout=10", 0);
    /* A host that is lost during the run ends it after 5 + 4 x 1 seconds; of itself, MPI waits for it
     * for ever, and Open MPI's daemons for five minutes. */
    (void)setenv("OMPI_MCA_oob_tcp_keepalive_time", "5", 0);
    (void)setenv("OMPI_MCA_oob_tcp_keepalive_intvl", "1", 0);
    (void)setenv("OMPI_MCA_oob_tcp_keepalive_probes", "4", 0);
    (void)execvp(command[0], command);
    (void)complain(what, "cannot run mpirun (%s); install MPI (Debian: openmpi-bin)",
                   strerror(errno));
    _exit(LAUNCH_FAILED);
}

/* `timeout` sends a signal to its child, and then to the group: what comes so soon is not a second wish. */
static void pass_on(pid_t child, int signal, double *last)
{
    const double soon = 0.5;
    struct timespec clock;
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
    if (now - *last > soon)
        (void)kill(child, signal);
    *last = now;
}

/* Pass on output and signals until the child ends; its status as of wait. */
static int attend(pid_t child, const Output *output, struct pollfd *each, const sigset_t *mask)
{
    int status = 0;
    double last = -HUGE_VAL;
    for (;;) {
        for (int i = 0; i < output->count; i++)
            each[i] = (struct pollfd){.fd = output->each[i].from, .events = POLLIN};
        int ready = child_changed ? 0 : ppoll(each, (nfds_t)output->count, NULL, mask);
        if (requested)
            pass_on(child, requested, &last);
        requested = 0;
        for (int i = 0; i < output->count && ready > 0; i++)
            if (each[i].revents)
                (void)stream_copy(&output->each[i]);
        if (child_changed && waitpid(child, &status, WNOHANG) == child)
            return status;
        child_changed = 0;
    }
}

/* mpirun may end before what it has started, which then are children of this process. */
static void await_rest(void)
{
    enum { LOOKS = 500 }; /* 5 s */
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; i < LOOKS; i++) {
        pid_t gone;
        while ((gone = waitpid(-1, NULL, WNOHANG)) > 0)
            continue;
        if (gone < 0)
            return;
        (void)nanosleep(&pause, NULL);
    }
}

static int open_pipe(int *ends)
{
    return pipe2(ends, O_CLOEXEC) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : -1;
}

/* As a shell has it, with what mpirun does not say. */
static int exit_status(const Launch *what, int status)
{
    if (ending && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        (void)complain(what, "ended by signal %d", (int)ending);
        return 128 + ending;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    (void)complain(what, "mpirun was killed by signal %d", WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Room for so many descriptors, as far as the system allows it. */
static void allow_descriptors(int count)
{
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < (rlim_t)count) {
        most.rlim_cur = (rlim_t)count < most.rlim_max ? (rlim_t)count : most.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &most);
    }
}

static void output_free(Output *output)
{
    for (int i = 0; i < output->count; i++) {
        if (output->each[i].from >= 0)
            (void)close(output->each[i].from);
        if (output->end[i] >= 0)
            (void)close(output->end[i]);
    }
    free(output->each);
    free(output->end);
}

/* Where processes have pipes of their own, their ends are one after the other.  Not 0: errno says why not. */
static int output_open(Output *output, const Launch *what)
{
    enum { SPARE = 64 };
    const bool own = what->prefix && is_here(what);
    const int count = own ? 2 * what->processes : what->prefix ? 2 : is_here(what) ? 1 : 0;
    const int first = own ? count + SPARE : 0;
    allow_descriptors(first + count);
    *output = (Output){0, calloc((size_t)count + 1, sizeof *output->each),
                       malloc(((size_t)count + 1) * sizeof *output->end)};
    while (output->each && output->end && output->count < count) {
        const int i = output->count;
        int ends[2];
        if (open_pipe(ends))
            return -1;
        output->each[i] = (Stream){.from = ends[0],
                                   .to = i % 2 == 0 ? STDOUT_FILENO : STDERR_FILENO,
                                   .prefix = what->prefix,
                                   .process = own ? 1 + (size_t)i / 2 : 0};
        output->end[i] = ends[1];
        output->count++;
        if (own) {
            output->end[i] = fcntl(ends[1], F_DUPFD_CLOEXEC, first + i);
            (void)close(ends[1]);
            if (output->end[i] != first + i) {
                errno = output->end[i] >= 0 ? EBUSY : EMFILE;
                return -1;
            }
        }
    }
    return output->each && output->end ? 0 : -1;
}

/* Says if output could not be written; whoever reads it may stop when it has enough.  0: it could. */
static int lost(const Launch *what, const Output *output)
{
    for (int i = 0; i < output->count; i++) {
        const Stream *s = &output->each[i];
        if (s->error && s->error != EPIPE && s->to == STDOUT_FILENO)
            return complain(what, "cannot write to standard output: %s", strerror(s->error));
    }
    return 0;
}

/* The exit status of mpirun, or of what ended it. */
static int run(const Launch *what)
{
    sigset_t mask;
    Output output;
    int status = 0;
    char *text = NULL, **command = NULL;
    struct pollfd *polled = NULL;
    if (output_open(&output, what)) {
        status = complain(what, "cannot make pipes for its output: %s", strerror(errno));
        goto done;
    }
    command = make_command(what, output.count > 0 ? output.end[0] : -1, &text);
    polled = calloc((size_t)output.count + 1, sizeof *polled);
    if (!command || !polled) {
        status = complain(what, "out of memory");
        goto done;
    }
    if (what->show) {
        show(command);
        goto done;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    set_signals(&mask);
    together = has_terminal();
    pid_t child = fork();
    if (child == 0)
        become_mpirun(what, command, &output, &mask);
    if (child < 0) {
        status = complain(what, "cannot start a process: %s", strerror(errno));
        goto done;
    }
    status = attend(child, &output, polled, &mask);
    if (ending)
        await_rest();
    (void)sigprocmask(SIG_SETMASK, &mask, NULL); /* for the next launch */
    for (int i = 0; i < output.count; i++) {
        while (output.each[i].from >= 0 && stream_copy(&output.each[i]))
            continue;
        stream_end(&output.each[i]);
    }
    status = exit_status(what, status);
    if (status == 0)
        status = lost(what, &output);
done:
    output_free(&output);
    free(polled);
    free(command);
    free(text);
    return status;
}

int launch_fails(const char *name, char **hosts)
{
    char np[] = "-np", one[] = "1", host[] = "--host", nothing[] = "true";
    int failing = 0;
    for (size_t i = 0; hosts[i]; i++) {
        char *mpirun[] = {np, one, host, hosts[i], NULL}, *program[] = {nothing, NULL};
        char *only[] = {hosts[i], NULL};
        const Launch alone = {.name = name, .mpirun = mpirun, .program = program, .hosts = only};
        if (run(&alone) == 0)
            continue;
        failing = complain(&alone,
                           "host %s starts no process: its name must be one that mpirun can reach "
                           "without a password",
                           hosts[i]);
    }
    return failing;
}

/* A program may end with mpirun's own status as well. */
int launch(const Launch *what)
{
    int status = run(what);
    if (status == HOST_LOST && what->hosts) {
        (void)complain(what, "a host does not answer any more: it is off, or its link is cut");
        (void)launch_fails(what->name, what->hosts);
        return LAUNCH_FAILED;
    }
    return status == NOT_STARTED && what->hosts && launch_fails(what->name, what->hosts)
               ? LAUNCH_FAILED
               : status;
}
