/* Which connections go when all places are taken: whoever reaches the loopback can open some and say nothing.
 *
 * A connection waits until a request of it is allowed, whose token only those have who were given the address.  Of those
 * that wait the one that came first is closed for the next one. */
#ifndef PEPA_SERVE_PLACES_H
#define PEPA_SERVE_PLACES_H

#include <microhttpd.h>

typedef struct Waiting Waiting;
typedef struct {
    Waiting *first, *last; /* in the order in which they came */
    int open;              /* connections, but those that were told to close */
    int most;              /* of them */
} Places;

/* A connection begins or ends: for MHD_OPTION_NOTIFY_CONNECTION with a Places. */
void places_notify(void *places, struct MHD_Connection *connection, void **context,
                   enum MHD_ConnectionNotificationCode what);
/* A request of the connection is allowed. */
void places_allow(Places *places, struct MHD_Connection *connection);

#endif
