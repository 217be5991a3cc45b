/* gumrun: starts the processes of a GUM program, waits for them, and ends as they do.
 *
 * Options become environment variables, which libgum reads on process 0. */
#include <amoget_machine.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/bsprun/hosts.h"
#include "grid/gum/policy/policy.h"
#include "grid/launch/launch.h"
#include "tool.h"

const char program[] = "gumrun";

static const char help[] =
    "usage: gumrun -n N [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Runs a GUM program, made with gumcc, on N processes.\n"
    "\n"
    "  -n N, -p N, -np N    how many processes\n"
    "  --hosts DESCRIPTION  choose the lightest hosts of a description's `processors`\n"
    "  --policy POLICY      whom processes without work ask: random, nearest-loaded, busiest,\n"
    "                       predicted\n"
    "  --threads N          limit of live threads of a process\n"
    "  --watermark N        sparks below which a process asks for more while it works\n"
    "  --profile FILE       write what the run did, for `gum predict`\n"
    "  --activity FILE      write what each process did over time, for `gum activity`\n"
    "  --summary            print on standard error what each process did\n"
    "  --prefix             begin each line of output with the process that printed it\n"
    "  --show               print hosts and command, and do not run it\n"
    "  -h, --help           print this\n"
    "  --version            print the version\n"
    "\n"
    "Exit status: that of the program; 1 a process failed or the description is wrong, 2 usage,\n"
    "5 the program cannot be started, 128 + S: a process was killed by signal S.\n";

typedef struct {
    int32_t processes;
    const char *hosts; /* a description; NULL: this machine */
    int prefix, show;
    char **program; /* with its arguments, NULL at the end */
} Options;

static int is(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* A whole number from `least`; -1: it is none. */
static int32_t count(const char *text, int32_t least)
{
    enum { MOST = 100000 };
    char *end;
    errno = 0;
    long number = text ? strtol(text, &end, 10) : -1;
    return text && errno == 0 && end != text && !*end && number >= least && number <= MOST
               ? (int32_t)number
               : -1;
}

/* An option that sets a variable.  0; or an exit status. */
static int set(const char *name, const char *value)
{
    return setenv(name, value, 1) ? out_of_memory() : EXIT_SOLVED;
}

static int policy(const char *value)
{
    if (value && policy_find(value) != POLICY_UNKNOWN)
        return set("GUM_POLICY", value);
    return fail(EXIT_USAGE,
                "gumrun: --policy takes random, nearest-loaded, busiest or predicted, not '%s'",
                value ? value : "");
}

static int set_number(const char *word, const char *name, const char *value, int32_t least)
{
    if (count(value, least) >= 0)
        return set(name, value);
    return fail(EXIT_USAGE, "gumrun: %s takes a whole number from %d, not '%s'", word, (int)least,
                value ? value : "");
}

static int text(const char *word, const char *name, const char *value)
{
    return value && *value ? set(name, value)
                           : fail(EXIT_USAGE, "gumrun: %s takes the name of a file", word);
}

/* An option with a value.  -1: it is none; else 0 or an exit status. */
static int valued(Options *options, const char *word, const char *value)
{
    if (strcmp(word, "--policy") == 0)
        return policy(value);
    if (strcmp(word, "--threads") == 0)
        return set_number(word, "GUM_THREADS", value, 1);
    if (strcmp(word, "--watermark") == 0)
        return set_number(word, "GUM_WATERMARK", value, 0);
    if (strcmp(word, "--profile") == 0)
        return text(word, "GUM_PROFILE", value);
    if (strcmp(word, "--activity") == 0)
        return text(word, "GUM_ACTIVITY", value);
    if (strcmp(word, "--hosts") == 0) {
        options->hosts = value;
        return value ? EXIT_SOLVED
                     : fail(EXIT_USAGE, "gumrun: --hosts takes a description; try 'gumrun --help'");
    }
    if (is(word, "-n", "-p", "-np")) {
        options->processes = count(value, 1);
        return options->processes > 0
                   ? EXIT_SOLVED
                   : fail(EXIT_USAGE,
                          "gumrun: %s takes a number of processes, 1 to 100000, not '%s'", word,
                          value ? value : "");
    }
    return -1;
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
            return printf("gumrun %s\n", pepa_version()), finish_output();
        if (strcmp(word, "--") == 0) {
            at++;
            break;
        }
        if (strcmp(word, "--prefix") == 0) {
            options->prefix = 1;
        } else if (strcmp(word, "--show") == 0) {
            options->show = 1;
        } else if (strcmp(word, "--summary") == 0) {
            if (set("GUM_SUMMARY", "1"))
                return EXIT_LIMIT;
        } else {
            int status = valued(options, word, argv[at + 1]);
            if (status > 0)
                return status;
            if (status < 0)
                return fail(EXIT_USAGE, "gumrun: unknown option '%s'; try 'gumrun --help'", word);
            at++;
        }
    }
    options->program = argv + at;
    if (!argv[at])
        return fail(EXIT_USAGE, "gumrun: no program; try 'gumrun --help'");
    if (options->processes == 0)
        return fail(EXIT_USAGE, "gumrun: how many processes? say -n N");
    return -1;
}

/* The speeds of the hosts in use, as the description has them. */
static int set_speeds(const Hosts *hosts)
{
    Text text = {0};
    for (char **name = hosts->name; *name; name++)
        for (int32_t p = 0; p < amoget_processor_count(hosts->machine); p++)
            if (strcmp(amoget_processor_name(hosts->machine, p), *name) == 0) {
                char speed[NUMBER_SIZE];
                number_write(1 / amoget_time(hosts->machine, p), speed);
                text_add(&text, "%s=%s;", *name, speed);
            }
    int status = text.text ? set("GUM_SPEEDS", text.text) : out_of_memory();
    text_free(&text);
    return status;
}

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

static int start(const Options *options, Hosts *hosts)
{
    static const char *const variables[] = {"GUM_POLICY",   "GUM_THREADS",      "GUM_WATERMARK",
                                            "GUM_PROFILE",  "GUM_SUMMARY",      "GUM_AGE_LIMIT",
                                            "GUM_PATIENCE", "GUM_WEAK_CLUSTER", "GUM_SPARKS",
                                            "GUM_STACK",    "GUM_ACTIVITY",     "GUM_SPEEDS"};
    enum { VARIABLES = sizeof variables / sizeof *variables, FIXED = 5 };
    char processes[32], *mpirun[2 * VARIABLES + FIXED] = {word_of("-n"), processes};
    size_t at = 2;
    (void)snprintf(processes, sizeof processes, "%d", (int)options->processes);
    for (size_t i = 0; i < VARIABLES; i++)
        if (getenv(variables[i])) { /* process 0 may be on another host */
            mpirun[at++] = word_of("-x");
            mpirun[at++] = word_of(variables[i]);
        }
    if (hosts->name) {
        mpirun[at++] = word_of("--hostfile");
        mpirun[at] = hosts->path;
    }
    const Launch what = {.name = "gumrun",
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
    char here[PATH_MAX];
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
    if (!options.hosts && launch_missing("gumrun", options.program[0]))
        return EXIT_INPUT;
    if (options.hosts)
        status = hosts_find("gumrun", options.hosts, options.processes, &hosts);
    else
        status = EXIT_SOLVED;
    if (options.hosts && options.show && status == EXIT_SOLVED)
        show_file(hosts.path);
    if (options.hosts && status == EXIT_SOLVED)
        status = set_speeds(&hosts);
    if (status == EXIT_SOLVED)
        status = start(&options, &hosts);
    hosts_free(&hosts);
    return status;
}
