/* Is a `%` line a definition or a remark? */
#include "parser/remark.h"

#include <ctype.h>
#include <string.h>

static const char *blanks(const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    return text;
}

static bool name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

/* The end of the operand (a name or a number) at `text`; `text` itself if there is none. */
static const char *operand(const char *text, const char *end)
{
    if (text < end && (isdigit((unsigned char)*text) || *text == '.')) {
        for (; text < end && (isalnum((unsigned char)*text) || *text == '.'); text++)
            if ((*text == 'e' || *text == 'E') && end - text > 1 && strchr("+-", text[1]))
                text++;
        return text;
    }
    while (text < end && name_byte(*text))
        text++;
    return text;
}

/* Do operands and operators alternate and brackets match, up to a semicolon? */
static bool expression_line(const char *text, const char *end)
{
    int open = 0;
    bool need = true; /* an operand */
    for (text = blanks(text, end); text < end; text = blanks(text, end)) {
        char c = *text;
        const char *after = operand(text, end);
        if (need && after > text) {
            bool call = name_byte(c) && blanks(after, end) < end && *blanks(after, end) == '(';
            text = call ? blanks(after, end) : after;
            need = call;
            if (call) {
                open++;
                text++;
            }
            continue;
        }
        text++;
        if (need && c == '(')
            open++;
        else if (!need && c == ')' && open > 0)
            open--;
        else if (!need && c == ';')
            return open == 0;
        else if (!need && (strchr("+-*/", c) || (c == ',' && open > 0)))
            need = true;
        else if (!need || c != '-')
            return false;
    }
    return false;
}

bool remark_rate_line(const char *text, const char *end)
{
    text = blanks(text, end);
    if (text == end || !islower((unsigned char)*text))
        return false;
    text = blanks(operand(text, end), end);
    if (end - text > 2 && text[0] == ':')
        text++;
    return end - text > 1 && text[0] == '=' && expression_line(text + 1, end);
}
