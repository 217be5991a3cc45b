/* The guard: a parent process that says which process of a run was killed.
 *
 * The process that was started forks and waits for its child, which does all the work.  The two
 * share a page of memory with a line about the child.
 *   - The child is killed by a signal that nobody requested: the parent prints the line.
 *   - The child exits before its run has ended, by _exit, which no exit function sees: the parent
 *     prints the line, and does not exit with status 0.
 *   - The parent is killed: the kernel signals the child, which prints the line and exits.
 *   - The parent is asked to end, by mpirun or from the keyboard: it passes the signal on and
 *     prints nothing, unless another process was missing at that time.  When a whole machine is
 *     lost, mpirun can notice before the run does, and does not know which process of the run it
 *     was.  Any other process that ends it has not ended the run: that is as if the child were
 *     killed. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#include "grid/core/guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grid/core/program.h"

enum { LINE = 240, STEP = 16 };

/* Two lines, so that one is whole at any time. */
typedef struct {
    atomic_int shown;
    atomic_int ending; /* the end was requested */
    atomic_long self;  /* the child */
    int early;         /* it began before main */
    char line[2][LINE];
    atomic_int is_missing; /* `missing` holds a line */
    char missing[LINE];
    atomic_int is_unfinished; /* `unfinished` holds a line */
    char unfinished[LINE];
    atomic_int status; /* instead of 0 */
    atomic_int number; /* of the step; -1: none */
    char step[STEP];
} Page;

/* The only data of the library that outlives a call: signal handlers and later runs cannot reach it
 * otherwise. */
static Page *page;
static volatile sig_atomic_t child;
static volatile sig_atomic_t requester; /* of the end; 0: the keyboard */

void guard_note(const char *text)
{
    if (!page)
        return;
    int other = !atomic_load(&page->shown);
    (void)snprintf(page->line[other], LINE, "%s", text);
    atomic_store(&page->shown, other);
}

int guard_begin(const char *library)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *size = getenv("OMPI_COMM_WORLD_SIZE");
    char host[65] = "", text[LINE];
    if (!getenv(GUARD_STARTED))
        return 0;
    (void)unsetenv(GUARD_STARTED); /* programs that this one starts are not of the run */
    grid_guard();
    if (page)
        page->early = 1;
    (void)gethostname(host, sizeof host - 1);
    if (rank && size)
        (void)snprintf(text, sizeof text, "%s: process %.9s of %.9s on %s", library, rank, size,
                       host);
    else
        (void)snprintf(text, sizeof text, "%s: process %ld on %s", library, (long)getpid(), host);
    guard_note(text);
    return 1;
}

int guard_begun(void)
{
    return page && page->early;
}

int guard_is_self(void)
{
    return !page || atomic_load(&page->self) == getpid();
}

void guard_step(const char *step, int number)
{
    if (!page)
        return;
    if (step && strcmp(page->step, step) != 0)
        (void)snprintf(page->step, STEP, "%s", step);
    atomic_store_explicit(&page->number, step ? number : -1, memory_order_relaxed);
}

void guard_missing(const char *text)
{
    if (!page)
        return;
    atomic_store(&page->is_missing, 0);
    if (!text)
        return;
    (void)snprintf(page->missing, LINE, "%s was not heard of when the run was ended from outside\n",
                   text);
    atomic_store(&page->is_missing, 1);
}

void guard_unfinished(const char *text)
{
    if (!page)
        return;
    atomic_store(&page->is_unfinished, 0);
    if (!text)
        return;
    (void)snprintf(page->unfinished, LINE, "%s", text);
    atomic_store(&page->is_unfinished, 1);
}

void guard_status(int status)
{
    if (page)
        atomic_store(&page->status, status);
}

/* Write to stderr; safe in signal handlers. */
static void say(const char *text)
{
    size_t size = strlen(text);
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, text, size);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            text += written;
            size -= (size_t)written;
        }
    }
}

static const char *about(void)
{
    return page->line[atomic_load(&page->shown)];
}

/* ---- the child ---------------------------------------------------------------------------- */

/* The signal of the parent's death.  MPI and most programs leave real-time signals alone. */
static int orphan_signal(void)
{
    return SIGRTMAX - 1;
}

static void orphaned(int signal)
{
    (void)signal;
    if (!atomic_load(&page->ending)) {
        char line[LINE + 64];
        line[0] = '\0';
        strncat(line, about(), LINE);
        strncat(line, ": its guarding process was killed\n", 48);
        say(line);
    }
    _exit(1);
}

