/* What a request is about, and how it is answered: documents, features, failures. */
#ifndef PEPA_LSP_REQUEST_H
#define PEPA_LSP_REQUEST_H

#include <jansson.h>

#include "lsp/reading.h"

/* src/cli has a function of this name, which the linker would take: texts are made by json_pack. */
#pragma GCC poison json_string

/* Codes of errors, from JSON-RPC and the protocol. */
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_INTERNAL_ERROR = -32603,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
    LSP_REQUEST_CANCELLED = -32800
};

typedef struct {
    int code; /* 0: none */
    char message[512];
} Failure;
/* Fill a failure in; returns NULL, for `return failed(...)`. */
json_t *failed(Failure *failure, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Append an item to a list, which is returned; both may be NULL, where memory was out: then, and
 * where it is now, NULL, and both are released. */
json_t *list_add(json_t *list, json_t *item);
/* The same for a member of an object. */
json_t *object_set(json_t *object, const char *name, json_t *value);

typedef struct {
    char *uri;
    char *path; /* of the file, or what stands for it */
    Language language;
    json_int_t version; /* < 0: not known */
    Content content;
    bool lost;       /* a change could not be made: requests wait for the whole text */
    Reading reading; /* if `read`: of the content */
    bool read;
    bool unpublished; /* the client has not seen the findings yet */
    bool explore;     /* the chain of this content is to be looked at: opened or saved */
} Document;

/* The reading of the content as it is now; NULL: memory is out. */
const Reading *document_reading(Document *doc);

/* The reading of a document and the place in it that a request is about.  NULL: *failure says that
 * it names none; or memory is out. */
const Reading *request_place(Document *doc, json_t *params, uint32_t *offset, Failure *failure);

/* A request about a document.  Returns a new result, json_null() where there is nothing to say;
 * NULL with *failure filled in, or where memory is out. */
typedef json_t *Feature(Document *doc, json_t *params, Failure *failure);

#endif
