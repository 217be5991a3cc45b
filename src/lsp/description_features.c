/* Hovers, outlines and completion of descriptions. */
#include "lsp/description_features.h"

#include <string.h>

#include "lsp/description_private.h"
#include "lsp/description_text.h"
#include "lsp/names.h"

/* ---- hovers -------------------------------------------------------------------------------- */

static const char *base_unit(Kind kind)
{
    return kind == KIND_TIME        ? " s"
           : kind == KIND_SIZE      ? " B"
           : kind == KIND_BANDWIDTH ? " B/s"
                                    : "";
}

/* The statement as it stands in the text, from its name on. */
static void add_statement(const Document *doc, const Say *say, Text *out)
{
    enum { MOST = 200 };
    const char *text = doc->content.text + say->span.begin;
    size_t length = 0;
    while (length < MOST && text[length] && !strchr(";}#\n", text[length]))
        length++;
    while (length > 0 && (text[length - 1] == ' ' || ((unsigned char)text[length] & 0xC0) == 0x80))
        length--;
    text_add(out, "\n```amoget\n%.*s\n```\n", (int)length, text);
}

static void add_number(const Value *value, Text *out)
{
    if (value->name.text || !value->unit.text)
        return;
    const Unit *unit = unit_find(value->unit.text, strlen(value->unit.text));
    if (unit)
        text_add(out, " = %.10g%s", value->number * unit->times / unit->over,
                 base_unit(unit->kind));
}

static json_t *answer(const Document *doc, const Syntax *says, const Mentions *all,
                      const Mention *at)
{
    Text text = {0};
    const Mention *head = mentions_definition(all, at);
    const Say *say = head ? &says->says[head->def] : NULL;
    const size_t count = mentions_uses(all, at);
    text_add(&text, "%s `%s`", name_kind(at->kind), at->name);
    if (say && say->kind == SAY_DEFINITION)
        add_number(&say->value, &text);
    text_add(&text, ", %zu use%s\n", count, count == 1 ? "" : "s");
    if (say)
        add_statement(doc, say, &text);
    json_t *result = NULL;
    if (!text.failed)
        result = json_pack("{s{ss, ss}, so}", "contents", "kind", "markdown", "value", text.text,
                           "range", content_range(&doc->content, at->span));
    text_free(&text);
    return result;
}

json_t *description_hover(const Document *doc, const Reading *reading, uint32_t offset)
{
    Mentions all = {0};
    if (!names_find(&all, reading))
        return NULL;
    const Mention *at = mentions_at(&all, offset);
    json_t *result = at ? answer(doc, &reading->description->says, &all, at) : json_null();
    mentions_free(&all);
    return result;
}

/* ---- outline ------------------------------------------------------------------------------- */

/* Kinds of symbols, from the protocol; 0: none. */
static int symbol_kind(SayKind kind)
{
    enum { SYMBOL_FUNCTION = 12, SYMBOL_CONSTANT = 14, SYMBOL_OBJECT = 19 };
    return kind == SAY_DEFINITION  ? SYMBOL_CONSTANT
           : kind == SAY_STAGE     ? SYMBOL_FUNCTION
           : kind == SAY_PROCESSOR ? SYMBOL_OBJECT
                                   : 0;
}

json_t *description_symbols(const Document *doc, const Reading *reading)
{
    const Syntax *says = &reading->description->says;
    json_t *list = json_array();
    for (size_t i = 0; list && i < says->say_count; i++) {
        const Say *say = &says->says[i];
        const int kind = symbol_kind(say->kind);
        if (kind)
            list = list_add(list,
                            json_pack("{ss, si, so, so}", "name", say->a.text, "kind", kind,
                                      "range", content_range(&doc->content, say->a.span),
                                      "selectionRange", content_range(&doc->content, say->a.span)));
    }
    return list;
}

/* ---- completion ---------------------------------------------------------------------------- */

static bool known_before(const Mentions *all, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (mention_same(&all->each[i], &all->each[at]))
            return true;
    return false;
}

json_t *description_completion(const Reading *reading)
{
    enum { ITEM_VARIABLE = 6, ITEM_KEYWORD = 14, MOST_ITEMS = 1000 };
    static const char *const words[] = {"pipeline", "stage",      "work",      "output",
                                        "phases",   "processors", "time",      "availability",
                                        "cores",    "memory",     "cluster",   "address",
                                        "network",  "latency",    "bandwidth", "default",
                                        "local",    "mappings",   "input",     "size",
                                        "sharing",  "transfer",   "program",   "include",
                                        "max-age",  NULL};
    Mentions all = {0};
    if (!names_find(&all, reading))
        return NULL;
    json_t *list = json_array();
    for (const char *const *each = words; list && *each; each++)
        list = list_add(list, json_pack("{ss, si, ss}", "label", *each, "kind", ITEM_KEYWORD,
                                        "detail", "keyword"));
    for (size_t i = 0; list && i < all.count && i < MOST_ITEMS; i++)
        if (!known_before(&all, i))
            list = list_add(list, json_pack("{ss, si, ss}", "label", all.each[i].name, "kind",
                                            ITEM_VARIABLE, "detail", name_kind(all.each[i].kind)));
    mentions_free(&all);
    return list;
}
