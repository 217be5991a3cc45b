/* Jobs as answers that go on while they run (stream.h). */
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>

#include "serve/respond.h"
#include "serve/stream.h"

enum { CHUNK = 64 << 10 };
static const double beat = 0.2; /* seconds between lines of progress, which find out who is gone */

struct Stream {
    Stream *next;
    Server *server;
    Job job;
    struct MHD_Connection *connection; /* NULL: nobody listens any more */
    bool suspended, ended;             /* ended: its last line has been written */
    Text lines;                        /* to be sent */
    size_t sent;                       /* of them */
    int64_t output;                    /* sent, of the job's output */
    double told;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* A string of JSON; bytes that are no UTF-8 become question marks. */
static json_t *json_text(char *text)
{
    json_t *string = json_string(text);
    if (!string) {
        for (char *at = text; *at; at++)
            *at = (unsigned char)*at < 128 ? *at : '?';
        string = json_string(text);
    }
    return string;
}

/* Add a line; what is in it is freed. */
static void add_line(Stream *s, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    if (text)
        text_add(&s->lines, "%s\n", text);
    else
        s->lines.failed = true;
    free(text);
    json_decref(line);
}

static void add_progress(Stream *s)
{
    char *copy = strdup(job_progress(&s->job));
    s->told = job_now();
    add_line(s, copy ? json_pack("{s:o, s:f}", "progress", json_text(copy), "seconds",
                                 s->told - s->job.begun)
                     : NULL);
    free(copy);
}

/* The last line; a table that is kept leaves the job. */
static void add_end(Stream *s)
{
    Job *job = &s->job;
    char nothing[] = "";
    const bool exited = WIFEXITED(job->how);
    const bool keep = job->keep && exited && WEXITSTATUS(job->how) == 0 && !job->limit;
    const size_t rows = job->spool.lines;
    json_t *line =
        json_pack("{s:o, s:i, s:s?, s:o, s:f, s:I}", "exit",
                  exited && !job->limit ? json_integer(WEXITSTATUS(job->how)) : json_null(),
                  "signal", WIFSIGNALED(job->how) ? WTERMSIG(job->how) : 0, "limit", job->limit,
                  "messages", json_text(job->said.text ? job->said.text : nothing), "seconds",
                  job->seconds, "peak", (json_int_t)job->peak);
    if (keep) {
        tables_keep(&s->server->tables, job->id, &job->spool);
        (void)json_object_set_new(line, "table", json_integer((json_int_t)job->id));
        (void)json_object_set_new(line, "rows", json_integer((json_int_t)rows));
    }
    (void)json_object_set_new(line, "bytes", json_integer((json_int_t)job->spool.length));
    add_line(s, line);
    s->ended = true;
}

/* ---- an answer ------------------------------------------------------------------------------- */

static ssize_t send_some(void *user, uint64_t at, char *to, size_t most)
{
    Stream *s = user;
    (void)at;
    if (s->lines.failed)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (s->sent < s->lines.length) {
        const size_t left = s->lines.length - s->sent, count = left < most ? left : most;
        memcpy(to, s->lines.text + s->sent, count);
        s->sent += count;
        return (ssize_t)count;
    }
    s->lines.length = s->sent = 0;
    if (!s->ended) {
        s->suspended = true;
        MHD_suspend_connection(s->connection);
        return 0;
    }
    const int64_t count = spool_read(&s->job.spool, s->output, to, most);
    if (count > 0)
        s->output += count;
    return count > 0    ? (ssize_t)count
           : count == 0 ? MHD_CONTENT_READER_END_OF_STREAM
                        : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* The answer is over, whoever ended it. */
static void let_go(void *user)
{
    Stream *s = user;
    s->connection = NULL;
    s->suspended = false;
    job_kill(&s->job, "cancelled");
}

static int running(const Server *server)
{
    int count = 0;
    for (const Stream *s = server->streams; s; s = s->next)
        count += !job_over(&s->job);
    return count;
}

static int streams(const Server *server)
{
    int count = 0;
    for (const Stream *s = server->streams; s; s = s->next)
        count++;
    return count;
}

enum MHD_Result stream_begin(Server *server, struct MHD_Connection *connection,
                             const Request *request)
{
    const char *why;
    if (running(server) >= server->limits.jobs || streams(server) >= STREAMS_MOST)
        return respond_text(connection, MHD_HTTP_TOO_MANY_REQUESTS,
                            "as many jobs run as may at a time (--jobs): cancel one, or wait\n");
    Stream *s = mem_calloc(1, sizeof *s);
    if (!s || !job_start(&s->job, request, &server->limits, &why)) {
        why = s ? why : "out of memory";
        mem_free(s);
        return respond_text(connection, MHD_HTTP_SERVICE_UNAVAILABLE, why);
    }
    s->server = server;
    s->connection = connection;
    s->job.id = ++server->jobs;
    s->next = server->streams;
    server->streams = s;
    add_line(s, json_pack("{s:I}", "job", (json_int_t)s->job.id));
    s->told = s->job.begun;
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, CHUNK, send_some, s, let_go);
    if (!response) {
        let_go(s);
        return MHD_NO;
    }
    return respond_with(connection, MHD_HTTP_OK, response, "application/x-ndjson");
}

/* ---- all of them ----------------------------------------------------------------------------- */

bool stream_cancel(Server *server, int64_t id)
{
    for (Stream *s = server->streams; s; s = s->next)
        if (s->job.id == id && s->job.process != 0) {
            job_kill(&s->job, "cancelled");
            return true;
        }
    return false;
}

int streams_poll(const Server *server, struct pollfd *fd, int most)
{
    int count = 0;
    for (const Stream *s = server->streams; s && count + 2 <= most; s = s->next) {
        fd[count++] = (struct pollfd){.fd = s->job.out, .events = POLLIN};
        fd[count++] = (struct pollfd){.fd = s->job.err, .events = POLLIN};
    }
    return count;
}

static void wake(Stream *s)
{
    if (!s->suspended)
        return;
    s->suspended = false;
    MHD_resume_connection(s->connection);
}

/* Read what there is, but not for ever: other jobs and requests wait. */
static void read_some(Job *job, int *pipe)
{
    for (int i = 0; i < 16 && *pipe >= 0 && job_read(job, pipe); i++)
        ;
}

static void serve_one(Stream *s, double now)
{
    Job *job = &s->job;
    read_some(job, &job->out);
    read_some(job, &job->err);
    job_reap(job);
    if (job->deadline > 0 && now > job->deadline)
        job_kill(job, "time");
    if (!s->connection || s->ended)
        return;
    if (job_over(job))
        add_end(s);
    else if (s->suspended && now - s->told >= beat)
        add_progress(s);
    if (s->lines.length > s->sent || s->ended)
        wake(s);
}

void streams_serve(Server *server)
{
    const double now = job_now();
    for (Stream **at = &server->streams; *at;) {
        Stream *s = *at;
        serve_one(s, now);
        if (!s->connection && job_over(&s->job)) {
            *at = s->next;
            job_free(&s->job);
            text_free(&s->lines);
            mem_free(s);
        } else {
            at = &s->next;
        }
    }
}

void streams_end(Server *server)
{
    for (Stream *s = server->streams; s; s = s->next) {
        job_kill(&s->job, "cancelled");
        s->ended = true;
        wake(s);
    }
    if (server->daemon)
        (void)MHD_run(server->daemon); /* a daemon stops without suspended connections only */
}

void streams_free(Server *server)
{
    for (Stream *s = server->streams, *next; s; s = next) {
        next = s->next;
        job_free(&s->job);
        text_free(&s->lines);
        mem_free(s);
    }
    server->streams = NULL;
}
