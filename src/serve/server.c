/* The loop of the server (server.h). */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/answer.h"
#include "serve/server.h"
#include "serve/stream.h"

enum {
    BACKLOG = 512,
    CONNECTIONS = 512,
    SPARE = 16, /* of them, for those that come in the round in which others are closed */
    CONNECTION_BYTES = 64 << 10, /* of a request's head, among others; taken as it is used */
    PATIENCE = 30,               /* seconds that a connection may say nothing */
    FIXED = 2,                   /* descriptors that are always waited for */
    TICK = 100,                  /* milliseconds between looks at deadlines */
    LONGEST = 1000               /* milliseconds between rounds */
};

int server_listen(const char *address, int *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof at;
    const int yes = 1;
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1)
        return -1;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        (void)close(fd);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return fd;
}

/* Addresses are taken as they are: those of the server have nothing to decode, and a decoded NUL would
 * end them. */
static size_t as_it_is(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user;
    (void)connection;
    return strlen(text);
}

/* How long to wait, in milliseconds.  The library listens no more once all connections are taken, and again
 * only in a round after the one in which some end: nothing would wake the server for that. */
static int wait_time(const Server *server)
{
    MHD_UNSIGNED_LONG_LONG most;
    const int time = server->streams ? TICK : LONGEST;
    const bool sooner = MHD_get_timeout(server->daemon, &most) == MHD_YES && most < (unsigned)time;
    return sooner ? (int)most : time;
}

/* Whether the signals say that it is to end. */
static bool hear_signals(const Server *server)
{
    struct signalfd_siginfo info;
    bool ends = false;
    while (read(server->signals, &info, sizeof info) == (ssize_t)sizeof info)
        ends = ends || info.ssi_signo != SIGCHLD;
    return ends;
}

/* Requests that have come.  Where all connections were taken, one more round listens again. */
static bool hear_requests(const Server *server)
{
    const union MHD_DaemonInfo *now =
        MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    const bool full = now && now->num_connections >= CONNECTIONS;
    return MHD_run(server->daemon) == MHD_YES && (!full || MHD_run(server->daemon) == MHD_YES);
}

/* One round; false: a signal ends the server. */
static bool turn(Server *server, int requests)
{
    struct pollfd fd[FIXED + 2 * STREAMS_MOST];
    fd[0] = (struct pollfd){.fd = requests, .events = POLLIN};
    fd[1] = (struct pollfd){.fd = server->signals, .events = POLLIN};
    const int count = FIXED + streams_poll(server, fd + FIXED, 2 * STREAMS_MOST);
    (void)poll(fd, (nfds_t)count, wait_time(server));
    const bool on = !(fd[1].revents & POLLIN) || !hear_signals(server);
    streams_serve(server);
    return hear_requests(server) && on;
}

static bool watch_signals(Server *server)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    (void)sigaddset(&set, SIGCHLD);
    server->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return server->signals >= 0;
}

bool server_run(Server *server, int listener)
{
    if (!watch_signals(server))
        return false;
    server->places.most = CONNECTIONS - SPARE;
    server->daemon =
        MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, server,
                         MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
                         (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                         (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
                         (unsigned)PATIENCE, MHD_OPTION_NOTIFY_COMPLETED, answer_over, server,
                         MHD_OPTION_NOTIFY_CONNECTION, places_notify, &server->places,
                         MHD_OPTION_UNESCAPE_CALLBACK, as_it_is, NULL, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD) : NULL;
    if (info)
        while (turn(server, info->epoll_fd))
            ;
    streams_end(server);
    if (server->daemon)
        MHD_stop_daemon(server->daemon);
    streams_free(server);
    tables_free(&server->tables);
    (void)close(server->signals);
    return info != NULL;
}
