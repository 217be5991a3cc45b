/* Windows of connections. */
#include "grid/bsp/predict/connection.h"

#include <math.h>

#include "grid/bsp/tuning.h"

/* A retransmission timeout is a round trip and, on Linux, at least so many seconds. */
#define TIMEOUT_BEYOND 0.2

Connection connection_new(const Placement *where)
{
    double window = where->platform->window;
    if (where->barrier >= LONG_EXCHANGE)
        window = fmax(window, fmin(WARM_UP_EACH, (double)WARM_UP_ALL / (where->processes - 1)));
    return (Connection){.window = window};
}

static double window_at(const Connection *c, const Path *path, double at)
{
    const double timeouts = floor((at - c->used) / (path->round_trip + TIMEOUT_BEYOND));
    return fmax(c->window * exp2(-fmax(timeouts, 0)), path->restart);
}

double connection_send(Connection *c, const Path *path, double bytes, double at)
{
    const double window = window_at(c, path, at);
    double seconds = 0, left = bytes;
    /* Each round trip a window, until there is an answer before all of it has left. */
    for (double now = window; left > now && now * path->byte < path->round_trip; now *= 2) {
        seconds += path->round_trip;
        left -= now;
    }
    seconds += left * path->byte;
    if (bytes > window / 2)
        *c = (Connection){.window = bytes + fmin(bytes, window), .used = at + seconds};
    return seconds;
}
