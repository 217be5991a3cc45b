#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

PepaStatus error_set(PepaError *err, PepaStatus code, const char *format, ...)
{
    if (err) {
        *err = (PepaError){.code = code};
        va_list args;
        va_start(args, format);
        (void)vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
    }
    return code;
}

PepaStatus error_memory(PepaError *err)
{
    return error_set(err, PEPA_ENOMEM, "out of memory");
}
