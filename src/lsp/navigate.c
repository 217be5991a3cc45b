/* Definitions and uses of what is mentioned at a place. */
#include "lsp/features.h"
#include "lsp/names.h"

typedef struct {
    Mentions all;
    const Mention *at; /* the one at the place, or NULL */
} Place;

/* What the parameters point to.  False: *failure says why not, or memory is out. */
static bool find_place(Place *place, Document *doc, json_t *params, Failure *failure)
{
    uint32_t offset;
    *place = (Place){0};
    const Reading *reading = request_place(doc, params, &offset, failure);
    if (!reading || !names_find(&place->all, reading))
        return false;
    place->at = mentions_at(&place->all, offset);
    return true;
}

static json_t *location(const Document *doc, Span span)
{
    return json_pack("{ss, so}", "uri", doc->uri, "range", content_range(&doc->content, span));
}

/* ---- features ------------------------------------------------------------------------------ */

json_t *feature_definition(Document *doc, json_t *params, Failure *failure)
{
    Place place;
    if (!find_place(&place, doc, params, failure))
        return NULL;
    json_t *found = json_array();
    for (size_t i = 0; found && place.at && i < place.all.count; i++) {
        const Mention *each = &place.all.each[i];
        if (mention_declares(each) && mention_same(each, place.at))
            found = list_add(found, location(doc, each->span));
    }
    mentions_free(&place.all);
    return found;
}

json_t *feature_references(Document *doc, json_t *params, Failure *failure)
{
    Place place;
    json_t *context = json_object_get(params, "context");
    const bool declaration = json_is_true(json_object_get(context, "includeDeclaration"));
    if (!find_place(&place, doc, params, failure))
        return NULL;
    json_t *found = json_array();
    for (size_t i = 0; found && place.at && i < place.all.count; i++) {
        const Mention *each = &place.all.each[i];
        if (mention_same(each, place.at) && (declaration || each->def < 0))
            found = list_add(found, location(doc, each->span));
    }
    mentions_free(&place.all);
    return found;
}

json_t *feature_highlight(Document *doc, json_t *params, Failure *failure)
{
    enum { HIGHLIGHT_READ = 2, HIGHLIGHT_WRITE = 3 };
    Place place;
    if (!find_place(&place, doc, params, failure))
        return NULL;
    json_t *found = json_array();
    for (size_t i = 0; found && place.at && i < place.all.count; i++) {
        const Mention *each = &place.all.each[i];
        if (mention_same(each, place.at))
            found = list_add(found, json_pack("{so, si}", "range",
                                              content_range(&doc->content, each->span), "kind",
                                              each->def >= 0 ? HIGHLIGHT_WRITE : HIGHLIGHT_READ));
    }
    mentions_free(&place.all);
    return found;
}
