/* pepa fit: from measured durations to the rates of a phase-type distribution. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

/* The place of `text` among the words; -1: it is none of them.  NULL stands for the first. */
static int word(const char *text, const char *const *words, int count)
{
    int i = 0;
    while (text && i < count && strcmp(text, words[i]) != 0)
        i++;
    return i < count ? i : -1;
}

static int check(const Options *o, PepaFitSettings *set)
{
    static const char *const families[] = {"any", "erlang", "hyper", "cox", "hyper-erlang"},
                             *const criteria[] = {"bic", "aic"};
    const char *called = o->command->called;
    const int family = word(o->family, families, sizeof families / sizeof *families);
    const int criterion = word(o->criterion, criteria, sizeof criteria / sizeof *criteria);
    if (family < 0)
        return fail(EXIT_USAGE,
                    "%s: --family takes erlang, hyper, hyper-erlang, cox or any, not '%s'", called,
                    o->family);
    if (criterion < 0)
        return fail(EXIT_USAGE, "%s: --criterion takes bic or aic, not '%s'", called, o->criterion);
    if (o->phases && o->max_phases)
        return fail(EXIT_USAGE, "%s: give --phases or --max-phases, not both", called);
    if (o->no_test && (o->bootstrap || o->seed))
        return fail(EXIT_USAGE, "%s: --no-test goes with neither --bootstrap nor --seed", called);
    const int64_t most = family <= PEPA_FIT_ERLANG ? PEPA_FIT_MOST_ERLANG : PEPA_FIT_MOST_PHASES;
    const int64_t least = family <= PEPA_FIT_ERLANG ? 1 : family == PEPA_FIT_HYPER_ERLANG ? 3 : 2;
    const int64_t wanted = o->phases ? o->phases : o->max_phases;
    if (wanted && (wanted < least || wanted > most))
        return fail(EXIT_USAGE, "%s: the number of phases is from %lld to %lld, not %lld", called,
                    (long long)least, (long long)most, (long long)wanted);
    *set = (PepaFitSettings){.family = (PepaFitFamily)family,
                             .criterion = (PepaFitCriterion)criterion,
                             .phases = (int32_t)o->phases,
                             .max_phases = (int32_t)o->max_phases};
    return plot_check(o);
}

static int read_samples(Session *s, PepaSamples **samples)
{
    const Options *o = s->options;
    PepaError err = {0};
    PepaStatus status;
    if (strcmp(o->model, "-") == 0) {
        text_read(&s->piped, stdin, TEXT_MOST);
        if (s->piped.failed || ferror(stdin))
            return fail(EXIT_INPUT, "pepa: cannot read standard input: %s", strerror(errno));
        status = pepa_samples_parse(samples, model_name(o), s->piped.text, s->piped.length,
                                    o->column, session_diagnose, s, &err);
    } else
        status = pepa_samples_load(samples, o->model, o->column, session_diagnose, s, &err);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

/* An action that is no name is a wrong option; other errors are about the samples. */
static int find(Fitted *f, const PepaSamples *samples, const PepaFitSettings *how)
{
    const Options *o = f->session->options;
    const char *action = o->action ? o->action : "work";
    const int64_t runs = o->bootstrap ? o->bootstrap : 99;
    PepaError err = {0};
    const double start = clock_seconds();
    const PepaSettings set = session_settings(f->session);
    PepaStatus status = pepa_fit_new(&f->fit, pepa_samples_values(samples),
                                     pepa_samples_count(samples), how, &set, &err);
    progress_clear(&f->session->progress_shown);
    if (status != PEPA_OK)
        return fail(status == PEPA_EARG ? EXIT_MODEL : exit_status(status), "pepa: %s: %s",
                    model_name(o), err.message);
    f->info = pepa_fit_info(f->fit);
    status = pepa_fit_text(f->fit, action, 0, &f->text, &err);
    if (status == PEPA_OK && o->states)
        status = pepa_fit_text(f->fit, action, 1, &f->states, &err);
    if (status == PEPA_EARG)
        return fail(EXIT_USAGE, "%s: --action: %s", o->command->called, err.message);
    if (status == PEPA_OK && !o->no_test)
        status = pepa_fit_test(f->fit, runs, o->seed ? (uint64_t)o->seed : 1, &set, &f->test, &err);
    progress_clear(&f->session->progress_shown);
    f->seconds = clock_seconds() - start;
    return status == PEPA_OK ? EXIT_SOLVED : complain(f->session, status, &err);
}

int cmd_fit(Options *options)
{
    Session s = {.options = options};
    Fitted f = {.session = &s};
    PepaSamples *samples = NULL;
    PepaFitSettings set;
    int status = check(options, &set);
    if (status == EXIT_SOLVED)
        status = read_samples(&s, &samples);
    if (status == EXIT_SOLVED)
        status = find(&f, samples, &set);
    if (status == EXIT_SOLVED) {
        advise_fit(&f);
        const int drawn = draw_fit(&f);
        status = plot_status(drawn, report_fit(&f));
    }
    pepa_samples_free(samples);
    pepa_fit_free(f.fit);
    pepa_text_free(f.text);
    pepa_text_free(f.states);
    session_free(&s);
    return status;
}
