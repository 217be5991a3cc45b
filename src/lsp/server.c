/* The life of the server: messages in, answers out, one after the other.
 *
 * Messages that are there already are read before the next one is worked on: so a request can be
 * cancelled before or while it is answered, and of several changes in a row only the last text is
 * read. */
#include <string.h>

#include "lsp/features.h"
#include "lsp/findings.h"
#include "lsp/lsp.h"
#include "lsp/message.h"
#include "lsp/model_text.h"
#include "lsp/solve.h"
#include "lsp/store.h"
#include "lsp/wire.h"
#include "pepa.h"

enum { MOST_QUEUED = 256 };
static const char no_memory[] = "out of memory";

typedef struct {
    json_t *message; /* of one that cannot be read: a string, why */
    bool cancelled, unreadable;
} Queued;

typedef struct {
    Wire wire;
    Store store;
    Queued queue[MOST_QUEUED];
    size_t queued;
    json_t *running; /* the id of the request that is being answered, or NULL; borrowed */
    bool running_cancelled;
    bool initialized, shut, done, broken;
    bool said_exit;
} Server;

/* ---- sending --------------------------------------------------------------------------------- */

static void send_error(Server *server, json_t *id, int code, const char *message)
{
    json_t *whose = id ? json_incref(id) : json_null();
    wire_send(&server->wire, json_pack("{ss, so, s{si, ss}}", "jsonrpc", "2.0", "id", whose,
                                       "error", "code", code, "message", message));
}

/* result: released; NULL: memory is out */
static void send_result(Server *server, json_t *id, json_t *result)
{
    if (result)
        wire_send(&server->wire,
                  json_pack("{ss, sO, so}", "jsonrpc", "2.0", "id", id, "result", result));
    else
        send_error(server, id, LSP_INTERNAL_ERROR, no_memory);
}

static void notify(Server *server, const char *method, json_t *params)
{
    wire_send(&server->wire,
              json_pack("{ss, ss, so}", "jsonrpc", "2.0", "method", method, "params", params));
}

static void show(Server *server, const char *text)
{
    notify(server, "window/showMessage",
           json_pack("{si, ss}", "type", 3 /* information */, "message", text));
}

static void log_error(Server *server, const char *text)
{
    notify(server, "window/logMessage", json_pack("{si, ss}", "type", 1, "message", text));
}

/* ---- receiving ------------------------------------------------------------------------------- */

static const char *method_of(json_t *message)
{
    return json_string_value(json_object_get(message, "method"));
}

static void cancel(Server *server, json_t *message)
{
    json_t *id = json_object_get(json_object_get(message, "params"), "id");
    if (server->running && json_equal(server->running, id))
        server->running_cancelled = true;
    for (size_t i = 0; id && i < server->queued; i++)
        if (json_equal(json_object_get(server->queue[i].message, "id"), id))
            server->queue[i].cancelled = true;
}

/* Take one message from the wire; false: there is none.  wait: until there is one. */
static bool receive(Server *server, bool wait)
{
    char *text;
    size_t length;
    json_error_t wrong;
    if (server->done || server->queued == MOST_QUEUED)
        return false;
    const WireState state = wire_next(&server->wire, wait, &text, &length);
    if (state == WIRE_BROKEN) {
        server->broken = true;
        return false;
    }
    if (state != WIRE_MESSAGE) {
        server->done = server->done || (state == WIRE_END && server->queued == 0);
        return false;
    }
    json_t *message = message_read(text, length, &wrong);
    const bool unreadable = !message && *wrong.text;
    if (unreadable)
        message = json_pack("s", wrong.text);
    if (!message) {
        server->wire.no_memory = server->broken = true; /* what is lost could have been a change */
        return true;
    }
    const char *method = method_of(message);
    if (method && strcmp(method, "$/cancelRequest") == 0) {
        cancel(server, message);
        json_decref(message);
    } else {
        server->queue[server->queued++] = (Queued){message, false, unreadable};
    }
    return true;
}

/* Read what is there. */
static void drain(Server *server)
{
    while (!server->broken && receive(server, false))
        ;
}

/* ---- findings -------------------------------------------------------------------------------- */

static bool is_change(const char *method)
{
    return method && (strcmp(method, "textDocument/didChange") == 0 ||
                      strcmp(method, "textDocument/didOpen") == 0 ||
                      strcmp(method, "textDocument/didClose") == 0);
}

/* Is the document about to change? */
static bool changes_soon(const Server *server, const Document *doc)
{
    for (size_t i = 0; i < server->queued; i++) {
        json_t *message = server->queue[i].message;
        if (is_change(method_of(message)) &&
            store_find(&server->store, json_object_get(message, "params")) == doc)
            return true;
    }
    return false;
}

