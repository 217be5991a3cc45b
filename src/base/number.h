/* Numbers as text, in the C locale whatever the program's locale is. */
#ifndef PEPA_BASE_NUMBER_H
#define PEPA_BASE_NUMBER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number that `text` starts with: like strtod, +inf on overflow. */
double number_read(const char *text);

/* Whether all of the text is a decimal number without a sign: digits, a fraction and an exponent, the
 * last two if they are there. */
bool number_is(const char *text);

/* As vsnprintf and snprintf. */
int number_vprint(char *text, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
int number_print(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { NUMBER_SIZE = 32 };
/* The fewest digits that read back as the same number. */
void number_write(double number, char text[NUMBER_SIZE]);
/* A count, "1,234,567": text. */
const char *number_grouped(int64_t count, char text[NUMBER_SIZE]);

#endif
