/* Numbers as text with a decimal point, whatever the locale of the program. */
#ifndef GRID_CORE_DECIMAL_H
#define GRID_CORE_DECIMAL_H

enum { DECIMAL_SIZE = 40, DECIMAL_EXACT = 17 };

/* So many significant digits of a number, at most DECIMAL_EXACT, which read back as the same: text. */
const char *decimal_text(double value, int digits, char text[DECIMAL_SIZE]);
/* As strtod. */
double decimal_read(const char *text, char **end);

#endif
