/* Hosts from a machine. */
#include "grid/taag/schedule/hosts.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"

enum { LEAST_CLASS = -40, CLASSES = 80 }; /* orders of magnitude of a millisecond */

/* A forecast of 4 x 0.9999999999 CPUs that rounding made is one of 4. */
static int32_t whole_places(double cores, int32_t coefficient)
{
    double places = floor(cores * (1 + 1e-12)) * coefficient;
    return places < INT32_MAX ? (int32_t)places : INT32_MAX;
}

/* Latencies such as 1 ms are products of rounded numbers: they belong to the class they name. */
static int32_t class_of(double ms)
{
    double order = floor(log10(ms) + 1e-9) - LEAST_CLASS;
    return order < 0 ? 0 : order >= CLASSES ? CLASSES - 1 : (int32_t)order;
}

static double milliseconds(double seconds)
{
    return nearbyint(seconds * 1e12) < 9e15 ? nearbyint(seconds * 1e12) / 1e9 : seconds * 1e3;
}

static bool number_levels(Hosts *h)
{
    int32_t level[CLASSES] = {0};
    size_t pairs = (size_t)h->count * (size_t)h->count;
    for (size_t i = 0; i < pairs; i++)
        if (h->ms[i] > 0)
            level[class_of(h->ms[i])] = 1;
    for (int32_t c = 0; c < CLASSES; c++)
        if (level[c])
            level[c] = ++h->levels;
    if (!mem_new_zeroed(h->most, h->levels + 1))
        return false;
    for (size_t i = 0; i < pairs; i++)
        if (h->ms[i] > 0) {
            h->level[i] = (uint8_t)level[class_of(h->ms[i])];
            h->most[h->level[i]] = fmax(h->most[h->level[i]], h->ms[i]);
        }
    return true;
}

/* Do the two have the same places, and equal latencies to all others? */
static bool are_alike(const Hosts *h, int32_t a, int32_t b)
{
    bool same = h->places[a] == h->places[b];
    for (int32_t x = 0; x < h->count && same; x++)
        same = x == a || x == b || !(fabs(hosts_ms(h, a, x) - hosts_ms(h, b, x)) > 0);
    return same;
}

static void find_alike(Hosts *h)
{
    for (int32_t b = 0; b < h->count; b++) {
        h->alike[b] = b;
        for (int32_t a = 0; a < b && h->alike[b] == b; a++)
            if (h->alike[a] == a && are_alike(h, a, b))
                h->alike[b] = a;
    }
}

PepaStatus hosts_make(Hosts *out, const AmogetMachine *machine, int32_t coefficient, PepaError *err)
{
    Hosts h = {.count = amoget_processor_count(machine)};
    size_t pairs = (size_t)h.count * (size_t)h.count;
    if (!mem_new(h.places, h.count) || !mem_new_zeroed(h.ms, pairs) ||
        !mem_new_zeroed(h.level, pairs) || !mem_new(h.alike, h.count)) {
        hosts_free(&h);
        return error_memory(err);
    }
    for (int32_t a = 0; a < h.count; a++) {
        h.places[a] =
            whole_places(amoget_cores(machine, a) * amoget_availability(machine, a), coefficient);
        h.capacity += h.places[a];
        for (int32_t b = 0; b < h.count; b++)
            if (a != b)
                h.ms[(size_t)a * (size_t)h.count + (size_t)b] = milliseconds(
                    fmax(amoget_latency(machine, a, b), amoget_latency(machine, b, a)));
    }
    if (!number_levels(&h)) {
        hosts_free(&h);
        return error_memory(err);
    }
    find_alike(&h);
    *out = h;
    return PEPA_OK;
}

void hosts_free(Hosts *h)
{
    mem_free_all(h->places, h->ms, h->level, h->most, h->alike);
    *h = (Hosts){0};
}
