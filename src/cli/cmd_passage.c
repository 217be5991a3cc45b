/* pepa passage: how long it takes from one event to another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

#include <pepa_shared.h>

typedef struct {
    Session *s;
    PepaPassage *passage;
    double *time, *cdf, *pdf, *quantile, *within; /* within: the quantiles' times */
    size_t count, quantiles;
    double error, seconds;
    PepaPassageMoments moments;
} Found;

/* "a,b": the names in `copy`, which is cut up.  The caller frees the list. */
static const char **split(char *copy, size_t *count)
{
    const char **names = calloc(strlen(copy) + 1, sizeof *names);
    char *rest = NULL;
    for (char *each = names ? strtok_r(copy, ",", &rest) : NULL; each;
         each = strtok_r(NULL, ",", &rest))
        names[(*count)++] = each;
    return names;
}

static void keep_message(void *user, const PepaDiagnostic *each)
{
    (void)snprintf(user, sizeof((PepaError *)0)->message, "%s", each->message);
}

/* The actions of an option, before the chain is derived: "a,b" as the atom throughput:{"a", "b"}. */
static int check_actions(const Session *s, const char *option, const char *actions)
{
    char message[sizeof((PepaError *)0)->message] = "";
    Text text = {0};
    PepaMeasures *measures = NULL;
    text_add(&text, "throughput:{\"");
    for (const char *p = actions; *p; p++)
        text_add(&text, *p == ',' ? "\", \"" : "%c", *p);
    text_add(&text, "\"}");
    PepaStatus status = text.failed ? PEPA_ENOMEM : pepa_measures_new(&measures, s->model, NULL);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, option, text.text, text.length, keep_message, message,
                                   NULL);
    pepa_measures_free(measures);
    text_free(&text);
    if (status == PEPA_EARG)
        return fail(EXIT_USAGE, "%s: %s: %s", s->options->command->called, option, message);
    return status == PEPA_OK ? EXIT_SOLVED : out_of_memory();
}

static int check(const Options *o)
{
    const char *called = o->command->called;
    if (!o->simulate &&
        (o->runs || o->relative_width > 0 || o->confidence > 0 || o->max_events || o->seed))
        return fail(EXIT_USAGE,
                    "%s: --runs, --relative-width, --confidence, --max-events and --seed go with "
                    "--simulate",
                    called);
    int from = (o->from_action != NULL) + (o->from != NULL) + o->from_start;
    int to = (o->to_action != NULL) + (o->to != NULL);
    if (o->field && (!o->probe || o->from_start))
        return fail(
            EXIT_USAGE,
            "%s: --fluid takes a --probe of one component, such as 'Client:(a:start, b:stop)', "
            "and no --from-start",
            called);
    if (o->probe)
        return from == o->from_start && to == 0
                   ? EXIT_SOLVED
                   : fail(EXIT_USAGE,
                          "%s: --probe says where passages begin and end; beside it goes "
                          "--from-start only",
                          called);
    if (from != 1)
        return fail(EXIT_USAGE, "%s: give one of --from-action A, --from PREDICATE, --from-start",
                    called);
    if (to != 1)
        return fail(EXIT_USAGE, "%s: give one of --to-action A, --to PREDICATE", called);
    return EXIT_SOLVED;
}

/* ---- reports --------------------------------------------------------------------------------- */

/* A number, or null for one that is not finite. */
static void json_finite(double value)
{
    json_number(isfinite(value) ? value : NAN);
}

static void json_list(const char *name, const double *list, size_t count)
{
    (void)printf(",\n  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        (void)printf("%s", i ? ", " : "");
        json_number(list[i]);
    }
    (void)printf("]");
}

