/* Suggests a known name for an unknown one. */
#ifndef PEPA_BASE_SUGGEST_H
#define PEPA_BASE_SUGGEST_H

#include <stddef.h>

/* The one of the names that is nearest to `name`, or NULL if none is near. */
const char *suggest(const char *name, const char *const *names, size_t count);

#endif
