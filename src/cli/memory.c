/* Reads amounts of memory, and finds how much is available. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "memory.h"
#include "tool.h"

#include <pepa_shared.h>

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
    char digits[32], unit[4] = "", rest;
    double value;
    int parts = sscanf(text, "%31[0-9.] %3s%c", digits, unit, &rest);
    if (parts < 1 || parts > 2 || !number(digits, &value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            value *= units[i].bytes;
            *bytes = value < most ? (int64_t)value : 0;
            return value >= 1 && value < most;
        }
    return false;
}

/* The first line of a file that starts with `begin`, which may be empty. */
static bool find_line(const char *path, const char *begin, char line[PATH_SIZE])
{
    FILE *from = fopen(path, "r");
    bool found = false;
    while (from && !found && fgets(line, PATH_SIZE, from))
        found = strncmp(line, begin, strlen(begin)) == 0;
    if (from)
        (void)fclose(from);
    return found;
}

/* The number after `name` in that line. */
static bool read_number(const char *path, const char *name, double *out)
{
    char line[PATH_SIZE], *end, *at = line + strlen(name);
    if (!find_line(path, name, line))
        return false;
    *out = strtod(at, &end);
    return end != at;
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
    if (!find_line("/proc/self/cgroup", "0::/", line))
        return;
    char *folder = line + 3;
    folder[strcspn(folder, "\n")] = '\0';
    look_at_group(folder, least);
    while ((slash = strrchr(folder, '/')) != NULL) {
        *slash = '\0';
        look_at_group(folder, least);
    }
}

/* The usage of resources begins with the peak of the process that started this one. */
long long peak_bytes(void)
{
    char line[PATH_SIZE];
    struct rusage usage;
    if (find_line("/proc/self/status", "VmHWM:", line))
        return strtoll(line + strlen("VmHWM:"), NULL, 10) * 1024;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (long long)usage.ru_maxrss * 1024 : 0;
}

void peaks_of_all(const Together *together, double *bytes)
{
    const PepaProcesses *p = together->processes;
    bytes[0] = (double)peak_bytes();
    for (int32_t i = 0; p && i < p->count; i++)
        bytes[i] = i == p->rank ? (double)peak_bytes() : 0;
    if (p)
        p->sum(p->user, bytes, p->count);
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
