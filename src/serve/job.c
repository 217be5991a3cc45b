/* Runs a command in a process of its own (job.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "serve/job.h"

enum { MODEL_FD = 3, PATH_SIZE = 4096, SAID_MOST = 1 << 20 };

#if defined(__SANITIZE_ADDRESS__)
enum { LIMITS_MEMORY = 0 }; /* AddressSanitizer maps more than any limit */
#else
enum { LIMITS_MEMORY = 1 };
#endif

double job_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A file in memory with this text, at its beginning; -1: none. */
static int text_file(const char *text, size_t length)
{
    const int fd = memfd_create("text", MFD_CLOEXEC);
    size_t done = 0;
    while (fd >= 0 && done < length) {
        const ssize_t n = write(fd, text + done, length - done);
        if (n < 0 && errno != EINTR) {
            (void)close(fd);
            return -1;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

static void limit(int resource, rlim_t most)
{
    const struct rlimit both = {most, most};
    (void)setrlimit((__rlimit_resource_t)resource, &both);
}

/* What a child needs, made before it begins: it may call little between fork and exec. */
typedef struct {
    char path[PATH_SIZE];
    char *word[REQUEST_WORDS + 3]; /* as execv wants them, which changes none */
    char memory[48];
    int input, model, out, err;
    const JobLimits *limits;
    pid_t parent;
} Child;

/* The program gives up at its own limit with a message; the system's limit is for what it does not
 * count, and leaves room for that. */
static void child_limits(const JobLimits *limits)
{
    const rlim_t room = (rlim_t)1 << 28;
    limit(RLIMIT_CORE, 0);
    if (limits->memory > 0 && LIMITS_MEMORY)
        limit(RLIMIT_DATA, (rlim_t)limits->memory + room);
}

static _Noreturn void child_run(const Child *c)
{
    static const char message[] = "pepa serve: the program of the job cannot be run\n";
    sigset_t none;
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != c->parent)
        _exit(127); /* it has died before that */
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGPIPE, SIG_DFL);
    child_limits(c->limits);
    if (dup2(c->input, STDIN_FILENO) >= 0 && dup2(c->out, STDOUT_FILENO) >= 0 &&
        dup2(c->err, STDERR_FILENO) >= 0 &&
        (c->model < 0 ||
         (c->model == MODEL_FD ? fcntl(MODEL_FD, F_SETFD, 0) : dup2(c->model, MODEL_FD)) >= 0)) {
        (void)close_range(c->model < 0 ? MODEL_FD : MODEL_FD + 1, ~0u, 0);
        (void)execv(c->path, c->word);
    }
    (void)!write(STDERR_FILENO, message, sizeof message - 1);
    _exit(127);
}

/* A descriptor at 10 or above, so that dup2 to the small ones harms none. */
static int out_of_the_way(int fd)
{
    const int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 10);
    if (fd >= 0)
        (void)close(fd);
    return moved;
}

static bool make_pipe(int *read_end, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *read_end = out_of_the_way(ends[0]);
    *write_end = out_of_the_way(ends[1]);
    return *read_end >= 0 && *write_end >= 0 && fcntl(*read_end, F_SETFL, O_NONBLOCK) == 0;
}

static void fill_words(Child *c, const Request *r, const JobLimits *limits)
{
    int n = 0;
    for (int i = 0; i < r->words; i++)
        c->word[n++] = (char *)(uintptr_t)r->word[i];
    if (r->takes_progress)
        c->word[n++] = "--progress";
    if (r->takes_memory && limits->memory > 0) {
        (void)snprintf(c->memory, sizeof c->memory, "--memory=%lld", (long long)limits->memory);
        c->word[n++] = c->memory;
    }
    c->word[n] = NULL;
    (void)snprintf(c->path, sizeof c->path, "%s/%s", limits->folder, r->program);
}

static void close_if(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}

bool job_start(Job *job, const Request *request, const JobLimits *limits, const char **why)
{
    Child c = {.input = -1, .model = -1, .out = -1, .err = -1, .limits = limits};
    *job = (Job){.out = -1, .err = -1, .spool.fd = -1, .keep = request->keep};
    *why = "no files for a job can be made";
    int text = out_of_the_way(text_file(request->text, request->length));
    c.input =
        request->lines ? out_of_the_way(text_file(request->lines, request->lines_length)) : text;
    c.model = request->lines ? text : -1;
    bool good = text >= 0 && c.input >= 0 && spool_new(&job->spool, limits->output, job->keep) &&
                make_pipe(&job->out, &c.out) && make_pipe(&job->err, &c.err);
    if (good) {
        fill_words(&c, request, limits);
        c.parent = getpid();
        job->begun = job_now();
        job->deadline = limits->seconds > 0 ? job->begun + limits->seconds : 0;
        job->process = fork();
        if (job->process == 0)
            child_run(&c);
        good = job->process > 0;
        *why = good ? NULL : "no process can be made";
        job->process = good ? job->process : 0;
        if (good)
            (void)setpgid(job->process, job->process); /* both do: who is first is chance */
    }
    close_if(text);
    if (request->lines)
        close_if(c.input);
    close_if(c.out);
    close_if(c.err);
    if (!good)
        job_free(job);
    return good;
}

/* A return goes back to the beginning of the line, and what was there is gone. */
static void hear(Job *job, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] == '\r') {
            job->said.length = job->line;
            if (job->said.text)
                job->said.text[job->line] = '\0';
        } else if (bytes[i] && job->said.length < SAID_MOST) {
            text_add(&job->said, "%c", bytes[i]);
            if (bytes[i] == '\n')
                job->line = job->said.length;
        }
    }
}

/* What it prints is not kept from here on, also if it has ended before that was read. */
static void stop_keeping(Job *job, const char *limit)
{
    job->limit = limit;
    job_kill(job, limit);
}

bool job_read(Job *job, int *pipe)
{
    char bytes[1 << 16];
    const ssize_t n = read(*pipe, bytes, sizeof bytes);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (n <= 0) {
        (void)close(*pipe);
        *pipe = -1;
        return false;
    }
    if (pipe == &job->err)
        hear(job, bytes, (size_t)n);
    else if (!job->limit && !spool_add(&job->spool, bytes, (size_t)n))
        stop_keeping(job, spool_takes(&job->spool, (size_t)n) ? "storage" : "output");
    return true;
}

void job_kill(Job *job, const char *limit)
{
    if (job->process == 0)
        return;
    if (!job->limit)
        job->limit = limit;
    (void)kill(-job->process, SIGKILL);
    (void)kill(job->process, SIGKILL);
}

void job_reap(Job *job)
{
    struct rusage usage;
    if (job->process == 0 || wait4(job->process, &job->how, WNOHANG, &usage) != job->process)
        return;
    (void)kill(-job->process, SIGKILL); /* what it has started, and left */
    job->process = 0;
    job->seconds = job_now() - job->begun;
    job->peak = (int64_t)usage.ru_maxrss * 1024;
}

bool job_over(const Job *job)
{
    return job->process == 0 && job->out < 0 && job->err < 0;
}

const char *job_progress(const Job *job)
{
    if (!job->said.text || job->said.failed)
        return "";
    const char *line = job->said.text + job->line;
    return line[strspn(line, " ")] ? line : "";
}

void job_free(Job *job)
{
    if (job->process != 0) {
        int how;
        job_kill(job, "cancelled");
        while (waitpid(job->process, &how, 0) < 0 && errno == EINTR)
            ;
        job->process = 0;
    }
    close_if(job->out);
    close_if(job->err);
    job->out = job->err = -1;
    spool_free(&job->spool);
    text_free(&job->said);
}
