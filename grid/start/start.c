/* Starts a parallel program: options, hosts, mpirun. */
#include "grid/start/start.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/guard.h"
#include "grid/launch/launch.h"

/* ---- options --------------------------------------------------------------------------------- */

int32_t start_count(const char *text, int32_t least)
{
    int64_t number;
    return whole(text, least, &number) && number <= MOST_PROCESSES ? (int32_t)number : -1;
}

int start_set(const char *variable, const char *value)
{
    return setenv(variable, value, 1) ? out_of_memory() : EXIT_SOLVED;
}

#define PROCESSES "a number of processes, 1 to 100000"
static const OptionRow first_rows[] =
    {{START_PROCESSES, 0, 1, "n", "N", "on how many processes; also -p and -np", PROCESSES},
     {START_PROCESSES, 0, 1, "p", "N", NULL, PROCESSES},
     {START_PROCESSES, 0, 1, "np", "N", NULL, PROCESSES},
     {OPT_TEXT, offsetof(StartOptions, hosts), 1, "hosts", "DESCRIPTION",
      "choose the lightest hosts of a description's `processors`", NULL}};
static const OptionRow last_rows[] = {{OPT_FLAG, offsetof(StartOptions, prefix), 1, "prefix", NULL,
                                       "begin each line of output with the process that printed it",
                                       NULL},
                                      {OPT_FLAG, offsetof(StartOptions, show), 1, "show", NULL,
                                       "print hosts and command, and do not run it", NULL},
                                      {OPT_HELP, 0, 1, "help", NULL, "print this", NULL},
                                      {OPT_VERSION, 0, 1, "version", NULL, "print the version",
                                       NULL}};

static bool set_option(void *options, int code, char *value)
{
    StartOptions *o = options;
    if (code != START_PROCESSES)
        return o->its->set(options, code, value);
    o->processes = start_count(value, 1);
    return o->processes > 0;
}

static size_t add_rows(OptionRow *to, size_t at, const OptionRow *row, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[at++] = row[i];
    return at;
}

/* The options before the program, whose place is then optind: GO_ON, or an exit status. */
static int read_options(StartOptions *options, int argc, char **argv)
{
    const Starter *its = options->its;
    OptionRow row[MOST_OPTIONS];
    char about[400], help[40];
    size_t rows = add_rows(row, 0, first_rows, sizeof first_rows / sizeof *first_rows);
    rows = add_rows(row, rows, its->row, its->rows);
    rows = add_rows(row, rows, last_rows, sizeof last_rows / sizeof *last_rows);
    (void)snprintf(help, sizeof help, "%s --help", its->name);
    (void)snprintf(about, sizeof about,
                   "Runs a %s program, made with %s, on N processes.\n\n"
                   "Exit status: that of the program; 1 a process failed or the description is "
                   "wrong, 2 usage,\n"
                   "5 the program cannot be started, 128 + S: a process was killed by signal S.",
                   its->kind, its->compiler);
    const OptionTable table = {.row = row,
                               .rows = rows,
                               .takes = 1,
                               .command = its->name,
                               .help = help,
                               .operands = "-n N [OPTION]... PROGRAM [ARGUMENT]...",
                               .about = about,
                               .starts = true,
                               .set = set_option};
    const int status = options_store(&table, argc, argv, options);
    if (status != GO_ON)
        return status;
    if (!argv[optind])
        return fail(EXIT_USAGE, "%s: no program; try '%s'", its->name, help);
    if (options->processes == 0)
        return fail(EXIT_USAGE, "%s: how many processes? say -n N", its->name);
    return GO_ON;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* The host of each process, in a line. */
static void show_hosts(const Hosts *hosts)
{
    for (size_t i = 0; hosts->name[i]; i++)
        for (int k = atoi(hosts->place[3 * i]); k > 0; k--)
            (void)printf("%s\n", hosts->name[i]);
}

static char *word_of(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* What mpirun hands on to processes: a variable's name, of which it knows the value; where the
 * command is only shown, for another shell, the value as well.  NULL: out of memory. */
static char *handed_on(const StartOptions *start, const char *name, Arena *arena)
{
    if (!start->show)
        return word_of(name);
    const char *value = getenv(name);
    const size_t size = strlen(name) + strlen(value) + 2;
    char *word = arena_alloc(arena, size);
    if (word)
        (void)snprintf(word, size, "%s=%s", name, value);
    return word;
}

/* Of mpirun, from mpirun[at] on, as many as there are words: variables that are set. */
static bool add_options(const StartOptions *start, const Hosts *hosts, char **mpirun, size_t at,
                        Arena *arena)
{
    bool good = true;
    for (const char *const *name = start->its->variables; *name && good; name++)
        if (getenv(*name)) {
            mpirun[at++] = word_of("-x");
            good = (mpirun[at++] = handed_on(start, *name, arena)) != NULL;
        }
    if (hosts->name && good) {
        mpirun[at++] = word_of("-x");
        good = (mpirun[at] = handed_on(start, GUARD_STARTED, arena)) != NULL;
    }
    return good;
}

static int run(const StartOptions *start, char **command, Hosts *hosts)
{
    char processes[32], **mpirun = NULL;
    size_t count = 0;
    Arena arena = {0};
    while (start->its->variables[count])
        count++;
    if (!mem_new_zeroed(mpirun, 2 * count + 5) || setenv(GUARD_STARTED, "1", 1))
        return out_of_memory();
    (void)snprintf(processes, sizeof processes, "%d", (int)start->processes);
    size_t at = 0;
    if (!hosts->name) {
        mpirun[at++] = word_of("-n");
        mpirun[at++] = processes;
    }
    const Launch what = {.name = start->its->name,
                         .mpirun = mpirun,
                         .program = command,
                         .hosts = hosts->name,
                         .places = hosts->place,
                         .processes = start->processes,
                         .prefix = start->prefix,
                         .show = start->show};
    int status = add_options(start, hosts, mpirun, at, &arena) ? launch(&what) : out_of_memory();
    mem_free(mpirun);
    arena_free(&arena);
    return status;
}

int start_program(StartOptions *options, int argc, char **argv)
{
    const Starter *its = options->its;
    Hosts hosts = {0};
    char here[PATH_MAX];
    int status = read_options(options, argc, argv);
    if (status != GO_ON)
        return status;
    char **what = argv + optind;
    what[0] = launch_path(what[0], here);
    /* On this machine a program that is not there is found now, not by each process. */
    if (!options->hosts && launch_missing(its->name, what[0]))
        return EXIT_INPUT;
    status = EXIT_SOLVED;
    if (options->hosts)
        status = hosts_find(options->hosts, options->processes, &hosts);
    if (status == EXIT_SOLVED && options->hosts && options->show)
        show_hosts(&hosts);
    if (status == EXIT_SOLVED && its->settle)
        status = its->settle(options, &hosts);
    if (status == EXIT_SOLVED)
        status = run(options, what, &hosts);
    hosts_free(&hosts);
    return status;
}
