/* Fills in a PepaError. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"

/* Of a text that is cut, what is left of its last character in UTF-8 goes as well. */
static void drop_broken(char *text, size_t length)
{
    size_t at = length;
    while (at > 0 && ((unsigned char)text[at - 1] & 0xC0) == 0x80)
        at--;
    const unsigned char first = at > 0 ? (unsigned char)text[at - 1] : 0;
    const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (at > 0 && at - 1 + bytes > length)
        text[at - 1] = '\0';
}

PepaStatus error_limit(PepaError *err, PepaStatus code, PepaLimit limit, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        *err = (PepaError){.code = code, .limit = limit};
        const int length = number_vprint(err->message, sizeof err->message, format, args);
        va_end(args);
        if (length >= (int)sizeof err->message)
            drop_broken(err->message, sizeof err->message - 1);
    }
    return code;
}

PepaStatus error_states(PepaError *err, int64_t most)
{
    if (most == ERROR_MOST_STATES)
        return error_set(
            err, PEPA_ELIMIT,
            "more than %lld states, which is the most that a chain by rows can have; make "
            "the model smaller",
            (long long)ERROR_MOST_STATES);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_STATES,
                       "more than %lld states; raise the limit, or make the model smaller",
                       (long long)most);
}

PepaStatus error_by_rows(PepaError *err, int64_t states, const char *what)
{
    if (states <= ERROR_MOST_STATES)
        return PEPA_OK;
    return error_set(err, PEPA_ELIMIT, "%s takes at most %lld states, and the chain has %lld", what,
                     (long long)ERROR_MOST_STATES, (long long)states);
}

PepaStatus error_by_processes(PepaError *err)
{
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_STATES,
                       "processes share at most %d states kept by rows", INT32_MAX);
}

PepaStatus error_null(PepaError *err, const char *function)
{
    return error_set(err, PEPA_EARG, "%s: an argument is NULL", function);
}

PepaStatus error_memory(PepaError *err)
{
    return error_set(err, PEPA_ENOMEM, "out of memory");
}
