/* Where a text mentions the things that it names. */
#ifndef PEPA_LSP_MENTIONS_H
#define PEPA_LSP_MENTIONS_H

#include "base/source.h"

typedef enum {
    NAME_RATE, /* of models */
    NAME_PROCESS,
    NAME_ACTION,
    NAME_VALUE, /* of descriptions: a definition */
    NAME_STAGE,
    NAME_PROCESSOR,
    NAME_CLUSTER
} NameKind;

typedef struct {
    NameKind kind;
    const char *name; /* without quotes */
    Span span;        /* with them */
    int32_t def;      /* the definition, counted from 0, whose name it is; -1: none */
    bool declares;    /* without a definition: the action of an activity, a processor's cluster */
} Mention;

typedef struct {
    Mention *each; /* in the order of the text */
    size_t count, cap;
} Mentions; /* starts as {0} */

/* Append one; false: memory is out. */
bool mentions_add(Mentions *mentions, Mention mention);
/* Bring them into the order of the text. */
void mentions_sort(Mentions *mentions);
/* The one that an offset is in, or just behind; NULL: none. */
const Mention *mentions_at(const Mentions *mentions, uint32_t offset);
/* Do both mean the same thing? */
bool mention_same(const Mention *a, const Mention *b);
/* Does the mention define or declare what it mentions?  Does any one of a list? */
bool mention_declares(const Mention *mention);
bool mentions_declared(const Mentions *mentions, const Mention *of);
/* The definition of what is mentioned; NULL: none. */
const Mention *mentions_definition(const Mentions *mentions, const Mention *of);
/* How many mentions are no definitions. */
size_t mentions_uses(const Mentions *mentions, const Mention *of);
void mentions_free(Mentions *mentions);

const char *name_kind(NameKind kind); /* "rate", ... */

#endif
