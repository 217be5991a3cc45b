/* A table of remembered results by keys of two numbers, and one of lists of integers. */
#ifndef PEPA_BASE_MEMO_H
#define PEPA_BASE_MEMO_H

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

/* Lists of integers, each stored once, with numbers from 0 on; starts as {0}. */
typedef struct {
    Memo found;     /* by hash: a number */
    int32_t *items; /* those of all lists, one after the other */
    size_t *first;  /* per list and for the end: its first item */
    int32_t count;
    size_t item_cap, first_cap;
} Lists;

void lists_free(Lists *lists);
double lists_bytes(const Lists *lists);
/* The number of a list: lists->count as it was if it is new.  -1: memory is out. */
int32_t lists_put(Lists *lists, const int32_t *list, size_t length);
/* The number of a list, or -1. */
int32_t lists_find(const Lists *lists, const int32_t *list, size_t length);

#endif
