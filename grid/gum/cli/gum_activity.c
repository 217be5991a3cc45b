/* gum activity: what the processes of a run did over time, in sums and as a picture. */
#include "gum_activity.h"

#include <stddef.h>
#include <stdlib.h>

#include "description_file.h"
#include "drawing.h"

static const char called[] = "gum activity";

typedef struct {
    const char *plot;
    bool json;
} Options;

/* ---- options ------------------------------------------------------------------------------------- */

static const OptionRow rows[] = {
    {OPT_TEXT, offsetof(Options, plot), 1, "plot", "FILE",
     "a picture by gnuplot: .svg, .png, .pdf, or .gp for its text", NULL},
    {OPT_FLAG, offsetof(Options, json), 1, "json", NULL, "print one JSON object", NULL},
    {OPT_HELP, 0, 1, "help", NULL, "this text", NULL},
};
static void help(FILE *to);
static const OptionTable table = {.row = rows,
                                  .rows = sizeof rows / sizeof *rows,
                                  .takes = 1,
                                  .command = called,
                                  .help = "gum activity --help",
                                  .print_help = help};

static void help(FILE *to)
{
    (void)fprintf(to, "usage: gum activity FILE [OPTION]...\n\n"
                      "What the processes of a run did over time.  FILE is what a run wrote\n"
                      "(gumrun --activity FILE ...); - for standard input.\n\n");
    option_help(&table, to);
    (void)fprintf(to,
                  "\nExit status: 0, 1 the file is wrong, 2 usage, 4 a limit was hit, 5 input or\n"
                  "output failed.\n");
}

/* ---- the report ---------------------------------------------------------------------------------- */

static void add(ActivityCell *sum, const ActivityCell *cell)
{
    sum->running += cell->running;
    sum->fetching += cell->fetching;
    sum->idle += cell->idle;
    sum->runnable += cell->runnable;
    sum->blocked += cell->blocked;
    sum->made += cell->made;
    sum->pruned += cell->pruned;
    sum->taken += cell->taken;
    sum->given += cell->given;
}

static ActivityCell sum_of(const Activity *a, int32_t process)
{
    ActivityCell sum = {0};
    for (int32_t k = 0; k < a->intervals; k++)
        add(&sum, &a->cell[(size_t)process * (size_t)a->intervals + (size_t)k]);
    return sum;
}

static void row(const ActivityCell *c, double time, FILE *to)
{
    (void)fprintf(to, " %8.1f%% %8.1f%% %8.1f%% %9.3g %9.3g %10.0f %10.0f %8.0f %8.0f\n",
                  100 * c->running / time, 100 * c->fetching / time, 100 * c->idle / time,
                  c->runnable / time, c->blocked / time, c->made, c->pruned, c->taken, c->given);
}

static bool report(const void *what, FILE *to)
{
    const Activity *a = what;
    ActivityCell all = {0};
    (void)fprintf(to, "%s: %d process%s, policy %s, %g s in %d interval%s of %g s\n\n", a->program,
                  (int)a->processes, a->processes == 1 ? "" : "es", a->policy, a->makespan,
                  (int)a->intervals, a->intervals == 1 ? "" : "s", a->width);
    (void)fprintf(to, "%8s %9s %9s %9s %9s %9s %10s %10s %8s %8s\n", "process", "running",
                  "fetching", "idle", "runnable", "blocked", "made", "pruned", "taken", "given");
    for (int32_t p = 0; p < a->processes; p++) {
        const ActivityCell sum = sum_of(a, p);
        add(&all, &sum);
        (void)fprintf(to, "%8d", (int)p);
        row(&sum, a->makespan, to);
    }
    (void)fprintf(to, "%8s", "all");
    row(&all, a->makespan * a->processes, to);
    return true;
}

static bool report_json(const void *what, FILE *to)
{
    const Activity *a = what;
    (void)fprintf(to, "{ \"program\": ");
    json_string(to, a->program);
    (void)fprintf(to, ", \"policy\": ");
    json_string(to, a->policy);
    (void)fprintf(to,
                  ", \"makespan\": " FULL ", \"intervals\": %d, \"width\": " FULL
                  ",\n  \"processes\": [",
                  a->makespan, (int)a->intervals, a->width);
    for (int32_t p = 0; p < a->processes; p++) {
        const ActivityCell c = sum_of(a, p);
        (void)fprintf(to,
                      "%s\n    { \"running\": " FULL ", \"fetching\": " FULL ", \"idle\": " FULL
                      ", \"runnable\": " FULL ", \"blocked\": " FULL
                      ", \"made\": %.0f, \"pruned\": %.0f, \"taken\": %.0f, \"given\": %.0f }",
                      p ? "," : "", c.running, c.fetching, c.idle, c.runnable / a->makespan,
                      c.blocked / a->makespan, c.made, c.pruned, c.taken, c.given);
    }
    (void)fprintf(to, " ] }\n");
    return true;
}

/* ---- the command --------------------------------------------------------------------------------- */

static int read_file(const char *path, Activity **out)
{
    PepaError err = {0};
    DescriptionFile file = {.path = path};
    int status = description_open(&file);
    if (status == EXIT_SOLVED) {
        const AmogetReading how = description_reading(&file, NULL, 0, 0);
        PepaStatus read = activity_read(out, description_name(&file), file.text, file.length,
                                        how.diagnose, how.user, &err);
        description_close(&file);
        if (read != PEPA_OK)
            status = description_complain(&file, read, &err);
    }
    description_free(&file);
    return status;
}

int gum_activity(int argc, char **argv)
{
    Options options = {0};
    Activity *activity = NULL;
    int status = options_store(&table, argc, argv, &options);
    if (status != GO_ON)
        return status;
    if (argc - optind != 1)
        return fail(EXIT_USAGE, "%s: one file is needed; usage: gum activity FILE [OPTION]...",
                    called);
    status = picture_check(called, options.plot);
    if (status == EXIT_SOLVED)
        status = read_file(argv[optind], &activity);
    if (status == EXIT_SOLVED && options.plot)
        status = gum_activity_plot(activity, options.plot);
    if (status == EXIT_SOLVED)
        status = print_whole(options.json ? report_json : report, activity);
    activity_free(activity);
    return status;
}
