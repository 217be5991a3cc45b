/* Output of a job in a file without a name (spool.h). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "serve/spool.h"

bool spool_new(Spool *spool, int64_t most, bool by_lines)
{
    *spool = (Spool){.fd = -1, .most = most, .by_lines = by_lines};
    FILE *file = tmpfile();
    if (!file)
        return false;
    spool->fd = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    (void)fclose(file);
    return spool->fd >= 0;
}

/* Note where lines begin in bytes that are put at the end. */
static bool note_lines(Spool *spool, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t at = spool->length + (int64_t)i;
        const bool begins = i > 0 ? bytes[i - 1] == '\n' : spool->length == 0;
        if (begins) {
            if (!mem_grow(spool->line, spool->cap, spool->lines + 1))
                return false;
            spool->line[spool->lines++] = at;
        }
    }
    return true;
}

/* Whether the last byte ended a line, so that the next one begins another. */
static bool ended(const Spool *spool)
{
    char last = 0;
    return spool->length > 0 && pread(spool->fd, &last, 1, spool->length - 1) == 1 && last == '\n';
}

bool spool_takes(const Spool *spool, size_t count)
{
    return spool->length + (int64_t)count <= spool->most;
}

bool spool_add(Spool *spool, const char *bytes, size_t count)
{
    if (spool->fd < 0 || !spool_takes(spool, count))
        return false;
    if (spool->by_lines && count > 0 && ended(spool)) {
        if (!mem_grow(spool->line, spool->cap, spool->lines + 1))
            return false;
        spool->line[spool->lines++] = spool->length;
    }
    if (spool->by_lines && !note_lines(spool, bytes, count))
        return false;
    for (size_t done = 0; done < count;) {
        const ssize_t n =
            pwrite(spool->fd, bytes + done, count - done, spool->length + (int64_t)done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    spool->length += (int64_t)count;
    return true;
}

int64_t spool_read(const Spool *spool, int64_t at, char *to, size_t count)
{
    if (at >= spool->length)
        return 0;
    const ssize_t n = pread(spool->fd, to, count, at);
    return n > 0 ? n : -1;
}

int64_t spool_line(const Spool *spool, size_t number)
{
    return number < spool->lines ? spool->line[number] : spool->length;
}

Spool spool_take(Spool *spool)
{
    const Spool taken = *spool;
    *spool = (Spool){.fd = -1};
    return taken;
}

void spool_free(Spool *spool)
{
    if (spool->fd >= 0)
        (void)close(spool->fd);
    mem_free(spool->line);
    *spool = (Spool){.fd = -1};
}
