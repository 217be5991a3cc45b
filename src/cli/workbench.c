/* pepa serve: runs the program beside this one that is the workbench in the browser. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

int workbench(char *const *words)
{
    static const char name[] = "pepa-serve";
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof name);
    char *slash = NULL;
    if (length > 0) {
        path[length] = '\0';
        slash = strrchr(path, '/');
    }
    if (!slash)
        return fail(EXIT_INPUT, "pepa serve: /proc/self/exe does not say where pepa is");
    memcpy(slash + 1, name, sizeof name);
    (void)execv(path, words);
    if (errno == ENOENT)
        return fail(EXIT_INPUT,
                    "pepa serve: there is no %s: the package pepa-workbench has it; it is built "
                    "where libmicrohttpd and jansson are installed",
                    path);
    return fail(EXIT_INPUT, "pepa serve: cannot run %s: %s", path, strerror(errno));
}
