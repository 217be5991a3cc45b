/* What was probably meant. */
#ifndef PEPA_BASE_SUGGEST_H
#define PEPA_BASE_SUGGEST_H

#include <stddef.h>

/* The nearest of the names to one that is none of them, or NULL. */
const char *suggest(const char *name, const char *const *names, size_t count);

#endif
