/* What names descriptions can have, and whether a description is the same but for one. */
#include <string.h>

#include "lsp/description_private.h"
#include "lsp/names.h"
#include "lsp/rename.h"

/* Source: amoget/syntax/desc.y, `name` and `word`. */
const char *rename_wrong_in_description(NameKind kind, const char *name)
{
    static const char digits[] = "0123456789",
                      rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (strcmp(name, "default") == 0 || strcmp(name, "local") == 0)
        return "is reserved";
    const size_t length = strlen(name);
    const bool word = length > 0 && strspn(name, rest) == length && !strchr(digits, *name);
    if (kind == NAME_VALUE)
        return word ? NULL : "is not a name of a value: a letter or _, then letters, digits and _";
    return word || (length > 0 && strspn(name, digits) == length)
               ? NULL
               : "is not a name: a letter or _, then letters, digits and _; or an integer";
}

static bool same_statements(const Syntax *before, const Syntax *after)
{
    bool same = before->say_count == after->say_count &&
                before->setting_count == after->setting_count &&
                before->word_count == after->word_count;
    for (size_t i = 0; same && i < before->say_count; i++)
        same = before->says[i].kind == after->says[i].kind &&
               before->says[i].count == after->says[i].count;
    return same;
}

/* Only names change in the text.  It says the same if its statements are the same, and what they
 * name; of a name that was overlooked, here or in a file that is included, findings tell. */
bool rename_same_description(const Renaming *renaming, const Reading *now, bool *ok)
{
    Mentions all = {0};
    const Reading *before = &renaming->doc->reading;
    *ok = names_find(&all, now);
    bool same = *ok && all.count == renaming->all.count &&
                now->diags.count == before->diags.count &&
                same_statements(&before->description->says, &now->description->says);
    for (size_t i = 0; same && i < all.count; i++) {
        const Mention *was = &renaming->all.each[i], *is = &all.each[i];
        const char *name = mention_same(was, &renaming->at) ? renaming->name : was->name;
        same = was->kind == is->kind && was->def == is->def && strcmp(name, is->name) == 0;
    }
    mentions_free(&all);
    return same;
}
