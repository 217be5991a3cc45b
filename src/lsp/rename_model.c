/* What names models can have, and whether a model is the same but for one. */
#include <string.h>

#include "lsp/model_text.h"
#include "lsp/rename.h"
#include "parser/parse.h"

static bool one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

static bool is_word(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'";
    return *name && strchr(letters, *name) && strspn(name, rest) == strlen(name);
}

/* "a name", quotes included, nothing odd between them. */
static bool is_quoted(const char *name)
{
    const size_t length = strlen(name);
    return length > 2 && name[0] == '"' && name[length - 1] == '"' &&
           !memchr(name + 1, '"', length - 2) && !memchr(name, '\n', length) &&
           !source_odd_byte(name + 1, length - 2);
}

/* Source: doc/pepa.5, "LEXIS". */
const char *rename_wrong_in_model(NameKind kind, const char *name)
{
    static const char *const rates[] = {"if", "then", "else", "infty", "tau", "immediate", NULL};
    static const char *const processes[] = {"T", "Stop", NULL};
    static const char *const actions[] = {"tau", "infty", NULL};
    if (one_of(name, kind == NAME_RATE ? rates : kind == NAME_PROCESS ? processes : actions))
        return "is reserved";
    if (kind == NAME_RATE)
        return is_word(name) && *name >= 'a'
                   ? NULL
                   : "is not a name of a rate: a lower-case letter, then letters, digits, _ and '";
    if (is_quoted(name) || (is_word(name) && (kind == NAME_ACTION || *name <= 'Z')))
        return NULL;
    return kind == NAME_PROCESS
               ? "is not a name of a process: an upper-case letter, then letters, digits, _ and '; "
                 "or anything in quotes"
               : "is not a name of an action: a letter, then letters, digits, _ and '; or anything "
                 "in quotes";
}

/* Give the thing another name in the tree. */
static void rename_tree(Ast *ast, const Mention *at, const char *name)
{
    for (int32_t i = 0; i < ast->word_count; i++)
        if (at->kind == NAME_ACTION && strcmp(ast->words[i].name, at->name) == 0)
            ast->words[i].name = name;
    for (int32_t i = 0; i < ast->def_count; i++)
        if (at->kind == (ast->defs[i].process ? NAME_PROCESS : NAME_RATE) &&
            strcmp(ast->defs[i].name, at->name) == 0)
            ast->defs[i].name = name;
    for (int32_t i = 0; i < ast->node_count; i++) {
        AstNode *node = &ast->nodes[i];
        const bool process = node->kind == AST_NAME || node->kind == AST_COUNT;
        if (node->name && (process || node->kind == AST_RATE) &&
            at->kind == (process ? NAME_PROCESS : NAME_RATE) && strcmp(node->name, at->name) == 0)
            node->name = name;
    }
}

bool rename_same_model(const Renaming *renaming, const Reading *now, bool *ok)
{
    Arena arena = {0};
    DiagList diags = {0};
    Ast *before = NULL;
    const PepaStatus status = parse_text(&renaming->doc->reading.source, &arena, &before, &diags);
    bool same = false;
    if (status == PEPA_OK) {
        rename_tree(before, &renaming->at, renaming->name);
        same = ast_equal(before, now->model->ast);
    }
    *ok = status != PEPA_ENOMEM;
    diag_free(&diags);
    arena_free(&arena);
    return same;
}