static void publish_list(Server *server, const Document *doc, json_t *list)
{
    json_t *params = json_pack("{ss, so}", "uri", doc->uri, "diagnostics", list);
    if (doc->version >= 0)
        params = object_set(params, "version", json_integer(doc->version));
    notify(server, "textDocument/publishDiagnostics", params);
}

static void publish(Server *server, Document *doc)
{
    DiagList chain = {0};
    const Reading *reading = document_reading(doc);
    doc->unpublished = false;
    if (!reading || (doc->explore && !model_text_chain(reading, &chain)))
        log_error(server, no_memory);
    diag_sort(&chain);
    if (reading)
        publish_list(server, doc, findings_list(doc, &chain));
    doc->explore = false;
    diag_free(&chain);
}

static void publish_all(Server *server)
{
    for (size_t i = 0; i < server->store.count; i++) {
        Document *doc = server->store.each[i];
        if (doc->unpublished && !changes_soon(server, doc))
            publish(server, doc);
    }
}

/* ---- notifications --------------------------------------------------------------------------- */

static void handle_close(Server *server, json_t *params)
{
    Document *doc = store_close(&server->store, params);
    if (!doc)
        return;
    doc->version = -1;
    publish_list(server, doc, json_array());
    document_free(doc);
}

/* Of a text that is lost nothing is said. */
static const char *change(Server *server, json_t *params)
{
    const char *wrong = store_change(&server->store, params);
    const Document *doc = store_find(&server->store, params);
    if (wrong && doc)
        publish_list(server, doc, json_array());
    return wrong;
}

/* A message that cannot be read could have been a change of any document. */
static void handle_unreadable(Server *server, const char *why)
{
    send_error(server, NULL, LSP_PARSE_ERROR, why);
    store_lose(&server->store);
    for (size_t i = 0; i < server->store.count; i++)
        publish_list(server, server->store.each[i], json_array());
    if (server->store.count > 0)
        log_error(server, "a message cannot be read: the whole text of every document is needed");
}

