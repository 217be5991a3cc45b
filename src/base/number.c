/* Reads and writes numbers independently of the locale. */
#include "base/number.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* uselocale is per thread: other threads never see the change.  Most locales in use have a point already. */
static locale_t enter_c_locale(locale_t *before)
{
    const bool has_point = strcmp(nl_langinfo(RADIXCHAR), ".") == 0;
    locale_t c = has_point ? (locale_t)0 : newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = c ? uselocale(c) : (locale_t)0;
    return c;
}

static void leave_c_locale(locale_t c, locale_t before)
{
    if (c) {
        uselocale(before);
        freelocale(c);
    }
}

double number_read(const char *text)
{
    locale_t before, c = enter_c_locale(&before);
    double number = strtod(text, NULL);
    leave_c_locale(c, before);
    return number;
}

bool number_is(const char *text)
{
    const size_t whole = strspn(text, "0123456789");
    text += whole;
    if (*text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '+' || text[1] == '-');
        const size_t digits = strspn(text, "0123456789");
        return whole > 0 && digits > 0 && text[digits] == '\0';
    }
    return whole > 0 && *text == '\0';
}

int number_vprint(char *text, size_t size, const char *format, va_list args)
{
    locale_t before, c = enter_c_locale(&before);
    const int length = vsnprintf(text, size, format, args);
    leave_c_locale(c, before);
    return length;
}

int number_print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = number_vprint(text, size, format, args);
    va_end(args);
    return length;
}

void number_write(double number, char text[NUMBER_SIZE])
{
    locale_t before, c = enter_c_locale(&before);
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(text, NUMBER_SIZE, "%.*g", digits, number);
        double again = strtod(text, NULL);
        if (!(again < number) && !(again > number))
            break;
    }
    leave_c_locale(c, before);
}

const char *number_grouped(int64_t count, char text[NUMBER_SIZE])
{
    char digits[NUMBER_SIZE];
    int length = snprintf(digits, sizeof digits, "%lld", (long long)count), to = 0;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = '\0';
    return text;
}
