/* What would answer now: after a chain was too large, the other analyses are tried. */
#include <stdio.h>
#include <stdlib.h>

#include "session.h"

#include <pepa_fluid.h>
#include <pepa_simulate.h>

/* "--steady", or the times that were asked for. */
static void add_when(Text *line, const Options *o)
{
    if (o->at)
        text_add(line, "--at %s", o->at);
    else if (o->until > 0)
        text_add(line, "--until %g", o->until);
    else
        text_add(line, "--steady");
}

static PepaSettings quiet(Session *s)
{
    PepaSettings set = session_settings(s);
    set.derive.diagnose = NULL;
    set.progress = NULL;
    return set;
}

/* One digit of it. */
enum { TIME_SIZE = 32 };
static const char *took(double seconds, char text[TIME_SIZE])
{
    if (seconds < 1)
        (void)snprintf(text, TIME_SIZE, "%s", seconds < 1e-3 ? "1 ms" : "1 s");
    else if (seconds < 100)
        (void)snprintf(text, TIME_SIZE, "%.0f s", seconds);
    else
        (void)snprintf(text, TIME_SIZE, "%.0f minutes", seconds / 60);
    return text;
}

static void say(const Session *s, const char *command, const char *options, const char *about)
{
    Text line = {0};
    text_add(&line, "pepa %s %s ", command, model_name(s->options));
    for (size_t i = 0; i < s->define_count; i++)
        text_add(&line, "-D %s=%.15g ", s->defines[i].rate, s->defines[i].value);
    add_when(&line, s->options);
    text_add(&line, "%s", options);
    if (!line.failed)
        (void)fprintf(stderr, "  %s: %s\n", line.text, about);
    text_free(&line);
}

static bool advise_fluid(Session *s, const double *time, size_t count)
{
    PepaError err;
    PepaFluidInfo info;
    const PepaSettings set = quiet(s);
    const PepaFluid at = {.time = time, .count = count, .steady = !count};
    double *value =
        calloc((count + 1) * (size_t)pepa_measures_count(s->measures) + 1, sizeof *value);
    const bool ok = value && pepa_fluid_measures(s->model, s->measures, &at, &set, value, &info,
                                                 &err) == PEPA_OK;
    char about[160], time_text[TIME_SIZE];
    free(value);
    if (!ok)
        return false;
    (void)snprintf(about, sizeof about, "%s, approximate%s", took(info.seconds, time_text),
                   info.single ? ", since some components have no copies"
                               : ", the better the more copies");
    say(s, "fluid", " --moments", about);
    return true;
}

/* In the long run as it would be made; at times with fewer runs, whose cost is in proportion. */
static bool advise_simulation(Session *s, const double *time, size_t count)
{
    static const int64_t runs = 32, usual_runs = 1000, most_events = 20000000;
    PepaError err;
    PepaSimulationInfo info;
    const PepaSettings set = quiet(s);
    const PepaSimulation how = {.time = time,
                                .count = count,
                                .steady = !count,
                                .runs = count ? runs : 0,
                                .seed = 1,
                                .events = most_events};
    PepaEstimate *x = calloc((count + 1) * (size_t)pepa_measures_count(s->measures) + 1, sizeof *x);
    const double start = clock_seconds();
    const PepaStatus status =
        x ? pepa_simulate_measures(s->model, s->measures, &how, &set, x, &info, &err) : PEPA_ENOMEM;
    const double seconds =
        (clock_seconds() - start) * (count ? (double)usual_runs / (double)runs : 1);
    char about[160], time_text[TIME_SIZE];
    free(x);
    if (status != PEPA_OK && status != PEPA_ELIMIT)
        return false;
    (void)snprintf(about, sizeof about, "%s%s, with confidence intervals",
                   status == PEPA_OK ? "" : "more than ", took(seconds, time_text));
    say(s, "simulate", "", about);
    return true;
}

void advise(Session *s)
{
    double *time = NULL;
    size_t count = 0;
    if (s->options->quiet || session_times(s, &time, &count) != EXIT_SOLVED ||
        session_model_measures(s) != EXIT_SOLVED) {
        free(time);
        return;
    }
    (void)fprintf(stderr, "pepa: what answers without a chain:\n");
    const bool fluid = advise_fluid(s, time, count), simulated = advise_simulation(s, time, count);
    if (!fluid && !simulated)
        (void)fprintf(stderr, "  nothing: neither simulation nor differential equations take it\n");
    free(time);
}
