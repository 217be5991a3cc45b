/* Reads a model, derives its chain and solves it, with messages and progress for the user. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const char *model_name(const Options *options)
{
    return strcmp(options->model, "-") == 0 ? "<stdin>" : options->model;
}

/* The option that sets the limit that was hit. */
static const char *advice_on(PepaLimit limit)
{
    static const char *const advice[] = {
        [PEPA_LIMIT_NONE] = "",
        [PEPA_LIMIT_STATES] = " (--max-states sets the limit)",
        [PEPA_LIMIT_MEMORY] = " (--memory sets the limit)",
        [PEPA_LIMIT_ITERATIONS] = " (--max-iterations sets the limit)",
        [PEPA_LIMIT_MATRIX] = " (--matrix chooses the form)",
        [PEPA_LIMIT_METHOD] = " (--method chooses another)",
        [PEPA_LIMIT_EXPLORE] = " (--explore chooses the way)",
        [PEPA_LIMIT_COPIES] = " (--no-aggregate keeps copies apart)",
    };
    return (size_t)limit < sizeof advice / sizeof *advice ? advice[limit] : "";
}

int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    /* Errors of the model have been printed one by one, with their places. */
    bool said = (status == PEPA_ESYNTAX || status == PEPA_EMODEL) && s->findings.count;
    if (status == PEPA_EIO) /* names the file itself */
        return fail(EXIT_INPUT, "pepa: %s", err->message);
    if (said)
        return EXIT_MODEL;
    return fail(exit_status(status), "pepa: %s: %s%s", model_name(s->options), err->message,
                advice_on(err->limit));
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    progress_clear(&s->progress_shown);
    findings_add(&s->findings, d);
    if (d->severity == PEPA_ERROR || !s->options->quiet)
        print_finding(d);
}

static void exploring(const PepaProgress *p, Text *line)
{
    const double million = 1e6;
    char text[NUMBER_SIZE];
    text_add(line, "exploring: %s states", number_grouped(p->count, text));
    if (p->measure > 0) /* sets do not count transitions while exploring */
        text_add(line, ", %s transitions", number_grouped((int64_t)p->measure, text));
    double rate = p->seconds > 0 ? (double)p->count / p->seconds : 0;
    if (rate >= million / 10)
        text_add(line, ", %.1f million/s", rate / million);
    else if (rate > 0)
        text_add(line, ", %s/s", number_grouped((int64_t)rate, text));
    text_add(line, ", %.0f s", p->seconds);
}

/* Roughly: it is an estimate. */
static void time_left(double seconds, Text *line)
{
    const double minute = 60, hour = 3600, day = 24 * hour;
    if (seconds < 2 * minute)
        text_add(line, ", about %.0f s left", fmax(ceil(seconds), 1));
    else if (seconds < 2 * hour)
        text_add(line, ", about %.0f min left", seconds / minute);
    else if (seconds < 2 * day)
        text_add(line, ", about %.0f h left", seconds / hour);
    else
        text_add(line, ", days left");
}

static void solving(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "solving: %s %s", p->method ? p->method : "iteration",
             number_grouped(p->count, text));
    text_add(line, ", residual %.1e", p->measure);
    if (p->left < 0) {
        text_add(line, ", %.0f s", p->seconds);
        return;
    }
    double each = -log(10) / p->slope; /* iterations for a tenth */
    text_add(line, each < 9.5 ? ", tenfold less in %.1f" : ", tenfold less in %.0f", each);
    time_left(p->left, line);
}

static int progress(void *user, const PepaProgress *p)
{
    Session *s = user;
    if (s->options->quiet || (!s->options->progress && (p->seconds < 1 || !isatty(2))))
        return 0;
    Text line = {0};
    if (strcmp(p->phase, "derive") == 0)
        exploring(p, &line);
    else
        solving(p, &line);
    if (!line.failed)
        progress_show(&s->progress_shown, "%.78s", line.text); /* what progress_clear clears */
    text_free(&line);
    return 0;
}

/* What was asked for has errors, which have been printed with their places. */
static int bad_question(const Session *s, PepaStatus status, const PepaError *err)
{
    return status == PEPA_EARG ? EXIT_USAGE : complain(s, status, err);
}

static int read_measures(Session *s, const Asked *asked)
{
    PepaError err = {0};
    Text text = {0};
    const char *name = asked->file ? asked->text : "--measure";
    if (asked->file) {
        FILE *from = fopen(asked->text, "rb");
        if (from)
            text_read(&text, from);
        if (!from || ferror(from) || text.failed) {
            int failed = text.failed ? out_of_memory()
                                     : fail(EXIT_INPUT, "pepa: cannot read %s: %s", asked->text,
                                            strerror(errno));
            text_free(&text);
            if (from)
                (void)fclose(from);
            return failed;
        }
        (void)fclose(from);
    } else {
        text_add(&text, "%s", asked->text);
    }
    const int32_t before = pepa_measures_count(s->measures);
    PepaStatus status = text.failed ? PEPA_ENOMEM
                                    : pepa_measures_add(s->measures, name, text.text, text.length,
                                                        diagnose, s, &err);
    text_free(&text);
    if (status == PEPA_OK && !asked->file && pepa_measures_count(s->measures) == before)
        return fail(EXIT_USAGE, "pepa: --measure '%s' is no measure", asked->text);
    return status == PEPA_OK ? EXIT_SOLVED : bad_question(s, status, &err);
}

