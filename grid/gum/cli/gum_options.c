/* The options of gum predict. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gum_predict.h"

enum { OPT_WATERMARK = OPT_OWN, OPT_AGE, OPT_STAGES };

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type)                                                                           \
    (offsetof(GumOptions, member) + _Generic(((GumOptions *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_COUNT, AT(processes, int64_t), 1, "processes", "N",
     "the first N cores of the description (all)", "a whole number from 1"},
    {OPT_WATERMARK, 0, 1, "watermark", "MARK",
     "sparks and tasks below which a process of mean speed asks for more (0: none)",
     "a whole number from 0 to 16"},
    {OPT_AGE, 0, 1, "age", "N", "times that a FISH is passed on (as many as processes)",
     "a whole number from 0"},
    {OPT_STAGES, 0, 1, "stages", "K", "exponential stages of each duration in the model (1)",
     "a whole number from 1 to 20"},
    {OPT_TEXT, AT(model, const char *), 1, "model", "POLICY", "print the PEPA model of a policy",
     NULL},
    {OPT_FLAG, AT(brief, bool), 1, "brief", NULL, "makespans only", NULL},
    {OPT_FLAG, AT(json, bool), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(csv, bool), 1, "csv", NULL, "print a line for each policy", NULL},
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
                                  .command = "gum predict",
                                  .help = "gum --help",
                                  .print_help = help,
                                  .set = set};

static void help(FILE *to)
{
    (void)fprintf(to,
                  "gum %s: how long a program with futures takes, by policy\n\n"
                  "usage: gum predict DESCRIPTION PROFILE [OPTION]...\n"
                  "       gum activity FILE [OPTION]...     (gum activity --help)\n\n"
                  "DESCRIPTION is a machine as amoget reads it, PROFILE what a run wrote\n"
                  "(GUM_PROFILE=FILE gumrun ...).  Either may be - for standard input.\n\n",
                  pepa_version());
    option_help(&table, to);
    (void)fputs(
        "\nExit status: 0 predicted, 1 the description or the profile is wrong, 2 usage, 3 a\n"
        "model was not solved, 4 a limit was hit, 5 input or output failed.\n",
        to);
}

static bool set(void *options, int code, char *value)
{
    GumOptions *o = options;
    switch (code) {
    case OPT_WATERMARK:
        return whole(value, 0, &o->watermark) && o->watermark <= 16;
    case OPT_AGE:
        return whole(value, 0, &o->age) && o->age <= INT32_MAX;
    case OPT_STAGES:
        return whole(value, 1, &o->stages) && o->stages <= MOST_STAGES;
    default: /* OPT_DEFINE */
        return description_define(o->defines, &o->define_count, value);
    }
}

static int check(const GumOptions *o)
{
    if (strcmp(o->profile, "-") == 0 && strcmp(o->description, "-") == 0)
        return fail(EXIT_USAGE, "gum predict: only one of the files can be standard input");
    if (o->json + o->csv + (o->model != NULL) > 1)
        return fail(EXIT_USAGE, "gum predict: give one of --json, --csv and --model");
    if (o->processes > INT32_MAX)
        return fail(EXIT_USAGE, "gum predict: --processes is too large");
    return EXIT_SOLVED;
}

int gum_options_read(GumOptions *o, int argc, char **argv)
{
    *o = (GumOptions){.now = (int64_t)time(NULL), .stages = 1, .age = -1};
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    const int skip = strcmp(argv[1], "predict") == 0;
    if (!skip && argv[1][0] != '-')
        return fail(EXIT_USAGE,
                    "gum: no command '%s': there are predict and activity; try 'gum --help'",
                    argv[1]);
    int status = options_store(&table, argc - skip, argv + skip, o);
    if (status != GO_ON)
        return status;
    if (!skip)
        return fail(EXIT_USAGE,
                    "gum: which command?  There are predict and activity; try 'gum --help'");
    if (argc - skip - optind != 2)
        return fail(EXIT_USAGE, "gum predict: a description and a profile are needed; usage: gum "
                                "predict DESCRIPTION PROFILE [OPTION]...");
    o->description = argv[optind + skip];
    o->profile = argv[optind + skip + 1];
    return check(o);
}

void gum_options_free(GumOptions *o)
{
    free(o->defines);
}
