/* Sets of actions, ascending. Private to alphabet.c and sets.c. */
#ifndef PEPA_PARSER_ALPHABET_H
#define PEPA_PARSER_ALPHABET_H

#include "parser/checking.h"

typedef struct {
    int32_t *actions;
    int32_t count;
} Alphabet; /* actions NULL: not known */

bool alphabet_has(const Alphabet *set, int32_t action);
/* The actions of either / of both / of x but not of y; false when memory is out. */
bool alphabet_union(const Alphabet *x, const Alphabet *y, Alphabet *out);
bool alphabet_intersect(const Alphabet *x, const Alphabet *y, Alphabet *out);
bool alphabet_minus(const Alphabet *x, const Alphabet *y, Alphabet *out);
/* Make the collected actions ascending and each of them once. */
void alphabet_sort(Alphabet *set);
void alphabet_free(Alphabet *set);

#endif
