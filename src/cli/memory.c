/* Reads amounts of memory, and finds how much is available. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { PATH_SIZE = 4096 };

bool memory_size(const char *text, int64_t *bytes)
{
    static const struct {
        const char *unit;
        double bytes;
    } units[] = {{"", 1},       {"B", 1},         {"kB", 1e3},         {"KB", 1e3},
                 {"MB", 1e6},   {"GB", 1e9},      {"TB", 1e12},        {"KiB", 1024},
                 {"kiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776.0}};
    const double most = 9e18;
    char digits[32];
    size_t length = strspn(text, "0123456789."), space;
    double value;
    if (length == 0 || length >= sizeof digits)
        return false;
    (void)memcpy(digits, text, length);
    digits[length] = '\0';
    space = strspn(text + length, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units && number(digits, &value); i++) {
        value *= units[i].bytes;
        if (strcmp(text + length + space, units[i].unit) != 0)
            continue;
        *bytes = value < most ? (int64_t)value : 0;
        return value >= 1 && value < most;
    }
    return false;
}

/* The number after `name`, which may be empty, at the start of a line of a file. */
static bool read_number(const char *path, const char *name, double *out)
{
    char line[256];
    bool found = false;
    FILE *from = fopen(path, "r");
    while (from && !found && fgets(line, sizeof line, from)) {
        char *end, *at = line + strlen(name);
        if (strncmp(line, name, strlen(name)) != 0)
            continue;
        *out = strtod(at, &end);
        found = end != at;
    }
    if (from)
        (void)fclose(from);
    return found;
}

static bool read_group(const char *folder, const char *file, const char *name, double *out)
{
    char path[PATH_SIZE + 64];
    (void)snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", folder, file);
    return read_number(path, name, out);
}

/* The memory that a control group (version 2) leaves; its cache of inactive files is free. */
static void look_at_group(const char *folder, double *least)
{
    double most, now, old = 0;
    if (!read_group(folder, "memory.max", "", &most) ||
        !read_group(folder, "memory.current", "", &now))
        return;
    (void)read_group(folder, "memory.stat", "inactive_file ", &old);
    double left = most > now - old ? most - (now - old) : 0;
    *least = left < *least ? left : *least;
}

/* This process's group and those that it is part of. */
static void look_at_groups(double *least)
{
    char line[PATH_SIZE], *slash;
    FILE *from = fopen("/proc/self/cgroup", "r");
    bool found = false;
    while (from && !found && fgets(line, sizeof line, from))
        found = strncmp(line, "0::/", 4) == 0;
    if (from)
        (void)fclose(from);
    if (!found)
        return;
    char *folder = line + 3;
    folder[strcspn(folder, "\n")] = '\0';
    look_at_group(folder, least);
    while ((slash = strrchr(folder, '/')) != NULL) {
        *slash = '\0';
        look_at_group(folder, least);
    }
}

int64_t memory_free(void)
{
    const double kilo = 1024, share = 0.95; /* of what is free: other processes grow, too */
    double least;
    if (!read_number("/proc/meminfo", "MemAvailable:", &least))
        return 0;
    least *= kilo;
    look_at_groups(&least);
    return least * share > 1 ? (int64_t)(least * share) : 1;
}
