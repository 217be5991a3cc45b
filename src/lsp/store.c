/* Keeps the texts of documents as the client has them. */
#include "lsp/store.h"

#include <string.h>
#include <strings.h>

#include "lsp/draft.h"
#include "lsp/read.h"

static const char no_memory[] = "memory is out, or the text is too long";

static json_t *named(json_t *params)
{
    return json_object_get(params, "textDocument");
}

static const char *uri_of(json_t *params)
{
    return json_string_value(json_object_get(named(params), "uri"));
}

Document *store_find(const Store *store, json_t *params)
{
    const char *uri = uri_of(params);
    for (size_t i = 0; uri && i < store->count; i++)
        if (strcmp(store->each[i]->uri, uri) == 0)
            return store->each[i];
    return NULL;
}

/* ---- names ----------------------------------------------------------------------------------- */

static char *copy_of(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = mem_alloc(size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

static int hex(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : strchr("abcdef", c | 32) ? (c | 32) - 'a' + 10 : -1;
}

/* The path of a URI `file:///...`, with %XX undone; other URIs stand for themselves. */
static char *path_of(const char *uri)
{
    static const char scheme[] = "file://";
    const bool file = strncasecmp(uri, scheme, sizeof scheme - 1) == 0;
    char *path = copy_of(file ? uri + sizeof scheme - 1 : uri), *to = path;
    if (!path || !file)
        return path;
    for (const char *from = path; *from; from++) {
        const int high = *from == '%' && from[1] ? hex(from[1]) : -1,
                  low = high >= 0 && from[2] ? hex(from[2]) : -1;
        const bool coded = low >= 0 && high * 16 + low > 0;
        *to++ = coded ? (char)(high * 16 + low) : *from;
        from += coded ? 2 : 0;
    }
    *to = '\0';
    return path;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcasecmp(text + length - size, end) == 0;
}

static Language language_of(const char *id, const char *path)
{
    if (id && (strcmp(id, "amoget") == 0 || strcmp(id, "taag") == 0))
        return LANGUAGE_DESCRIPTION;
    if (id && strcmp(id, "pepa") == 0)
        return LANGUAGE_PEPA;
    return ends_with(path, ".amo") || ends_with(path, ".taag") ? LANGUAGE_DESCRIPTION
                                                               : LANGUAGE_PEPA;
}

/* ---- one document ---------------------------------------------------------------------------- */

void document_free(Document *doc)
{
    if (!doc)
        return;
    reading_free(&doc->reading);
    content_free(&doc->content);
    mem_free_all(doc->uri, doc->path, doc);
}

const Reading *document_reading(Document *doc)
{
    if (!doc->read)
        doc->read = reading_make(&doc->reading, doc->language, doc->path, &doc->content);
    return doc->read ? &doc->reading : NULL;
}

/* The content is about to change: what was read of it is forgotten. */
static void forget(Document *doc)
{
    reading_free(&doc->reading);
    doc->read = false;
    doc->unpublished = true;
    doc->explore = false;
}

static void set_version(Document *doc, json_t *document)
{
    const json_t *version = json_object_get(document, "version");
    doc->version = json_is_integer(version) ? json_integer_value(version) : -1;
}

/* ---- notifications --------------------------------------------------------------------------- */

/* A document without text; NULL: memory is out. */
static Document *begin(const char *uri, const char *language)
{
    Document *doc = mem_calloc(1, sizeof *doc);
    if (!doc)
        return NULL;
    doc->uri = copy_of(uri);
    doc->path = path_of(uri);
    if (!doc->uri || !doc->path) {
        document_free(doc);
        return NULL;
    }
    doc->language = language_of(language, doc->path);
    return doc;
}

const char *store_open(Store *store, json_t *params)
{
    json_t *document = named(params), *text = json_object_get(document, "text");
    const char *uri = uri_of(params);
    if (!uri || !json_is_string(text))
        return "didOpen needs textDocument.uri and textDocument.text";
    document_free(store_close(store, params));
    if (store->count == DOCUMENT_MOST_OPEN)
        return "too many open documents";
    Document *doc = begin(uri, json_string_value(json_object_get(document, "languageId")));
    if (!doc || !content_set(&doc->content, json_string_value(text), json_string_length(text))) {
        document_free(doc);
        return no_memory;
    }
    set_version(doc, document);
    doc->unpublished = doc->explore = true;
    store->each[store->count++] = doc;
    return NULL;
}

/* One change: of a range, or of the whole text. */
static const char *change(Document *doc, Draft *draft, json_t *each)
{
    json_t *text = json_object_get(each, "text"), *range = json_object_get(each, "range");
    Span span = {0, (uint32_t)(draft->before + draft->after)};
    if (!json_is_string(text))
        return "a change without a text: the whole text is needed now";
    if (range && doc->lost)
        return "a change of a text that is lost: the whole text is needed now";
    if (range && !draft_read_range(draft, range, &span))
        return "a change of no range: the whole text is needed now";
    if (!draft_replace(draft, span, json_string_value(text), json_string_length(text)))
        return no_memory;
    doc->lost = false;
    return NULL;
}

/* All changes of a notification; why the last that cannot be made cannot. */
static const char *change_all(Document *doc, json_t *changes)
{
    Draft draft;
    json_t *each;
    size_t i;
    const char *wrong = NULL;
    if (!draft_begin(&draft, &doc->content)) {
        doc->lost = true;
        return no_memory;
    }
    json_array_foreach(changes, i, each)
    {
        const char *fault = change(doc, &draft, each);
        doc->lost = doc->lost || fault;
        wrong = fault ? fault : wrong;
    }
    forget(doc);
    if (!draft_end(&draft, &doc->content)) {
        doc->lost = true;
        wrong = no_memory;
    }
    return wrong;
}

const char *store_change(Store *store, json_t *params)
{
    Document *doc = store_find(store, params);
    json_t *changes = json_object_get(params, "contentChanges");
    const char *wrong = NULL;
    if (!doc)
        return "didChange of a document that is not open";
    if (json_array_size(changes) > 0)
        wrong = change_all(doc, changes);
    if (!json_is_array(changes)) {
        doc->lost = true;
        wrong = "didChange without contentChanges: the whole text is needed now";
    }
    set_version(doc, named(params));
    doc->unpublished = doc->unpublished && !doc->lost;
    return doc->lost ? wrong : NULL;
}

void store_lose(Store *store)
{
    for (size_t i = 0; i < store->count; i++) {
        Document *doc = store->each[i];
        doc->lost = true;
        doc->unpublished = doc->explore = false;
    }
}

const char *store_save(Store *store, json_t *params)
{
    Document *doc = store_find(store, params);
    if (!doc)
        return "didSave of a document that is not open";
    doc->unpublished = doc->explore = !doc->lost;
    return NULL;
}

Document *store_close(Store *store, json_t *params)
{
    Document *doc = store_find(store, params);
    for (size_t i = 0; doc && i < store->count; i++)
        if (store->each[i] == doc) {
            store->each[i] = store->each[--store->count];
            break;
        }
    return doc;
}

void store_free(Store *store)
{
    for (size_t i = 0; i < store->count; i++)
        document_free(store->each[i]);
    store->count = 0;
}
