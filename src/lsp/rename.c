/* Renames a rate, process or action everywhere, and refuses what would change the model. */
#include <string.h>

#include "lsp/features.h"
#include "lsp/model_text.h"
#include "lsp/names.h"
#include "parser/parse.h"

/* ---- names --------------------------------------------------------------------------------- */

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

/* Why it cannot be a name of that kind, or NULL.  Source: doc/pepa.5, "LEXIS". */
static const char *wrong_name(NameKind kind, const char *name)
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

/* ---- one renaming -------------------------------------------------------------------------- */

typedef struct {
    const Document *doc;
    const ModelText *text;
    Mentions all;
    Mention at;
    const char *spelt; /* the new name as it will stand in the text */
    char *name;        /* without quotes */
} Renaming;

static bool clashes(const Renaming *renaming, const Mention **with)
{
    for (size_t i = 0; i < renaming->all.count; i++) {
        *with = &renaming->all.each[i];
        if ((*with)->kind == renaming->at.kind && strcmp((*with)->name, renaming->name) == 0)
            return true;
    }
    return false;
}

/* The text with the new name. */
static void rewrite(const Renaming *renaming, Text *out)
{
    const Content *content = &renaming->doc->content;
    uint32_t from = 0;
    for (size_t i = 0; i < renaming->all.count; i++) {
        const Mention *each = &renaming->all.each[i];
        if (!mention_same(each, &renaming->at))
            continue;
        text_add(out, "%.*s%s", (int)(each->span.begin - from), content->text + from,
                 renaming->spelt);
        from = each->span.end;
    }
    text_add(out, "%.*s", (int)(content->length - from), content->text + from);
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

/* Does the text with the new name say what the tree with the new name says?  *ok: false where
 * memory is out. */
static bool means_the_same(const Renaming *renaming, bool *ok)
{
    Arena arena = {0};
    DiagList diags = {0};
    Text text = {0};
    Ast *before = NULL, *after = NULL;
    PepaStatus status = PEPA_ENOMEM;
    rewrite(renaming, &text);
    if (!text.failed) {
        const Source source = {renaming->doc->path, text.text ? text.text : "", text.length};
        const Content *content = &renaming->doc->content;
        const Source old = {renaming->doc->path, content->text, content->length};
        status = parse_text(&old, &arena, &before, &diags);
        if (status == PEPA_OK)
            status = parse_text(&source, &arena, &after, &diags);
    }
    bool same = false;
    if (status == PEPA_OK) {
        rename_tree(before, &renaming->at, renaming->name);
        same = ast_equal(before, after);
    }
    *ok = status != PEPA_ENOMEM;
    text_free(&text);
    diag_free(&diags);
    arena_free(&arena);
    return same;
}

static json_t *edits(const Renaming *renaming)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < renaming->all.count; i++) {
        const Mention *each = &renaming->all.each[i];
        if (mention_same(each, &renaming->at))
            list = list_add(list, json_pack("{so, ss}", "range",
                                            content_range(&renaming->doc->content, each->span),
                                            "newText", renaming->spelt));
    }
    return json_pack("{s{so}}", "changes", renaming->doc->uri, list);
}

static json_t *try_renaming(Renaming *renaming, Failure *failure)
{
    const Mention *with;
    const char *kind = name_kind(renaming->at.kind);
    const char *wrong = wrong_name(renaming->at.kind, renaming->spelt);
    if (wrong)
        return failed(failure, LSP_REQUEST_FAILED, "`%.100s` %s", renaming->spelt, wrong);
    const size_t quote = *renaming->spelt == '"';
    renaming->name = mem_alloc(strlen(renaming->spelt) + 1, 1);
    if (!renaming->name)
        return NULL;
    memcpy(renaming->name, renaming->spelt + quote, strlen(renaming->spelt) + 1 - quote);
    if (quote)
        renaming->name[strlen(renaming->name) - 1] = '\0';
    if (strcmp(renaming->name, renaming->at.name) != 0 && clashes(renaming, &with)) {
        uint32_t line, column;
        const Content *content = &renaming->doc->content;
        const Source source = {"", content->text, content->length};
        source_place(&source, with->span.begin, &line, &column);
        return failed(failure, LSP_REQUEST_FAILED,
                      "another %s is called `%.100s` already (line %u)", kind, renaming->name,
                      line);
    }
    bool ok;
    if (means_the_same(renaming, &ok))
        return edits(renaming);
    return ok ? failed(failure, LSP_REQUEST_FAILED, "with the name `%.100s` this is another model",
                       renaming->spelt)
              : NULL;
}

/* ---- features ------------------------------------------------------------------------------ */

/* What is to be renamed.  False: *failure says why it cannot be; or memory is out. */
static bool begin(Renaming *renaming, Document *doc, json_t *params, Failure *failure)
{
    uint32_t offset;
    *renaming = (Renaming){.doc = doc};
    const Reading *reading = document_reading(doc);
    if (!reading)
        return false;
    renaming->text = reading->model;
    if (!renaming->text || !reading->whole) {
        (void)failed(failure, LSP_REQUEST_FAILED,
                     renaming->text ? "the text has errors of syntax; mend these first"
                                    : "names of descriptions cannot be changed");
        return false;
    }
    if (!content_read_position(&doc->content, json_object_get(params, "position"), &offset)) {
        (void)failed(failure, LSP_INVALID_PARAMS, "no position");
        return false;
    }
    if (!names_find(&renaming->all, reading))
        return false;
    const Mention *at = mentions_at(&renaming->all, offset);
    if (at)
        renaming->at = *at;
    else
        (void)failed(failure, LSP_REQUEST_FAILED, "here is no name of a rate, process or action");
    const bool tau = at && at->kind == NAME_ACTION && strcmp(at->name, "tau") == 0;
    const bool free = at && at->kind != NAME_ACTION && !mentions_definition(&renaming->all, at);
    if (tau || free)
        (void)failed(failure, LSP_REQUEST_FAILED, "`%.100s` %s", at->name,
                     tau ? "is the hidden action" : "is not defined");
    return at && !tau && !free;
}

static void end(Renaming *renaming)
{
    mentions_free(&renaming->all);
    mem_free(renaming->name);
}

json_t *feature_prepare_rename(Document *doc, json_t *params, Failure *failure)
{
    Renaming renaming;
    json_t *result = NULL;
    if (begin(&renaming, doc, params, failure))
        result = content_range(&doc->content, renaming.at.span);
    end(&renaming);
    return result;
}

json_t *feature_rename(Document *doc, json_t *params, Failure *failure)
{
    Renaming renaming;
    json_t *result = NULL;
    const json_t *name = json_object_get(params, "newName");
    if (begin(&renaming, doc, params, failure)) {
        renaming.spelt = json_string_value(name);
        if (!renaming.spelt || strlen(renaming.spelt) != json_string_length(name))
            (void)failed(failure, LSP_INVALID_PARAMS, "no new name");
        else
            result = try_renaming(&renaming, failure);
    }
    end(&renaming);
    return result;
}
