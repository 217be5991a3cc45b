/* Runs a program by mpirun.
 *
 * On this machine all processes write to one pipe, so that what they print appears in the order in
 * which they printed it: mpirun itself mixes the output of processes as it comes.  With prefixes each
 * has pipes of its own; from other machines output comes through mpirun, whose tags become pids, and a file,
 * as mpirun does not say what it could not write. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* ppoll */
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grid/launch/launch.h"
#include "grid/launch/pipes.h"

enum {
    NOT_STARTED = 255,  /* of mpirun, where a host does not answer, ... */
    HOST_LOST = 205,    /* ... or does not any more, ... */
    NO_ACCESS = 132,    /* ... or has the program, but may not run it, ... */
    NOT_FOUND = 134     /* ... or does not find it: also what signals 4 and 6 leave */
};

/* Signal handlers reach nothing else. */
static volatile sig_atomic_t requested, child_changed;
static volatile sig_atomic_t ending;   /* the signal that requested the end */
static volatile sig_atomic_t together; /* mpirun is in the process group of this process */

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

/* ---- signals -------------------------------------------------------------------------------- */

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

static const int requests[] = {SIGTERM, SIGHUP, SIGINT, SIGUSR1};

/* mpirun takes a second signal for the wish to leave at once what it has started.  So a group that a signal is sent to,
 * as by `timeout`, has this process alone in it; but mpirun can read a terminal only in the group that has it. */
static int has_terminal(void)
{
    return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* Handle signals in ppoll only; *during: the mask there.  Those that are ignored, as by nohup, stay so. */
static void set_signals(const Launch *what, sigset_t *during)
{
    struct sigaction request = {.sa_sigaction = on_request, .sa_flags = SA_SIGINFO};
    struct sigaction child = {.sa_handler = on_child}, before;
    sigset_t blocked;
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGCHLD);
    (void)sigaction(SIGCHLD, &child, NULL);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        if ((sigaction(requests[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) ||
            (requests[i] == SIGUSR1 && !what->asks))
            continue;
        (void)sigaddset(&blocked, requests[i]);
        (void)sigaction(requests[i], &request, NULL);
    }
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigprocmask(SIG_BLOCK, &blocked, during);
}

/* ---- the process ---------------------------------------------------------------------------- */

static void become_mpirun(const Launch *what, char **command, const Pipes *output,
                          const sigset_t *mask)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!together)
        (void)setpgid(0, 0);
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, mask, NULL);
    const char *from = what->asks && isatty(STDIN_FILENO) ? "/dev/null" : what->input;
    const int input = from ? open(from, O_RDONLY | O_CLOEXEC) : -1;
    if (input >= 0)
        (void)dup2(input, STDIN_FILENO);
    const int to = what->output ? open(what->output, O_WRONLY | O_TRUNC | O_CLOEXEC) : -1;
    if (to >= 0)
        (void)dup2(to, STDOUT_FILENO);
    if (output->count > 0 && !command_is_here(what)) {
        (void)dup2(output->end[0], STDOUT_FILENO);
        if (what->prefix)
            (void)dup2(output->end[1], STDERR_FILENO);
    }
    /* What its options say, for root as well. */
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    (void)setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
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

