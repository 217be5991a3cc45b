/* Names to small integers, in order of first appearance. */
#ifndef PEPA_BASE_INTERN_H
#define PEPA_BASE_INTERN_H

#include "base/memo.h"

typedef struct {
    Arena arena;
    const char **names; /* names[id], NUL-terminated */
    size_t count, cap;
    Memo found; /* by hash: an id */
} Intern;       /* starts as {0} */

/* The name's id, added if new; -1 when memory is out. */
int32_t intern_put(Intern *names, const char *text, size_t length);
/* The name's id, or -1 when it is not there. */
int32_t intern_find(const Intern *names, const char *text, size_t length);
void intern_free(Intern *names);

/* Edits (insert, delete, replace, swap neighbours) between two names; stops counting at `most`. */
int name_distance(const char *a, const char *b, int most);

/* The one of the names nearest to `name`, whether in capitals or not; NULL if none is near. */
const char *suggest(const char *name, const char *const *names, size_t count);

#endif
