/* What the scanners made by flex share.  Each works on a copy of a whole text, so that a token's
 * place in the text is its place in the buffer.  Its memory is an arena, so that nothing leaks when
 * setting it up fails half-way.
 *
 * A scanner's `yyextra` points to a structure with a member `Scanning scan`.  With FLEX_FUNCTIONS
 * defined, as at the end of a .l file, this header also has the functions that flex wants. */
#ifndef PEPA_BASE_FLEX_H
#define PEPA_BASE_FLEX_H

#include <setjmp.h>
#include <string.h>

#include "base/source.h"

typedef struct {
    const Source *source;
    Arena arena; /* of the scanner's own memory */
    void *scanner;
    char *buffer; /* the scanner's copy of the text from byte `offset` on */
    size_t offset;
    jmp_buf failed; /* where to go when the scanner cannot be set up: memory is out */
} Scanning;

#define YY_FATAL_ERROR(message) longjmp(yyget_extra(yyscanner)->scan.failed, 1)

/* The place of `length` bytes of the buffer. */
static inline Span flex_place(const Scanning *scan, const char *text, size_t length)
{
    size_t begin = (size_t)(text - scan->buffer) + scan->offset;
    return (Span){(uint32_t)begin, (uint32_t)(begin + length)};
}

#endif

#ifdef FLEX_FUNCTIONS
void *yyalloc(yy_size_t size, yyscan_t yyscanner)
{
    return arena_alloc(&yyget_extra(yyscanner)->scan.arena, size);
}

/* Never called: the one buffer does not grow. */
void *yyrealloc(void *old, yy_size_t size, yyscan_t yyscanner)
{
    (void)old;
    (void)size;
    (void)yyscanner;
    return NULL;
}

void yyfree(void *block, yyscan_t yyscanner)
{
    (void)block;
    (void)yyscanner;
}

/* Set the scanner up over scan->source.  Out of memory: longjmp to scan->failed. */
static void flex_begin(Scanning *scan, YY_EXTRA_TYPE extra)
{
    scan->offset = source_start(scan->source);
    size_t length = scan->source->length - scan->offset;
    scan->buffer = arena_alloc(&scan->arena, length + 2); /* flex wants two NULs at the end */
    if (!scan->buffer || yylex_init_extra(extra, &scan->scanner) != 0)
        longjmp(scan->failed, 1);
    memcpy(scan->buffer, scan->source->text + scan->offset, length);
    yy_scan_buffer(scan->buffer, length + 2, scan->scanner);
}
#endif
