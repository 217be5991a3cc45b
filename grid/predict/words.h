/* Files of lines of words, such as traces and profiles: `#` begins a comment. */
#ifndef GRID_PREDICT_WORDS_H
#define GRID_PREDICT_WORDS_H

#include "base/diag.h"

enum { WORDS_MOST = 28 };
/* Of numbers, as in descriptions: what is computed from them stays finite. */
#define WORDS_LEAST_NUMBER 1e-30 /* but 0 */
#define WORDS_MOST_NUMBER  1e30

/* Starts with source, diags, and zeros. */
typedef struct {
    const Source *source;
    DiagList *diags;
    size_t at; /* where the next line begins */
    int count;
    Span word[WORDS_MOST + 1]; /* of this line; count may be one too many */
    bool stop;                 /* nothing that follows makes sense, or there are too many errors */
} Words;

/* The next line that has words; false: there is none, or `stop` is set, as after a NUL byte.  O(length of the line). */
bool words_next(Words *words);
bool words_say(const Words *words, int word, const char *text);
Span words_line(const Words *words);
/* An error there; false, for functions that return it. */
bool words_bad(Words *words, Span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* 0, or a number from WORDS_LEAST_NUMBER to WORDS_MOST_NUMBER, without a unit; otherwise words_bad. */
bool words_number(Words *words, int word, double *out);
/* A whole number from 0 to `most` (at most 2^53); otherwise words_bad with `message`. */
bool words_whole(Words *words, int word, double most, const char *message, int64_t *out);
/* A name of printable characters of ASCII, at most size - 1 bytes; otherwise words_bad. */
bool words_name(Words *words, int word, char *out, size_t size);

#endif
