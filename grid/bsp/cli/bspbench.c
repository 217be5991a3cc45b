/* bspbench: what the BSP cost model needs to know of this machine. */
#include <bsp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bspbench.h"
#include "tool.h"

const char program[] = "bspbench";

/* Set by the bspbench that starts the others. */
#define STARTED "BSPBENCH_STARTED"

typedef struct {
    bool json, csv, pairs;
    const char *plot;
    int64_t processes; /* 0: as many as there are cores */
} BenchOptions;

#define AT(member, type)                                                                           \
    (offsetof(BenchOptions, member) + _Generic(((BenchOptions *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_COUNT, AT(processes, int64_t), 1, "processes", "N",
     "how many processes (one per core, at least 2)", "a whole number from 1"},
    {OPT_FLAG, AT(pairs, bool), 1, "pairs", NULL, "g and l between each two hosts as well", NULL},
    {OPT_FLAG, AT(json, bool), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(csv, bool), 1, "csv", NULL, "print a line for each parameter", NULL},
    {OPT_TEXT, AT(plot, const char *), 1, "plot", "PICTURE",
     "a picture by gnuplot: .svg, .png, .pdf, or .gp for its text", NULL},
    {OPT_HELP, 0, 1, "help", NULL, "this text", NULL},
    {OPT_VERSION, 0, 1, "version", NULL, "the version", NULL},
};
static void help(FILE *to);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = "bspbench",
                                  .help = "bspbench --help",
                                  .print_help = help};

static void help(FILE *to)
{
    (void)fprintf(to,
                  "bspbench %s: the parameters of the BSP cost model on this machine\n\n"
                  "usage: bspbench [OPTION]...\n"
                  "       bsprun OPTIONS bspbench [--json]\n"
                  "       bspbench --plot PICTURE FILE...\n\n"
                  "Measures s (seconds per flop), g (seconds per double) and l (seconds of a\n"
                  "superstep in which nothing is sent), some seconds long.  With --plot g and l\n"
                  "against the number of processes: FILEs are what runs with --csv printed.\n\n",
                  pepa_version());
    option_help(&table, to);
}

/* ---- reports --------------------------------------------------------------------------------- */

static void line(const char *name, const char *what, Estimate e)
{
    (void)printf("  %-3s %11.4g  %11.4g to %*.4g%s%s\n", name, e.value, e.low, *what ? -11 : 0,
                 e.high, *what ? " " : "", what);
}

static void pairs_text(const BenchPairs *pairs)
{
    if (pairs->pairs > 0)
        (void)printf("\nBetween two hosts, or within one, in blocks:\n");
    for (int i = 0; i < pairs->pairs; i++) {
        const BenchPair *pair = &pairs->pair[i];
        (void)printf("\n  %s, %s\n", pairs->name[pair->a], pairs->name[pair->b]);
        line("g", "", pair->g);
        line("l", "", pair->l);
    }
}

static void report_text(const Bench *b)
{
    (void)printf("%d process%s; seconds, and where they are with a confidence of %.0f%%\n\n",
                 b->processes, b->processes == 1 ? "" : "es", 100 * ESTIMATE_CONFIDENCE);
    line("s", "a flop of y += a x, in the cache", b->flop);
    line("", "a flop where no cache holds x and y", b->memory);
    line("g", "a double, in one block to each process", b->block);
    line("", "a double, each in a put of its own", b->word);
    line("l", "a superstep in which nothing is sent", b->sync);
    (void)printf("\nIn flops: g = %.4g, l = %.4g.\n", b->block.value / b->flop.value,
                 b->sync.value / b->flop.value);
}

static void json_interval(const char *name, Estimate e, const char *end)
{
    (void)printf("    \"%s\": { \"value\": " FULL ", \"low\": " FULL ", \"high\": " FULL " }%s\n",
                 name, e.value, e.low, e.high, end);
}

static void json_pairs(const BenchPairs *pairs)
{
    (void)printf(",\n  \"pairs\": [");
    for (int i = 0; i < pairs->pairs; i++) {
        const BenchPair *pair = &pairs->pair[i];
        (void)printf("%s\n   { \"hosts\": [", i ? "," : "");
        json_string(stdout, pairs->name[pair->a]);
        (void)printf(", ");
        json_string(stdout, pairs->name[pair->b]);
        (void)printf("],\n");
        json_interval("g", pair->g, ",");
        json_interval("l", pair->l, " }");
    }
    (void)printf(" ]");
}

static void report_json(const Bench *b, const BenchPairs *pairs)
{
    (void)printf("{ \"p\": %d, \"s\": " FULL ", \"g\": " FULL ", \"l\": " FULL ",\n", b->processes,
                 b->flop.value, b->block.value, b->sync.value);
    (void)printf("  \"confidence\": %g, \"rounds\": %d,\n  \"measured\": {\n", ESTIMATE_CONFIDENCE,
                 (int)BENCH_ROUNDS);
    json_interval("s", b->flop, ",");
    json_interval("s_memory", b->memory, ",");
    json_interval("g", b->block, ",");
    json_interval("g_words", b->word, ",");
    json_interval("l", b->sync, " }");
    if (pairs)
        json_pairs(pairs);
    (void)printf(" }\n");
}

static void csv_interval(const Bench *b, const char *name, Estimate e)
{
    (void)printf("%d,%s," FULL "," FULL "," FULL "\n", b->processes, name, e.value, e.low, e.high);
}

static void report_csv(const Bench *b)
{
    (void)printf("processes,parameter,seconds,low,high\n");
    csv_interval(b, "s", b->flop);
    csv_interval(b, "s_memory", b->memory);
    csv_interval(b, "g", b->block);
    csv_interval(b, "g_words", b->word);
    csv_interval(b, "l", b->sync);
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Is this process one of several that something has started together? */
static bool is_started(void)
{
    static const char *const signs[] = {STARTED, "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (getenv(signs[i]))
            return true;
    return false;
}

/* This program on so many processes, by the bsprun beside it: does not return if that works. */
static int start_all(const BenchOptions *o)
{
    char self[PATH_MAX], run[PATH_MAX + 16], count[32];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    int64_t n = o->processes ? o->processes : cores_allowed("");
    if (length < 0)
        return fail(EXIT_INPUT, "bspbench: cannot find itself: %s", strerror(errno));
    self[length] = '\0';
    const char *slash = strrchr(self, '/');
    (void)snprintf(run, sizeof run, "%.*sbsprun", (int)(slash - self) + 1, self);
    (void)snprintf(count, sizeof count, "%lld", (long long)(n < 2 && !o->processes ? 2 : n));
    if (setenv(STARTED, "1", 1))
        return out_of_memory();
    char *form = o->json ? "--json" : o->csv ? "--csv" : NULL;
    char *arguments[] =
        {run, "-n", count, self, o->pairs ? "--pairs" : form, o->pairs ? form : NULL, NULL};
    (void)execv(run, arguments);
    return fail(EXIT_INPUT, "bspbench: cannot start %s: %s", run, strerror(errno));
}

/* On a busy machine, and with more processes than cores, costs drown in those of waiting. */
static void warn(const char *name, Estimate e)
{
    if (e.low <= 0)
        (void)fprintf(stderr,
                      "bspbench: %s cannot be told from 0 (%.3g to %.3g s): measure again when the "
                      "machine is idle, with at most as many processes as cores\n",
                      name, e.low, e.high);
}

static int report(const BenchOptions *o, const Bench *bench, const BenchPairs *pairs)
{
    if (o->json) {
        report_json(bench, o->pairs ? pairs : NULL);
    } else if (o->csv) {
        report_csv(bench);
    } else {
        report_text(bench);
        pairs_text(pairs);
    }
    warn("g", bench->block);
    warn("l", bench->sync);
    return finish_output();
}

static int run(const BenchOptions *o)
{
    Bench bench;
    bsp_begin(bsp_nprocs());
    BenchPairs pairs = {0};
    const bool measured = bench_measure(&bench) && (!o->pairs || bench_pairs(&pairs));
    const bool speaks = bsp_pid() == 0;
    bsp_end();
    int status = measured ? EXIT_SOLVED : EXIT_LIMIT;
    if (speaks)
        status = measured ? report(o, &bench, &pairs) : out_of_memory();
    bench_pairs_free(&pairs);
    return status;
}

static int plot(const BenchOptions *o, char **files, int count)
{
    if (o->json || o->csv || o->pairs || o->processes)
        return fail(EXIT_USAGE, "bspbench: --plot measures nothing: give it files alone");
    if (count == 0)
        return fail(EXIT_USAGE, "bspbench: --plot needs a file: what bspbench --csv printed");
    return bench_plot(o->plot, files, count);
}

int main(int argc, char **argv)
{
    BenchOptions options = {0};
    int status = options_store(&table, argc, argv, &options);
    if (status != GO_ON)
        return status;
    if (options.plot)
        return plot(&options, argv + optind, argc - optind);
    if (optind < argc)
        return usage(&table, "takes no argument", argv[optind]);
    if (options.json && options.csv)
        return fail(EXIT_USAGE, "bspbench: give --json or --csv, not both");
    if (options.pairs && options.csv)
        return fail(EXIT_USAGE, "bspbench: --pairs has no form for --csv; give --json instead");
    return is_started() ? run(&options) : start_all(&options);
}
