/* Writes files.  A file that exists is replaced only by a whole new one: the new text goes to a
 * temporary file in the same folder, which is renamed when all is written.  Pipes and devices
 * cannot be replaced and are written to directly, and so is a file whose folder is not writable. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drawing.h"

static int cannot_write(const Output *o, const char *why)
{
    return fail(EXIT_INPUT, "%s: cannot write %s: %s%s", program, o->path, why, strerror(errno));
}

/* Open a temporary file in the folder of the regular file `was`, with the same mode and, if that is
 * permitted, the same owner.  Where the folder takes none, open the file itself. */
static int open_beside(Output *o, const struct stat *was)
{
    static const char ending[] = ".XXXXXX";
    o->target = realpath(o->path, NULL); /* a link stays, what it leads to is replaced */
    size_t size = o->target ? strlen(o->target) + sizeof ending : 0;
    o->temporary = o->target ? malloc(size) : NULL;
    if (!o->temporary)
        return cannot_write(o, "");
    (void)snprintf(o->temporary, size, "%s%s", o->target, ending);
    int fd = mkstemp(o->temporary);
    const bool shut = fd < 0 && (errno == EACCES || errno == EPERM || errno == EROFS);
    if (fd < 0)
        o->temporary[0] = '\0';
    o->to = shut ? fopen(o->target, "w") : fd < 0 ? NULL : fdopen(fd, "w");
    if (!o->to) {
        int status = cannot_write(o, shut ? "" : "no temporary file beside it: ");
        if (fd >= 0)
            (void)close(fd);
        return status;
    }
    if (shut)
        return EXIT_SOLVED;
    if (fchown(fd, was->st_uid, was->st_gid) != 0)
        errno = 0; /* it belongs to the user who runs the command */
    return fchmod(fd, was->st_mode & 07777) == 0 ? EXIT_SOLVED : cannot_write(o, "");
}

int output_open(Output *o, const char *path)
{
    struct stat was;
    *o = (Output){.path = path};
    bool missing = stat(path, &was) != 0 && errno == ENOENT;
    int fd = open(path, O_WRONLY | O_CREAT, 0666);
    if (fd < 0)
        return cannot_write(o, "");
    if (fstat(fd, &was) == 0 && S_ISREG(was.st_mode)) {
        o->created = missing;
        (void)close(fd);
        return open_beside(o, &was);
    }
    o->to = fdopen(fd, "w");
    if (!o->to)
        (void)close(fd);
    return o->to ? EXIT_SOLVED : cannot_write(o, "");
}

int output_close(Output *o)
{
    bool lost = ferror(o->to) || fflush(o->to) != 0 || (o->target && fsync(fileno(o->to)) != 0);
    int status = lost ? cannot_write(o, "") : EXIT_SOLVED;
    if (fclose(o->to) != 0 && !lost)
        status = cannot_write(o, "");
    o->to = NULL;
    return status;
}

int output_keep(Output *o)
{
    if (o->temporary && o->temporary[0] && rename(o->temporary, o->target) != 0)
        return cannot_write(o, "");
    free(o->temporary);
    o->temporary = NULL;
    o->created = false;
    return EXIT_SOLVED;
}

void output_free(Output *o)
{
    if (o->to)
        (void)fclose(o->to);
    if (o->temporary && o->temporary[0])
        (void)remove(o->temporary);
    if (o->created && o->target) /* the empty file made to see that one may be made */
        (void)remove(o->target);
    free(o->temporary);
    free(o->target);
    *o = (Output){0};
}
