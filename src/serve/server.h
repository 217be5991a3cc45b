/* The server: one thread, which waits for requests, for the output of jobs and for signals. */
#ifndef PEPA_SERVE_SERVER_H
#define PEPA_SERVE_SERVER_H

#include "serve/state.h"

/* A socket that listens on a numeric address and a port, 0: any free one, which *port then is.
 * -1: errno says why not. */
int server_listen(const char *address, int *port);
/* Serve on that socket until SIGINT or SIGTERM, which the caller has blocked; jobs end with it.
 * False: the server cannot begin. */
bool server_run(Server *server, int listener);

#endif
