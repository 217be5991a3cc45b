/* Reads a model and derives its chain, with messages and progress for the user. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copies.h"
#include "memory.h"
#include "session.h"

#include <pepa_shared.h>

/* Seconds of exploration. */
#define ADVICE_AFTER 3.0

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

static void stepping(const PepaProgress *p, Text *line)
{
    char done[NUMBER_SIZE], all[NUMBER_SIZE];
    text_add(line, "transient: step %s of at most %s", number_grouped(p->count, done),
             number_grouped((int64_t)p->measure, all));
    if (p->left >= 0)
        time_left(p->left, line);
}

static void sweeping(const PepaProgress *p, Text *line)
{
    char done[NUMBER_SIZE], all[NUMBER_SIZE];
    text_add(line, "experiment: %s of %s points", number_grouped(p->count, done),
             number_grouped((int64_t)p->measure, all));
    if (p->left >= 0)
        time_left(p->left, line);
}

static void lumping(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "lumping: %s blocks, %.0f s", number_grouped(p->count, text), p->seconds);
}

static void optimising(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "optimising: %s point%s solved, %.0f s", number_grouped(p->count, text),
             p->count == 1 ? "" : "s", p->seconds);
}

static void following(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "fluid: %s steps, %.0f%% of the time, %.0f s", number_grouped(p->count, text),
             100 * p->measure, p->seconds);
}

static void simulating(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "simulating: %s events", number_grouped(p->count, text));
    if (p->measure > 0)
        text_add(line, ", all known to +- %.2g", p->measure);
    text_add(line, ", %.0f s", p->seconds);
}

static void walking(const PepaProgress *p, Text *line)
{
    char text[NUMBER_SIZE];
    text_add(line, "walking: %s steps, %.0f s", number_grouped(p->count, text), p->seconds);
}

static void fitting(const PepaProgress *p, Text *line)
{
    text_add(line, "fitting: %d candidate%s fitted, %.0f s", (int)p->count,
             p->count == 1 ? "" : "s", p->seconds);
}

static void resampling(const PepaProgress *p, Text *line)
{
    char done[NUMBER_SIZE], all[NUMBER_SIZE];
    text_add(line, "p-values: %s of %s samples", number_grouped(p->count, done),
             number_grouped((int64_t)p->measure, all));
    if (p->left >= 0)
        time_left(p->left, line);
}

/* Once; also while users wait for the states that copies have. */
static void advise_copies(Session *s)
{
    if (s->advised || s->options->quiet)
        return;
    progress_clear(&s->progress_shown);
    copies_show(s->model);
    s->advised = true;
}

static int progress(void *user, const PepaProgress *p)
{
    Session *s = user;
    if (checkpoint_ends(&s->checkpoint))
        return 1;
    if (p->seconds > ADVICE_AFTER && strcmp(p->phase, "derive") == 0)
        advise_copies(s);
    if (s->options->quiet || (!s->options->progress && (p->seconds < 1 || !isatty(2))))
        return 0;
    Text line = {0};
    if (strcmp(p->phase, "derive") == 0)
        exploring(p, &line);
    else if (strcmp(p->phase, "transient") == 0)
        stepping(p, &line);
    else if (strcmp(p->phase, "experiment") == 0)
        sweeping(p, &line);
    else if (strcmp(p->phase, "optimise") == 0)
        optimising(p, &line);
    else if (strcmp(p->phase, "fluid") == 0)
        following(p, &line);
    else if (strcmp(p->phase, "simulate") == 0)
        simulating(p, &line);
    else if (strcmp(p->phase, "walk") == 0)
        walking(p, &line);
    else if (strcmp(p->phase, "lump") == 0)
        lumping(p, &line);
    else if (strcmp(p->phase, "fit") == 0)
        fitting(p, &line);
    else if (strcmp(p->phase, "bootstrap") == 0)
        resampling(p, &line);
    else
        solving(p, &line);
    if (!line.failed)
        progress_show(&s->progress_shown, "%.78s", line.text); /* what progress_clear clears */
    text_free(&line);
    return 0;
}

/* ---- the model ------------------------------------------------------------------------------- */

static bool is_piped(const Options *o)
{
    return strcmp(o->model, "-") == 0;
}

static int read_input(Session *s)
{
    text_read(&s->piped, stdin, TEXT_MOST);
    if (s->piped.failed || ferror(stdin) || !together_text(s->options->together, &s->piped))
        return fail(EXIT_INPUT, "pepa: cannot read standard input: %s", strerror(errno));
    return EXIT_SOLVED;
}

