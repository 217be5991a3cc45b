/* Processors by affinity and by quota.  CPU_COUNT is not POSIX, and only this file asks for it.
 * Source: Linux kernel documentation, admin-guide/cgroup-v2 (cpu.max) and scheduler/sched-bwc. */
#define _GNU_SOURCE
#include "cores.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static int32_t by_affinity(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

/* The numbers at the start of folder/name, at most two; how many there are. */
static int read_numbers(const char *folder, const char *name, double *number)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < PATH_SIZE ? fopen(path, "r") : NULL;
    int found = file ? fscanf(file, "%lf %lf", &number[0], &number[1]) : 0;
    if (file)
        (void)fclose(file);
    return found < 0 ? 0 : found;
}

/* Processors that the group of this folder may use; +inf: as many as there are. */
static double quota_of(const char *folder)
{
    double quota[2], period[2];
    if (read_numbers(folder, "cpu.max", quota) == 2)
        return quota[0] > 0 && quota[1] > 0 ? quota[0] / quota[1] : HUGE_VAL;
    bool both = read_numbers(folder, "cpu.cfs_quota_us", quota) > 0 &&
                read_numbers(folder, "cpu.cfs_period_us", period) > 0;
    return both && quota[0] > 0 && period[0] > 0 ? quota[0] / period[0] : HUGE_VAL;
}

/* The least quota of the group `path` below `mount` and of those that it is in.  In a container the
 * upper groups may be hidden, and `mount` is the group itself. */
static double quota_along(const char *root, const char *mount, const char *path)
{
    char folder[PATH_SIZE];
    int base = snprintf(folder, sizeof folder, "%s%s", root, mount);
    int length = snprintf(folder, sizeof folder, "%s%s%s", root, mount, path);
    if (length >= PATH_SIZE)
        return HUGE_VAL;
    double least = quota_of(folder);
    for (char *slash; (slash = strrchr(folder + base, '/'));) {
        *slash = '\0';
        least = fmin(least, quota_of(folder));
    }
    return least;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* Lines of /proc/self/cgroup are NUMBER:CONTROLLERS:PATH, without controllers for version 2. */
static double by_quota(const char *root)
{
    char line[PATH_SIZE];
    double least = HUGE_VAL;
    (void)snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "r");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'),
             *path = controllers ? strchr(controllers + 1, ':') : 0;
        if (!path)
            continue;
        *controllers++ = *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        if (*controllers == '\0')
            least = fmin(least, quota_along(root, "/sys/fs/cgroup", path));
        else if (has_word(controllers, "cpu"))
            least = fmin(least, quota_along(root, "/sys/fs/cgroup/cpu", path));
    }
    if (file)
        (void)fclose(file);
    return least;
}

int32_t cores_allowed(const char *root)
{
    double cores = fmin(by_affinity(), floor(by_quota(root) + 0.5));
    return cores > 1 ? (int32_t)cores : 1;
}
