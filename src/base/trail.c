#include "base/trail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

static const char more[] = "; and so on";

void trail_add(char *trail, size_t size, const char *format, ...)
{
    enum { LONGEST = 512 };
    char text[LONGEST];
    const size_t told = strlen(trail), last = size - sizeof more;
    va_list args;
    va_start(args, format);
    (void)number_vprint(text, sizeof text, format, args);
    va_end(args);
    if (told + 1 >= sizeof more && strcmp(trail + told + 1 - sizeof more, more) == 0)
        return;
    const int length = snprintf(trail + told, size - told, "%s%s", told > 0 ? "; " : "", text);
    if (length < 0 || told + (size_t)length < size)
        return;
    /* The whole sentences before `last`; of the first one, as much as there is room for. */
    size_t end = last;
    while (end > 0 && memcmp(trail + end, more, 2) != 0)
        end--;
    if (end > 0)
        memcpy(trail + end, more, sizeof more);
}
