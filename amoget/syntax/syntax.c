/* Builds the syntax tree of a description. */
#include "amoget/syntax/syntax.h"

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
