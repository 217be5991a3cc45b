#include "base/unexpected.h"

#include <string.h>

bool name_among(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void unexpected_found(const Source *source, const char *found, Span span, Text *out)
{
    const char *text;
    int length = source_spelling(source, span, &text);
    if (strncmp(found, "the end", 7) == 0)
        text_add(out, "unexpected %s", found + 4);
    else
        text_add(out, "unexpected `%.*s`", length, text);
}

void unexpected_wanted(const char *const *names, int count, Text *out)
{
    for (int i = 0; i < count; i++) {
        text_add(out, i == 0 ? "; expected " : i == count - 1 ? " or " : ", ");
        text_add(out, strchr(names[i], ' ') ? "%s" : "`%s`", names[i]);
    }
}
