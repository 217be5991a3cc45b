/* Failures of requests, their places, and results that memory may not suffice for. */
#include "lsp/request.h"

#include <stdarg.h>
#include <stdio.h>

#include "lsp/draft.h"

json_t *failed(Failure *failure, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(failure->message, sizeof failure->message, format, args);
    va_end(args);
    whole_characters(failure->message);
    failure->code = code;
    return NULL;
}

json_t *list_add(json_t *list, json_t *item)
{
    if (list && json_array_append_new(list, item) == 0)
        return list;
    if (!list)
        json_decref(item);
    json_decref(list);
    return NULL;
}

json_t *object_set(json_t *object, const char *name, json_t *value)
{
    if (object && json_object_set_new(object, name, value) == 0)
        return object;
    if (!object)
        json_decref(value);
    json_decref(object);
    return NULL;
}

const Reading *request_place(Document *doc, json_t *params, uint32_t *offset, Failure *failure)
{
    ContentPosition position;
    if (content_read_position(json_object_get(params, "position"), &position)) {
        *offset = draft_byte(&doc->content, position);
        return document_reading(doc);
    }
    (void)failed(failure, LSP_INVALID_PARAMS, "no position");
    return NULL;
}
