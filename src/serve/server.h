/* The server: one thread, which waits for requests, for the output of jobs and for signals. */
#ifndef PEPA_SERVE_SERVER_H
#define PEPA_SERVE_SERVER_H

#include <microhttpd.h>

#include "serve/guard.h"
#include "serve/job.h"
#include "serve/tables.h"

typedef struct Stream Stream;
typedef struct {
    Guard guard;
    JobLimits limits;
    const char *model; /* what the page begins with, name and text; or NULL */
    const char *model_name;
    struct MHD_Daemon *daemon;
    Stream *streams; /* jobs, and those that hear of them */
    Tables tables;
    int64_t jobs; /* how many there have been */
    int signals;  /* a signalfd */
} Server;

/* A socket that listens on a numeric address and a port, 0: any free one, which *port then is.
 * -1: errno says why not. */
int server_listen(const char *address, int *port);
/* Serve on that socket until SIGINT or SIGTERM, which the caller has blocked; jobs end with it.
 * False: the server cannot begin. */
bool server_run(Server *server, int listener);

#endif
