/* A list of the connections that wait, the first that came at its head. */
#include "serve/places.h"

#include <stdbool.h>
#include <sys/socket.h>

#include "base/mem.h"

struct Waiting {
    Waiting *before, *after;
    int fd;
    bool waits, told; /* is in the list; was told to close */
};

static void leave(Places *places, Waiting *w)
{
    if (!w->waits)
        return;
    *(w->before ? &w->before->after : &places->first) = w->after;
    *(w->after ? &w->after->before : &places->last) = w->before;
    w->waits = false;
}

static void begin(Places *places, Waiting *w, int fd)
{
    *w = (Waiting){.before = places->last, .fd = fd, .waits = true};
    *(w->before ? &w->before->after : &places->first) = w;
    places->last = w;
}

/* The library sees its end in the next round, and frees it. */
static void close_first(Places *places)
{
    Waiting *w = places->first;
    leave(places, w);
    w->told = true;
    places->open--;
    (void)shutdown(w->fd, SHUT_RDWR);
}

void places_notify(void *user, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode what)
{
    Places *places = user;
    Waiting *w = *context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *context = w = info ? mem_alloc(1, sizeof *w) : NULL;
        if (!w)
            return; /* it counts as none, and ends as all that say nothing */
        begin(places, w, info->connect_fd);
        places->open++;
        if (places->open > places->most)
            close_first(places);
    } else if (w) {
        leave(places, w);
        places->open -= !w->told;
        mem_free(w);
        *context = NULL;
    }
}

void places_allow(Places *places, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info && info->socket_context)
        leave(places, info->socket_context);
}
