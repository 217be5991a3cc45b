#include "base/budget.h"

#include <stdio.h>

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
    (void)snprintf(text, BUDGET_TEXT, unit && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes,
                   units[unit]);
    return text;
}

const char *budget_count(int64_t count, char text[BUDGET_TEXT])
{
    char digits[BUDGET_TEXT];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)count), to = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}
