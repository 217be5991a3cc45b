/* Reads measurements line by line, and gives a machine the newest ones. */
#include "amoget/machine/measurements.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "amoget/syntax/quantity.h"
#include "base/intern.h"
#include "base/number.h"

enum { FIELDS = 5, MOST_ERRORS = 99 };
/* Of a processor on which nothing was free: a program there still gets some of it. */
#define LEAST_SHARE 0.001

/* A line that concerns the description. */
typedef struct Sample {
    Attribute what;
    int32_t a, b; /* processors, a <= b; of what is of one, it twice */
    bool back;    /* measured from b to a */
    double time, value;
    int32_t text; /* the number of the one that it is of */
    Span span;
} Sample;

typedef struct {
    const AmogetMachine *machine;
    const Source *source;
    DiagList *diags;
    Intern strangers; /* names that the description does not know */
    Measured all;     /* as before, and what this text says */
    double newest;    /* time of a line, and where that is; -1: there is none */
    Span newest_span;
    size_t errors;
    bool malformed, no_memory;
} Measuring;

/* ---- fields ------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static Span trimmed(const Source *source, size_t begin, size_t end)
{
    while (begin < end && is_blank(source->text[begin]))
        begin++;
    while (end > begin && is_blank(source->text[end - 1]))
        end--;
    return (Span){(uint32_t)begin, (uint32_t)end};
}

static size_t length_of(Span span)
{
    return span.end - span.begin;
}

static bool says(const Source *source, Span span, const char *text)
{
    return strlen(text) == length_of(span) &&
           memcmp(source->text + span.begin, text, length_of(span)) == 0;
}

/* The fields of a line, up to one too many; their number. */
static int split(const Source *source, Span line, Span fields[FIELDS + 1])
{
    int count = 0;
    for (size_t at = line.begin; count <= FIELDS; count++) {
        const char *text = source->text + at, *comma = memchr(text, ',', line.end - at);
        size_t end = comma ? (size_t)(comma - source->text) : line.end;
        fields[count] = trimmed(source, at, end);
        at = end + 1;
        if (!comma)
            return count + 1;
    }
    return count;
}

static bool is_header(const Source *source, const Span fields[FIELDS])
{
    static const char *const names[FIELDS] = {"time", "what", "from", "to", "value"};
    for (int i = 0; i < FIELDS; i++)
        if (!says(source, fields[i], names[i]))
            return false;
    return true;
}

/* What messages quote are names that were checked: other bytes could disturb a terminal, and the
 * excerpt shows them anyway. */
static bool malformed(Measuring *ctx, Span span, const char *message)
{
    ctx->malformed = true;
    ctx->errors++;
    diag_error(ctx->diags, span, "%s", message);
    return false;
}

static bool read_time(Measuring *ctx, Span field, double *out)
{
    Quantity quantity;
    size_t behind;
    const char *text = ctx->source->text + field.begin;
    if (!quantity_read(text, length_of(field), &quantity, &behind) || quantity.unit ||
        quantity.number < 0)
        return malformed(ctx, field, "not a time: seconds since 1970, without a unit");
    *out = quantity.number;
    return true;
}

static bool read_what(Measuring *ctx, Span field, Attribute *out)
{
    static const Attribute measured[] = {ATTRIBUTE_LATENCY, ATTRIBUTE_BANDWIDTH,
                                         ATTRIBUTE_AVAILABILITY, ATTRIBUTE_TIME};
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        if (says(ctx->source, field, attribute_name(measured[i]))) {
            *out = measured[i];
            return true;
        }
    return malformed(ctx, field,
                     "not measured: `latency`, `bandwidth`, `availability` and `time` are");
}

static bool is_of_one(Attribute what)
{
    return what == ATTRIBUTE_AVAILABILITY || what == ATTRIBUTE_TIME;
}

static bool is_name(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && (text[i] == '_' || (text[i] >= '0' && text[i] <= '9') ||
                          ((text[i] | 32) >= 'a' && (text[i] | 32) <= 'z')))
        i++;
    return length > 0 && i == length;
}

