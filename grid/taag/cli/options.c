/* Options by table: one row each, with what it takes and what it does. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taag_cli.h"

enum { OPT_TIME_LIMIT = OPT_OWN, OPT_COEFFICIENT, OPT_BY };

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type) (offsetof(Options, member) + _Generic(((Options *)0)->member, type : 0u))
enum { MAP = 1, RUN = 2, BOTH = MAP | RUN, OWN = 4, PROBE = 8, ALL = BOTH | PROBE };
static const OptionRow rows[] = {
    {OPT_FLAG, AT(json, bool), MAP, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(model, bool), MAP, "model", NULL,
     "print the PEPA model of a round of the mapping instead", NULL},
    {OPT_BY, 0, BOTH, "by", "COST",
     "what is least: latency (the default), or time, of a round as predicted", "latency or time"},
    {OPT_FLAG, AT(set.paper, bool), BOTH, "paper", NULL,
     "the heuristic of Bosa and Schreiner alone, instead of a proved optimum", NULL},
    {OPT_FLAG, AT(set.any_partition, bool), BOTH, "no-exact-fit", NULL,
     "of that: also partitions of which no group fills a cluster", NULL},
    {OPT_FLAG, AT(set.in_order, bool), BOTH, "in-order", NULL,
     "no search, to compare with: hosts are filled in the order of the description", NULL},
    {OPT_COEFFICIENT, 0, BOTH, "coefficient", "C", "processes per free CPU (1)",
     "a whole number from 1 to 1000000"},
    {OPT_TEXT, AT(program_path, const char *), BOTH, "program", "FILE.xml",
     "the program's schema, instead of the block `program`", NULL},
    {OPT_OUTPUT, AT(output, const char *), BOTH, "output", "FILE.xml", "write the mapping there",
     NULL},
    {OPT_OUTPUT, AT(output, const char *), PROBE, "output", "FILE.csv",
     "write the measurements there", NULL},
    {OPT_DEFINE, 0, ALL, "define", "name=value",
     "another value of a definition, or of cores.p1, latency.p1.p2, ...", NULL},
    {OPT_TIME_LIMIT, 0, BOTH, "time-limit", "SECONDS",
     "stop then, with the best so far and a bound; without it, after a fixed amount of work",
     "a number of seconds above 0"},
    {OPT_COUNT, AT(now, int64_t), ALL, "now", "SECONDS",
     "since 1970: what counts as now for measurements that may be stale", "a whole number from 1"},
    {OPT_FLAG, AT(here, bool), RUN | OWN | PROBE, "here", NULL,
     "start all processes on this machine, whatever the hosts are", NULL},
    {OPT_FLAG, AT(prefix, bool), RUN | OWN, "prefix", NULL,
     "begin each line of output with the process that printed it", NULL},
    {OPT_FLAG, AT(show, bool), RUN | OWN | PROBE, "show", NULL,
     "print the command, and do not run it", NULL},
    {OPT_FLAG, AT(quiet, bool), ALL, "quiet", NULL, "no warnings", NULL},
    {OPT_VERSION, 0, ALL, "version", NULL, "print the version", NULL},
    {OPT_HELP, 0, ALL, "help", NULL, "print this", NULL},
};
#undef AT

static bool set(void *options, int code, char *value);
static const OptionTable tables[] = {{.row = rows,
                                      .rows = sizeof rows / sizeof *rows,
                                      .takes = MAP,
                                      .command = "taag map",
                                      .help = "taag --help",
                                      .print_help = usage_of_taag,
                                      .set = set},
                                     {.row = rows,
                                      .rows = sizeof rows / sizeof *rows,
                                      .takes = RUN,
                                      .command = "taag run",
                                      .help = "taag --help",
                                      .print_help = usage_of_taag,
                                      .set = set},
                                     {.row = rows,
                                      .rows = sizeof rows / sizeof *rows,
                                      .takes = PROBE,
                                      .command = "taag probe",
                                      .help = "taag --help",
                                      .print_help = usage_of_taag,
                                      .set = set}};

/* What taag map has not. */
static const OptionTable own = {.row = rows, .rows = sizeof rows / sizeof *rows, .takes = OWN};

