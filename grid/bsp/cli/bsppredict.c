/* bsppredict: how long a bulk-synchronous program takes on other machines, from a trace. */
#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bsppredict.h"

const char program[] = "bsppredict";

/* Models with more states are not solved, but by two integrals. */
#define MOST_STATES 20000.0

static int read_trace(PredictSession *s)
{
    PepaError err = {0};
    s->trace_file = (DescriptionFile){.path = s->options->trace, .quiet = s->options->quiet};
    int status = description_open(&s->trace_file);
    if (status != EXIT_SOLVED)
        return status;
    const AmogetReading how = description_reading(&s->trace_file, NULL, 0, 0);
    PepaStatus read = trace_read(&s->trace, description_name(&s->trace_file), s->trace_file.text,
                                 s->trace_file.length, how.diagnose, how.user, &err);
    description_close(&s->trace_file);
    return read == PEPA_OK ? EXIT_SOLVED : description_complain(&s->trace_file, read, &err);
}

static int read_machine(PredictSession *s)
{
    const PredictOptions *o = s->options;
    s->description_file = (DescriptionFile){.path = o->description, .quiet = o->quiet};
    return description_read_machine(&s->description_file, o->defines, o->define_count,
                                    (double)o->now, &s->machine);
}

/* ---- processors ------------------------------------------------------------------------------ */

static int unknown_processor(const PredictSession *s, const char *name, size_t length)
{
    const int32_t count = amoget_processor_count(s->machine);
    const char **names = malloc((size_t)count * sizeof *names);
    char *text = malloc(length + 1);
    if (!names || !text) {
        free(names);
        free(text);
        return out_of_memory();
    }
    for (int32_t i = 0; i < count; i++)
        names[i] = amoget_processor_name(s->machine, i);
    memcpy(text, name, length);
    text[length] = '\0';
    const char *near = suggest(text, names, (size_t)count);
    (void)fail(EXIT_USAGE, "bsppredict: --processors: %s has no processor '%s'%s%s%s",
               description_name(&s->description_file), text, near ? "; did you mean '" : "",
               near ? near : "", near ? "'?" : "");
    free(names);
    free(text);
    return EXIT_USAGE;
}

static int32_t find_processor(const PredictSession *s, const char *name, size_t length)
{
    for (int32_t i = 0; i < amoget_processor_count(s->machine); i++) {
        const char *each = amoget_processor_name(s->machine, i);
        if (strlen(each) == length && memcmp(each, name, length) == 0)
            return i;
    }
    return -1;
}

/* "a,a,b,c": by process. */
static int read_processors(PredictSession *s)
{
    const char *at = s->options->processors;
    const int32_t n = s->trace->processes;
    for (int32_t p = 0;; p++) {
        const size_t length = strcspn(at, ",");
        const int32_t processor = find_processor(s, at, length);
        if (processor < 0)
            return unknown_processor(s, at, length);
        if (p < n)
            s->where.at[p] = processor;
        at += length;
        if (*at == '\0' && p + 1 == n)
            return EXIT_SOLVED;
        if (*at == '\0' || p + 1 >= n)
            return fail(EXIT_USAGE,
                        "bsppredict: --processors: %s has %d process%s, each needs a processor",
                        description_name(&s->trace_file), (int)n, n == 1 ? "" : "es");
        at++;
    }
}

/* Latencies between all processors in use, which placement_update needs. */
static int check_links(const PredictSession *s)
{
    for (int32_t p = 0; p < s->where.processes; p++)
        for (int32_t q = 0; q < p; q++) {
            const int32_t a = s->where.at[q], b = s->where.at[p];
            if (a != b && isnan(amoget_latency(s->machine, a, b)))
                return fail(EXIT_MODEL, "bsppredict: %s: no latency between %s and %s is given",
                            description_name(&s->description_file),
                            amoget_processor_name(s->machine, a),
                            amoget_processor_name(s->machine, b));
        }
    return EXIT_SOLVED;
}