static int passage_json(const Found *f)
{
    json_begin(f->s);
    json_processes(f->s);
    (void)printf(",\n  \"ends\": " FULL ", \"mean\": ", f->moments.ends);
    json_finite(f->moments.mean);
    (void)printf(", \"variance\": ");
    json_finite(f->moments.variance);
    json_list("time", f->time, f->count);
    json_list("cdf", f->cdf, f->count);
    json_list("pdf", f->pdf, f->count);
    (void)printf(",\n  \"quantiles\": {");
    for (size_t i = 0; i < f->quantiles; i++) {
        (void)printf("%s \"%.15g\": ", i ? "," : "", f->quantile[i]);
        json_finite(f->within[i]);
    }
    (void)printf(" },\n  \"error_bound\": " FULL ", \"steps\": %lld, \"solves\": %lld", f->error,
                 (long long)pepa_passage_steps(f->passage),
                 (long long)pepa_passage_solves(f->passage));
    json_end(f->s, "passage", f->seconds);
    return finish_output();
}

static int passage_csv(const Found *f)
{
    if (f->count) {
        (void)printf("time,cdf,pdf\n");
        for (size_t i = 0; i < f->count; i++)
            (void)printf(FULL "," FULL "," FULL "\n", f->time[i], f->cdf[i], f->pdf[i]);
        return finish_output();
    }
    (void)printf("measure,value\nends," FULL "\nmean," FULL "\nvariance," FULL "\n",
                 f->moments.ends, f->moments.mean, f->moments.variance);
    for (size_t i = 0; i < f->quantiles; i++)
        if (isnan(f->within[i]))
            (void)printf("quantile %.15g,\n", f->quantile[i]);
        else
            (void)printf("quantile %.15g," FULL "\n", f->quantile[i], f->within[i]);
    return finish_output();
}

static void print_time(const char *name, double value)
{
    if (isnan(value))
        (void)printf("  %-22s not known\n", name);
    else if (isfinite(value))
        (void)printf("  %-22s %.10g\n", name, value);
    else
        (void)printf("  %-22s infinite: some passages never end\n", name);
}

static int passage_text(const Found *f)
{
    char name[64];
    const Session *s = f->s;
    text_begin(s);
    (void)printf("\nPassage time\n");
    if (f->moments.ends < 1)
        (void)printf("  %-22s %.10g\n", "probability of an end", f->moments.ends);
    print_time("mean", f->moments.mean);
    print_time("standard deviation", f->moments.deviation);
    for (size_t i = 0; i < f->quantiles; i++) {
        (void)snprintf(name, sizeof name, "%.14g%% end within", f->quantile[i]);
        print_time(name, f->within[i]);
    }
    if (f->count)
        (void)printf("\n  %-14s  %-16s  %s\n", "time", "probability", "density");
    for (size_t i = 0; i < f->count; i++)
        (void)printf("  %-14.8g  %-16.10g  %.10g\n", f->time[i], f->cdf[i], f->pdf[i]);
    (void)printf("\nMean by linear equations, probabilities ");
    text_steps(pepa_passage_steps(f->passage), pepa_passage_solves(f->passage));
    if (s->shares && !s->alone)
        (void)printf(" by %d processes", shared_count(s));
    (void)printf(", %.3g s in all.\n",
                 s->parse_seconds + s->derive_seconds + s->solved.seconds + f->seconds);
    if (f->error == 0) /* there is none */
        return finish_output();
    (void)printf("Error of every probability: at most %.1e", f->error);
    if (!s->options->from_start)
        (void)printf(", given where passages begin");
    if (!s->options->from_start && s->solved.residual > 0)
        (void)printf(" in the long run (residual %.1e)", s->solved.residual);
    (void)puts(".");
    return finish_output();
}

/* ---- the picture ----------------------------------------------------------------------------- */

static const char *column_name(const void *user, int32_t column)
{
    static const char *const names[] = {"time", "probability of an end by then", "density"};
    (void)user;
    return names[column];
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Found *f = user;
    return column == 0 ? f->time[row] : column == 1 ? f->cdf[row] : f->pdf[row];
}

static int draw_passage(const Found *f)
{
    static const Axes axes = {.x = "time (in the model's unit)",
                              .y = "probability",
                              .right = "density (per unit of time)",
                              .shares = true};
    const Grid grid = {1, 3, f->count, column_name, column_value, f};
    return f->s->options->plot ? plot(f->s, &grid, &axes) : EXIT_SOLVED;
}

