/* What went wrong, in words: errors of the library with the options that help, and findings. */
#include <string.h>

#include "session.h"

const char *model_name(const Options *options)
{
    return strcmp(options->model, "-") == 0 ? "<stdin>" : options->model;
}

/* The option that sets the limit that was hit. */
static const char *advice_on(const Options *o, PepaLimit limit)
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
        [PEPA_LIMIT_COMPONENTS] = "",
        [PEPA_LIMIT_SIMULATION] = " (--runs and --max-events set the limits)",
    };
    if (limit == PEPA_LIMIT_MEMORY && o->host_limits)
        return " (the host's 'memory' in the description of --hosts sets the limit)";
    return (size_t)limit < sizeof advice / sizeof *advice ? advice[limit] : "";
}

/* Errors of the model have been printed one by one, with their places. */
static bool said_already(const Findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->each[i].severity == PEPA_ERROR)
            return true;
    return false;
}

int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    if (status == PEPA_EIO) /* names the file itself */
        return fail(EXIT_INPUT, "pepa: %s", err->message);
    if ((status == PEPA_ESYNTAX || status == PEPA_EMODEL) && said_already(&s->findings))
        return EXIT_MODEL;
    return complain_at(s, status, err, "");
}

int complain_at(const Session *s, PepaStatus status, const PepaError *err, const char *where)
{
    const char *advice = status == PEPA_ENOMEM
                             ? "; where the command has them, --explore symbolic and --matrix free "
                               "take the least, and --memory tells beforehand what is too much"
                             : advice_on(s->options, err->limit);
    return fail(exit_status(status), "pepa: %s: %s%s%s", model_name(s->options), where,
                err->message, advice);
}

void session_warn(Session *s, const char *message)
{
    session_diagnose(s, &(PepaDiagnostic){.severity = PEPA_WARNING,
                                          .file = model_name(s->options),
                                          .message = message,
                                          .excerpt = ""});
}

void session_diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    progress_clear(&s->progress_shown);
    findings_add(&s->findings, d, model_name(s->options));
    if (d->severity == PEPA_ERROR || !s->options->quiet)
        print_finding(d);
}