/* Measures and predicates of the command line: read before anything takes long. */
static int read_questions(Session *s)
{
    const Options *o = s->options;
    PepaError err = {0};
    PepaStatus status = PEPA_OK;
    int read = EXIT_SOLVED;
    if (o->asked_count)
        status = pepa_measures_new(&s->measures, s->model, &err);
    if (status == PEPA_OK && o->where)
        status = pepa_predicate_new(&s->where, s->model, "--where", o->where, strlen(o->where),
                                    diagnose, s, &err);
    if (status != PEPA_OK)
        return bad_question(s, status, &err);
    for (size_t i = 0; i < o->asked_count && read == EXIT_SOLVED; i++)
        read = read_measures(s, &o->asked[i]);
    return read;
}

int session_read(Session *s, const Options *options)
{
    PepaError err = {0};
    *s = (Session){.options = options};
    PepaReading how = {.defines = options->defines,
                       .define_count = options->define_count,
                       .diagnose = diagnose,
                       .user = s};
    double start = clock_seconds();
    PepaStatus status;
    if (strcmp(options->model, "-") == 0) {
        Text text = {0};
        text_read(&text, stdin);
        if (text.failed || ferror(stdin)) {
            int failed = fail(EXIT_INPUT, "pepa: cannot read standard input: %s", strerror(errno));
            text_free(&text);
            return failed;
        }
        status =
            pepa_model_parse(&s->model, model_name(options), text.text, text.length, &how, &err);
        text_free(&text);
    } else {
        status = pepa_model_load(&s->model, options->model, &how, &err);
    }
    s->parse_seconds = clock_seconds() - start;
    return status == PEPA_OK ? read_questions(s) : complain(s, status, &err);
}

static PepaSettings settings(Session *s)
{
    PepaSettings set = s->options->set;
    set.derive.diagnose = diagnose;
    set.progress = progress;
    set.user = s;
    set.evidence = s->options->explain ? &s->evidence : NULL;
    return set;
}

int session_derive(Session *s, const Options *options)
{
    PepaError err = {0};
    int read = session_read(s, options);
    if (read != EXIT_SOLVED)
        return read;
    PepaSettings set = settings(s);
    double start = clock_seconds();
    PepaStatus status = pepa_chain_derive(&s->chain, s->model, &set, &err);
    s->derive_seconds = clock_seconds() - start;
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    s->info = pepa_chain_info(s->chain);
    (void)pepa_chain_transitions(s->chain, &s->transitions, NULL); /* if it stores any */
    return EXIT_SOLVED;
}

/* The values of the measures that were asked for; a warning for each that has none. */
static int measure(Session *s)
{
    PepaError err = {0};
    const int32_t count = s->measures ? pepa_measures_count(s->measures) : 0;
    s->measured = calloc((size_t)count + 1, sizeof *s->measured);
    if (!s->measured)
        return out_of_memory();
    PepaStatus status =
        count ? pepa_measures_values(s->measures, s->chain, s->pi, s->measured, &err) : PEPA_OK;
    if (status != PEPA_OK)
        return complain(s, status, &err);
    for (int32_t i = 0; i < count; i++) {
        Text message = {0};
        if (!isnan(s->measured[i]))
            continue;
        text_add(&message, "measure `%s` has no value: a division by 0, or a number too large",
                 pepa_measures_name(s->measures, i));
        diagnose(s, &(PepaDiagnostic){.severity = PEPA_WARNING,
                                      .file = model_name(s->options),
                                      .message = message.text ? message.text : "",
                                      .excerpt = ""});
        text_free(&message);
    }
    return EXIT_SOLVED;
}

int session_solve(Session *s)
{
    PepaError err = {0};
    PepaSettings set = settings(s);
    s->pi = malloc((size_t)s->info.states * sizeof *s->pi);
    if (!s->pi)
        return out_of_memory();
    double start = clock_seconds();
    PepaStatus status = pepa_solve_steady(s->chain, &set, s->pi, &s->solved, &err);
    s->solved.seconds = clock_seconds() - start; /* with the preparations */
    progress_clear(&s->progress_shown);
    if (status == PEPA_OK)
        return measure(s);
    int said = complain(s, status, &err);
    if (s->options->explain && s->solved.method)
        (void)explain_text(s, false, stderr);
    return said;
}

void session_free(Session *s)
{
    pepa_measures_free(s->measures);
    pepa_predicate_free(s->where);
    free(s->measured);
    pepa_chain_free(s->chain);
    pepa_model_free(s->model);
    free(s->pi);
    findings_free(&s->findings);
}
