/* Who may ask (guard.h). */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "serve/guard.h"

static bool random_bytes(uint8_t *to, size_t count)
{
    while (count > 0) {
        const ssize_t got = getrandom(to, count, 0);
        if (got < 0 && errno != EINTR)
            return false;
        if (got > 0) {
            to += got;
            count -= (size_t)got;
        }
    }
    return true;
}

static void add_host(Guard *guard, const char *name, int port)
{
    char *host = guard->host[guard->hosts++];
    (void)snprintf(host, GUARD_NAME_SIZE, "%s:%d", name, port);
    if (port == 80) /* browsers leave it out */
        (void)snprintf(guard->host[guard->hosts++], GUARD_NAME_SIZE, "%s", name);
}

bool guard_new(Guard *guard, const char *address, int port)
{
    uint8_t bytes[TOKEN_LENGTH / 2];
    *guard = (Guard){0};
    if (!random_bytes(bytes, sizeof bytes))
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(guard->token + 2 * i, 3, "%02x", bytes[i]);
    add_host(guard, address, port);
    add_host(guard, "127.0.0.1", port);
    add_host(guard, "localhost", port);
    return true;
}

const char *guard_path(const Guard *guard, const char *url)
{
    unsigned differ = 0;
    if (strlen(url) < TOKEN_LENGTH + 2)
        return NULL;
    for (int i = 0; i < TOKEN_LENGTH; i++)
        differ |= (unsigned)(url[1 + i] ^ guard->token[i]);
    differ |= (unsigned)(url[0] ^ '/') | (unsigned)(url[1 + TOKEN_LENGTH] ^ '/');
    return differ == 0 ? url + TOKEN_LENGTH + 2 : NULL;
}

bool guard_host(const Guard *guard, const char *host)
{
    for (int i = 0; host && i < guard->hosts; i++)
        if (strcasecmp(host, guard->host[i]) == 0)
            return true;
    return false;
}

bool guard_origin(const Guard *guard, const char *origin)
{
    static const char scheme[] = "http://";
    return origin && strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           guard_host(guard, origin + sizeof scheme - 1);
}
