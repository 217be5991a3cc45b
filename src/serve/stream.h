/* A job as an answer that goes on while it runs: lines of JSON, and then its output.
 *
 *   { "job": 7 }
 *   { "progress": "...", "seconds": 1.5 }        now and then
 *   { "exit": 0, "signal": 0, "limit": null, "messages": "...", "seconds": 2, "peak": 5000000,
 *     "bytes": 1234 }                            and so many bytes follow; or, of what is kept,
 *     "table": 7, "rows": 1000000 }              with "bytes": 0
 *
 * The job lives as long as the request: if the page goes away, or cancels it, it is ended. */
#ifndef PEPA_SERVE_STREAM_H
#define PEPA_SERVE_STREAM_H

#include <poll.h>

#include "serve/state.h"

enum { STREAMS_MOST = 32 };

/* Start a job and begin to answer with it.  MHD's result. */
enum MHD_Result stream_begin(Server *server, struct MHD_Connection *connection,
                             const Request *request);
/* End a job that runs; false: there is none with this number. */
bool stream_cancel(Server *server, int64_t id);
/* What is to be waited for: how many. */
int streams_poll(const Server *server, struct pollfd *fd, int most);
/* Read from all jobs, look at deadlines, tell who waits, forget what is over. */
void streams_serve(Server *server);
/* The server ends: kill all jobs and let connections go; then, without connections, free. */
void streams_end(Server *server);
void streams_free(Server *server);

#endif
