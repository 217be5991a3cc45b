/* pepa-serve: the workbench in the browser; 'pepa serve' runs it.
 *
 * A program of its own, because each job is a run of pepa, which should not load what only a server
 * needs.  It computes nothing: answers come from the programs beside it. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "options.h"
#include "serve/server.h"
#include "serve/stream.h"

const char program[] = "pepa serve";
extern char **environ;

enum { OPT_PORT = OPT_OWN, OPT_JOBS, OPT_MEMORY, PATH_BYTES = 4096 };

typedef struct {
    int64_t port, jobs, time_limit;
    const char *bind, *model;
    int64_t memory;
    bool open;
} ServeOptions;

#define AT(member, type)                                                                           \
    (offsetof(ServeOptions, member) + _Generic(((ServeOptions *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_PORT, 0, 1, "port", "N", "the port (a free one)", "a number from 0 to 65535"},
    {OPT_TEXT, AT(bind, const char *), 1, "bind", "ADDRESS",
     "the address of one network interface (127.0.0.1: this machine only)", NULL},
    {OPT_FLAG, AT(open, bool), 1, "open", NULL, "show the page in the browser", NULL},
    {OPT_JOBS, 0, 1, "jobs", "N", "that run at a time at most (4; no more than 32)",
     "a whole number from 1 to 32"},
    {OPT_MEMORY, 0, 1, "memory", "SIZE", "most memory of a job (half of what is free)",
     "a number of bytes, or one with kB, MB, GB, TB, KiB, MiB, GiB or TiB, as 1.5GB"},
    {OPT_COUNT, AT(time_limit, int64_t), 1, "time-limit", "SECONDS", "of a job (3600)",
     "a whole number from 1"},
    {OPT_HELP, 0, 1, "help", NULL, "this text", NULL},
    {OPT_VERSION, 0, 1, "version", NULL, "the version", NULL},
};
static bool set(void *options, int code, char *value);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = program,
                                  .help = "pepa help serve",
                                  .operands = "[MODEL]",
                                  .about =
                                      "a workbench in the browser: prints the address of its page",
                                  .set = set};

_Static_assert(STREAMS_MOST == 32, "the help says so");
static bool set(void *options, int code, char *value)
{
    ServeOptions *o = options;
    if (code == OPT_MEMORY)
        return memory_size(value, &o->memory);
    if (code == OPT_JOBS)
        return whole(value, 1, &o->jobs) && o->jobs <= STREAMS_MOST;
    return whole(value, 0, &o->port) && o->port <= 65535;
}

/* The folder that this program is in. */
static bool own_folder(char folder[PATH_BYTES])
{
    const ssize_t length = readlink("/proc/self/exe", folder, PATH_BYTES - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

/* The model that the page begins with. */
static int read_model(const char *path, Text *text)
{
    FILE *from = fopen(path, "rb");
    if (from)
        text_read(text, from, REQUEST_MOST_BYTES / 4);
    const bool good = from && !ferror(from) && !text->failed;
    const int error = errno;
    if (from)
        (void)fclose(from);
    if (!good)
        return fail(EXIT_INPUT, "%s: cannot read %s: %s", program, path, strerror(error));
    return text->length <= REQUEST_MOST_BYTES / 4
               ? EXIT_SOLVED
               : fail(EXIT_LIMIT, "%s: %s has more than 1 MiB: run the commands on it", program,
                      path);
}

/* Why there is no socket. */
static int cannot_listen(const ServeOptions *o)
{
    if (errno == EADDRINUSE)
        return fail(EXIT_INPUT,
                    "%s: port %d is in use by another program: choose another one, or leave "
                    "--port out for a free one",
                    program, (int)o->port);
    if (errno == EACCES)
        return fail(EXIT_INPUT, "%s: port %d needs the rights of an administrator", program,
                    (int)o->port);
    return fail(EXIT_INPUT, "%s: cannot listen on %s, port %d: %s", program, o->bind, (int)o->port,
                strerror(errno));
}

/* Give the address to the browser; a message if that is not possible. */
static void open_browser(const char *url)
{
    char word[] = "xdg-open", *arguments[3] = {word, strdup(url), NULL};
    pid_t child;
    posix_spawnattr_t with;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)posix_spawnattr_init(&with);
    (void)posix_spawnattr_setflags(&with, POSIX_SPAWN_SETSIGMASK);
    (void)posix_spawnattr_setsigmask(&with, &none);
    const int error =
        arguments[1] ? posix_spawnp(&child, word, NULL, &with, arguments, environ) : ENOMEM;
    if (error != 0)
        (void)fail(0, "%s: cannot run 'xdg-open': %s; open the address yourself", program,
                   strerror(error));
    (void)posix_spawnattr_destroy(&with);
    free(arguments[1]);
}

/* Signals that end it, or say that a job has ended, are read by the loop. */
static void hold_signals(void)
{
    sigset_t set;
    (void)signal(SIGPIPE, SIG_IGN);
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    (void)sigaddset(&set, SIGCHLD);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
}

static int serve(const ServeOptions *o, Server *server)
{
    char url[128];
    int port = (int)o->port;
    hold_signals();
    const int listener = server_listen(o->bind, &port);
    if (listener < 0)
        return cannot_listen(o);
    if (!guard_new(&server->guard, o->bind, port)) {
        (void)close(listener);
        return fail(EXIT_INPUT, "%s: the system gives no random numbers", program);
    }
    (void)snprintf(url, sizeof url, "http://%s:%d/%s/", o->bind, port, server->guard.token);
    (void)printf("%s\n", url);
    int status = finish_output();
    (void)fprintf(stderr, "pepa serve: open this address in a browser; whoever has it can use it. "
                          "Ctrl-C ends.\n");
    if (status == EXIT_SOLVED && o->open)
        open_browser(url);
    if (status == EXIT_SOLVED && !server_run(server, listener))
        status = fail(EXIT_INPUT, "%s: the server cannot begin", program);
    else if (status != EXIT_SOLVED)
        (void)close(listener);
    return status;
}

static bool address_good(const ServeOptions *o)
{
    int parts[4], n = 0;
    return sscanf(o->bind, "%3d.%3d.%3d.%3d%n", &parts[0], &parts[1], &parts[2], &parts[3], &n) ==
               4 &&
           !o->bind[n] && parts[0] > 0;
}

int main(int argc, char **argv)
{
    ServeOptions o = {.bind = "127.0.0.1",
                      .jobs = 4,
                      .time_limit = 3600,
                      .memory = memory_free() / 2};
    char folder[PATH_BYTES];
    Text text = {0};
    int status = options_store(&table, argc, argv, &o);
    if (status != GO_ON)
        return status;
    if (argc - optind > 1)
        return usage(&table, "only one model can be opened, not also", argv[optind + 1]);
    if (!address_good(&o))
        return usage(&table, "--bind takes the numeric address of one interface, not", o.bind);
    if (!own_folder(folder))
        return fail(EXIT_INPUT, "%s: /proc/self/exe does not say where pepa is", program);
    o.model = argc > optind ? argv[optind] : NULL;
    status = o.model ? read_model(o.model, &text) : EXIT_SOLVED;
    Server server = {.limits = {.memory = o.memory,
                                .seconds = (double)o.time_limit,
                                .jobs = (int)o.jobs,
                                .output = (int64_t)1 << 31,
                                .folder = folder},
                     .model = text.text,
                     .model_name = o.model};
    if (status == EXIT_SOLVED)
        status = serve(&o, &server);
    text_free(&text);
    return status;
}
