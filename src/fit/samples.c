/* Reads measured durations: one to a line, or a column of comma-separated values (RFC 4180, without
 * line ends in quotes).  All wrong lines are reported, up to a number, each with its place. */
#include "fit/samples.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

enum { MOST_ERRORS = 20 };
#define LEAST_DURATION 1e-100 /* powers of durations are computed: their third is a double */
#define MOST_DURATION  1e100

typedef struct {
    struct PepaSamples *samples;
    const Source *source;
    DiagList *diags;
    const char *asked; /* the column; NULL: none */
    size_t column;     /* its number, from 0 */
    bool begun;        /* the first line that says something has been read */
} Reader;

/* ---- fields ---------------------------------------------------------------------------------- */

static Span trim(const char *text, size_t begin, size_t end)
{
    while (begin < end && isspace((unsigned char)text[begin]))
        begin++;
    while (begin < end && isspace((unsigned char)text[end - 1]))
        end--;
    return (Span){(uint32_t)begin, (uint32_t)end};
}

static Span unquote(const char *text, Span s)
{
    const bool quoted = s.end - s.begin >= 2 && text[s.begin] == '"' && text[s.end - 1] == '"';
    return quoted ? (Span){s.begin + 1, s.end - 1} : s;
}

/* The field that begins at *at, which moves behind its comma; more: there was a comma. */
static Span next_field(const Reader *r, size_t *at, size_t end, bool *more)
{
    const char *text = r->source->text;
    const size_t begin = *at;
    bool quoted = false;
    while (*at < end && (quoted || text[*at] != ',')) {
        quoted ^= text[*at] == '"';
        ++*at;
    }
    const Span s = trim(text, begin, *at);
    *more = *at < end;
    *at += *more;
    return unquote(text, s);
}

/* Field number `column`, from 0; false: the line has only *fields. */
static bool find_field(const Reader *r, Span line, size_t column, Span *field, size_t *fields)
{
    size_t at = line.begin;
    bool more = true;
    for (*fields = 0; more; ++*fields) {
        const Span each = next_field(r, &at, line.end, &more);
        if (*fields == column) {
            *field = each;
            return true;
        }
    }
    return false;
}

static bool says(const Reader *r, Span s, const char *word)
{
    return strlen(word) == s.end - s.begin &&
           memcmp(r->source->text + s.begin, word, s.end - s.begin) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && isdigit((unsigned char)text[n]))
        n++;
    return n;
}

/* A decimal number and nothing else. */
static bool is_number(const char *text, size_t length)
{
    size_t at = length && (*text == '+' || *text == '-');
    const size_t whole = digits(text + at, length - at);
    size_t part = 0;
    at += whole;
    if (at < length && text[at] == '.') {
        part = digits(text + at + 1, length - at - 1);
        at += part + 1;
    }
    if (whole + part == 0)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '+' || text[at] == '-');
        const size_t power = digits(text + at, length - at);
        at += power;
        return power > 0 && at == length;
    }
    return at == length;
}

static bool span_is_number(const Reader *r, Span s)
{
    return is_number(r->source->text + s.begin, s.end - s.begin);
}

/* The first byte that is neither text nor a tab; NULL: none. */
static const char *no_text(const Reader *r, Span s)
{
    const char *end = r->source->text + s.end;
    const char *odd = source_odd_byte(r->source->text + s.begin, s.end - s.begin);
    while (odd && *odd == '\t')
        odd = source_odd_byte(odd + 1, (size_t)(end - odd - 1));
    return odd;
}