/* ---- what is found --------------------------------------------------------------------------- */

static void free_ends(PassageAsked *a)
{
    free((void *)a->ends.from_action);
    free((void *)a->ends.to_action);
    free(a->from);
    free(a->to);
}

/* Where passages begin and end, as the options say; free_ends in any case. */
static int read_ends(const Session *s, PassageAsked *a)
{
    const Options *o = s->options;
    a->ends = (PepaPassageEnds){.from = s->from, .from_start = o->from_start, .to = s->to};
    a->from = strdup(o->from_action ? o->from_action : "");
    a->to = strdup(o->to_action ? o->to_action : "");
    a->ends.from_action = a->from ? split(a->from, &a->ends.from_actions) : NULL;
    a->ends.to_action = a->to ? split(a->to, &a->ends.to_actions) : NULL;
    return a->ends.from_action && a->ends.to_action ? EXIT_SOLVED : out_of_memory();
}

static PepaStatus open_together(Found *f, const PepaPassageEnds *ends, PepaError *err)
{
    Session *s = f->s;
    const PepaProcesses *p = s->options->together->processes;
    const PepaSettings set = session_settings(s);
    PepaStatus status = pepa_shared_passage(&f->passage, s->chain, p, s->shared, ends, &set, err);
    if (!s->peaks)
        s->peaks = calloc((size_t)p->count, sizeof *s->peaks);
    (void)session_alone(s, &status, err);
    return status;
}