static double now(void)
{
    struct timespec clock;
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

/* Signals to mpirun. */
typedef struct {
    pid_t child;
    int first;    /* that it gets in place of the first; 0: the same */
    double last;  /* when one was passed on; -HUGE_VAL: none was */
    double until; /* mpirun has time to end, unless there is output meanwhile */
} Asked;

/* Some seconds after a signal mpirun kills what it has started, and ends. */
static const double patience = 10;

/* `timeout` sends a signal to its child, and then to the group: what comes so soon is not a second wish. */
static void pass_on(Asked *asked, int signal)
{
    const double soon = 0.5, at = now();
    if (at - asked->last <= soon)
        return;
    (void)kill(asked->child, asked->first ? asked->first : signal);
    asked->last = at;
    asked->until = asked->first ? HUGE_VAL : at + patience;
    asked->first = 0;
}

/* Until there is output or a signal, or a hundredth of a second if files may have grown or mpirun is to end.  0: a signal
 * came. */
static int await(const Pipes *output, struct pollfd *each, const sigset_t *mask, int more, int ends)
{
    const struct timespec pause = {.tv_nsec = more ? 0 : 10000000};
    const int grows = output->count > 0 && output->each[0].grows;
    for (int i = 0; i < output->count; i++)
        each[i] = (struct pollfd){.fd = grows ? -1 : output->each[i].from, .events = POLLIN};
    return ppoll(each, (nfds_t)output->count, grows || ends ? &pause : NULL, mask) >= 0;
}

/* Whether nobody reads standard output any more: then the program ends, as by itself it would. */
static int nobody_reads(const Pipes *output)
{
    for (int i = 0; i < output->count; i++)
        if (output->each[i].error == EPIPE && output->each[i].to == STDOUT_FILENO)
            return 1;
    return 0;
}

/* Pass on output and signals until the child ends; its status as of wait.  Once in a while Open MPI 4.1 waits for itself when it
 * is to end: then it is killed. */
static int attend(const Launch *what, pid_t child, const Pipes *output, struct pollfd *each,
                  const sigset_t *mask)
{
    Asked asked = {child, what->asks, -HUGE_VAL, HUGE_VAL};
    int status = 0, more = 0;
    for (;;) {
        const int ends = asked.until < HUGE_VAL;
        const int ready = !child_changed && await(output, each, mask, more, ends);
        if (requested)
            pass_on(&asked, requested);
        requested = 0;
        int came = more = 0;
        for (int i = 0; i < output->count && ready; i++) {
            came |= each[i].revents & POLLIN;
            if (each[i].revents || output->each[i].grows)
                more |= stream_copy(&output->each[i]);
        }
        if (!ending && !what->asks && nobody_reads(output)) {
            ending = SIGPIPE;
            pass_on(&asked, SIGTERM);
        }
        if (ends && (came || more))
            asked.until = now() + patience;
        if (now() > asked.until)
            (void)kill(child, SIGKILL);
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

/* As a shell has it, with what mpirun does not say. */
static int exit_status(const Launch *what, int status)
{
    const int own = WIFEXITED(status) && (WEXITSTATUS(status) == 0 ||
                                          (what->asks && WEXITSTATUS(status) < 128));
    if (ending && !own) {
        if (ending != SIGPIPE)
            (void)complain(what, "ended by signal %d", (int)ending);
        return 128 + ending;
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    (void)complain(what, "mpirun was killed by signal %d", WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Says if output could not be written; whoever reads it may stop when it has enough.  0: it could. */
static int lost(const Launch *what, const Pipes *output)
{
    for (int i = 0; i < output->count; i++) {
        const Stream *s = &output->each[i];
        if (s->error && s->error != EPIPE && s->to == STDOUT_FILENO)
            return complain(what, "cannot write to standard output: %s", strerror(s->error));
    }
    return 0;
}

/* A closed standard input would be the place of a pipe; and mpirun waits for ever for what comes from none. */
static void keep_input(void)
{
    if (fcntl(STDIN_FILENO, F_GETFD) < 0)
        (void)open("/dev/null", O_RDONLY); /* the lowest descriptor is free */
}

/* The command is printed; 0, or LAUNCH_FAILED. */
static int show(const Launch *what, char **command)
{
    command_show(command);
    if (fflush(stdout) || ferror(stdout))
        return complain(what, "cannot write to standard output: %s", strerror(errno));
    return 0;
}

/* The exit status of mpirun, or of what ended it. */
static int run(const Launch *what)
{
    sigset_t mask;
    Pipes output;
    int status = 0;
    char *text = NULL, **command = NULL;
    struct pollfd *polled = NULL;
    keep_input();
    if (pipes_open(&output, what)) {
        status = complain(what, "cannot make pipes for its output: %s", strerror(errno));
        goto done;
    }
    command = command_make(what, output.count > 0 ? output.end[0] : -1, &text);
    polled = calloc((size_t)output.count + 1, sizeof *polled);
    if (!command || !polled) {
        status = complain(what, "out of memory");
        goto done;
    }
    if (what->show) {
        status = show(what, command);
        goto done;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    set_signals(what, &mask);
    together = has_terminal() && !what->asks; /* mpirun would get Ctrl-C itself */
    pid_t child = fork();
    if (child == 0)
        become_mpirun(what, command, &output, &mask);
    if (child < 0) {
        status = complain(what, "cannot start a process: %s", strerror(errno));
        goto done;
    }
    status = attend(what, child, &output, polled, &mask);
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
    pipes_free(&output);
    free(polled);
    free(command);
    free(text);
    return status;
}

/* The status of a program on one host. */
static int run_on(const char *name, char *on, char **program)
{
    char np[] = "-np", one[] = "1", host[] = "--host";
    char *mpirun[] = {np, one, host, on, NULL}, *only[] = {on, NULL};
    const Launch alone = {.name = name, .mpirun = mpirun, .program = program, .hosts = only};
    return run(&alone);
}

int launch_fails(const char *name, char **hosts)
{
    char nothing[] = "true", *program[] = {nothing, NULL};
    int failing = 0;
    for (size_t i = 0; hosts[i]; i++)
        if (run_on(name, hosts[i], program) != 0)
            failing = complain(&(Launch){.name = name},
                               "host %s starts no process: mpirun has to reach it by this name, "
                               "without a password",
                               hosts[i]);
    return failing;
}

/* Do hosts lack the program?  LAUNCH_FAILED, and says which. */
static int is_missing(const Launch *what)
{
    char shell[] = "sh", option[] = "-c", look[] = "p=$(command -v -- \"$0\") && test -x \"$p\"";
    char *program[] = {shell, option, look, what->program[0], NULL};
    int missing = 0;
    for (size_t i = 0; what->hosts[i]; i++)
        if (run_on(what->name, what->hosts[i], program) != 0)
            missing = complain(what,
                               "host %s has no program '%s' that it can run, in this folder or in "
                               "its PATH",
                               what->hosts[i], what->program[0]);
    return missing;
}

/* A program may end with mpirun's own status as well. */
int launch(const Launch *what)
{
    int status = run(what);
    if (status == HOST_LOST && what->hosts) {
        (void)complain(what, "a host does not answer any more: it is off, or its link is cut");
        if (launch_fails(what->name, what->hosts) == 0)
            (void)complain(what, "all hosts answer now: what mpirun had started on one was ended, or it "
                                 "starts again");
        return LAUNCH_FAILED;
    }
    if ((status == NO_ACCESS || status == NOT_FOUND) && what->hosts && what->program &&
        is_missing(what))
        return LAUNCH_FAILED;
    /* A process that is killed is told of by its guard, unless that was killed as well. */
    if (status == 128 + SIGKILL && what->hosts && !ending)
        (void)complain(what, "ended with status %d: signal %d killed a process, or what had started it "
                             "on its host",
                       status, SIGKILL);
    if (status != NOT_STARTED || !what->hosts)
        return status;
    if (launch_fails(what->name, what->hosts))
        return LAUNCH_FAILED;
    (void)complain(what,
                   "ended with status %d: a process did, or a host ended all of its processes, as one "
                   "that starts again does",
                   status);
    return status;
}
