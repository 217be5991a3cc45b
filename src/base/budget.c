/* Checks bytes against a limit, and writes bytes for messages. */
#include "base/budget.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

int64_t budget_left(int64_t limit, double taken)
{
    if (limit == 0)
        return 0;
    return taken < (double)limit - 1 ? limit - (int64_t)taken : 1;
}

bool budget_allows(int64_t limit, double bytes)
{
    return limit == 0 || bytes <= (double)limit;
}

const char *budget_bytes(double bytes, char text[BUDGET_TEXT])
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    const double below = 999.5;
    int unit = 0;
    while (bytes >= below && unit < 4) {
        bytes /= 1000;
        unit++;
    }
    (void)number_print(text, BUDGET_TEXT, unit && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes,
                       units[unit]);
    return text;
}

PepaStatus budget_exceeded(PepaError *err, double need, int64_t limit, const char *format, ...)
{
    char what[121], needed[BUDGET_TEXT], most[BUDGET_TEXT];
    va_list args;
    va_start(args, format);
    (void)number_vprint(what, sizeof what, format, args);
    va_end(args);
    const bool alike = strcmp(budget_bytes(need, needed), budget_bytes((double)limit, most)) == 0;
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "%s needs %s%s, and the limit on memory leaves %s; raise the limit, or make "
                       "the model smaller",
                       what, alike ? "a little over " : "", needed, limit > 1 ? most : "nothing");
}