static void handle_notification(Server *server, const char *method, json_t *params)
{
    const char *wrong = NULL;
    if (strcmp(method, "exit") == 0)
        server->done = server->said_exit = true;
    else if (!server->initialized || server->shut)
        return;
    else if (strcmp(method, "textDocument/didOpen") == 0)
        wrong = store_open(&server->store, params);
    else if (strcmp(method, "textDocument/didChange") == 0)
        wrong = change(server, params);
    else if (strcmp(method, "textDocument/didSave") == 0)
        wrong = store_save(&server->store, params);
    else if (strcmp(method, "textDocument/didClose") == 0)
        handle_close(server, params);
    if (wrong)
        log_error(server, wrong);
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What the server can do: ServerCapabilities. */
static json_t *offered(void)
{
    static const char *const providers[] = {"hoverProvider",          "definitionProvider",
                                            "referencesProvider",     "documentHighlightProvider",
                                            "documentSymbolProvider", "documentFormattingProvider"};
    json_t *all =
        json_pack("{ss, s{sb, si, s{sb}}, s{sb}, s{s[ssss]}, s{sb}, s{s[s]}}", "positionEncoding",
                  "utf-16", "textDocumentSync", "openClose", 1, "change", 2 /* incremental */,
                  "save", "includeText", 0, "renameProvider", "prepareProvider", 1,
                  "completionProvider", "triggerCharacters", "(", "<", ",", ".", "codeLensProvider",
                  "resolveProvider", 0, "executeCommandProvider", "commands", SOLVE_COMMAND);
    for (size_t i = 0; all && i < sizeof providers / sizeof *providers; i++)
        all = object_set(all, providers[i], json_true());
    return all;
}

static json_t *handle_initialize(Server *server, json_t *params, Failure *failure)
{
    (void)params;
    if (server->initialized)
        return failed(failure, LSP_INVALID_REQUEST, "initialize has been said already");
    server->initialized = true;
    json_t *capabilities = offered();
    return json_pack("{so, s{ss, ss}}", "capabilities", capabilities, "serverInfo", "name", "pepa",
                     "version", pepa_version());
}

typedef struct {
    const char *method;
    Feature *answer;
} Row;

static Feature *find_feature(const char *method)
{
    static const Row rows[] = {{"textDocument/hover", feature_hover},
                               {"textDocument/definition", feature_definition},
                               {"textDocument/references", feature_references},
                               {"textDocument/documentHighlight", feature_highlight},
                               {"textDocument/prepareRename", feature_prepare_rename},
                               {"textDocument/rename", feature_rename},
                               {"textDocument/documentSymbol", feature_symbols},
                               {"textDocument/formatting", feature_formatting},
                               {"textDocument/codeLens", feature_lens},
                               {"textDocument/completion", feature_completion},
                               {NULL, NULL}};
    for (const Row *row = rows; row->method; row++)
        if (strcmp(row->method, method) == 0)
            return row->answer;
    return NULL;
}

/* Has the request that is being answered been cancelled, or the service ended? */
static bool cancelled(void *user)
{
    Server *server = user;
    drain(server);
    for (size_t i = 0; i < server->queued; i++) {
        const char *method = method_of(server->queue[i].message);
        if (method && strcmp(method, "exit") == 0)
            return true;
    }
    return server->running_cancelled || server->broken || server->wire.closed;
}

/* The document that params name, if its text is known. */
static Document *known(const Server *server, json_t *params, Failure *failure)
{
    Document *doc = store_find(&server->store, params);
    if (doc && !doc->lost)
        return doc;
    (void)failed(failure, LSP_INVALID_PARAMS,
                 doc ? "a change of the document was lost: send the whole text"
                     : "the document is not open");
    return NULL;
}

/* workspace/executeCommand */
static json_t *execute(Server *server, json_t *params, Failure *failure)
{
    const char *command = json_string_value(json_object_get(params, "command"));
    json_t *uri = json_array_get(json_object_get(params, "arguments"), 0);
    if (!command || strcmp(command, SOLVE_COMMAND) != 0)
        return failed(failure, LSP_INVALID_PARAMS, "the command is " SOLVE_COMMAND);
    json_t *named = json_pack("{s{sO?}}", "textDocument", "uri", uri);
    Document *doc = known(server, named, failure);
    json_decref(named);
    if (!doc)
        return NULL;
    const Reading *reading = document_reading(doc);
    const Waiting waiting = {cancelled, server};
    json_t *result = reading ? solve_document(doc, reading, &waiting, failure) : NULL;
    if (result)
        show(server, json_string_value(json_object_get(result, "title")));
    return result;
}

static json_t *answer(Server *server, const char *method, json_t *params, Failure *failure)
{
    Feature *feature = find_feature(method);
    if (strcmp(method, "initialize") == 0)
        return handle_initialize(server, params, failure);
    if (!server->initialized)
        return failed(failure, LSP_NOT_INITIALIZED, "the first request is initialize");
    if (server->shut)
        return failed(failure, LSP_INVALID_REQUEST, "after shutdown only exit is left");
    if (strcmp(method, "shutdown") == 0) {
        server->shut = true;
        return json_null();
    }
    if (strcmp(method, "workspace/executeCommand") == 0)
        return execute(server, params, failure);
    if (!feature)
        return failed(failure, LSP_METHOD_NOT_FOUND, "there is no method %.100s", method);
    Document *doc = known(server, params, failure);
    return doc ? feature(doc, params, failure) : NULL;
}

static void handle_request(Server *server, json_t *id, const char *method, json_t *params,
                           bool cancelled)
{
    Failure failure = {0};
    json_t *result = NULL;
    server->running = id;
    server->running_cancelled = cancelled;
    if (!cancelled)
        result = answer(server, method, params, &failure);
    server->running = NULL;
    if (!result && server->running_cancelled)
        send_error(server, id, LSP_REQUEST_CANCELLED, "cancelled");
    else if (failure.code)
        send_error(server, id, failure.code, failure.message);
    else
        send_result(server, id, result);
}

static void handle(Server *server, json_t *message, bool cancelled)
{
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *method = method_of(message);
    const bool valid = !id || json_is_string(id) || json_is_integer(id);
    if (!method && id && json_is_object(message) &&
        (json_object_get(message, "result") || json_object_get(message, "error")))
        return; /* an answer: nothing was asked */
    if (!method || !valid)
        send_error(server, valid ? id : NULL, LSP_INVALID_REQUEST, "not a request of JSON-RPC 2.0");
    else if (id)
        handle_request(server, id, method, params, cancelled);
    else
        handle_notification(server, method, params);
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void step(Server *server)
{
    if (server->queued == 0)
        (void)receive(server, true);
    drain(server);
    if (server->queued == 0)
        return;
    const Queued next = server->queue[0];
    memmove(server->queue, server->queue + 1, --server->queued * sizeof *server->queue);
    if (next.unreadable)
        handle_unreadable(server, json_string_value(next.message));
    else
        handle(server, next.message, next.cancelled);
    json_decref(next.message);
    publish_all(server);
}

int lsp_serve(int in, int out)
{
    Server server = {.wire = {.in = in, .out = out}};
    while (!server.done && !server.wire.closed && (!server.broken || server.queued > 0))
        step(&server);
    if (server.broken)
        send_error(&server, NULL, server.wire.no_memory ? LSP_INTERNAL_ERROR : LSP_PARSE_ERROR,
                   server.wire.no_memory
                       ? no_memory
                       : "not a message of the protocol: headers with Content-Length, then JSON");
    for (size_t i = 0; i < server.queued; i++)
        json_decref(server.queue[i].message);
    store_free(&server.store);
    wire_free(&server.wire);
    return server.shut && server.said_exit && !server.wire.closed ? 0 : 1;
}