static void become_child(pid_t parent)
{
    struct sigaction action = {.sa_handler = orphaned};
    (void)sigaction(orphan_signal(), &action, NULL);
    (void)prctl(PR_SET_PDEATHSIG, orphan_signal());
    if (getppid() != parent) /* the parent has ended already */
        _exit(1);
}

/* ---- the parent --------------------------------------------------------------------------- */

static void pass_on(int signal, siginfo_t *about, void *context)
{
    (void)context;
    if (!atomic_exchange(&page->ending, 1))
        requester = about->si_code <= 0 ? (sig_atomic_t)about->si_pid : 0;
    if (signal == SIGTERM && atomic_exchange(&page->is_missing, 0))
        say(page->missing);
    (void)kill((pid_t)child, signal);
    (void)kill((pid_t)child, SIGCONT);
}

/* 0: unknown. */
static long parent_of(long process)
{
    char name[64], line[128] = "";
    long parent = 0;
    (void)snprintf(name, sizeof name, "/proc/%ld/stat", process);
    FILE *file = fopen(name, "r");
    if (!file)
        return 0;
    if (fgets(line, sizeof line, file)) {
        const char *end = strrchr(line, ')'); /* of the name */
        if (!end || sscanf(end, ") %*c %ld", &parent) != 1)
            parent = 0;
    }
    (void)fclose(file);
    return parent;
}

/* By the keyboard, or by mpirun, which makes each process that it starts the leader of a group. */
static int was_requested(void)
{
    return atomic_load(&page->ending) && (requester == 0 || requester == parent_of(getpgrp()));
}

/* The child has exited by itself: the status of the run. */
static int exit_status(int status)
{
    if (status == 0)
        status = atomic_load(&page->status);
    if (!atomic_load(&page->is_unfinished) || atomic_load(&page->ending))
        return status;
    char line[2 * LINE + 64];
    (void)snprintf(line, sizeof line, "%s: exited with status %d: %s\n", about(), status,
                   page->unfinished);
    say(line);
    return status != 0 ? status : 1;
}

/* mpirun ends all processes when one has a status other than 0: those that fail with it get a moment to write
 * what they have in buffers. */
static void let_others_end(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static void wait_for_child(void)
{
    int status;
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            _exit(1);
    if (WIFEXITED(status)) {
        int exits = exit_status(WEXITSTATUS(status));
        if (exits != 0)
            let_others_end();
        _exit(exits);
    }
    int signal = WTERMSIG(status);
    if (!was_requested()) {
        char line[LINE + 64], within[STEP + 32] = "";
        const int number = atomic_load(&page->number);
        if (number >= 0)
            (void)snprintf(within, sizeof within, " in %s %d", page->step, number);
        (void)snprintf(line, sizeof line, "%s: killed by signal %d%s\n", about(), signal, within);
        say(line);
    }
    _exit(128 + signal);
}

/* Where processes outnumber cores, Open MPI calls sched_yield whenever it looks for messages and
 * finds none.  A process that sleeps between looks loses its turn by that: on a busy machine (3
 * processes beside 3 endless loops on 2 cores) runs took 14 times as long, and Linux's scheduler
 * has let processes that yield again and again wait for seconds. */
static void do_not_yield(void)
{
    (void)setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0);
}

/* Open MPI and UCX handle SIGABRT and SIGSEGV by functions that allocate memory: a process whose heap is broken
 * would wait for itself. */
static void do_not_handle(void)
{
    (void)setenv("OMPI_MCA_opal_signal", "", 0);
    (void)setenv("UCX_ERROR_SIGNALS", "", 0);
}

void grid_guard(void)
{
    static const int requests[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    do_not_yield();
    do_not_handle();
    if (page)
        return;
    pid_t self = getpid();
    void *shared =
        mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return; /* a run works without a guard */
    page = shared;
    atomic_store(&page->number, -1);
    (void)snprintf(page->line[0], LINE, "process %ld, before its run began", (long)self);
    /* Signals wait until the parent knows its child. */
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_BLOCK, &all, &before);
    pid_t forked = fork();
    if (forked <= 0) {
        if (forked == 0)
            become_child(self);
        atomic_store(&page->self, getpid());
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    child = forked;
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        (void)sigaction(requests[i], &action, NULL);
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    wait_for_child();
}
