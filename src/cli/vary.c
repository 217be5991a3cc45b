/* The values of --vary, ranges and lists, and the ends of --within: numbers or expressions over the
 * model's rates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"

#include <pepa_experiment.h>

/* The length of the text up to a separator outside brackets. */
static size_t field_length(const char *text, char separator)
{
    size_t i = 0;
    for (int depth = 0; text[i] && (text[i] != separator || depth > 0); i++)
        depth += (text[i] == '(') - (text[i] == ')');
    return i;
}

static size_t count_fields(const char *text, char separator)
{
    size_t fields = 1;
    for (text += field_length(text, separator); *text; text += field_length(text, separator)) {
        text++;
        fields++;
    }
    return fields;
}

/* The values of `count` fields of an option. */
static int read_fields(Session *s, const char *name, const char *rate, const char *text,
                       char separator, size_t count, double *value)
{
    Text option = {0};
    text_add(&option, "%s %s", name, rate);
    int status = option.failed ? out_of_memory() : EXIT_SOLVED;
    for (size_t i = 0; i < count && status == EXIT_SOLVED; i++) {
        const size_t length = field_length(text, separator);
        status = session_value(s, option.text, text, length, &value[i]);
        text += length + (text[length] != '\0');
    }
    text_free(&option);
    return status;
}

static int refuse(const Session *s, const Given *given, const char *why)
{
    return fail(EXIT_USAGE, "%s: --vary %s=%s: %s", s->options->command->called, given->rate,
                given->text, why);
}

int too_many_points(const Options *o)
{
    char most[NUMBER_SIZE];
    return fail(EXIT_USAGE, "%s: more than %s points", o->command->called,
                number_grouped(PEPA_MOST_POINTS, most));
}

/* To 15 digits: 0.3 and not 0.30000000000000004. */
static double rounded(double value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL);
}

static int reserve(Varied *out, size_t count)
{
    out->value = calloc(count, sizeof *out->value);
    out->count = out->value ? count : 0;
    return out->value ? EXIT_SOLVED : out_of_memory();
}

/* from, from + step, ... up to `to`. */
static int range(const Session *s, const Given *given, const double bounds[3], Varied *out)
{
    const double from = bounds[0], to = bounds[1], step = bounds[2];
    const double slack = 1e-9; /* steps: `to` is one of the values despite rounding */
    const double steps = (to - from) / step, last = floor(steps + slack);
    if (step == 0)
        return refuse(s, given, "the step is 0");
    if (steps < 0)
        return refuse(s, given, "the step leads away from the end; change its sign");
    if (!(last < PEPA_MOST_POINTS))
        return too_many_points(s->options);
    int status = reserve(out, (size_t)last + 1);
    for (size_t i = 0; i < out->count; i++)
        out->value[i] = i == 0 ? from : rounded(from + (double)i * step);
    if (status == EXIT_SOLVED && last > 0 && fabs(steps - last) <= slack)
        out->value[out->count - 1] = to;
    return status;
}

/* Each the same multiple of the one before. */
static int logarithmic(const Session *s, const Given *given, const double bounds[3], Varied *out)
{
    const double from = bounds[0], to = bounds[1], points = bounds[2];
    if (!(from > 0 && to > 0))
        return refuse(s, given, "both ends of a logarithmic range are above 0");
    if (points != floor(points) || points < 2)
        return refuse(s, given, "the number of points is a whole number from 2");
    if (points > PEPA_MOST_POINTS)
        return too_many_points(s->options);
    int status = reserve(out, (size_t)points);
    for (size_t i = 0; i < out->count; i++) {
        const long double share = (long double)i / (long double)(points - 1);
        out->value[i] = rounded((double)(from * powl((long double)to / from, share)));
    }
    if (status == EXIT_SOLVED) {
        out->value[0] = from;
        out->value[out->count - 1] = to;
    }
    return status;
}

int vary_read(Session *s, const Given *given, Varied *out)
{
    static const char log_word[] = "log:";
    const bool log = strncmp(given->text, log_word, strlen(log_word)) == 0;
    const char *text = given->text + (log ? strlen(log_word) : 0);
    const size_t fields = count_fields(text, ':'), values = count_fields(text, ',');
    double bounds[3] = {0};
    *out = (Varied){.rate = given->rate};
    if (fields == 1 && !log) {
        int status = reserve(out, values);
        return status == EXIT_SOLVED
                   ? read_fields(s, "--vary", given->rate, text, ',', values, out->value)
                   : status;
    }
    if (fields != 3 || values > 1)
        return refuse(s, given, "write from:to:step, log:from:to:points or v,v,...");
    int status = read_fields(s, "--vary", given->rate, text, ':', fields, bounds);
    if (status != EXIT_SOLVED)
        return status;
    return log ? logarithmic(s, given, bounds, out) : range(s, given, bounds, out);
}

int within_read(Session *s, const Given *given, PepaWithin *out)
{
    double ends[2] = {0};
    if (count_fields(given->text, ':') != 2)
        return fail(EXIT_USAGE, "%s: --within %s=%s: write low:high", s->options->command->called,
                    given->rate, given->text);
    int status = read_fields(s, "--within", given->rate, given->text, ':', 2, ends);
    if (status == EXIT_SOLVED && !(ends[0] <= ends[1]))
        status = fail(EXIT_USAGE, "%s: --within %s=%s: the low end is above the high one",
                      s->options->command->called, given->rate, given->text);
    *out = (PepaWithin){given->rate, ends[0], ends[1]};
    return status;
}
