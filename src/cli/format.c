/* Numbers and strings in the forms that the reports need. */
#include <inttypes.h>
#include <string.h>

#include "cli.h"

void json_string(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            (void)fprintf(to, "\\%c", *p);
        else if (*p == '\n')
            (void)fputs("\\n", to);
        else if (*p < 0x20 || *p == 0x7f)
            (void)fprintf(to, "\\u%04x", *p);
        else
            (void)fputc(*p, to);
    }
    (void)fputc('"', to);
}

void csv_string(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        (void)fputs(text, to);
        return;
    }
    (void)fputc('"', to);
    for (const char *p = text; *p; p++)
        (void)fprintf(to, *p == '"' ? "\"\"" : "%c", *p);
    (void)fputc('"', to);
}

void full_number(FILE *to, double value)
{
    (void)fprintf(to, "%.17g", value);
}

const char *grouped(int64_t n, char *text)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}
