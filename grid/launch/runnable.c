/* Whether a program can be run on this machine: found before mpirun starts a process for it, whose
 * shells would each complain of it in words that name neither the command nor what to do. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grid/launch/launch.h"

int launch_runnable(const char *path)
{
    struct stat about;
    if (stat(path, &about))
        return errno;
    if (S_ISDIR(about.st_mode))
        return EISDIR;
    return access(path, X_OK) ? errno : 0;
}

char *launch_path(char *name, char here[PATH_MAX])
{
    if (strchr(name, '/') || launch_runnable(name) != 0)
        return name;
    (void)snprintf(here, PATH_MAX, "./%s", name);
    return here;
}

/* As execvp looks for it. */
static int is_in_path(const char *program)
{
    const char *at = getenv("PATH");
    int found = 0;
    while (at && !found) {
        char path[4096];
        size_t length = strcspn(at, ":");
        int size =
            snprintf(path, sizeof path, "%.*s/%s", (int)length, length > 0 ? at : ".", program);
        found = size > 0 && (size_t)size < sizeof path && launch_runnable(path) == 0;
        at = at[length] ? at + length + 1 : NULL;
    }
    return found;
}

/* A script's first line may name an interpreter that cannot be run, as with the line ends of Windows.  Returns
 * LAUNCH_FAILED, and says so; 0: it is no such script. */
static int has_no_interpreter(const char *name, const char *script)
{
    char line[PATH_MAX] = "";
    FILE *from = fopen(script, "r");
    const int is_script = from && fgets(line, sizeof line, from) && strncmp(line, "#!", 2) == 0;
    if (from)
        (void)fclose(from);
    char *interpreter = line + 2 + (is_script ? strspn(line + 2, " \t") : 0);
    interpreter[strcspn(interpreter, " \t\n")] = '\0';
    const int error = is_script ? launch_runnable(interpreter) : 0;
    if (!error)
        return 0;
    const size_t length = strcspn(interpreter, "\r");
    const int windows = interpreter[length] != '\0';
    (void)fprintf(stderr, "%s: cannot run %s: its first line names %.*s%s: %s\n", name, script,
                  (int)length, interpreter,
                  windows ? " with a carriage return, the line ends of Windows" : "",
                  strerror(error));
    return LAUNCH_FAILED;
}

int launch_missing(const char *name, const char *program)
{
    if (strchr(program, '/')) {
        int error = launch_runnable(program);
        if (!error)
            return has_no_interpreter(name, program);
        (void)fprintf(stderr, "%s: cannot run %s: %s\n", name, program, strerror(error));
        return LAUNCH_FAILED;
    }
    if (is_in_path(program))
        return 0;
    (void)fprintf(stderr, "%s: there is no program '%s' in this folder or in PATH\n", name,
                  program);
    return LAUNCH_FAILED;
}
