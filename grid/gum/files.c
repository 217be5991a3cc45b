/* Files are tried before the run, whose work would be lost otherwise. */
#include "grid/gum/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const ReportFile file_of_profile = {"profile", "GUM_PROFILE"},
                 file_of_activity = {"activity", "GUM_ACTIVITY"};

static int fail(Gum *gum, const ReportFile *file, const char *path)
{
    return session_fail(&gum->session, GRID_EARG, "cannot write the %s %.120s: %s", file->what,
                        path, strerror(errno));
}

/* A pipe is not opened: who reads it would see its end. */
static int can_write(const char *path)
{
    struct stat found;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode))
        return access(path, W_OK) == 0;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    return file >= 0 && close(file) == 0;
}

static int probe(Gum *gum, const ReportFile *file)
{
    const char *path = getenv(file->variable);
    return path && !can_write(path) ? fail(gum, file, path) : 0;
}

/* Under whatever names: the second would be written over the first. */
static int are_one(Gum *gum)
{
    const char *path = getenv(file_of_profile.variable), *other = getenv(file_of_activity.variable);
    struct stat a, b;
    const int one = path && other && stat(path, &a) == 0 && stat(other, &b) == 0 &&
                    S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    return one ? session_fail(&gum->session, GRID_EARG,
                              "the profile %.100s and the activity %.100s are one file", path,
                              other)
               : 0;
}

int files_probe(Gum *gum)
{
    const Settings *its = &gum->settings;
    return (its->profile && probe(gum, &file_of_profile)) ||
                   (its->activity && probe(gum, &file_of_activity)) ||
                   (its->profile && its->activity && are_one(gum))
               ? -1
               : 0;
}

FILE *files_open(const ReportFile *file)
{
    const char *path = getenv(file->variable);
    errno = EINVAL;
    return path ? fopen(path, "w") : NULL;
}

int files_close(Gum *gum, const ReportFile *file, FILE *to, int bad)
{
    const char *path = getenv(file->variable);
    bad |= !to;
    bad |= to && fclose(to) != 0;
    return bad ? fail(gum, file, path ? path : "") : 0;
}
