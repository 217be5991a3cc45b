/* Answers to requests (answer.h).
 *
 *   GET  /TOKEN/                          the page, and its files
 *   GET  /TOKEN/start                     the model that the page begins with, as JSON
 *   POST /TOKEN/run                       a job (request.h, stream.h)
 *   POST /TOKEN/cancel?job=N
 *   GET  /TOKEN/table?id=N&from=I&count=M lines of what is kept; /TOKEN/table.csv?id=N: all of it
 *
 * No part of a request is a path of the file system: files of the page are in the program. */
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "serve/answer.h"
#include "serve/respond.h"
#include "serve/stream.h"

enum { MOST_ROWS = 5000 };

/* What a request has sent so far. */
typedef struct {
    char *bytes;
    size_t length, cap;
    bool too_long; /* it is only read to its end */
} Upload;

/* ---- kept outputs ---------------------------------------------------------------------------- */

/* A number in the query of the address; -1: there is none. */
static int64_t query(struct MHD_Connection *connection, const char *name)
{
    const char *text = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
    char *end;
    if (!text || *text < '0' || *text > '9' || strlen(text) > 15)
        return -1;
    const long long value = strtoll(text, &end, 10);
    return *end ? -1 : value;
}

static enum MHD_Result answer_rows(Server *server, struct MHD_Connection *connection)
{
    const Spool *spool = tables_find(&server->tables, query(connection, "id"));
    const int64_t from = query(connection, "from"), count = query(connection, "count");
    if (!spool)
        return respond_text(connection, MHD_HTTP_NOT_FOUND, "this table is no longer kept\n");
    if (from < 0 || count < 0 || count > MOST_ROWS)
        return respond_text(connection, MHD_HTTP_BAD_REQUEST, "from, and count up to 5000\n");
    const int64_t begin = spool_line(spool, (size_t)from),
                  end = spool_line(spool, (size_t)(from + count));
    char *bytes = mem_alloc((size_t)(end - begin) + 1, 1);
    int64_t done = 0, n = bytes ? 1 : -1;
    while (n > 0 && done < end - begin) {
        n = spool_read(spool, begin + done, bytes + done, (size_t)(end - begin - done));
        done += n > 0 ? n : 0;
    }
    const enum MHD_Result result =
        n < 0
            ? respond_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, "the rows cannot be read\n")
            : respond_copy(connection, MHD_HTTP_OK, bytes, (size_t)done, "text/csv; charset=utf-8");
    mem_free(bytes);
    return result;
}

static enum MHD_Result answer_whole(Server *server, struct MHD_Connection *connection)
{
    const Spool *spool = tables_find(&server->tables, query(connection, "id"));
    if (!spool)
        return respond_text(connection, MHD_HTTP_NOT_FOUND, "this table is no longer kept\n");
    const int fd = fcntl(spool->fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0)
        return MHD_NO;
    return respond_with(connection, MHD_HTTP_OK,
                        MHD_create_response_from_fd_at_offset64((uint64_t)spool->length, fd, 0),
                        "text/csv; charset=utf-8");
}

/* ---- the page -------------------------------------------------------------------------------- */

static enum MHD_Result answer_start(Server *server, struct MHD_Connection *connection)
{
    json_t *start = json_pack("{s:s?, s:s?}", "name", server->model_name, "text", server->model);
    char *text = start ? json_dumps(start, JSON_COMPACT) : NULL;
    const enum MHD_Result result =
        text ? respond_copy(connection, MHD_HTTP_OK, text, strlen(text), "application/json")
             : respond_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory\n");
    free(text);
    json_decref(start);
    return result;
}

static enum MHD_Result answer_file(struct MHD_Connection *connection, const char *name)
{
    for (size_t i = 0; i < sizeof page_files / sizeof *page_files; i++)
        if (strcmp(name, page_files[i].name) == 0)
            return respond_with(connection, MHD_HTTP_OK,
                                MHD_create_response_from_buffer(
                                    page_files[i].length, (void *)(uintptr_t)page_files[i].bytes,
                                    MHD_RESPMEM_PERSISTENT),
                                page_files[i].type);
    return respond_text(connection, MHD_HTTP_NOT_FOUND, "there is no such page\n");
}