static int choose_processors(PredictSession *s)
{
    const PredictOptions *o = s->options;
    PepaError err;
    s->platform = (Platform){o->unit, o->word, o->sync, o->window, o->separate_links};
    if (!placement_new(&s->where, s->machine, &s->platform, s->trace->processes))
        return out_of_memory();
    if (o->processors) {
        int status = read_processors(s);
        if (status == EXIT_SOLVED)
            status = check_links(s);
        if (status == EXIT_SOLVED)
            placement_update(&s->where);
        return status;
    }
    PepaStatus status = placement_search(s->trace, &s->where, o->effort, &s->found, &err);
    return status == PEPA_OK ? EXIT_SOLVED
                             : description_complain(&s->description_file, status, &err);
}

/* ---- the prediction -------------------------------------------------------------------------- */

static int predict(PredictSession *s)
{
    PepaError err;
    const PepaSettings set = {.solve = {.tolerance = 1e-12}};
    if (!mem_new(s->each, s->trace->steps))
        return out_of_memory();
    s->predicting = (Predicting){.trace = s->trace,
                                 .where = &s->where,
                                 .stages = (int32_t)s->options->stages,
                                 .most_states = MOST_STATES,
                                 .set = &set,
                                 .each = s->each};
    PepaStatus status = predict_trace(&s->predicting, &s->sum, &err);
    s->predicting.set = NULL;
    return status == PEPA_OK ? EXIT_SOLVED
                             : fail(exit_status(status), "bsppredict: %s", err.message);
}

static int print_model(const PredictSession *s)
{
    int64_t number;
    char about[120], *text = NULL;
    PepaError err;
    Superstep step;
    if (!whole(s->options->model, 0, &number) || number >= s->trace->steps)
        return fail(EXIT_USAGE, "bsppredict: --model takes the number of a superstep, 0 to %lld",
                    (long long)s->trace->steps - 1);
    (void)snprintf(about, sizeof about, "Superstep %lld of 0 to %lld, %d process%s.",
                   (long long)number, (long long)s->trace->steps - 1, (int)s->trace->processes,
                   s->trace->processes == 1 ? "" : "es");
    if (!superstep_new(&step, s->trace->processes))
        return out_of_memory();
    superstep_cost(&step, s->trace, number, &s->where);
    PepaStatus status = model_text(&step, (int32_t)s->options->stages, about, &text, &err);
    superstep_free(&step);
    if (status != PEPA_OK)
        return fail(exit_status(status), "bsppredict: --model: %s", err.message);
    (void)fputs(text, stdout);
    mem_free(text);
    return finish_output();
}

static bool write_report(const void *what, FILE *to)
{
    const PredictSession *s = what;
    if (s->options->json)
        predict_report_json(s, to);
    else if (s->options->csv)
        predict_report_csv(s, to);
    else
        predict_report_text(s, to);
    return true;
}

static int run(const PredictOptions *options)
{
    PredictSession s = {.options = options};
    int status = read_trace(&s);
    if (status == EXIT_SOLVED)
        status = read_machine(&s);
    if (status == EXIT_SOLVED)
        status = choose_processors(&s);
    if (status == EXIT_SOLVED && options->model) {
        status = print_model(&s);
    } else if (status == EXIT_SOLVED) {
        status = predict(&s);
        if (status == EXIT_SOLVED)
            status = print_whole(write_report, &s);
    }
    mem_free(s.each);
    placement_free(&s.where);
    amoget_machine_free(s.machine);
    trace_free(s.trace);
    description_free(&s.description_file);
    description_free(&s.trace_file);
    return status;
}

int main(int argc, char **argv)
{
    PredictOptions options;
    (void)gsl_set_error_handler_off(); /* its functions return what went wrong */
    int status = predict_options_read(&options, argc, argv);
    if (status == EXIT_SOLVED && options.trace)
        status = run(&options);
    predict_options_free(&options);
    return status;
}
