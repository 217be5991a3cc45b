/* Options by table: one row each, with what it takes and what it does. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "taag_cli.h"

enum { OPT_TIME_LIMIT = OPT_OWN, OPT_COEFFICIENT, OPT_VERSION };

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type) (offsetof(Options, member) + _Generic(((Options *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_FLAG, AT(json, bool), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(set.paper, bool), 1, "paper", NULL,
     "the heuristic of Bosa and Schreiner alone, instead of a proved optimum", NULL},
    {OPT_FLAG, AT(set.any_partition, bool), 1, "no-exact-fit", NULL,
     "of that: also partitions of which no group fills a cluster", NULL},
    {OPT_COEFFICIENT, 0, 1, "coefficient", "C", "processes per free CPU (1)",
     "a whole number from 1 to 1000000"},
    {OPT_TEXT, AT(program_path, const char *), 1, "program", "FILE.xml",
     "the program's schema, instead of the block `program`", NULL},
    {OPT_OUTPUT, AT(output, const char *), 1, "output", "FILE.xml", "write the mapping there",
     NULL},
    {OPT_DEFINE, 0, 1, "define", "name=value",
     "another value of a definition, or of cores.p1, latency.p1.p2, ...", NULL},
    {OPT_TIME_LIMIT, 0, 1, "time-limit", "SECONDS",
     "stop then, with the best so far and a bound; without it, after a fixed amount of work",
     "a number of seconds above 0"},
    {OPT_COUNT, AT(now, int64_t), 1, "now", "SECONDS",
     "since 1970: what counts as now for measurements that may be stale", "a whole number from 1"},
    {OPT_FLAG, AT(quiet, bool), 1, "quiet", NULL, "no warnings", NULL},
    {OPT_VERSION, 0, 1, "version", NULL, "print the version", NULL},
    {OPT_HELP, 0, 1, "help", NULL, "print this", NULL},
};
#undef AT

static int apply(void *options, const OptionTable *its, const OptionRow *row, char *value);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = "taag map",
                                  .help = "taag map --help",
                                  .apply = apply};

void usage_of_taag(FILE *to)
{
    (void)fprintf(to,
                  "taag %s: where the processes of a parallel program run\n\n"
                  "usage: taag map DESCRIPTION [OPTION]...\n\n"
                  "Divides the processes into groups and places them on hosts, so that groups are\n"
                  "in near hosts, and groups that talk to each other near each other.\n"
                  "DESCRIPTION is a file, or - for standard input.\n\n",
                  pepa_version());
    option_help(&table, to);
    (void)fputs("\nExit status: 0 solved, 1 the description is wrong or has too few places, "
                "2 usage,\n4 a limit was hit, 5 input or output failed.\n",
                to);
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

/* Set an option of taag's own; false: its value is no good. */
static bool set(Options *o, int code, char *value)
{
    switch (code) {
    case OPT_DEFINE:
        return add_define(o, value);
    case OPT_COEFFICIENT:
        return whole(value, 1, &o->coefficient) && o->coefficient <= 1000000;
    default: /* OPT_TIME_LIMIT */
        return number(value, &o->set.seconds) && o->set.seconds > 0;
    }
}

static int apply(void *options, const OptionTable *its, const OptionRow *row, char *value)
{
    if (row->code == OPT_HELP || row->code == OPT_VERSION) {
        if (row->code == OPT_HELP)
            usage_of_taag(stdout);
        else
            (void)printf("taag %s\n", pepa_version());
        return finish_output();
    }
    return set(options, row->code, value) ? GO_ON : bad_value(its, row, value);
}

int options_read(Options *o, int argc, char **argv)
{
    *o = (Options){.now = (int64_t)time(NULL), .coefficient = 1};
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    if (!o->defines)
        return out_of_memory();
    int status = options_store(&table, argc, argv, o);
    if (status != GO_ON)
        return status;
    if (optind == argc)
        return fail(EXIT_USAGE,
                    "taag map: no description given; usage: taag map DESCRIPTION [OPTION]...");
    if (optind + 1 < argc)
        return fail(EXIT_USAGE,
                    "taag map: one description at a time: '%s' comes after '%s'; try 'taag map "
                    "--help'",
                    argv[optind + 1], argv[optind]);
    if (o->set.any_partition && !o->set.paper)
        return fail(EXIT_USAGE,
                    "taag map: --no-exact-fit is about --paper: without it there is no filter");
    if (o->set.seconds > 0 && o->set.paper)
        return fail(EXIT_USAGE, "taag map: --time-limit is for the search: --paper has none");
    o->path = argv[optind];
    o->set.coefficient = (int32_t)o->coefficient;
    return EXIT_SOLVED;
}

void options_free(Options *o)
{
    free(o->defines);
}
