/* The options of bsppredict. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bsppredict.h"

enum { OPT_STAGES = OPT_OWN, OPT_UNIT, OPT_WORD, OPT_SYNC, OPT_WINDOW };

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type)                                                                           \
    (offsetof(PredictOptions, member) + _Generic(((PredictOptions *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_TEXT, AT(description, const char *), 1, "on", "DESCRIPTION",
     "the machine: a description as amoget reads it", NULL},
    {OPT_TEXT, AT(processors, const char *), 1, "processors", "LIST",
     "where the processes run, such as a,a,b,c (the best, searched)", NULL},
    {OPT_UNIT, 0, 1, "unit", "U", "units of work that a second of the recorded run counts for (1)",
     "a number above 0, at most 1e30"},
    {OPT_WORD, 0, 1, "word", "SECONDS",
     "what the library takes for 8 bytes, such as g of bspbench (0)", "a number from 0 to 1e30"},
    {OPT_SYNC, 0, 1, "sync", "SECONDS",
     "the least that the end of a superstep takes, such as l of bspbench (0)",
     "a number from 0 to 1e30"},
    {OPT_WINDOW, 0, 1, "window", "BYTES",
     "what a connection has under way after a pause, such as 14600 (windows stay)",
     "a number of bytes above 0, at most 1e30"},
    {OPT_FLAG, AT(separate_links, bool), 1, "separate-links", NULL,
     "each two processes have a link of their own (each process has one, to all)", NULL},
    {OPT_STAGES, 0, 1, "stages", "K", "exponential stages of each duration in the model (2)",
     "a whole number from 1 to 100"},
    {OPT_COUNT, AT(effort, int64_t), 1, "effort", "N",
     "supersteps to cost in the search, at most (1000000)", "a whole number from 1"},
    {OPT_FLAG, AT(steps, bool), 1, "steps", NULL, "show each superstep", NULL},
    {OPT_TEXT, AT(model, const char *), 1, "model", "N", "print the PEPA model of superstep N",
     NULL},
    {OPT_FLAG, AT(json, bool), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(csv, bool), 1, "csv", NULL, "print a line for each superstep", NULL},
    {OPT_DEFINE, 0, 1, "define", "name=value",
     "another value of a definition, or of time.p1, latency.p1.p2, ...", NULL},
    {OPT_COUNT, AT(now, int64_t), 1, "now", "SECONDS",
     "since 1970: what counts as now for measurements that may be stale", "a whole number from 1"},
    {OPT_FLAG, AT(quiet, bool), 1, "quiet", NULL, "no warnings", NULL},
    {OPT_HELP, 0, 1, "help", NULL, "this text", NULL},
    {OPT_VERSION, 0, 1, "version", NULL, "the version", NULL},
};
static void help(FILE *to);
static bool set(void *options, int code, char *value);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = "bsppredict",
                                  .help = "bsppredict --help",
                                  .print_help = help,
                                  .set = set};

static void help(FILE *to)
{
    (void)
        fprintf(to,
                "bsppredict %s: how long a bulk-synchronous program takes on other machines\n\n"
                "usage: bsppredict TRACE --on DESCRIPTION [OPTION]...\n\n"
                "TRACE is what a run recorded (BSP_TRACE=FILE bsprun ...).  Either file may be -\n"
                "for standard input.\n\n",
                pepa_version());
    option_help(&table, to);
    (void)
        fputs("\nExit status: 0 predicted, 1 the trace or the description is wrong, 2 usage, 3 a\n"
              "model was not solved, 4 a limit was hit, 5 input or output failed.\n",
              to);
}

static bool positive(const char *text, bool zero, double *out)
{
    return number(text, out) && (zero ? *out >= 0 : *out > 0) && *out <= PLATFORM_MOST;
}

static bool set(void *options, int code, char *value)
{
    PredictOptions *o = options;
    switch (code) {
    case OPT_STAGES:
        return whole(value, 1, &o->stages) && o->stages <= MOST_STAGES;
    case OPT_UNIT:
        return positive(value, false, &o->unit);
    case OPT_WORD:
        return positive(value, true, &o->word);
    case OPT_WINDOW:
        return positive(value, false, &o->window);
    case OPT_SYNC:
        return positive(value, true, &o->sync);
    default: /* OPT_DEFINE */
        return description_define(o->defines, &o->define_count, value);
    }
}

static int check(const PredictOptions *o)
{
    if (!o->description)
        return fail(EXIT_USAGE, "bsppredict: on which machine?  Give --on DESCRIPTION");
    if (strcmp(o->trace, "-") == 0 && strcmp(o->description, "-") == 0)
        return fail(EXIT_USAGE, "bsppredict: only one of the files can be standard input");
    if (o->json + o->csv + (o->model != NULL) > 1)
        return fail(EXIT_USAGE, "bsppredict: give one of --json, --csv and --model");
    return EXIT_SOLVED;
}

int predict_options_read(PredictOptions *o, int argc, char **argv)
{
    *o = (PredictOptions){.now = (int64_t)time(NULL), .stages = 2, .effort = 1000000, .unit = 1};
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    int status = options_store(&table, argc, argv, o);
    if (status != GO_ON)
        return status;
    if (optind == argc)
        return fail(EXIT_USAGE, "bsppredict: no trace given; usage: bsppredict TRACE --on "
                                "DESCRIPTION [OPTION]...");
    if (optind + 1 < argc)
        return fail(EXIT_USAGE, "bsppredict: one trace at a time: '%s' comes after '%s'",
                    argv[optind + 1], argv[optind]);
    o->trace = argv[optind];
    return check(o);
}

void predict_options_free(PredictOptions *o)
{
    free(o->defines);
}
