/* Options by table: one row each, with what it takes and what it does. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "amoget_cli.h"

enum { OPT_TOP = OPT_OWN, OPT_SEARCH, OPT_TIME_LIMIT };

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type) (offsetof(Options, member) + _Generic(((Options *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_FLAG, AT(json, bool), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(csv, bool), 1, "csv", NULL, "print comma-separated values", NULL},
    {OPT_TOP, 0, 1, "top", "N", "show the N best; 0: all (in text, 20)", "a whole number from 0"},
    {OPT_SEARCH, 0, 1, "search", "S",
     "listed: those given; all: each one; best: the best, proved (by size)", "listed, all or best"},
    {OPT_FLAG, AT(explain, bool), 1, "explain", NULL,
     "say what limits the best, and why the next one loses", NULL},
    {OPT_TEXT, AT(mapping, const char *), 1, "model", "MAPPING",
     "print the PEPA model of a mapping, such as 1,2,1", NULL},
    {OPT_DEFINE, 0, 1, "define", "name=value",
     "another value of a definition, or of time.p1, latency.p1.p2, ...", NULL},
    {OPT_THREADS, AT(set.threads, int), 1, "threads", "N",
     "threads to use (one per core); results do not depend on it", "a whole number from 1 to 4096"},
    {OPT_TIME_LIMIT, 0, 1, "time-limit", "SECONDS",
     "stop then; the search for the best answers with the best so far",
     "a number of seconds above 0"},
    {OPT_SHARE, AT(set.tolerance, double), 1, "tolerance", "T",
     "largest share of the flow out of balance (1e-12)", "a number between 0 and 1"},
    {OPT_COUNT, AT(set.max_states, int64_t), 1, "max-states", "N",
     "refuse chains with more states than this (5000000)", "a whole number from 1"},
    {OPT_COUNT, AT(now, int64_t), 1, "now", "SECONDS",
     "since 1970: what counts as now for measurements that may be stale", "a whole number from 1"},
    {OPT_FLAG, AT(no_include, bool), 1, "no-include", NULL,
     "read no other file: for descriptions of strangers", NULL},
    {OPT_FLAG, AT(quiet, bool), 1, "quiet", NULL, "no warnings, no progress", NULL},
    {OPT_FLAG, AT(progress, bool), 1, "progress", NULL, "show progress even when not at a terminal",
     NULL},
    {OPT_HELP, 0, 1, "help", NULL, "this text", NULL},
    {OPT_VERSION, 0, 1, "version", NULL, "the version", NULL},
};
static void help(FILE *to);
static bool set(void *options, int code, char *value);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = "amoget",
                                  .help = "amoget --help",
                                  .print_help = help,
                                  .set = set};

static void help(FILE *to)
{
    (void)fprintf(to,
                  "amoget %s: where to run the stages of a pipeline\n\n"
                  "usage: amoget DESCRIPTION [OPTION]...\n\n"
                  "Ranks the mappings of stages onto processors by predicted throughput.\n"
                  "DESCRIPTION is a file, or - for standard input.\n\n",
                  pepa_version());
    option_help(&table, to);
    (void)
        fputs("\nExit status: 0 solved, 1 the description is wrong, 2 usage, 3 not solved to the\n"
              "tolerance, 4 a limit was hit, 5 input or output failed.\n",
              to);
}

static bool find_search(const char *name, AmogetSearch *search)
{
    for (int i = 0; i < AMOGET_SEARCH_COUNT; i++)
        if (strcmp(amoget_search_name((AmogetSearch)i), name) == 0) {
            *search = (AmogetSearch)i;
            return true;
        }
    return false;
}

/* Set an option of amoget's own; false: its value is no good. */
static bool set(void *options, int code, char *value)
{
    Options *o = options;
    switch (code) {
    case OPT_TOP:
        return whole(value, 0, &o->top);
    case OPT_SEARCH:
        return find_search(value, &o->set.search);
    case OPT_DEFINE:
        return description_define(o->defines, &o->define_count, value);
    default: /* OPT_TIME_LIMIT */
        return number(value, &o->set.time_limit) && o->set.time_limit > 0;
    }
}

/* Options that contradict each other. */
static int check(const Options *o)
{
    if (o->json && o->csv)
        return fail(EXIT_USAGE, "amoget: give --json or --csv, not both");
    if (o->mapping && (o->json || o->csv || o->explain))
        return fail(EXIT_USAGE, "amoget: give --model or %s, not both",
                    o->explain ? "--explain"
                    : o->json  ? "--json"
                               : "--csv");
    if (o->explain && o->csv)
        return fail(EXIT_USAGE, "amoget: --explain has no form for --csv; give --json instead");
    return EXIT_SOLVED;
}

int options_read(Options *o, const Together *together, int argc, char **argv)
{
    const int beside = together->beside, cores = cores_allowed("");
    *o = (Options){.top = -1, .now = (int64_t)time(NULL), .together = together};
    o->set.threads = cores > beside ? cores / beside : 1;
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    if (argc == 2 && strcmp(argv[1], "help") == 0 && access(argv[1], F_OK) != 0) {
        help(stdout);
        return finish_output();
    }
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    int status = options_store(&table, argc, argv, o);
    if (status != GO_ON)
        return status;
    if (optind == argc)
        return fail(EXIT_USAGE,
                    "amoget: no description given; usage: amoget DESCRIPTION [OPTION]...");
    if (optind + 1 < argc)
        return fail(EXIT_USAGE,
                    "amoget: one description at a time: '%s' comes after '%s'; try 'amoget --help'",
                    argv[optind + 1], argv[optind]);
    o->path = argv[optind];
    return check(o);
}

void options_free(Options *o)
{
    free(o->defines);
}