static enum MHD_Result answer_get(Server *server, struct MHD_Connection *connection,
                                  const char *path)
{
    if (strcmp(path, "start") == 0)
        return answer_start(server, connection);
    if (strcmp(path, "table") == 0)
        return answer_rows(server, connection);
    if (strcmp(path, "table.csv") == 0)
        return answer_whole(server, connection);
    return answer_file(connection, *path ? path : "index.html");
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static enum MHD_Result answer_run(Server *server, struct MHD_Connection *connection,
                                  const Upload *upload)
{
    Request request;
    const char *why = "";
    enum MHD_Result result;
    if (request_read(&request, upload->bytes ? upload->bytes : "", upload->length, &why))
        result = stream_begin(server, connection, &request);
    else
        result = respond_text(connection, MHD_HTTP_BAD_REQUEST, why);
    request_free(&request);
    return result;
}

static enum MHD_Result answer_post(Server *server, struct MHD_Connection *connection,
                                   const char *path, const Upload *upload)
{
    if (strcmp(path, "run") == 0)
        return answer_run(server, connection, upload);
    if (strcmp(path, "cancel") == 0) {
        const int64_t id = query(connection, "job");
        if (id < 1 || id > server->jobs)
            return respond_text(connection, MHD_HTTP_NOT_FOUND, "there is no such job\n");
        return respond_text(connection, MHD_HTTP_OK,
                            stream_cancel(server, id) ? "cancelled\n" : "it has ended before\n");
    }
    return respond_text(connection, MHD_HTTP_NOT_FOUND, "there is nothing to do under this name\n");
}

/* ---- requests -------------------------------------------------------------------------------- */

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static const char too_long[] = "the request is too long\n";

static uint64_t length_of(struct MHD_Connection *connection)
{
    const char *length = header(connection, "Content-Length");
    return length ? strtoull(length, NULL, 10) : 0;
}

/* Why a request is refused before any of it is read; NULL: it is not.  What is too long is read as far as
 * that is bearable: who still sends sees no answer. */
static const char *refusal(const Server *server, struct MHD_Connection *connection, const char *url,
                           const char *method, unsigned *status)
{
    const char *origin = header(connection, "Origin");
    const uint64_t bearable = 1 << 28;
    const bool posts = strcmp(method, "POST") == 0;
    *status = MHD_HTTP_FORBIDDEN;
    if (!guard_host(&server->guard, header(connection, "Host")))
        return "this is not the name of this server\n";
    if (!guard_path(&server->guard, url))
        return "the address has another token: use the one that 'pepa serve' has printed\n";
    if ((posts || origin) && !guard_origin(&server->guard, origin))
        return "the request is from another page, or has no Origin\n";
    *status = MHD_HTTP_METHOD_NOT_ALLOWED;
    if (!posts && strcmp(method, "GET") != 0)
        return "only GET and POST are served\n";
    *status = MHD_HTTP_CONTENT_TOO_LARGE;
    return length_of(connection) > bearable ? too_long : NULL;
}

enum MHD_Result answer(void *user, struct MHD_Connection *connection, const char *url,
                       const char *method, const char *version, const char *upload, size_t *size,
                       void **kept)
{
    Server *server = user;
    unsigned status;
    (void)version;
    if (!*kept) {
        const char *why = refusal(server, connection, url, method, &status);
        if (why)
            return respond_text(connection, status, why);
        places_allow(&server->places, connection);
        Upload *begun = *kept = mem_calloc(1, sizeof *begun);
        if (begun)
            begun->too_long = length_of(connection) > REQUEST_MOST_BYTES;
        return begun ? MHD_YES : MHD_NO;
    }
    Upload *u = *kept;
    if (*size > 0 && u->too_long) {
        *size = 0;
        return MHD_YES;
    }
    if (*size > 0) {
        if (u->length + *size > REQUEST_MOST_BYTES ||
            !mem_grow(u->bytes, u->cap, u->length + *size))
            return MHD_NO; /* without a length in its head: the connection is closed */
        memcpy(u->bytes + u->length, upload, *size);
        u->length += *size;
        *size = 0;
        return MHD_YES;
    }
    if (u->too_long)
        return respond_text(connection, MHD_HTTP_CONTENT_TOO_LARGE, too_long);
    const char *path = guard_path(&server->guard, url);
    return strcmp(method, "POST") == 0 ? answer_post(server, connection, path, u)
                                       : answer_get(server, connection, path);
}

void answer_over(void *user, struct MHD_Connection *connection, void **kept,
                 enum MHD_RequestTerminationCode how)
{
    Upload *u = *kept;
    (void)user;
    (void)connection;
    (void)how;
    if (u) {
        mem_free(u->bytes);
        mem_free(u);
        *kept = NULL;
    }
}
