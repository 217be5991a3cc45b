/* Numbers as text with a decimal point: a program may have set a locale that has a comma. */
#include "grid/core/decimal.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* The locale of this thread alone. */
static locale_t enter_c_locale(locale_t *before)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = c ? uselocale(c) : (locale_t)0;
    return c;
}

static void leave_c_locale(locale_t c, locale_t before)
{
    if (c) {
        (void)uselocale(before);
        freelocale(c);
    }
}

const char *decimal_text(double value, int digits, char text[DECIMAL_SIZE])
{
    locale_t before, c = enter_c_locale(&before);
    (void)snprintf(text, DECIMAL_SIZE, "%.*g", digits, value);
    leave_c_locale(c, before);
    return text;
}

double decimal_read(const char *text, char **end)
{
    locale_t before, c = enter_c_locale(&before);
    const double value = strtod(text, end);
    leave_c_locale(c, before);
    return value;
}
