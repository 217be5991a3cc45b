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

const char *pepa_status_text(PepaStatus status)
{
    static const char *const text[] = {
        [PEPA_OK] = "ok",
        [PEPA_EARG] = "bad argument",
        [PEPA_ENOMEM] = "out of memory",
        [PEPA_EIO] = "input or output failed",
        [PEPA_ESYNTAX] = "syntax error",
        [PEPA_EMODEL] = "the model is wrong",
        [PEPA_ELIMIT] = "a limit was hit",
        [PEPA_ENOCONV] = "not solved to the tolerance",
        [PEPA_ECANCEL] = "cancelled",
    };
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}
