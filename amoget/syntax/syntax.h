/* The syntax tree of a description: what the text says, before anyone asks what it means. */
#ifndef AMOGET_SYNTAX_H
#define AMOGET_SYNTAX_H

#include "amoget/syntax/quantity.h"
#include "base/diag.h"

/* A word of the text, or what stands for one; text NULL: there is none. */
typedef struct {
    const char *text;
    Span span;
} Word;

/* The name of a definition, or (name.text NULL) a number with or without a unit. */
typedef struct {
    Word name, unit;
    double number;
    Span span;
} Value;

typedef struct {
    Attribute attribute;
    Span keyword;
    Value value; /* unless */
    Word name;   /* ATTRIBUTE_CLUSTER, ATTRIBUTE_ADDRESS */
} Setting;

typedef enum {
    SAY_DEFINITION, /* a = value */
    SAY_STAGE,      /* a, settings */
    SAY_PROCESSOR,  /* a, settings */
    SAY_LATENCY,    /* of a and b, both {NULL}: `default`; of b {NULL}: `local`; value */
    SAY_BANDWIDTH,  /* the same */
    SAY_MAPPING,    /* words */
    SAY_INPUT,      /* a, settings */
    SAY_OUTPUT,     /* a */
    SAY_SHARING,    /* a: a word for it */
    SAY_TRANSFER,   /* the same */
    SAY_INCLUDE,    /* a: the file; settings */
    SAY_PROGRAM,    /* a: the kind; words: an edge is its two ends and an empty word */
    SAY_BLOCK       /* a: the keyword of a block that begins */
} SayKind;

/* One statement. */
typedef struct {
    SayKind kind;
    Span span;
    Word a, b;
    Value value;
    size_t first, count; /* its settings or words */
} Say;

/* Everything in the order of the text. */
typedef struct {
    Say *says;
    Setting *settings;
    Word *words;
    size_t say_count, setting_count, word_count;
    size_t say_cap, setting_cap, word_cap;
    size_t settings_taken, words_taken; /* by the statements so far */
    Span end;                           /* behind the last token */
    bool failed;                        /* memory is out */
} Syntax;                               /* starts as {0} */

void syntax_word(Syntax *tree, Word word);
void syntax_setting(Syntax *tree, Setting setting);
/* The words and settings since the last statement are the statement's; first and count are set. */
void syntax_say(Syntax *tree, Say say);
void syntax_free(Syntax *tree);
/* Do both say the same, wherever it stands in their texts? */
bool syntax_equal(const Syntax *a, const Syntax *b);

/* Read a description; names live in `arena`.  Errors: PEPA_ESYNTAX (diags says what; *whole: the
 * tree is complete in spite of them), PEPA_ENOMEM.  Linear in the text. */
PepaStatus syntax_read(const Source *source, Arena *arena, Syntax *tree, bool *whole,
                       DiagList *diags);

#endif
