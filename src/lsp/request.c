/* Failures of requests. */
#include "lsp/request.h"

#include <stdarg.h>
#include <stdio.h>

json_t *failed(Failure *failure, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    failure->code = code;
    return NULL;
}
