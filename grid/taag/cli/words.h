/* Words of a command line that is being put together. */
#ifndef TAAG_CLI_WORDS_H
#define TAAG_CLI_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers and hosts are kept in `texts`; other words are borrowed. */
typedef struct {
    char **word, **text;
    size_t words, texts, word_cap, text_cap;
    bool failed; /* out of memory: some words are missing */
} Words;

/* word NULL: the end. */
void words_add(Words *w, const char *word);
/* "NUMBER", or "NAME:NUMBER" if the name is not "". */
void words_add_number(Words *w, const char *name, int32_t number);
void words_free(Words *w);

#endif
