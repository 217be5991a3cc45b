/* Hash-consing: structurally equal things get one id, in order of first appearance. */
#ifndef PEPA_PARSER_CONS_H
#define PEPA_PARSER_CONS_H

#include "base/mem.h"

typedef struct {
    int32_t kind, a, b, c;
    double number; /* compared by its bits */
} ConsKey;

typedef struct {
    ConsKey *keys; /* keys[id] */
    size_t count, cap;
    int32_t *slots; /* open addressing: id or -1; slot_count a power of two */
    size_t slot_count;
} Cons; /* starts as {0} */

/* The id of the thing, added if new; -1 when memory is out. */
int32_t cons_put(Cons *cons, ConsKey key);
void cons_free(Cons *cons);

#endif