/* What stops strtod: a line end, a comma, a quote, a blank or the end of the text. */
static bool take(Reader *r, Span s)
{
    const char *text;
    const int length = source_spelling(r->source, s, &text);
    struct PepaSamples *samples = r->samples;
    const char *odd = no_text(r, s);
    const uint32_t at = odd ? (uint32_t)(odd - r->source->text) : 0;
    if (s.begin == s.end)
        diag_error(r->diags, s, "there is no duration here");
    else if (odd)
        diag_error(r->diags, ((Span){at, at + 1}),
                   "byte 0x%02X is no text: durations are decimal numbers, one to a line",
                   (unsigned char)*odd);
    else if (!span_is_number(r, s))
        diag_error(r->diags, s,
                   "`%.*s` is no duration: a decimal number, such as 0.25 or 2.5e-3, is expected",
                   length, text);
    else {
        const double value = number_read(r->source->text + s.begin);
        if (!(value > 0))
            diag_error(r->diags, s,
                       "the duration %.*s is not above 0: a phase-type distribution has none; "
                       "leave it out, or give its size below the resolution of the clock",
                       length, text);
        else if (!(value >= LEAST_DURATION && value <= MOST_DURATION))
            diag_error(r->diags, s, "the duration %.*s is not between %g and %g: take another unit",
                       length, text, LEAST_DURATION, MOST_DURATION);
        else if (!mem_grow(samples->value, samples->cap, samples->count + 1))
            return false;
        else
            samples->value[samples->count++] = value;
    }
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The number of a column that is asked for by number; else false. */
static bool column_number(const char *asked, size_t *column)
{
    const size_t length = strlen(asked);
    if (length == 0 || digits(asked, length) != length || length > 6 || *asked == '0')
        return false;
    *column = 0;
    for (const char *d = asked; *d; d++)
        *column = *column * 10 + (size_t)(*d - '0');
    --*column;
    return true;
}

/* The column by its name in the head. */
static bool find_named(Reader *r, Span line)
{
    Span field;
    size_t fields;
    for (r->column = 0; find_field(r, line, r->column, &field, &fields); r->column++)
        if (says(r, field, r->asked))
            return true;
    diag_error(r->diags, line, "the head has no column `%s`; give its name or its number",
               r->asked);
    return false;
}

/* The first line decides the column.  *head: it holds no duration.  False: no use going on. */
static bool begin(Reader *r, Span line, bool *head)
{
    Span field = line;
    size_t fields = 0;
    r->begun = true;
    if (r->asked && !column_number(r->asked, &r->column)) {
        *head = true;
        return find_named(r, line);
    }
    if (!r->asked && find_field(r, line, 1, &field, &fields)) {
        diag_error(r->diags, line,
                   "there are several columns: say which one is the duration, by --column NAME or "
                   "its number");
        return false;
    }
    *head = find_field(r, line, r->column, &field, &fields) && field.begin < field.end &&
            !span_is_number(r, field) &&
            (isalpha((unsigned char)r->source->text[field.begin]) ||
             r->source->text[field.begin] == '_') &&
            !says(r, field, "nan") && !says(r, field, "NaN") && !says(r, field, "inf") &&
            !says(r, field, "Inf");
    return true;
}

/* False: memory is out, or it is no use going on. */
static bool read_line(Reader *r, Span line)
{
    const char *text = r->source->text,
               *hash = memchr(text + line.begin, '#', line.end - line.begin);
    Span field;
    size_t fields;
    bool head = false;
    line = trim(text, line.begin, hash ? (size_t)(hash - text) : line.end);
    if (line.begin == line.end)
        return true;
    if (!r->begun && !begin(r, line, &head))
        return r->diags->errors == 0;
    if (head)
        return true;
    if (find_field(r, line, r->column, &field, &fields)) {
        if (!r->asked && field.end < line.end &&
            memchr(text + field.end, ',', line.end - field.end))
            field = line;
        return take(r, field);
    }
    diag_error(r->diags, line, "there is no column %zu in this line, which has %zu", r->column + 1,
               fields);
    return true;
}

PepaStatus samples_read(struct PepaSamples *samples, const Source *source, const char *column,
                        DiagList *diags)
{
    Reader r = {.samples = samples, .source = source, .diags = diags, .asked = column};
    size_t at = source_start(source);
    bool ok = true;
    while (ok && at < source->length && diags->errors < MOST_ERRORS) {
        const char *end = memchr(source->text + at, '\n', source->length - at);
        const size_t stop = end ? (size_t)(end - source->text) : source->length;
        const size_t errors = diags->errors;
        ok = read_line(&r, (Span){(uint32_t)at, (uint32_t)stop});
        if (!ok && diags->errors == errors)
            return PEPA_ENOMEM;
        at = stop + 1;
    }
    if (diags->errors >= MOST_ERRORS)
        diag_error(diags, ((Span){SPAN_NOWHERE, SPAN_NOWHERE}), "too many errors");
    else if (diags->errors == 0 && samples->count == 0)
        diag_error(diags, ((Span){SPAN_NOWHERE, SPAN_NOWHERE}),
                   "there are no durations; give one to a line");
    return diags->errors ? PEPA_ESYNTAX : PEPA_OK;
}
