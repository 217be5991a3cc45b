/* Lines of words. */
#include "grid/predict/words.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { MOST_ERRORS = 99 };

static size_t length_of(Span span)
{
    return span.end - span.begin;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The words of a line, up to one too many. */
static void split(Words *w, size_t begin, size_t end)
{
    const char *text = w->source->text;
    w->count = 0;
    while (w->count <= WORDS_MOST) {
        while (begin < end && is_blank(text[begin]))
            begin++;
        const size_t from = begin;
        while (begin < end && !is_blank(text[begin]))
            begin++;
        if (from == begin)
            return;
        w->word[w->count++] = (Span){(uint32_t)from, (uint32_t)begin};
    }
}

/* As the rest of a file has it that was not written to its end.  The words after it would be lost. */
static bool has_nul(Words *w, size_t begin, size_t end)
{
    const char *text = w->source->text, *nul = memchr(text + begin, '\0', end - begin);
    if (!nul)
        return false;
    const uint32_t at = (uint32_t)(nul - text);
    (void)words_bad(w, (Span){at, at + 1}, "a NUL byte: this is not text");
    w->stop = true;
    return true;
}

bool words_next(Words *w)
{
    const char *text = w->source->text;
    const size_t length = w->source->length, start = source_start(w->source);
    w->count = 0;
    while (w->count == 0 && !w->stop) {
        const size_t begin = w->at > start ? w->at : start;
        if (begin >= length)
            return false;
        const char *newline = memchr(text + begin, '\n', length - begin);
        const size_t end = newline ? (size_t)(newline - text) : length;
        if (has_nul(w, begin, end))
            return false;
        const char *hash = memchr(text + begin, '#', end - begin);
        split(w, begin, hash ? (size_t)(hash - text) : end);
        w->at = end + 1;
    }
    return w->count > 0;
}

bool words_say(const Words *w, int word, const char *text)
{
    return strlen(text) == length_of(w->word[word]) &&
           memcmp(w->source->text + w->word[word].begin, text, strlen(text)) == 0;
}

Span words_line(const Words *w)
{
    return (Span){w->word[0].begin, w->word[w->count - 1].end};
}

bool words_bad(Words *w, Span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag_syntax(w->diags, where, MOST_ERRORS, &w->stop, format, args);
    va_end(args);
    return false;
}

bool words_number(Words *w, int word, double *out)
{
    char text[64];
    const Span at = w->word[word];
    const size_t n = length_of(at);
    if (n < sizeof text) {
        memcpy(text, w->source->text + at.begin, n);
        text[n] = '\0';
        if (number_is(text)) {
            *out = number_read(text);
            if (*out > WORDS_MOST_NUMBER)
                return words_bad(w, at, "more than 1e30");
            return *out == 0 || *out >= WORDS_LEAST_NUMBER ||
                   words_bad(w, at, "less than 1e-30, but not 0");
        }
    }
    return words_bad(w, at, "not a number from 0");
}

bool words_whole(Words *w, int word, double most, const char *message, int64_t *out)
{
    double value;
    if (!words_number(w, word, &value))
        return false;
    if (value != floor(value) || value > most)
        return words_bad(w, w->word[word], "%s", message);
    *out = (int64_t)value;
    return true;
}

bool words_name(Words *w, int word, char *out, size_t size)
{
    const Span at = w->word[word];
    const size_t length = length_of(at);
    const char *text = w->source->text + at.begin;
    if (length >= size)
        return words_bad(w, at, "a name has at most %zu bytes", size - 1);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return words_bad(w, at, "a name has printable characters of ASCII only");
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}
