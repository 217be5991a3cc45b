/* From a file to an answer, telling the user on the way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *model_name(const Options *options)
{
    return strcmp(options->model, "-") == 0 ? "<stdin>" : options->model;
}

int exit_status(PepaStatus status)
{
    switch (status) {
    case PEPA_OK:
        return EXIT_SOLVED;
    case PEPA_ESYNTAX:
    case PEPA_EMODEL:
        return EXIT_MODEL;
    case PEPA_EARG:
        return EXIT_USAGE;
    case PEPA_ENOCONV:
        return EXIT_UNSOLVED;
    case PEPA_ENOMEM:
    case PEPA_ELIMIT:
    case PEPA_ECANCEL:
        return EXIT_LIMIT;
    case PEPA_EIO:
        break;
    }
    return EXIT_INPUT;
}

static void clear_progress(Session *s)
{
    if (s->progress_shown)
        (void)fprintf(stderr, "\r%*s\r", 78, "");
    s->progress_shown = false;
}

int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    /* Errors of the model have been printed one by one, with their places. */
    bool said = (status == PEPA_ESYNTAX || status == PEPA_EMODEL) && s->finding_count;
    if (status == PEPA_EIO) /* names the file itself */
        (void)fprintf(stderr, "pepa: %s\n", err->message);
    else if (!said)
        (void)fprintf(stderr, "pepa: %s: %s\n", model_name(s->options), err->message);
    return exit_status(status);
}

static void keep(Session *s, const PepaDiagnostic *d)
{
    if (s->finding_count == s->finding_cap) {
        size_t cap = s->finding_cap ? 2 * s->finding_cap : 16;
        Finding *grown = realloc(s->findings, cap * sizeof *grown);
        if (!grown) {
            s->failed = true;
            return;
        }
        s->findings = grown;
        s->finding_cap = cap;
    }
    char *message = strdup(d->message);
    if (!message) {
        s->failed = true;
        return;
    }
    s->findings[s->finding_count++] = (Finding){d->severity, d->line, d->column, message};
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    clear_progress(s);
    keep(s, d);
    if (d->severity == PEPA_WARNING && s->options->quiet)
        return;
    (void)fprintf(stderr, "%s:", d->file);
    if (d->line)
        (void)fprintf(stderr, "%u:%u:", d->line, d->column);
    (void)fprintf(stderr, " %s: %s\n%s", d->severity == PEPA_ERROR ? "error" : "warning",
                  d->message, d->excerpt);
}

static int progress(void *user, const PepaProgress *p)
{
    Session *s = user;
    if (s->options->quiet || (!s->options->progress && (p->seconds < 1 || !isatty(2))))
        return 0;
    char count[32];
    s->progress_shown = true;
    if (strcmp(p->phase, "derive") == 0) {
        char transitions[32];
        (void)fprintf(stderr, "\r%-78.78s", "");
        (void)fprintf(stderr, "\rexploring: %s states, %s transitions, %.0f s",
                      grouped(p->count, count), grouped((int64_t)p->measure, transitions),
                      p->seconds);
    } else {
        (void)fprintf(stderr, "\r%-78.78s", "");
        (void)fprintf(stderr, "\rsolving: iteration %s, residual %.1e, %.0f s",
                      grouped(p->count, count), p->measure, p->seconds);
    }
    (void)fflush(stderr);
    return 0;
}

/* All of standard input; NULL with a message on failure. */
static char *read_stdin(size_t *length)
{
    size_t cap = 1 << 16;
    char *text = malloc(cap);
    *length = 0;
    while (text) {
        size_t n = fread(text + *length, 1, cap - *length, stdin);
        *length += n;
        if (n == 0)
            break;
        if (*length == cap) {
            char *grown = realloc(text, cap *= 2);
            if (!grown)
                free(text);
            text = grown;
        }
    }
    if (text && !ferror(stdin))
        return text;
    (void)fprintf(stderr, "pepa: cannot read standard input: %s\n", strerror(errno));
    free(text);
    return NULL;
}

int session_read(Session *s, const Options *options)
{
    PepaError err = {0};
    *s = (Session){.options = options};
    PepaReading how = {options->defines, options->define_count, diagnose, s};
    double start = now();
    PepaStatus status;
    if (strcmp(options->model, "-") == 0) {
        size_t length;
        char *text = read_stdin(&length);
        if (!text)
            return EXIT_INPUT;
        status = pepa_model_parse(&s->model, model_name(options), text, length, &how, &err);
        free(text);
    } else {
        status = pepa_model_load(&s->model, options->model, &how, &err);
    }
    s->parse_seconds = now() - start;
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

int session_derive(Session *s)
{
    PepaError err = {0};
    PepaSettings set = s->options->set;
    set.diagnose = diagnose;
    set.progress = progress;
    set.user = s;
    double start = now();
    PepaStatus status = pepa_chain_derive(&s->chain, s->model, &set, &err);
    s->derive_seconds = now() - start;
    clear_progress(s);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    s->info = pepa_chain_info(s->chain);
    return EXIT_SOLVED;
}

int session_solve(Session *s)
{
    PepaError err = {0};
    PepaSettings set = s->options->set;
    set.progress = progress;
    set.user = s;
    s->pi = malloc((size_t)s->info.states * sizeof *s->pi);
    if (!s->pi) {
        (void)fprintf(stderr, "pepa: out of memory\n");
        return EXIT_LIMIT;
    }
    double start = now();
    PepaStatus status = pepa_solve_steady(s->chain, &set, s->pi, &s->solved, &err);
    s->solved.seconds = now() - start; /* with the preparations */
    clear_progress(s);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

void session_free(Session *s)
{
    pepa_chain_free(s->chain);
    pepa_model_free(s->model);
    free(s->pi);
    for (size_t i = 0; i < s->finding_count; i++)
        free(s->findings[i].message);
    free(s->findings);
}

int finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SOLVED;
    (void)fprintf(stderr, "pepa: cannot write to standard output: %s\n", strerror(errno));
    return EXIT_INPUT;
}
