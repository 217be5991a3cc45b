/* From a file to an answer, telling the user on the way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

const char *model_name(const Options *options)
{
    return strcmp(options->model, "-") == 0 ? "<stdin>" : options->model;
}

int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    /* Errors of the model have been printed one by one, with their places. */
    bool said = (status == PEPA_ESYNTAX || status == PEPA_EMODEL) && s->findings.count;
    if (status == PEPA_EIO) /* names the file itself */
        (void)fprintf(stderr, "pepa: %s\n", err->message);
    else if (!said)
        (void)fprintf(stderr, "pepa: %s: %s\n", model_name(s->options), err->message);
    return exit_status(status);
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    progress_clear(&s->progress_shown);
    findings_add(&s->findings, d);
    if (d->severity == PEPA_ERROR || !s->options->quiet)
        print_finding(d);
}

static int progress(void *user, const PepaProgress *p)
{
    Session *s = user;
    if (s->options->quiet || (!s->options->progress && (p->seconds < 1 || !isatty(2))))
        return 0;
    char count[32], transitions[32];
    if (strcmp(p->phase, "derive") == 0)
        progress_show(&s->progress_shown, "exploring: %s states, %s transitions, %.0f s",
                      grouped(p->count, count), grouped((int64_t)p->measure, transitions),
                      p->seconds);
    else
        progress_show(&s->progress_shown, "solving: iteration %s, residual %.1e, %.0f s",
                      grouped(p->count, count), p->measure, p->seconds);
    return 0;
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
        char *text = read_all(stdin, &length);
        if (!text) {
            (void)fprintf(stderr, "pepa: cannot read standard input: %s\n", strerror(errno));
            return EXIT_INPUT;
        }
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
    progress_clear(&s->progress_shown);
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
    if (!s->pi)
        return out_of_memory();
    double start = now();
    PepaStatus status = pepa_solve_steady(s->chain, &set, s->pi, &s->solved, &err);
    s->solved.seconds = now() - start; /* with the preparations */
    progress_clear(&s->progress_shown);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

void session_free(Session *s)
{
    pepa_chain_free(s->chain);
    pepa_model_free(s->model);
    free(s->pi);
    findings_free(&s->findings);
}
