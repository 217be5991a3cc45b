/* Reads the JSON of a message, halves of surrogate pairs included: editors keep texts in UTF-16, in which they can
 * stand alone.  Source: RFC 8259, section 8.2. */
#include "lsp/message.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { ESCAPE = 6 }; /* bytes of \uXXXX */
typedef enum { NEITHER, HIGH, LOW } Half;

/* Which half of a surrogate pair an escape is. */
static Half half_of(const char *at, const char *end)
{
    if (end - at < ESCAPE || at[0] != '\\' || at[1] != 'u' || (at[2] | 32) != 'd' ||
        !isxdigit((unsigned char)at[3]) || !isxdigit((unsigned char)at[4]) ||
        !isxdigit((unsigned char)at[5]) || strchr("01234567", at[3]))
        return NEITHER;
    return strchr("89abAB", at[3]) ? HIGH : LOW;
}

static void replace_lone_halves(char *text, size_t length)
{
    const char *end = text + length;
    for (char *at; (at = memchr(text, '\\', (size_t)(end - text))) != NULL;) {
        const Half half = half_of(at, end);
        const bool pair = half == HIGH && half_of(at + ESCAPE, end) == LOW;
        if (half != NEITHER && !pair)
            memcpy(at + 2, "fffd", 4);
        const ptrdiff_t size = pair ? 2 * ESCAPE : half != NEITHER ? ESCAPE : 2;
        text = end - at < size ? at + 1 : at + size;
    }
}

/* jansson cuts characters where an escape is wrong. */
static void make_ascii(char *text)
{
    for (; *text; text++)
        *text = (unsigned char)*text < 128 ? *text : '?';
}

json_t *message_read(char *text, size_t length, json_error_t *wrong)
{
    replace_lone_halves(text, length);
    json_t *message = json_loadb(text, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, wrong);
    if (!message)
        make_ascii(wrong->text);
    return message;
}
