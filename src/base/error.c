/* Fills in a PepaError. */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static void fill_in(PepaError *err, PepaStatus code, PepaLimit limit, const char *format,
                    va_list args)
{
    if (err) {
        *err = (PepaError){.code = code, .limit = limit};
        (void)vsnprintf(err->message, sizeof err->message, format, args);
    }
}

PepaStatus error_set(PepaError *err, PepaStatus code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_in(err, code, PEPA_LIMIT_NONE, format, args);
    va_end(args);
    return code;
}

PepaStatus error_limit(PepaError *err, PepaStatus code, PepaLimit limit, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fill_in(err, code, limit, format, args);
    va_end(args);
    return code;
}

PepaStatus error_states(PepaError *err, int64_t most)
{
    if (most >= ERROR_MOST_STATES)
        return error_set(err, PEPA_ELIMIT,
                         "more than %d states, which is the most that a chain can have; make the "
                         "model smaller",
                         ERROR_MOST_STATES);
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_STATES,
                       "more than %lld states; raise the limit, or make the model smaller",
                       (long long)most);
}

PepaStatus error_memory(PepaError *err)
{
    return error_set(err, PEPA_ENOMEM, "out of memory");
}
