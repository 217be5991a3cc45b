/* Words of a command line. */
#include "words.h"

#include <string.h>

#include "tool.h"

void words_add(Words *w, const char *word)
{
    w->failed = w->failed || !mem_grow(w->word, w->word_cap, w->words + 1);
    if (!w->failed)
        w->word[w->words++] = (char *)(uintptr_t)word;
}

void words_add_number(Words *w, const char *name, int32_t number)
{
    const size_t size = strlen(name) + 32;
    char *text = NULL;
    w->failed = w->failed || !mem_grow(w->text, w->text_cap, w->texts + 1) || !mem_new(text, size);
    if (w->failed)
        return;
    (void)snprintf(text, size, "%s%s%d", name, *name ? ":" : "", number);
    w->text[w->texts++] = text;
    words_add(w, text);
}

void words_free(Words *w)
{
    for (size_t i = 0; i < w->texts; i++)
        mem_free(w->text[i]);
    mem_free_all(w->word, w->text);
}
