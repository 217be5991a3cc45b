/* Renames what a document names everywhere, and refuses what would change its meaning. */
#include <string.h>

#include "lsp/features.h"
#include "lsp/names.h"
#include "lsp/read.h"
#include "lsp/rename.h"

/* A link's end is a processor, or else a cluster: these have their names in common. */
static bool same_names(NameKind a, NameKind b)
{
    return a == b || (a == NAME_PROCESSOR && b == NAME_CLUSTER) ||
           (a == NAME_CLUSTER && b == NAME_PROCESSOR);
}

static bool clashes(const Renaming *renaming, const Mention **with)
{
    for (size_t i = 0; i < renaming->all.count; i++) {
        *with = &renaming->all.each[i];
        if (same_names((*with)->kind, renaming->at.kind) &&
            strcmp((*with)->name, renaming->name) == 0)
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

/* Does the text with the new name say what the old one says, but for the name?  *ok: false where
 * memory is out. */
static bool means_the_same(const Renaming *renaming, bool *ok)
{
    Text text = {0};
    Content content = {0};
    Reading now = {0};
    const Document *doc = renaming->doc;
    bool same = false;
    rewrite(renaming, &text);
    *ok = !text.failed && content_set(&content, text.text ? text.text : "", text.length) &&
          reading_make(&now, doc->language, doc->path, &content);
    if (*ok && now.whole && now.diags.errors == doc->reading.diags.errors)
        same = now.model ? rename_same_model(renaming, &now, ok)
                         : rename_same_description(renaming, &now, ok);
    reading_free(&now);
    content_free(&content);
    text_free(&text);
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
    const char *wrong = renaming->doc->reading.model
                            ? rename_wrong_in_model(renaming->at.kind, renaming->spelt)
                            : rename_wrong_in_description(renaming->at.kind, renaming->spelt);
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
        return failed(failure, LSP_REQUEST_FAILED, "%s %s is called `%.100s` already (line %u)",
                      with->kind == renaming->at.kind ? "another" : "a", name_kind(with->kind),
                      renaming->name, line);
    }
    bool ok;
    if (means_the_same(renaming, &ok))
        return edits(renaming);
    return ok ? failed(failure, LSP_REQUEST_FAILED,
                       "with the name `%.100s` this text, or files that it includes, would mean "
                       "something else",
                       renaming->spelt)
              : NULL;
}

/* ---- features ------------------------------------------------------------------------------ */

/* What is to be renamed.  False: *failure says why it cannot be; or memory is out. */
static bool begin(Renaming *renaming, Document *doc, json_t *params, Failure *failure)
{
    uint32_t offset;
    *renaming = (Renaming){.doc = doc};
    const Reading *reading = request_place(doc, params, &offset, failure);
    if (!reading)
        return false;
    if (!reading->whole) {
        (void)failed(failure, LSP_REQUEST_FAILED,
                     "the text has errors of syntax; mend these first");
        return false;
    }
    if (!names_find(&renaming->all, reading))
        return false;
    const Mention *at = mentions_at(&renaming->all, offset);
    if (at)
        renaming->at = *at;
    else
        (void)failed(failure, LSP_REQUEST_FAILED,
                     reading->model ? "here is no name of a rate, process or action"
                                    : "here is no name of a value, stage, processor or cluster");
    const bool tau = at && at->kind == NAME_ACTION && strcmp(at->name, "tau") == 0;
    const bool free = at && at->kind != NAME_ACTION && !mentions_declared(&renaming->all, at);
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
