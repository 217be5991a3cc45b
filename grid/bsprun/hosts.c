/* Which hosts run a BSP program: the lightest ones of a description.
 *
 * Process 0, the master, is on the lightest of all (BSP-G: Tong, Ding and Cai, 2003, 6.1). */
#include <amoget_machine.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grid/bsprun/bsprun.h"

/* ---- the choice ----------------------------------------------------------------------------- */

static int lighter(const AmogetMachine *machine, int32_t a, int32_t b)
{
    double free_a = amoget_availability(machine, a), free_b = amoget_availability(machine, b);
    double time_a = amoget_time(machine, a), time_b = amoget_time(machine, b);
    if (free_a != free_b)
        return free_a > free_b;
    return time_a != time_b ? time_a < time_b : a < b;
}

static int32_t places(const AmogetMachine *machine, int32_t host)
{
    double free_cores = floor(amoget_cores(machine, host) * amoget_availability(machine, host));
    return free_cores >= 1 ? (int32_t)free_cores : 1;
}

/* Insertion: descriptions have tens of hosts. */
static void sort(const AmogetMachine *machine, int32_t *order, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t k = i;
        for (; k > 0 && lighter(machine, i, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

int32_t hosts_choose(const AmogetMachine *machine, int32_t processes, Share *shares)
{
    int32_t count = amoget_processor_count(machine), used = 0;
    int32_t *order = calloc((size_t)count, sizeof *order);
    if (!order)
        return -1;
    sort(machine, order, count);
    for (int32_t left = processes, i = 0; left > 0; i = (i + 1) % count) {
        int32_t room = places(machine, order[i]), take = room < left ? room : left;
        if (i == used) {
            shares[used++] = (Share){amoget_processor_name(machine, order[i]), 0};
        }
        shares[i].processes += take;
        left -= take;
    }
    free(order);
    return used;
}

/* ---- the description ------------------------------------------------------------------------ */

/* Texts of files that the description includes, which are there until it has been read. */
typedef struct Text Text;
struct Text {
    Text *next;
    char *bytes;
};

typedef struct {
    const char *description;
    Text *included;
} Reading;

/* The whole file; NULL: errno says why. */
static char *read_file(const char *path, size_t *length)
{
    FILE *from = fopen(path, "r");
    size_t size = 0, room = 1 << 12;
    char *bytes = from ? malloc(room) : NULL;
    while (bytes) {
        size += fread(bytes + size, 1, room - size, from);
        if (size < room)
            break;
        char *grown = realloc(bytes, room *= 2);
        if (!grown)
            free(bytes);
        bytes = grown;
    }
    if (bytes && ferror(from)) {
        free(bytes);
        bytes = NULL;
    }
    if (from)
        (void)fclose(from);
    *length = size;
    return bytes;
}

/* Included files are named as seen from the description's folder. */
static char *read_beside(const char *description, const char *file, size_t *length)
{
    const char *slash = strrchr(description, '/');
    int folder = slash && file[0] != '/' ? (int)(slash - description) + 1 : 0;
    char path[4096];
    (void)snprintf(path, sizeof path, "%.*s%s", folder, description, file);
    return read_file(path, length);
}

static const char *include(void *user, const char *file, size_t *length, PepaError *err)
{
    Reading *reading = user;
    Text *text = malloc(sizeof *text);
    char *bytes = text ? read_beside(reading->description, file, length) : NULL;
    if (!bytes) {
        *err = (PepaError){.code = PEPA_EIO};
        (void)snprintf(err->message, sizeof err->message, "%.150s: %.80s", file, strerror(errno));
        free(text);
        return NULL;
    }
    *text = (Text){reading->included, bytes};
    reading->included = text;
    return bytes;
}

static void report(void *user, const PepaDiagnostic *found)
{
    (void)user;
    if (found->severity == PEPA_ERROR) /* warnings are about predictions */
        (void)fprintf(stderr, "%s:%u:%u: error: %s\n%s", found->file, found->line, found->column,
                      found->message, found->excerpt);
}

static int read_machine(const char *path, AmogetMachine **machine)
{
    PepaError err = {0};
    size_t length;
    Reading reading = {.description = path};
    char *text = read_file(path, &length);
    if (!text)
        return complain(EXIT_START, "%s: %s", path, strerror(errno));
    const AmogetReading how = {.include = include,
                               .now = (double)time(NULL),
                               .diagnose = report,
                               .user = &reading};
    PepaStatus status = amoget_machine_parse(machine, path, text, length, &how, &err);
    free(text);
    for (Text *each = reading.included, *next; each; each = next) {
        next = each->next;
        free(each->bytes);
        free(each);
    }
    if (status == PEPA_OK)
        return 0;
    if (status == PEPA_ESYNTAX || status == PEPA_EMODEL)
        return EXIT_HOSTS; /* with diagnostics printed */
    return complain(status == PEPA_EIO ? EXIT_START : EXIT_HOSTS, "%s", err.message);
}

static int write_shares(const Share *shares, int32_t count, char *path)
{
    (void)snprintf(path, 64, "/tmp/bsprun.XXXXXX");
    int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    if (!to)
        return complain(EXIT_START, "%s: %s", path, strerror(errno));
    for (int32_t i = 0; i < count; i++)
        (void)fprintf(to, "%s slots=%d\n", shares[i].name, (int)shares[i].processes);
    return fclose(to) == 0 ? 0 : complain(EXIT_START, "%s: %s", path, strerror(errno));
}

int hosts_write(const Options *options, char *path)
{
    AmogetMachine *machine = NULL;
    int status = read_machine(options->hosts, &machine);
    if (status)
        return status;
    Share *shares = calloc((size_t)amoget_processor_count(machine), sizeof *shares);
    int32_t count = shares ? hosts_choose(machine, options->processes, shares) : -1;
    status = count < 0 ? complain(EXIT_START, "out of memory") : write_shares(shares, count, path);
    free(shares);
    amoget_machine_free(machine);
    return status;
}