void usage_of_taag(FILE *to)
{
    (void)fprintf(
        to,
        "taag %s: where the processes of a parallel program run\n\n"
        "usage: taag map DESCRIPTION [OPTION]...\n"
        "       taag run DESCRIPTION [OPTION]... -- PROGRAM [ARGUMENT]...\n"
        "       taag probe DESCRIPTION [OPTION]...\n\n"
        "Divides the processes into groups and places them on hosts, so that groups are\n"
        "in near hosts, and groups that talk to each other near each other; or so that a\n"
        "round of the program takes the least time.\n"
        "DESCRIPTION is a file, or - for standard input.  taag run starts the program there by\n"
        "mpirun, with the file of the mapping as its first argument.  taag probe measures the\n"
        "hosts, and prints what a description includes.\n\nOptions of taag map:\n",
        pepa_version());
    option_help(&tables[0], to);
    (void)fputs("\nOf taag run, all but --json and --model, and:\n", to);
    option_help(&own, to);
    (void)fputs("\nOf taag probe:\n", to);
    option_help(&tables[2], to);
    (void)fputs(
        "\nExit status: 0 solved, 1 the description is wrong or has too few places, "
        "2 usage,\n4 a limit was hit, 5 input or output failed; of taag run that of the program.\n",
        to);
}

/* Set an option of taag's own; false: its value is no good. */
static bool set(void *options, int code, char *value)
{
    Options *o = options;
    switch (code) {
    case OPT_DEFINE:
        return description_define(o->defines, &o->define_count, value);
    case OPT_BY:
        o->by_time = strcmp(value, "time") == 0;
        return o->by_time || strcmp(value, "latency") == 0;
    case OPT_COEFFICIENT:
        return whole(value, 1, &o->coefficient) && o->coefficient <= 1000000;
    default: /* OPT_TIME_LIMIT */
        return number(value, &o->set.seconds) && o->set.seconds > 0;
    }
}

/* The program of taag run, behind "--"; the number of words before that. */
static int split(Options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            o->program = argv + i + 1;
            return i;
        }
    return argc;
}

/* Are there options that contradict each other? */
static int check_together(const Options *o, const OptionTable *table)
{
    if (o->json && o->model)
        return fail(EXIT_USAGE, "%s: --model prints a model: it goes without --json",
                    table->command);
    if (o->by_time && (o->set.paper || o->set.in_order))
        return fail(EXIT_USAGE,
                    "%s: --by time is a search: it goes without --paper and --in-order, whose "
                    "mappings are reported with their times",
                    table->command);
    if (o->set.any_partition && !o->set.paper)
        return fail(EXIT_USAGE,
                    "%s: --no-exact-fit is about --paper: without it there is no filter",
                    table->command);
    if (o->set.in_order && (o->set.paper || o->set.seconds > 0))
        return fail(EXIT_USAGE,
                    "%s: --in-order searches nothing: it goes without --paper and --time-limit",
                    table->command);
    return EXIT_SOLVED;
}

int options_read(Options *o, int argc, char **argv)
{
    const bool run = strcmp(argv[0], "run") == 0;
    const OptionTable *table = &tables[run ? 1 : strcmp(argv[0], "probe") == 0 ? 2 : 0];
    *o = (Options){.now = (int64_t)time(NULL), .coefficient = 1};
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    if (run)
        argc = split(o, argc, argv);
    int status = options_store(table, argc, argv, o);
    if (status != GO_ON)
        return status;
    if (optind == argc)
        return fail(EXIT_USAGE, "%s: no description given; try 'taag --help'", table->command);
    if (run && (!o->program || !o->program[0]))
        return fail(EXIT_USAGE,
                    "taag run: no program given: it comes behind --, as in taag run %s "
                    "-- ./program",
                    argv[optind]);
    if (optind + 1 < argc)
        return fail(EXIT_USAGE,
                    "%s: one description at a time: '%s' comes after '%s'; try 'taag --help'",
                    table->command, argv[optind + 1], argv[optind]);
    o->path = argv[optind];
    o->set.coefficient = (int32_t)o->coefficient;
    return check_together(o, table);
}

void options_free(Options *o)
{
    free(o->defines);
}
