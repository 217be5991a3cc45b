/* Hash-consing: structurally equal things get one id, in order of first appearance. */
#ifndef PEPA_PARSER_CONS_H
#define PEPA_PARSER_CONS_H

#include "base/memo.h"

typedef struct {
    int32_t kind, a, b, c;
    double number; /* compared by its bits */
} ConsKey;         /* without padding */

typedef Lists Cons; /* of keys, as the integers that their bytes are; starts as {0}, lists_free */

/* The id of the thing, added if new; -1 when memory is out. */
static inline int32_t cons_put(Cons *cons, ConsKey key)
{
    int32_t parts[sizeof key / sizeof(int32_t)];
    memcpy(parts, &key, sizeof key);
    return lists_put(cons, parts, sizeof parts / sizeof *parts);
}

static inline ConsKey cons_key(const Cons *cons, int32_t id)
{
    ConsKey key;
    memcpy(&key, cons->items + cons->first[id], sizeof key);
    return key;
}

#endif
