/* gum: how long a program with futures takes on other machines and with other policies; what its
 * processes did over time. */
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gum_activity.h"
#include "gum_predict.h"

const char program[] = "gum";

/* Chains with more states are solved in the fluid limit. */
#define MOST_STATES 2000.0

static int read_profile(GumSession *s)
{
    PepaError err = {0};
    DescriptionFile *file = &s->profile_file;
    *file = (DescriptionFile){.path = s->options->profile, .quiet = s->options->quiet};
    int status = description_open(file);
    if (status != EXIT_SOLVED)
        return status;
    const AmogetReading how = description_reading(file, NULL, 0, 0);
    PepaStatus read = profile_read(&s->profile, description_name(file), file->text, file->length,
                                   how.diagnose, how.user, &err);
    description_close(file);
    return read == PEPA_OK ? EXIT_SOLVED : description_complain(file, read, &err);
}

static int read_machine(GumSession *s)
{
    const GumOptions *o = s->options;
    DescriptionFile *file = &s->description_file;
    PepaError err = {0};
    *file = (DescriptionFile){.path = o->description, .quiet = o->quiet};
    const int status =
        description_read_machine(file, o->defines, o->define_count, (double)o->now, &s->machine);
    if (status != EXIT_SOLVED)
        return status;
    const PepaStatus taken = platform_new(&s->platform, s->machine, (int32_t)o->processes, &err);
    return taken == PEPA_OK ? EXIT_SOLVED : description_complain(file, taken, &err);
}

static int complain(PepaStatus status, const PepaError *err)
{
    return status == PEPA_OK ? EXIT_SOLVED : fail(exit_status(status), "gum: %s", err->message);
}

static void show_progress(void *user)
{
    GumSession *s = user;
    const double seconds = clock_seconds() - s->began;
    s->predictions++;
    if (!s->options->quiet && seconds >= 1 && isatty(2))
        progress_show(&s->progress_shown, "prediction %d of at most %d, %.0f s",
                      (int)s->predictions, advise_predictions(&s->platform), seconds);
}

static PepaStatus advise(GumSession *s, PepaError *err)
{
    Platform *p = &s->platform;
    if (!mem_new_zeroed(s->worth, p->tables.clusters))
        return PEPA_ENOMEM;
    PepaStatus status = task_crossovers(p, s->profile, &s->how, s->task, &s->tasks, err);
    if (status == PEPA_OK)
        status = latency_crossovers(p, s->profile, &s->how, s->latency, &s->latencies, err);
    if (status == PEPA_OK)
        status = cluster_worth(p, s->profile, s->best, &s->how, s->worth, err);
    return status;
}

static int predict(GumSession *s)
{
    PepaError err = {.message = "out of memory"};
    PepaStatus status = predict_all(&s->platform, s->profile, &s->how, s->each, &err);
    if (status == PEPA_OK) {
        s->best = best_policy(s->each);
        if (!s->options->brief)
            status = advise(s, &err);
    }
    progress_clear(&s->progress_shown);
    return complain(status, &err);
}

static int print_model(const GumSession *s)
{
    char *text = NULL;
    PepaError err;
    const PolicyName policy = policy_find(s->options->model);
    if (policy == POLICY_UNKNOWN)
        return fail(EXIT_USAGE,
                    "gum: --model takes random, nearest-loaded, busiest or predicted, not '%s'",
                    s->options->model);
    PepaStatus status = predict_text(&s->platform, s->profile, policy, &s->how, &text, &err);
    if (status != PEPA_OK)
        return complain(status, &err);
    (void)fputs(text, stdout);
    mem_free(text);
    return finish_output();
}

static bool write_report(const void *what, FILE *to)
{
    const GumSession *s = what;
    if (s->options->json)
        gum_report_json(s, to);
    else if (s->options->csv)
        gum_report_csv(s, to);
    else
        gum_report_text(s, to);
    return true;
}

static int run(const GumOptions *options)
{
    GumSession s = {.options = options};
    s.how = (Predicting){.age_limit = (int32_t)options->age,
                         .mark = (int32_t)options->watermark,
                         .stages = (int32_t)options->stages,
                         .most_states = MOST_STATES,
                         .begins = show_progress,
                         .user = &s};
    s.began = clock_seconds();
    int status = read_machine(&s);
    if (status == EXIT_SOLVED)
        status = read_profile(&s);
    if (status == EXIT_SOLVED && options->model) {
        status = print_model(&s);
    } else if (status == EXIT_SOLVED) {
        status = predict(&s);
        if (status == EXIT_SOLVED)
            status = print_whole(write_report, &s);
    }
    mem_free(s.worth);
    platform_free(&s.platform);
    profile_free(s.profile);
    amoget_machine_free(s.machine);
    description_free(&s.description_file);
    description_free(&s.profile_file);
    return status;
}

int main(int argc, char **argv)
{
    GumOptions options;
    if (argc > 1 && strcmp(argv[1], "activity") == 0)
        return gum_activity(argc - 1, argv + 1);
    (void)gsl_set_error_handler_off(); /* its functions return what went wrong */
    int status = gum_options_read(&options, argc, argv);
    if (status == EXIT_SOLVED && options.profile)
        status = run(&options);
    gum_options_free(&options);
    return status;
}
