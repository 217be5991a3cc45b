/* bsprun: starts the processes of a BSP program, waits for them, and ends as they do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/bsprun/bsprun.h"
#include "grid/launch/launch.h"
#include "tool.h"

const char program[] = "bsprun";

static const char help[] =
    "usage: bsprun -n N [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Runs a BSP program, made with bspcc, on N processes.\n"
    "\n"
    "  -n N, -p N, -np N    how many processes\n"
    "  --hosts DESCRIPTION  choose the lightest hosts of a description's `processors`\n"
    "  --prefix             begin each line of output with the process that printed it\n"
    "  --show               print hosts and command, and do not run it\n"
    "  -h, --help           print this\n"
    "  --version            print the version\n"
    "\n"
    "Exit status: that of the program; 1 a process failed or the description is wrong, 2 usage,\n"
    "5 the program cannot be started, 128 + S: a process was killed by signal S.\n";

static int is(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* A whole number from 1; 0: it is none. */
static int32_t count(const char *text)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    return errno == 0 && end != text && !*end && number >= 1 && number <= 100000 ? (int32_t)number
                                                                                 : 0;
}

/* The options before the program.  -1: go on; or an exit status. */
static int read_options(Options *options, char **argv)
{
    int at = 1;
    for (; argv[at] && argv[at][0] == '-'; at++) {
        const char *word = argv[at];
        if (is(word, "-h", "--help", "help"))
            return fputs(help, stdout), finish_output();
        if (is(word, "--version", "-V", "--version"))
            return printf("bsprun %s\n", pepa_version()), finish_output();
        if (strcmp(word, "--") == 0) {
            at++;
            break;
        }
        if (strcmp(word, "--prefix") == 0) {
            options->prefix = 1;
        } else if (strcmp(word, "--show") == 0) {
            options->show = 1;
        } else if (strcmp(word, "--hosts") == 0) {
            if (!(options->hosts = argv[++at]))
                return fail(EXIT_USAGE, "bsprun: --hosts takes a description; try 'bsprun --help'");
        } else if (is(word, "-n", "-p", "-np")) {
            if (!argv[++at] || !(options->processes = count(argv[at])))
                return fail(EXIT_USAGE,
                            "bsprun: %s takes a number of processes, 1 to 100000, not '%s'", word,
                            argv[at] ? argv[at] : "");
        } else {
            return fail(EXIT_USAGE, "bsprun: unknown option '%s'; try 'bsprun --help'", word);
        }
    }
    options->program = argv + at;
    if (!argv[at])
        return fail(EXIT_USAGE, "bsprun: no program; try 'bsprun --help'");
    if (options->processes == 0)
        return fail(EXIT_USAGE, "bsprun: how many processes? say -n N");
    return -1;
}

static void show_file(const char *path)
{
    FILE *from = fopen(path, "r");
    for (int c; from && (c = getc(from)) != EOF;)
        (void)putchar(c);
    if (from)
        (void)fclose(from);
}

static int start(const Options *options, Hosts *hosts)
{
    char processes[32], file[] = "--hostfile", n[] = "-n";
    char *mpirun[] = {n, processes, hosts->name ? file : NULL, hosts->path, NULL};
    (void)snprintf(processes, sizeof processes, "%d", (int)options->processes);
    const Launch what = {.name = "bsprun",
                         .mpirun = mpirun,
                         .program = options->program,
                         .hosts = hosts->name,
                         .prefix = options->prefix,
                         .show = options->show};
    return launch(&what);
}

int main(int argc, char **argv)
{
    Options options = {0};
    Hosts hosts = {0};
    char here[4096];
    (void)argc;
    int status = read_options(&options, argv);
    if (status >= 0)
        return status;
    /* mpirun looks into this folder as well; a shell does not. */
    if (!strchr(options.program[0], '/') && launch_runnable(options.program[0]) == 0) {
        (void)snprintf(here, sizeof here, "./%s", options.program[0]);
        options.program[0] = here;
    }
    /* On this machine a program that is not there is found now, not by each process. */
    if (!options.hosts && launch_missing("bsprun", options.program[0]))
        return EXIT_INPUT;
    status = options.hosts ? hosts_find("bsprun", options.hosts, options.processes, &hosts)
                           : EXIT_SOLVED;
    if (options.hosts && options.show && status == EXIT_SOLVED)
        show_file(hosts.path);
    if (status == EXIT_SOLVED)
        status = start(&options, &hosts);
    hosts_free(&hosts);
    return status;
}
