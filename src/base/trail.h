/* What was tried before an answer, in sentences. */
#ifndef PEPA_BASE_TRAIL_H
#define PEPA_BASE_TRAIL_H

#include <stddef.h>

/* Append a sentence to the text in `trail`, a string in `size` bytes, 16 or more; where there is no room for it, once,
 * that there is more. */
void trail_add(char *trail, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
