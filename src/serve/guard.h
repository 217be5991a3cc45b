/* Who may ask: the token in the path, and the headers Host and Origin.
 *
 * The server listens on the loopback, but every page in the browser and every user of the machine
 * can reach that.  The token, which only the printed address has, keeps both out.  Host keeps out
 * pages whose name has been rebound to the loopback, Origin pages of other servers on it. */
#ifndef PEPA_SERVE_GUARD_H
#define PEPA_SERVE_GUARD_H

#include <stdbool.h>

enum { TOKEN_LENGTH = 32, GUARD_NAMES = 6, GUARD_NAME_SIZE = 64 };

typedef struct {
    char token[TOKEN_LENGTH + 1];            /* 128 random bits in hexadecimal */
    char host[GUARD_NAMES][GUARD_NAME_SIZE]; /* what Host may be, such as localhost:8080 */
    int hosts;
} Guard;

/* A guard with a new token of a server on `address` (numeric) and `port`.  False: the system gives
 * no random numbers. */
bool guard_new(Guard *guard, const char *address, int port);
/* What follows "/TOKEN/" in a path; NULL: the token is another.  The time does not depend on where
 * tokens differ. */
const char *guard_path(const Guard *guard, const char *url);
/* Host is a name of this server; NULL, a request without the header, is not. */
bool guard_host(const Guard *guard, const char *host);
/* Origin is a page of this server; NULL is not. */
bool guard_origin(const Guard *guard, const char *origin);

#endif
