/* Builds the syntax tree of a description, and compares two. */
#include "amoget/syntax/syntax.h"

#include <string.h>

void syntax_word(Syntax *tree, Word word)
{
    if (mem_reserve(&tree->words, &tree->word_cap, tree->word_count + 1, sizeof *tree->words))
        tree->words[tree->word_count++] = word;
    else
        tree->failed = true;
}

void syntax_setting(Syntax *tree, Setting setting)
{
    if (mem_reserve(&tree->settings, &tree->setting_cap, tree->setting_count + 1,
                    sizeof *tree->settings))
        tree->settings[tree->setting_count++] = setting;
    else
        tree->failed = true;
}

void syntax_say(Syntax *tree, Say say)
{
    bool words = say.kind == SAY_MAPPING || say.kind == SAY_PROGRAM;
    size_t *taken = words ? &tree->words_taken : &tree->settings_taken;
    say.first = *taken;
    *taken = words ? tree->word_count : tree->setting_count;
    say.count = *taken - say.first;
    if (mem_reserve(&tree->says, &tree->say_cap, tree->say_count + 1, sizeof *tree->says))
        tree->says[tree->say_count++] = say;
    else
        tree->failed = true;
}

void syntax_free(Syntax *tree)
{
    mem_free(tree->says);
    mem_free(tree->settings);
    mem_free(tree->words);
    *tree = (Syntax){0};
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool same_word(const Word *a, const Word *b)
{
    return a->text && b->text ? strcmp(a->text, b->text) == 0 : a->text == b->text;
}

/* Numbers by their bits: the same spelling gives the same ones. */
static bool same_value(const Value *a, const Value *b)
{
    return same_word(&a->name, &b->name) && same_word(&a->unit, &b->unit) &&
           memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

static bool same_say(const Say *a, const Say *b)
{
    return a->kind == b->kind && a->first == b->first && a->count == b->count &&
           same_word(&a->a, &b->a) && same_word(&a->b, &b->b) && same_value(&a->value, &b->value);
}

bool syntax_equal(const Syntax *a, const Syntax *b)
{
    bool same = a->say_count == b->say_count && a->setting_count == b->setting_count &&
                a->word_count == b->word_count;
    for (size_t i = 0; same && i < a->say_count; i++)
        same = same_say(&a->says[i], &b->says[i]);
    for (size_t i = 0; same && i < a->setting_count; i++)
        same = a->settings[i].attribute == b->settings[i].attribute &&
               same_word(&a->settings[i].name, &b->settings[i].name) &&
               same_value(&a->settings[i].value, &b->settings[i].value);
    for (size_t i = 0; same && i < a->word_count; i++)
        same = same_word(&a->words[i], &b->words[i]);
    return same;
}
