/* Options by table: one row each, with what it takes and what it does. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "amoget_cli.h"

enum {
    OPT_JSON = OPT_LONG,
    OPT_CSV,
    OPT_TOP,
    OPT_SEARCH,
    OPT_EXPLAIN,
    OPT_MODEL,
    OPT_THREADS,
    OPT_TIME_LIMIT,
    OPT_TOLERANCE,
    OPT_STATES,
    OPT_NOW,
    OPT_QUIET,
    OPT_PROGRESS,
    OPT_VERSION
};

static const OptionRow rows[] = {
    {OPT_JSON, 1, "json", NULL, "print one JSON object"},
    {OPT_CSV, 1, "csv", NULL, "print comma-separated values"},
    {OPT_TOP, 1, "top", "N", "show the N best; 0: all (in text, 20)"},
    {OPT_SEARCH, 1, "search", "S",
     "listed: those given; all: each one; best: the best, proved (by size)"},
    {OPT_EXPLAIN, 1, "explain", NULL, "say what limits the best, and why the next one loses"},
    {OPT_MODEL, 1, "model", "MAPPING", "print the PEPA model of a mapping, such as 1,2,1"},
    {OPT_DEFINE, 1, "define", "name=value",
     "another value of a definition, or of time.p1, latency.p1.p2, ..."},
    {OPT_THREADS, 1, "threads", "N", "threads to use (one per core); results do not depend on it"},
    {OPT_TIME_LIMIT, 1, "time-limit", "SECONDS",
     "stop then; the search for the best answers with the best so far"},
    {OPT_TOLERANCE, 1, "tolerance", "T", "largest share of the flow out of balance (1e-12)"},
    {OPT_STATES, 1, "max-states", "N", "refuse chains with more states than this (5000000)"},
    {OPT_NOW, 1, "now", "SECONDS",
     "since 1970: what counts as now for measurements that may be stale"},
    {OPT_QUIET, 1, "quiet", NULL, "no warnings, no progress"},
    {OPT_PROGRESS, 1, "progress", NULL, "show progress even when not at a terminal"},
    {OPT_HELP, 1, "help", NULL, "this text"},
    {OPT_VERSION, 1, "version", NULL, "the version"},
};
static const OptionTable table = {rows, sizeof rows / sizeof *rows, 1, "amoget", "amoget --help"};

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

static bool add_define(Options *o, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    *equals = '\0'; /* argv is ours to cut */
    o->defines[o->define_count++] = (AmogetDefine){text, equals + 1};
    return true;
}

/* Apply one option; false: its value is no good. */
static bool set(Options *o, int code, char *value)
{
    int64_t n = 0;
    switch (code) {
    case OPT_JSON:
        o->json = true;
        o->form = OUT_JSON;
        return true;
    case OPT_CSV:
        o->csv = true;
        o->form = OUT_CSV;
        return true;
    case OPT_TOP:
        return whole(value, 0, &o->top);
    case OPT_SEARCH:
        return find_search(value, &o->set.search);
    case OPT_EXPLAIN:
        o->explain = true;
        return true;
    case OPT_MODEL:
        o->mapping = value;
        return true;
    case OPT_DEFINE:
        return add_define(o, value);
    case OPT_THREADS:
        if (!whole(value, 1, &n) || n > 4096)
            return false;
        o->set.threads = (int)n;
        return true;
    case OPT_TIME_LIMIT:
        return number(value, &o->set.time_limit) && o->set.time_limit > 0;
    case OPT_TOLERANCE:
        return number(value, &o->set.tolerance) && o->set.tolerance > 0 && o->set.tolerance < 1;
    case OPT_STATES:
        return whole(value, 1, &o->set.max_states);
    case OPT_NOW:
        return whole(value, 1, &o->now);
    case OPT_QUIET:
        o->quiet = true;
        return true;
    default: /* OPT_PROGRESS */
        o->progress = true;
        return true;
    }
}

static int apply(void *user, int code, char *value)
{
    if (code == OPT_HELP) {
        help(stdout);
        return finish_output();
    }
    if (code == OPT_VERSION) {
        (void)printf("amoget %s\n", pepa_version());
        return finish_output();
    }
    if (set(user, code, value))
        return GO_ON;
    if (code == OPT_SEARCH)
        return usage(&table, "--search is listed, all or best, not", value);
    return bad_value(&table, code, value);
}

/* Options that contradict each other. */
static int check(const Options *o)
{
    if (o->json && o->csv)
        return usage(&table, "a report has one form: --json or --csv, not also", "--csv");
    if (o->mapping && (o->form != OUT_TEXT || o->explain))
        return usage(&table, "a model has one form; with --model there is no",
                     o->explain            ? "--explain"
                     : o->form == OUT_JSON ? "--json"
                                           : "--csv");
    if (o->explain && o->form == OUT_CSV)
        return usage(&table, "a table has no room for --explain; give --json instead of", "--csv");
    return EXIT_SOLVED;
}

int options_read(Options *o, int argc, char **argv)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *o = (Options){.top = -1, .now = (int64_t)time(NULL)};
    o->set.threads = cores < 1 ? 1 : cores > 4096 ? 4096 : (int)cores;
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    int status = option_each(&table, argc, argv, apply, o);
    if (status != GO_ON)
        return status;
    if (optind == argc) {
        (void)fprintf(stderr, "amoget: which description? usage: amoget DESCRIPTION [OPTION]...\n");
        return EXIT_USAGE;
    }
    if (optind + 1 < argc)
        return usage(&table, "one description at a time, please; what is", argv[optind + 1]);
    o->path = argv[optind];
    return check(o);
}

void options_free(Options *o)
{
    free(o->defines);
}