/* Of processes that share a command the first one reads the file, which may be on its machine only. */
static int read_for_all(Session *s)
{
    const Options *o = s->options;
    const bool first = o->together->processes->rank == 0;
    FILE *file = first ? fopen(o->model, "rb") : NULL;
    const char *what = file ? "read" : "open";
    int why = errno;
    if (file) {
        errno = 0;
        text_read(&s->piped, file, TEXT_MOST);
        why = errno;
        s->piped.failed |= ferror(file) != 0;
        (void)fclose(file);
    } else {
        s->piped.failed = first;
    }
    if (!together_text(o->together, &s->piped))
        return fail(EXIT_INPUT, "pepa: cannot %s %s: %s", what, o->model, strerror(why));
    return EXIT_SOLVED;
}

/* Has each of the processes come as far, and to the same model?  One that has not cannot say why. */
static int agree(Session *s, int status)
{
    const PepaProcesses *p = s->options->together->processes;
    const char *name = model_name(s->options);
    uint64_t sum = 0;
    if (!p)
        return status;
    if (status == EXIT_SOLVED && !checkpoint_model(s->model, &sum))
        status = out_of_memory();
    const double digits = (double)(sum >> 11); /* as many as a double has */
    double seen[] = {status != EXIT_SOLVED, digits, -digits};
    p->largest(p->user, seen, sizeof seen / sizeof *seen);
    if (status != EXIT_SOLVED)
        return status;
    if (seen[0] != 0)
        return fail(EXIT_INPUT,
                    "pepa: %s: another process cannot read what the command names: these files "
                    "have to be on each machine",
                    name);
    if (seen[1] != -seen[2])
        return fail(EXIT_INPUT, "pepa: %s: the processes have different models or values of rates",
                    name);
    return EXIT_SOLVED;
}

/* The model with the defines until now. */
static PepaStatus read_model(Session *s, PepaDiagnose diagnose, PepaModel **out, PepaError *err)
{
    const PepaReading how = {.defines = s->defines,
                             .define_count = s->define_count,
                             .diagnose = diagnose,
                             .user = s,
                             .no_files = s->options->no_files};
    if (is_piped(s->options) || s->options->together->processes)
        return pepa_model_parse(out, model_name(s->options), s->piped.text, s->piped.length, &how,
                                err);
    return pepa_model_load(out, s->options->model, &how, err);
}

/* Warnings come when the model is read for good. */
static void diagnose_errors(void *user, const PepaDiagnostic *d)
{
    if (d->severity == PEPA_ERROR)
        session_diagnose(user, d);
}

/* Such as +2, which is no expression. */
static bool is_number(const char *text, size_t length, double *value)
{
    char copy[64];
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return number(copy, value);
}

int session_value(Session *s, const char *option, const char *text, size_t length, double *value)
{
    PepaError err = {0};
    PepaModel *model = NULL;
    if (is_number(text, length, value))
        return EXIT_SOLVED;
    PepaStatus status = pepa_model_value(NULL, option, text, length, NULL, NULL, value, &err);
    if (status != PEPA_EARG) /* without rates; else, and for errors, the model matters */
        return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
    status = read_model(s, diagnose_errors, &model, &err);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    status = pepa_model_value(model, option, text, length, session_diagnose, s, value, &err);
    pepa_model_free(model);
    return status == PEPA_OK     ? EXIT_SOLVED
           : status == PEPA_EARG ? EXIT_USAGE
                                 : complain(s, status, &err);
}

int session_define(Session *s, const char *rate, double value)
{
    if (!mem_grow(s->defines, s->define_cap, s->define_count + 1))
        return out_of_memory();
    s->defines[s->define_count++] = (PepaDefine){rate, value};
    return EXIT_SOLVED;
}

bool session_has_meaning(Session *s)
{
    PepaModel *model = NULL;
    const PepaStatus status = read_model(s, NULL, &model, NULL);
    pepa_model_free(model);
    return status != PEPA_EMODEL; /* all else has nothing to do with values */
}

int session_begin(Session *s, const Options *o)
{
    *s = (Session){.options = o};
    int status = is_piped(o)              ? read_input(s)
                 : o->together->processes ? read_for_all(s)
                                          : EXIT_SOLVED;
    for (size_t i = 0; i < o->define_count && status == EXIT_SOLVED; i++) {
        const Given *given = &o->defines[i];
        Text option = {0};
        double value = 0;
        text_add(&option, "-D %s", given->rate);
        status = option.failed
                     ? out_of_memory()
                     : session_value(s, option.text, given->text, strlen(given->text), &value);
        text_free(&option);
        if (status == EXIT_SOLVED)
            status = session_define(s, given->rate, value);
    }
    return status;
}

