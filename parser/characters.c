/* Reports characters that PEPA does not have: which one it is, and what to write instead.
 * They come from word processors and web pages; many look like an ASCII character or are invisible.
 * Source: the Unicode character names. */
#include <string.h>

#include "parser/parsing.h"

typedef struct {
    uint32_t first, last;
    const char *name, *instead; /* instead: what to write; NULL: the character is invisible */
} Character;

static const Character characters[] = {
    {0x00A0, 0x00A0, "no-break space", NULL},
    {0x00AD, 0x00AD, "soft hyphen", NULL},
    {0x00B7, 0x00B7, "middle dot", "."},
    {0x00D7, 0x00D7, "multiplication sign", "*"},
    {0x00F7, 0x00F7, "division sign", "/"},
    {0x2000, 0x200A, "wide or narrow space", NULL},
    {0x200B, 0x200B, "zero width space", NULL},
    {0x200C, 0x200C, "zero width non-joiner", NULL},
    {0x200D, 0x200D, "zero width joiner", NULL},
    {0x200E, 0x200F, "text direction mark", NULL},
    {0x2010, 0x2015, "hyphen or dash", "-"},
    {0x2018, 0x2019, "single quotation mark", "'"},
    {0x201C, 0x201D, "double quotation mark", "\""},
    {0x2028, 0x2029, "line or paragraph separator", NULL},
    {0x202A, 0x202E, "text direction mark", NULL},
    {0x202F, 0x202F, "narrow no-break space", NULL},
    {0x205F, 0x205F, "mathematical space", NULL},
    {0x2060, 0x2060, "word joiner", NULL},
    {0x2066, 0x2069, "text direction mark", NULL},
    {0x2212, 0x2212, "minus sign", "-"},
    {0x221E, 0x221E, "infinity", "infty"},
    {0x2225, 0x2225, "parallel to", "||"},
    {0x2254, 0x2254, "colon equals", "="},
    {0x22A4, 0x22A4, "down tack", "infty"},
    {0x22C8, 0x22C8, "bowtie", "<a, b>"},
    {0x27E8, 0x27E8, "left angle bracket", "<"},
    {0x27E9, 0x27E9, "right angle bracket", ">"},
    {0x3000, 0x3000, "ideographic space", NULL},
    {0xFEFF, 0xFEFF, "byte order mark", NULL},
};

static const Character *find(uint32_t code)
{
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        if (code >= characters[i].first && code <= characters[i].last)
            return &characters[i];
    return NULL;
}

/* The code point of `size` bytes of UTF-8. */
static uint32_t decode(const char *text, size_t size)
{
    const unsigned char *byte = (const unsigned char *)text;
    uint32_t code = size == 1 ? byte[0] : byte[0] & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (byte[i] & 0x3Fu);
    return code;
}

/* Is this the first time that the character is met?  Later ones go unreported. */
static bool first_time(Parsing *ctx, uint32_t code)
{
    for (size_t i = 0; i < ctx->reported_count; i++)
        if (ctx->reported[i] == code)
            return false;
    if (ctx->reported_count < SYNTAX_MAX_ERRORS)
        ctx->reported[ctx->reported_count++] = code;
    return true;
}

size_t syntax_character(Parsing *ctx, const char *text, size_t length, Span span, bool *blank)
{
    size_t size = source_character(text, length);
    uint32_t code = size ? decode(text, size) : (unsigned char)*text;
    const Character *known = size ? find(code) : NULL;
    *blank = known && !known->instead;
    span.end = span.begin + (uint32_t)(size ? size : 1);
    if (*blank && first_time(ctx, code))
        syntax_error(ctx, span, "invisible character U+%04X (%s): delete it, wherever it stands",
                     code, known->name);
    else if (*blank || syntax_skipping(ctx))
        return size ? size : 1;
    else if (size == 0)
        syntax_error(ctx, span, "byte 0x%02X: the text is not UTF-8", code);
    else if (code < 0x20 || code == 0x7F)
        syntax_error(ctx, span, "unexpected control character 0x%02X", code);
    else if (known)
        syntax_error(ctx, span, "unexpected character `%.*s` U+%04X (%s); write `%s`", (int)size,
                     text, code, known->name, known->instead);
    else if (code > 0x7F)
        syntax_error(ctx, span,
                     "unexpected character `%.*s` (U+%04X); names have the letters a-z and A-Z, "
                     "digits, `_` and `'`",
                     (int)size, text, code);
    else
        syntax_error(ctx, span, "unexpected character `%c`%s", (char)code,
                     code == '\'' ? "; names in quotes have double ones: `\"a name\"`" : "");
    return size ? size : 1;
}
