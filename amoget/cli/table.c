/* Text in memory, and aligned columns. */
#include <stdlib.h>
#include <string.h>

#include "amoget_cli.h"

enum { COLUMNS = 16 };

bool close_text(FILE *stream, char **text)
{
    bool ok = ferror(stream) == 0;
    ok = fclose(stream) == 0 && ok && *text;
    if (!ok) {
        free(*text);
        *text = NULL;
    }
    return ok;
}

FILE *table_new(Table *t)
{
    *t = (Table){0};
    t->to = open_memstream(&t->text, &t->size);
    return t->to;
}

/* The widest cell of each column. */
static void measure(const char *text, int *width)
{
    int column = 0;
    for (const char *p = text; *p; p++) {
        if (*p == '\n') {
            column = 0;
            continue;
        }
        int length = (int)strcspn(p, "\t");
        if (length > width[column])
            width[column] = length;
        p += length;
        column++;
    }
}

bool table_print(Table *t, const char *align, FILE *to)
{
    int width[COLUMNS] = {0};
    if (!close_text(t->to, &t->text))
        return false;
    measure(t->text, width);
    int column = 0, owed = 2; /* blanks before the next cell: no line ends in any */
    for (const char *p = t->text; *p; p++) {
        if (*p == '\n') {
            (void)fputc('\n', to);
            column = 0;
            owed = 2;
            continue;
        }
        int length = (int)strcspn(p, "\t"), rest = width[column] - length;
        bool right = align[column] == 'r';
        owed += right ? rest : 0;
        if (length) {
            (void)fprintf(to, "%*s%.*s", owed, "", length, p);
            owed = 0;
        }
        owed += (right ? 0 : rest) + 2;
        p += length;
        column++;
    }
    free(t->text);
    return true;
}