/* False: not a name.  *out: -1 if the description does not know it, which is told once. */
static bool read_processor(Measuring *ctx, Span field, int32_t *out)
{
    enum { SUGGESTIONS = 20 };
    const Intern *names = &ctx->machine->names;
    const char *text = ctx->source->text + field.begin;
    if (!is_name(text, length_of(field)))
        return malformed(ctx, field, "not the name of a processor");
    *out = intern_find(names, text, length_of(field));
    if (*out >= 0)
        return true;
    size_t before = ctx->strangers.count;
    int32_t id = intern_put(&ctx->strangers, text, length_of(field));
    if (id < 0) {
        ctx->no_memory = true;
    } else if (ctx->strangers.count > before) {
        const char *name = ctx->strangers.names[id];
        const char *near = before < SUGGESTIONS ? suggest(name, names->names, names->count) : NULL;
        diag_warning(ctx->diags, field, "the description has no processor `%s`%s%s%s", name,
                     near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
    return true;
}

static bool read_value(Measuring *ctx, Span field, Attribute what, double *out)
{
    Quantity quantity;
    size_t behind;
    char why[WHY_SIZE];
    const char *text = ctx->source->text + field.begin;
    if (!quantity_read(text, length_of(field), &quantity, &behind)) {
        field.begin += (uint32_t)behind;
        (void)snprintf(why, WHY_SIZE, "unknown unit%s", units_known(attribute_kind(what)));
        return malformed(ctx, field, behind ? why : "not a value: a finite number");
    }
    if (what == ATTRIBUTE_AVAILABILITY && quantity.number == 0 && !quantity.unit) {
        *out = LEAST_SHARE;
        diag_warning(ctx->diags, field, "no part of the processor was free; %g is assumed", *out);
        return true;
    }
    if (quantity_value(quantity, what, out, why))
        return true;
    ctx->errors++;
    diag_error(ctx->diags, field, "%s", why);
    return false;
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool read_sample(Measuring *ctx, const Span fields[FIELDS], Sample *out)
{
    bool good = read_time(ctx, fields[0], &out->time);
    good = read_what(ctx, fields[1], &out->what) && good;
    if (!good)
        return false;
    good = read_processor(ctx, fields[2], &out->a);
    out->b = out->a;
    if (!is_of_one(out->what))
        good = read_processor(ctx, fields[3], &out->b) && good;
    else if (length_of(fields[3]) > 0)
        good = malformed(ctx, fields[3],
                         out->what == ATTRIBUTE_TIME
                             ? "a time is of one processor: leave this empty"
                             : "an availability is of one processor: leave this empty");
    return read_value(ctx, fields[4], out->what, &out->value) && good;
}

static void read_line(Measuring *ctx, Span line, bool first)
{
    Span fields[FIELDS + 1];
    if (split(ctx->source, line, fields) != FIELDS) {
        malformed(ctx, line, "a measurement has 5 fields: time,what,from,to,value");
        return;
    }
    Sample sample = {.span = line};
    if ((first && is_header(ctx->source, fields)) || !read_sample(ctx, fields, &sample))
        return;
    if (sample.time >= ctx->newest) {
        ctx->newest = sample.time;
        ctx->newest_span = line;
    }
    if (sample.a < 0 || sample.b < 0)
        return;
    if (sample.a > sample.b) {
        int32_t a = sample.a;
        sample.a = sample.b;
        sample.b = a;
        sample.back = true;
    }
    sample.text = ctx->all.texts;
    if (mem_grow(ctx->all.samples, ctx->all.cap, ctx->all.count + 1))
        ctx->all.samples[ctx->all.count++] = sample;
    else
        ctx->no_memory = true;
}

static void read_lines(Measuring *ctx)
{
    const Source *source = ctx->source;
    bool first = true;
    for (size_t at = source_start(source), end; at < source->length; at = end + 1) {
        const char *newline = memchr(source->text + at, '\n', source->length - at);
        end = newline ? (size_t)(newline - source->text) : source->length;
        Span line = trimmed(source, at, end);
        if (length_of(line) == 0 || source->text[line.begin] == '#')
            continue;
        read_line(ctx, line, first);
        first = false;
        if (ctx->errors >= MOST_ERRORS) {
            diag_error(ctx->diags, line, "too many errors");
            return;
        }
    }
}

/* ---- the newest of each ------------------------------------------------------------------- */

static int compare(double x, double y)
{
    return (x > y) - (x < y);
}

/* By what was measured, then when, then as in the texts. */
static int by_subject(const void *x, const void *y)
{
    const Sample *s = x, *t = y;
    int order = compare(s->what, t->what);
    order = order ? order : compare(s->a, t->a);
    order = order ? order : compare(s->b, t->b);
    order = order ? order : compare(s->time, t->time);
    order = order ? order : compare(s->text, t->text);
    return order ? order : compare(s->span.begin, t->span.begin);
}

static bool same_subject(const Sample *s, const Sample *t)
{
    return s->what == t->what && s->a == t->a && s->b == t->b;
}

/* The value of the newest sample of a subject, which is the last one; where one of the other direction has the same
 * time, the worse of the two. */
static double worse_way(const Sample *first, const Sample *newest)
{
    const bool latency = newest->what == ATTRIBUTE_LATENCY;
    for (const Sample *other = newest; other-- > first && other->time == newest->time;)
        if (other->back != newest->back)
            return latency ? fmax(newest->value, other->value) : fmin(newest->value, other->value);
    return newest->value;
}

static void apply(AmogetMachine *machine, const Sample *first, const Sample *sample)
{
    PairTable *table = sample->what == ATTRIBUTE_LATENCY ? &machine->latency : &machine->bandwidth;
    if (sample->what == ATTRIBUTE_AVAILABILITY)
        machine->availability[sample->a] = sample->value;
    else if (sample->what == ATTRIBUTE_TIME)
        machine->time[sample->a] = sample->value;
    else
        pair_set(machine, table, sample->a, sample->b, LEVEL_PAIR, worse_way(first, sample));
}

enum { AGE_SIZE = NUMBER_SIZE + 8 };

static void write_age(double seconds, char text[AGE_SIZE])
{
    const double hour = 3600, day = 24 * hour;
    bool hours = seconds >= 2 * hour, days = seconds >= 2 * day;
    char number[NUMBER_SIZE];
    number_write(round(seconds / (days ? day : hours ? hour : 1)), number);
    (void)snprintf(text, AGE_SIZE, "%s %s", number, days ? "days" : hours ? "h" : "s");
}

static void warn_stale(Measuring *ctx, const Sample *sample)
{
    const char *const *names = ctx->machine->names.names;
    const char *what = attribute_name(sample->what), *a = names[sample->a], *b = names[sample->b];
    char age[AGE_SIZE];
    write_age(ctx->newest - sample->time, age);
    if (is_of_one(sample->what))
        diag_warning(ctx->diags, sample->span,
                     "stale: the %s of `%s` was measured %s before the newest line", what, a, age);
    else if (sample->a == sample->b)
        diag_warning(ctx->diags, sample->span,
                     "stale: the %s within `%s` was measured %s before the newest line", what, a,
                     age);
    else
        diag_warning(ctx->diags, sample->span,
                     "stale: the %s between `%s` and `%s` was measured %s before the newest line",
                     what, a, b, age);
}

static void warn_old(Measuring *ctx, double max_age, double now)
{
    char age[AGE_SIZE];
    const double ahead = 60; /* clocks differ a little */
    if (ctx->newest < 0 || !(now > 0))
        return;
    if (ctx->newest - now > ahead) {
        write_age(ctx->newest - now, age);
        diag_warning(ctx->diags, ctx->newest_span,
                     "the newest measurement is %s in the future: times are seconds since 1970",
                     age);
    }
    if (now - ctx->newest <= max_age)
        return;
    write_age(now - ctx->newest, age);
    diag_warning(ctx->diags, ctx->newest_span, "stale: the newest measurement is %s old", age);
}

void measured_free(Measured *measured)
{
    mem_free(measured->samples);
    *measured = (Measured){0};
}

/* Of what this text speaks of, the newest. */
static void apply_newest(Measuring *ctx, AmogetMachine *machine, double max_age)
{
    const int32_t text = ctx->all.texts;
    bool told = false;
    if (ctx->all.count > 0)
        qsort(ctx->all.samples, ctx->all.count, sizeof *ctx->all.samples, by_subject);
    for (size_t i = 0, first = 0; i < ctx->all.count; i++) {
        const Sample *sample = &ctx->all.samples[i];
        told = told || sample->text == text;
        if (i + 1 < ctx->all.count && same_subject(sample, sample + 1))
            continue;
        if (told)
            apply(machine, &ctx->all.samples[first], sample);
        if (sample->text == text && ctx->newest - sample->time > max_age)
            warn_stale(ctx, sample);
        first = i + 1;
        told = false;
    }
}

PepaStatus measure_apply(AmogetMachine *machine, const Source *source, double max_age, double now,
                         Measured *before, DiagList *diags)
{
    Measuring ctx = {.machine = machine,
                     .source = source,
                     .diags = diags,
                     .newest = -1,
                     .all = *before};
    const size_t known = before->count;
    read_lines(&ctx);
    PepaStatus status = ctx.no_memory     ? PEPA_ENOMEM
                        : ctx.errors == 0 ? PEPA_OK
                        : ctx.malformed   ? PEPA_ESYNTAX
                                          : PEPA_EMODEL;
    if (status == PEPA_OK) {
        apply_newest(&ctx, machine, max_age);
        warn_old(&ctx, max_age, now);
    } else {
        ctx.all.count = known;
    }
    *before = ctx.all;
    before->texts++;
    intern_free(&ctx.strangers);
    return status;
}
