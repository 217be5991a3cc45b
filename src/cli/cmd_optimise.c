/* pepa optimise: the rates and numbers of copies at which a measure is best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"

/* ---- what is asked --------------------------------------------------------------------------- */

static int check_options(const Options *o)
{
    const char *called = o->command->called;
    if (!o->maximise && !o->minimise)
        return fail(EXIT_USAGE, "%s: give the objective: --maximise EXPR or --minimise EXPR",
                    called);
    if (o->maximise && o->minimise)
        return fail(EXIT_USAGE, "%s: give --maximise or --minimise, not both", called);
    if (o->within_count == 0)
        return fail(EXIT_USAGE, "%s: give a rate to choose: --within rate=low:high", called);
    return EXIT_SOLVED;
}

static int reserve(Optimised *x)
{
    const Options *o = x->session->options;
    x->within = calloc(o->within_count, sizeof *x->within);
    x->subject = calloc(o->subject_count + 1, sizeof *x->subject);
    x->rate = calloc(o->within_count, sizeof *x->rate);
    x->binding = calloc(o->within_count + o->subject_count, sizeof *x->binding);
    return x->within && x->subject && x->rate && x->binding ? EXIT_SOLVED : out_of_memory();
}

/* What is wrong with a question has been printed with its place. */
static int asked(const Session *s, PepaStatus status, const PepaError *err)
{
    return status == PEPA_OK     ? EXIT_SOLVED
           : status == PEPA_EARG ? EXIT_USAGE
                                 : complain(s, status, err);
}

static int read_objective(Optimised *x)
{
    Session *s = x->session;
    const Options *o = s->options;
    const char *text = o->maximise ? o->maximise : o->minimise;
    const char *option = o->maximise ? "--maximise" : "--minimise";
    PepaError err = {0};
    PepaStatus status = s->measures ? PEPA_OK : pepa_measures_new(&s->measures, s->model, &err);
    if (status == PEPA_OK) {
        x->objective = pepa_measures_count(s->measures);
        status =
            pepa_measures_add(s->measures, option, text, strlen(text), session_diagnose, s, &err);
    }
    if (status == PEPA_OK && pepa_measures_count(s->measures) != x->objective + 1)
        return fail(EXIT_USAGE, "%s: %s takes one measure", o->command->called, option);
    return asked(s, status, &err);
}

static int read_questions(Optimised *x)
{
    Session *s = x->session;
    const Options *o = s->options;
    PepaError err = {0};
    int status = read_objective(x);
    for (size_t c = 0; c < o->subject_count && status == EXIT_SOLVED; c++)
        status = asked(s,
                       pepa_measures_add_constraint(s->measures, "--subject", o->subject[c],
                                                    strlen(o->subject[c]), session_diagnose, s,
                                                    &x->subject[c], &err),
                       &err);
    if (status != EXIT_SOLVED)
        return status;
    x->value = calloc((size_t)pepa_measures_count(s->measures), sizeof *x->value);
    return x->value ? EXIT_SOLVED : out_of_memory();
}

static int read_ranges(Optimised *x)
{
    const Options *o = x->session->options;
    int status = EXIT_SOLVED;
    for (size_t i = 0; i < o->within_count && status == EXIT_SOLVED; i++)
        status = within_read(x->session, &o->within[i], &x->within[i]);
    return status;
}

/* ---- what is found --------------------------------------------------------------------------- */

static int failed(const Optimised *x, PepaStatus status, const PepaError *err)
{
    const Options *o = x->session->options;
    Text where = {0};
    if (status == PEPA_EARG && !x->found.failed)
        return fail(EXIT_USAGE, "%s: %s", o->command->called, err->message);
    for (size_t i = 0; i < o->within_count && x->found.failed; i++)
        text_add(&where, "%s%s = %.10g%s", i ? ", " : "at ", x->within[i].rate, x->rate[i],
                 i + 1 == o->within_count ? ": " : "");
    int said = complain_at(x->session, status, err, where.text && !where.failed ? where.text : "");
    text_free(&where);
    return said;
}

static void warn_of_wrong(const Optimised *x)
{
    Text message = {0};
    char wrong[NUMBER_SIZE];
    if (x->found.wrong == 0)
        return;
    text_add(&message,
             "the model is wrong at %s of the points that were looked at, which were passed over",
             number_grouped(x->found.wrong, wrong));
    session_warn(x->session, message.failed ? "" : message.text);
    text_free(&message);
}

static int run(Optimised *x)
{
    Session *s = x->session;
    const Options *o = s->options;
    const PepaSettings set = session_settings(s);
    PepaError err = {0};
    const PepaOptimise what = {.objective = x->objective,
                               .maximise = o->maximise != NULL,
                               .within = x->within,
                               .within_count = o->within_count,
                               .subject = x->subject,
                               .subject_count = o->subject_count};
    PepaStatus status = pepa_optimise(s->model, s->measures, &what, &set, x->rate, x->value,
                                      x->binding, &x->found, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return failed(x, status, &err);
    s->info.states = x->found.states;
    s->info.transitions = x->found.transitions;
    s->derive_seconds = x->found.derive_seconds;
    warn_of_wrong(x);
    return report_optimum(x);
}

int cmd_optimise(Options *options)
{
    Session s = {.options = options};
    Optimised x = {.session = &s};
    int status = check_options(options);
    if (status != EXIT_SOLVED)
        return status;
    status = session_begin(&s, options);
    if (status == EXIT_SOLVED)
        status = reserve(&x);
    if (status == EXIT_SOLVED)
        status = read_ranges(&x);
    if (status == EXIT_SOLVED)
        status = session_load(&s);
    if (status == EXIT_SOLVED)
        status = read_questions(&x);
    if (status == EXIT_SOLVED)
        status = run(&x);
    free(x.within);
    free(x.subject);
    free(x.rate);
    free(x.value);
    free(x.binding);
    session_free(&s);
    return status;
}
