/* A table of remembered results, by keys of two numbers. */
#ifndef PEPA_CTMC_SYSTEM_MEMO_H
#define PEPA_CTMC_SYSTEM_MEMO_H

#include "base/hash.h"
#include "base/mem.h"

typedef struct {
    uint64_t a, b;
} MemoKey;

typedef struct {
    MemoKey *keys;
    int32_t *values;   /* -1: free */
    size_t slot_count; /* 0, or a power of two */
    size_t count;
} Memo; /* starts as {0} */

void memo_free(Memo *memo);
double memo_bytes(const Memo *memo);
/* Where the key's value is, or is to be put: -1 if the key is new.  NULL: memory is out.  Valid
 * until the next call. */
int32_t *memo_at(Memo *memo, uint64_t a, uint64_t b);
/* The key's value, or -1. */
int32_t memo_find(const Memo *memo, uint64_t a, uint64_t b);

#endif