int session_load(Session *s)
{
    PepaError err = {0};
    double start = clock_seconds();
    PepaStatus status = read_model(s, session_diagnose, &s->model, &err);
    s->parse_seconds = clock_seconds() - start;
    if (status != PEPA_OK)
        return complain(s, status, &err);
    int probed = session_probe(s);
    return probed == EXIT_SOLVED ? session_questions(s) : probed;
}

int session_read(Session *s, const Options *options)
{
    int begun = session_begin(s, options);
    return agree(s, begun == EXIT_SOLVED ? session_load(s) : begun);
}

/* ---- the chain --------------------------------------------------------------------------------- */

PepaSettings session_settings(Session *s)
{
    PepaSettings set = s->options->set;
    const Options *o = s->options;
    set.threads = s->alone ? o->threads_alone : set.threads;
    set.memory = s->alone ? o->memory_alone : set.memory;
    /* A probe that stops for good makes every state transient: nothing to warn of. */
    set.derive.diagnose = o->probe && o->from_start ? NULL : session_diagnose;
    set.progress = progress;
    set.user = s;
    set.evidence = s->options->explain ? &s->evidence : NULL;
    return set;
}

static const char *why_not_shared(const Session *s, const PepaError *err)
{
    return err->limit == PEPA_LIMIT_METHOD ? "processes do not share this method"
           : s->options->together->processes->latency > 0
               ? "there are few states for hosts so far from each other"
               : "there are few states";
}

bool session_alone(Session *s, PepaStatus *status, PepaError *err)
{
    const Options *o = s->options;
    const bool whole = s->info.symbolic || s->transitions.row; /* each has all of the chain */
    const bool shared =
        *status == PEPA_OK || (err->limit != PEPA_LIMIT_MATRIX && err->limit != PEPA_LIMIT_METHOD);
    if (shared || (*status != PEPA_EARG && *status != PEPA_ELIMIT))
        return false;
    *status = PEPA_OK;
    s->waits = o->together->processes->rank > 0;
    s->alone = !s->waits;
    if (s->waits)
        return true;
    if (!o->quiet)
        (void)fprintf(stderr, "pepa: %s: %s: one of the %d processes goes on\n", model_name(o),
                      why_not_shared(s, err), o->together->processes->count);
    if (!whole) {
        PepaSettings set = session_settings(s);
        set.derive.diagnose = NULL; /* all warnings are known */
        pepa_chain_free(s->chain);
        s->chain = NULL;
        *status = pepa_chain_derive(&s->chain, s->model, &set, err);
    }
    if (*status == PEPA_OK) {
        s->info = pepa_chain_info(s->chain);
        (void)pepa_chain_transitions(s->chain, &s->transitions, NULL);
    }
    return true;
}

void session_peaks(Session *s)
{
    if (!s->peaks)
        return;
    together_meet(s->options->together);
    peaks_of_all(s->options->together, s->peaks);
}

int session_derive(Session *s, const Options *options)
{
    int read = session_read(s, options);
    return read == EXIT_SOLVED ? session_explore(s) : read;
}

int session_explore(Session *s)
{
    PepaError err = {0};
    PepaSettings set = session_settings(s);
    double start = clock_seconds();
    if (s->shares && s->by_rows)
        set.derive.explore = PEPA_EXPLICIT;
    PepaStatus status = s->shares ? pepa_shared_derive(&s->chain, s->model,
                                                       s->options->together->processes, &set, &err)
                                  : pepa_chain_derive(&s->chain, s->model, &set, &err);
    s->derive_seconds = clock_seconds() - start;
    s->limit = err.limit;
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK) {
        const int failed = complain(s, status, &err);
        if (too_large(s))
            advise_copies(s);
        return failed;
    }
    s->info = pepa_chain_info(s->chain);
    (void)pepa_chain_transitions(s->chain, &s->transitions, NULL); /* if it stores any */
    return EXIT_SOLVED;
}

void session_free(Session *s)
{
    if (s->checkpoint.path)
        checkpoint_free(&s->checkpoint);
    pepa_measures_free(s->measures);
    pepa_predicate_free(s->where);
    pepa_predicate_free(s->from);
    pepa_predicate_free(s->to);
    labels_free(s);
    pepa_formula_free(s->formula);
    free(s->measured);
    free(s->certified);
    pepa_chain_free(s->chain);
    pepa_model_free(s->model);
    free(s->start);
    free(s->pi);
    pepa_shared_free(s->shared);
    free(s->peaks);
    free(s->defines);
    text_free(&s->piped);
    findings_free(&s->findings);
}
