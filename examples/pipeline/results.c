/* The lines about images, collected from all processes. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "images.h"

/* Of fixed size, so that they can be sorted as they are. */
typedef struct {
    int64_t item;
    uint64_t hash, bytes;
    char text[104];
} Line;

static uint64_t hash_on(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ byte[i]) * UINT64_C(0x100000001B3); /* FNV-1a */
    return seed;
}

#define HASH_BASIS UINT64_C(0xCBF29CE484222325)

/* ---- one ---------------------------------------------------------------------------------- */

static int write_file(const Options *options, int64_t item, const char *kind, const char *head,
                      const void *bytes, size_t size)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%06" PRId64 ".%s", options->directory, item, kind);
    FILE *to = length < (int)sizeof path ? fopen(path, "wb") : NULL;
    bool good = to && fputs(head, to) >= 0 && fwrite(bytes, 1, size, to) == size;
    if (to && fclose(to))
        good = false;
    if (!good)
        complain("%s: %s", path, strerror(errno));
    return good ? 0 : -1;
}

static int write_files(const Options *options, int64_t item, const GridBuffer *file)
{
    GridBuffer pixels = {0};
    Frame frame;
    const uint8_t *grey;
    char head[64];
    if (mkdir(options->directory, 0777) && errno != EEXIST) {
        complain("%s: %s", options->directory, strerror(errno));
        return -1;
    }
    int status = decode_image(NULL, item, file, &pixels);
    if (status == 0)
        status = frame_read(&pixels, 1, 0, &frame, &grey);
    if (status == 0) {
        (void)snprintf(head, sizeof head, "P5\n%d %d\n255\n", frame.width, frame.height);
        status = write_file(options, item, "pgm", head, grey, frame_pixels(&frame));
    }
    grid_buffer_free(&pixels);
    return status ? status : write_file(options, item, "r5", "", file->bytes, file->size);
}

int results_add(Results *results, const Options *options, int64_t item, const GridBuffer *file)
{
    Line line;
    memset(&line, 0, sizeof line);
    line.item = item;
    line.bytes = file->size;
    line.hash = hash_on(HASH_BASIS, file->bytes, file->size);
    /* "R5", then "# " and the summary */
    const size_t skip = 5;
    for (size_t i = 0; i + 1 < sizeof line.text && skip + i < file->size; i++) {
        if (file->bytes[skip + i] == '\n')
            break;
        line.text[i] = (char)file->bytes[skip + i];
    }
    if (grid_put(&results->lines, &line, sizeof line))
        return IMAGE_ENOMEM;
    return options->directory ? write_files(options, item, file) : 0;
}

/* ---- all ---------------------------------------------------------------------------------- */

static int by_item(const void *a, const void *b)
{
    int64_t x = ((const Line *)a)->item, y = ((const Line *)b)->item;
    return x < y ? -1 : x > y;
}

/* Where each process's bytes go; the sum, -1 if it is too large. */
static int64_t places(const int *size, int *place, int processes)
{
    int64_t sum = 0;
    for (int p = 0; p < processes; p++) {
        place[p] = (int)sum;
        sum += size[p];
        if (sum > INT_MAX)
            return -1;
    }
    return sum;
}

int results_gather(Results *results, MPI_Comm comm)
{
    int rank, processes, bad = 0, own;
    GridBuffer all = {0};
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &processes);
    int *size = calloc((size_t)processes, sizeof *size),
        *place = calloc((size_t)processes, sizeof *place);
    own = results->lines.size <= INT_MAX && size && place ? (int)results->lines.size : -1;
    bad = share_status(own < 0, comm);
    if (!bad && MPI_Gather(&own, 1, MPI_INT, size, 1, MPI_INT, 0, comm) == MPI_SUCCESS) {
        int64_t sum = rank == 0 ? places(size, place, processes) : 0;
        bad = sum < 0 || (sum > 0 && !buffer_extend(&all, (size_t)sum));
        bad = share_status(bad, comm) || MPI_Gatherv(results->lines.bytes, own, MPI_BYTE, all.bytes,
                                                     size, place, MPI_BYTE, 0, comm) != MPI_SUCCESS;
    }
    if (!bad) {
        GridBuffer old = results->lines;
        results->lines = all;
        all = old;
        if (results->lines.size > 0)
            qsort(results->lines.bytes, results->lines.size / sizeof(Line), sizeof(Line), by_item);
    }
    grid_buffer_free(&all);
    free(size);
    free(place);
    return bad ? -1 : 0;
}

Totals results_print(const Results *results, bool quiet)
{
    Totals totals = {.checksum = HASH_BASIS};
    for (size_t at = 0; at < results->lines.size; at += sizeof(Line)) {
        Line line;
        memcpy(&line, results->lines.bytes + at, sizeof line);
        totals.images++;
        totals.checksum = hash_on(totals.checksum, &line.hash, sizeof line.hash);
        if (!quiet)
            (void)printf("%6" PRId64 "  %s; %" PRIu64 " bytes, %016" PRIx64 "\n", line.item,
                         line.text, line.bytes, line.hash);
    }
    return totals;
}

void results_free(Results *results)
{
    grid_buffer_free(&results->lines);
}