static int open_passage(Found *f, const PepaPassageEnds *ends)
{
    Session *s = f->s;
    PepaError err = {0};
    PepaStatus status = s->shares && !s->alone ? open_together(f, ends, &err) : PEPA_OK;
    const PepaSettings set = session_settings(s);
    if (status == PEPA_OK && (!s->shares || s->alone))
        status = pepa_passage_new(&f->passage, s->chain, s->pi, ends, &set, &err);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

/* The first of the processes reports. */
static bool is_other(const Session *s)
{
    return shared_count(s) > 1 && s->options->together->processes->rank > 0;
}

/* One of those that are printed unless others are asked for may be unknown: NaN. */
static PepaStatus find_quantile(Found *f, size_t i, PepaError *err)
{
    double error = 0;
    PepaStatus status = pepa_passage_quantile(f->passage, f->quantile[i] / 100, &f->within[i], err);
    if (status == PEPA_OK && isfinite(f->within[i]))
        status = pepa_passage_at(f->passage, f->within[i], NULL, NULL, &error, err);
    if (status == PEPA_OK)
        f->error = fmax(f->error, error);
    if ((status != PEPA_ENOCONV && status != PEPA_ELIMIT) || f->s->options->quantiles)
        return status;
    f->within[i] = NAN;
    if (!is_other(f->s))
        session_warn(f->s, err->message);
    return PEPA_OK;
}

static int find(Found *f)
{
    PepaError err = {0};
    double start = clock_seconds(), error = 0;
    PepaStatus status = PEPA_OK;
    for (size_t i = 0; i < f->count && status == PEPA_OK; i++) {
        status = pepa_passage_at(f->passage, f->time[i], &f->cdf[i], &f->pdf[i], &error, &err);
        f->error = fmax(f->error, error);
    }
    if (status == PEPA_OK)
        status = pepa_passage_moments(f->passage, &f->moments, &err);
    for (size_t i = 0; i < f->quantiles && status == PEPA_OK; i++)
        status = find_quantile(f, i, &err);
    f->seconds = clock_seconds() - start;
    progress_clear(&f->s->progress_shown);
    return status == PEPA_OK ? EXIT_SOLVED : complain(f->s, status, &err);
}

static bool reserve(Found *f)
{
    f->cdf = calloc(f->count + 1, sizeof *f->cdf);
    f->pdf = calloc(f->count + 1, sizeof *f->pdf);
    f->within = calloc(f->quantiles + 1, sizeof *f->within);
    return f->cdf && f->pdf && f->within;
}

/* What answers where the chain is too large. */
static void advise_passage(const Session *s)
{
    const Options *o = s->options;
    if (!too_large(s) || o->quiet)
        return;
    (void)fprintf(stderr, "pepa: what answers without a chain:\n  --simulate: from samples, with "
                          "confidence intervals\n");
    if (o->probe && !o->from_start && !o->field)
        (void)fprintf(stderr, "  --fluid: for a probe of one component among many, approximate\n");
}

static int passage_exact(Found *f, const PepaPassageEnds *ends)
{
    const Options *o = f->s->options;
    int status = session_explore(f->s);
    advise_passage(f->s);
    if (status == EXIT_SOLVED && !o->from_start)
        status = session_solve(f->s);
    if (status == EXIT_SOLVED && !f->s->waits)
        status = open_passage(f, ends);
    if (status == EXIT_SOLVED && !f->s->waits)
        status = find(f);
    session_peaks(f->s);
    if (status != EXIT_SOLVED || is_other(f->s))
        return status;
    const int drawn = draw_passage(f);
    return plot_status(drawn, o->json  ? passage_json(f)
                              : o->csv ? passage_csv(f)
                                       : passage_text(f));
}

/* One of several simulates, with the cores and the memory of its host.  False: this one does not. */
static bool simulates(Options *o, Together *alone)
{
    const PepaProcesses *p = o->together ? o->together->processes : NULL;
    if (!o->simulate || !p || p->count == 1)
        return true;
    if (p->rank > 0)
        return false;
    (void)fprintf(stderr, "%s: processes do not share --simulate: one of the %d simulates\n",
                  o->command->called, p->count);
    *alone = (Together){.beside = 1};
    o->together = alone;
    o->set.threads = o->threads_alone;
    o->set.memory = o->memory_alone;
    return true;
}

int cmd_passage(Options *options)
{
    Session s = {.options = options};
    Found f = {.s = &s};
    Together alone;
    PassageAsked asked = {.count = 0};
    const double all = 100; /* per cent */
    int status = check(options);
    if (status == EXIT_SOLVED && !simulates(options, &alone))
        return EXIT_SOLVED;
    if (status == EXIT_SOLVED)
        status = plot_check(options);
    if (status == EXIT_SOLVED)
        status = session_times(&s, &f.time, &f.count);
    if (status == EXIT_SOLVED && read_list(options->quantiles ? options->quantiles : "50,90,99",
                                           1e-300, all, &f.quantile, &f.quantiles) != GO_ON)
        status = fail(EXIT_USAGE,
                      "%s: --quantiles takes ascending numbers between 0 and 100, as 50,99.9; "
                      "not '%s'",
                      options->command->called, options->quantiles);
    if (status == EXIT_SOLVED && options->plot && f.count == 0)
        status =
            fail(EXIT_USAGE, "%s: a picture needs times: give --until T", options->command->called);
    if (status == EXIT_SOLVED && !reserve(&f))
        status = out_of_memory();
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    if (status == EXIT_SOLVED && options->from_action)
        status = check_actions(&s, "--from-action", options->from_action);
    if (status == EXIT_SOLVED && options->to_action)
        status = check_actions(&s, "--to-action", options->to_action);
    if (status == EXIT_SOLVED)
        status = read_ends(&s, &asked);
    asked.time = f.time;
    asked.count = f.count;
    asked.quantile = f.quantile;
    asked.quantiles = f.quantiles;
    s.shares = s.by_rows = shared_count(&s) > 1;
    if (status == EXIT_SOLVED)
        status = options->simulate ? passage_simulate(&s, &asked) : passage_exact(&f, &asked.ends);
    free_ends(&asked);
    pepa_passage_free(f.passage);
    free(f.time);
    free(f.cdf);
    free(f.pdf);
    free(f.quantile);
    free(f.within);
    session_free(&s);
    return status;
}
