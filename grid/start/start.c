/* Starts a parallel program: options, hosts, mpirun. */
#include "grid/start/start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/launch/launch.h"
#include "tool.h"

typedef struct {
    const Starter *its;
    int32_t processes;
    const char *hosts; /* a description; NULL: this machine */
    int prefix, show;
    char **program; /* with its arguments, NULL at the end */
} Start;

/* ---- options --------------------------------------------------------------------------------- */

int32_t start_count(const char *text, int32_t least)
{
    int64_t number;
    return text && whole(text, least, &number) && number <= MOST_PROCESSES ? (int32_t)number : -1;
}

int start_set(const char *variable, const char *value)
{
    return setenv(variable, value, 1) ? out_of_memory() : EXIT_SOLVED;
}

static void help(const Starter *its)
{
    (void)
        printf("usage: %s -n N [OPTION...] PROGRAM [ARGUMENT...]\n"
               "Runs a %s program, made with %s, on N processes.\n"
               "\n"
               "  -n N, -p N, -np N    how many processes\n"
               "  --hosts DESCRIPTION  choose the lightest hosts of a description's `processors`\n"
               "%s"
               "  --prefix             begin each line of output with the process that printed it\n"
               "  --show               print hosts and command, and do not run it\n"
               "  -h, --help           print this\n"
               "  --version            print the version\n"
               "\n"
               "Exit status: that of the program; 1 a process failed or the description is wrong, "
               "2 usage,\n"
               "5 the program cannot be started, 128 + S: a process was killed by signal S.\n",
               its->name, its->kind, its->compiler, its->options);
}

static bool is(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || (c && strcmp(word, c) == 0);
}

static int set_processes(Start *start, const char *word, const char *value)
{
    start->processes = start_count(value, 1);
    return start->processes > 0
               ? EXIT_SOLVED
               : fail(EXIT_USAGE, "%s: %s takes a number of processes, 1 to %d, not '%s'",
                      start->its->name, word, MOST_PROCESSES, value ? value : "");
}

/* An option, and whether it takes the word behind it.  0, or an exit status with a message printed. */
static int set(Start *start, const char *word, const char *value, int *takes)
{
    const Starter *its = start->its;
    int status = NO_OPTION;
    if (is(word, "-n", "-p", "-np"))
        return set_processes(start, word, value);
    if (strcmp(word, "--hosts") == 0) {
        start->hosts = value;
        return value ? EXIT_SOLVED
                     : fail(EXIT_USAGE, "%s: --hosts takes a description; try '%s --help'",
                            its->name, its->name);
    }
    if (is(word, "--prefix", "--show", NULL)) {
        *(strcmp(word, "--show") == 0 ? &start->show : &start->prefix) = 1;
        *takes = 0;
        return EXIT_SOLVED;
    }
    if (its->option)
        status = its->option(word, value, takes);
    return status == NO_OPTION ? fail(EXIT_USAGE, "%s: unknown option '%s'; try '%s --help'",
                                      its->name, word, its->name)
                               : status;
}

/* The options before the program: GO_ON, or an exit status. */
static int read_options(Start *start, char **argv)
{
    const char *name = start->its->name;
    int at = 1;
    for (; argv[at] && argv[at][0] == '-'; at++) {
        int takes = 1;
        if (is(argv[at], "-h", "--help", NULL))
            return help(start->its), finish_output();
        if (is(argv[at], "-V", "--version", NULL))
            return printf("%s %s\n", name, pepa_version()), finish_output();
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        int status = set(start, argv[at], argv[at + 1], &takes);
        if (status != EXIT_SOLVED)
            return status;
        at += takes;
    }
    start->program = argv + at;
    if (!argv[at])
        return fail(EXIT_USAGE, "%s: no program; try '%s --help'", name, name);
    if (start->processes == 0)
        return fail(EXIT_USAGE, "%s: how many processes? say -n N", name);
    return GO_ON;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void show_file(const char *path)
{
    FILE *from = fopen(path, "r");
    for (int c; from && (c = getc(from)) != EOF;)
        (void)putchar(c);
    if (from)
        (void)fclose(from);
}

static char *word_of(const char *text)
{
    return (char *)(uintptr_t)text;
}

static int run(const Start *start, Hosts *hosts)
{
    const char *const *variable = start->its->variables;
    char processes[32], **mpirun = NULL;
    size_t count = 0, at = 0;
    while (variable[count])
        count++;
    if (!mem_new_zeroed(mpirun, 2 * count + 5))
        return out_of_memory();
    (void)snprintf(processes, sizeof processes, "%d", (int)start->processes);
    mpirun[at++] = word_of("-n");
    mpirun[at++] = processes;
    for (size_t i = 0; i < count; i++)
        if (getenv(variable[i])) {
            mpirun[at++] = word_of("-x");
            mpirun[at++] = word_of(variable[i]);
        }
    if (hosts->name) {
        mpirun[at++] = word_of("--hostfile");
        mpirun[at] = hosts->path;
    }
    const Launch what = {.name = start->its->name,
                         .mpirun = mpirun,
                         .program = start->program,
                         .hosts = hosts->name,
                         .prefix = start->prefix,
                         .show = start->show};
    int status = launch(&what);
    mem_free(mpirun);
    return status;
}

static int run_on_hosts(const Start *start, Hosts *hosts)
{
    int status = hosts_find(start->its->name, start->hosts, start->processes, hosts);
    if (status == EXIT_SOLVED && start->show)
        show_file(hosts->path);
    if (status == EXIT_SOLVED && start->its->settle)
        status = start->its->settle(hosts);
    return status == EXIT_SOLVED ? run(start, hosts) : status;
}

int start_program(const Starter *its, char **argv)
{
    Start start = {.its = its};
    Hosts hosts = {0};
    char here[PATH_MAX];
    int status = read_options(&start, argv);
    if (status != GO_ON)
        return status;
    /* mpirun looks into this folder as well; a shell does not. */
    if (!strchr(start.program[0], '/') && launch_runnable(start.program[0]) == 0) {
        (void)snprintf(here, sizeof here, "./%s", start.program[0]);
        start.program[0] = here;
    }
    /* On this machine a program that is not there is found now, not by each process. */
    if (!start.hosts && launch_missing(its->name, start.program[0]))
        return EXIT_INPUT;
    status = start.hosts ? run_on_hosts(&start, &hosts) : run(&start, &hosts);
    hosts_free(&hosts);
    return status;
}
