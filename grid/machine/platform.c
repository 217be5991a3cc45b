/* Injected times. */
#include "grid/machine/platform.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/machine/changes.h"

typedef struct {
    double from;                  /* seconds into the run, scaled */
    const AmogetMachine *machine; /* in the part */
    void *part;
} Era;

struct GridPlatform {
    GridPlatformSettings settings;
    Era *eras; /* by time */
    size_t count;
};

static PepaStatus error(PepaError *err, PepaStatus code, const char *message)
{
    if (err) {
        *err = (PepaError){.code = code};
        (void)snprintf(err->message, sizeof err->message, "%s", message);
    }
    return code;
}

/* ---- eras --------------------------------------------------------------------------------- */

static PepaStatus read_machine(void **part, const AmogetMachine **machine, const char *name,
                               const char *text, size_t length, const AmogetReading *how,
                               PepaError *err)
{
    AmogetMachine *made = NULL;
    PepaStatus status = amoget_machine_parse(&made, name, text, length, how, err);
    *part = made;
    *machine = made;
    return status;
}

static void free_machine(void *part)
{
    amoget_machine_free(part);
}

static const GridPlatformReader machine_alone = {read_machine, free_machine};

static void era_free(const GridPlatform *platform, const Era *era)
{
    platform->settings.reader->release(era->part);
}

void grid_platform_free(GridPlatform *platform)
{
    if (!platform)
        return;
    for (size_t i = 0; i < platform->count; i++)
        era_free(platform, &platform->eras[i]);
    free(platform->eras);
    free(platform);
}

static PepaStatus check_pair(const AmogetMachine *machine, int32_t a, int32_t b, PepaError *err)
{
    char message[sizeof err->message];
    if (!isnan(amoget_latency(machine, a, b)))
        return PEPA_OK;
    if (a == b)
        (void)snprintf(message, sizeof message, "no latency within processor `%.100s`",
                       amoget_processor_name(machine, a));
    else
        (void)snprintf(message, sizeof message,
                       "no latency between processors `%.100s` and `%.100s`",
                       amoget_processor_name(machine, a), amoget_processor_name(machine, b));
    return error(err, PEPA_EMODEL, message);
}

static PepaStatus check_pairs(const AmogetMachine *machine, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t a = 0; a < amoget_processor_count(machine) && status == PEPA_OK; a++)
        for (int32_t b = 0; b <= a && status == PEPA_OK; b++)
            status = check_pair(machine, a, b, err);
    return status;
}

/* The text, which is read for every era. */
typedef struct {
    const char *name, *text;
    size_t length;
    AmogetReading how;
} Text;

static PepaStatus era_new(const GridPlatform *platform, const Text *text, double from, Era *out,
                          PepaError *err)
{
    out->from = from;
    return platform->settings.reader->read(&out->part, &out->machine, text->name, text->text,
                                           text->length, &text->how, err);
}

/* Changes of one time make one era. */
static PepaStatus add_changes(GridPlatform *platform, Text *text, const Changes *changes,
                              const ChangesReading *how, PepaError *err)
{
    AmogetDefine *defines = calloc(changes->count, sizeof *defines);
    PepaStatus status = PEPA_OK;
    if (!defines)
        return error(err, PEPA_ENOMEM, "out of memory");
    text->how = (AmogetReading){.defines = defines};
    for (size_t i = 0; i < changes->count && status == PEPA_OK; i++) {
        const Change *change = &changes->each[i];
        double from = change->time * platform->settings.scale;
        PepaError local = {0};
        Era era;
        defines[text->how.define_count++] = change->define;
        status = strchr(change->define.name, '.')
                     ? era_new(platform, text, from, &era, &local)
                     : error(&local, PEPA_EARG, "a path has a dot in it, as in `time.p1`");
        if (status == PEPA_ENOMEM)
            (void)error(err, status, local.message);
        else if (status != PEPA_OK)
            status = changes_wrong(changes, change, how, local.message, err);
        if (status != PEPA_OK)
            break;
        if (platform->eras[platform->count - 1].from == from)
            era_free(platform, &platform->eras[--platform->count]);
        platform->eras[platform->count++] = era;
    }
    free(defines);
    return status;
}

static PepaStatus first_era(GridPlatform *platform, Text *text, PepaError *err)
{
    Era *era = &platform->eras[0];
    PepaStatus status = era_new(platform, text, 0, era, err);
    if (status != PEPA_OK)
        return status;
    platform->count = 1;
    text->how = (AmogetReading){0};
    /* Changes only add latencies: all eras have those of the first. */
    return check_pairs(era->machine, err);
}

PepaStatus grid_platform_new(GridPlatform **out, const char *name, const char *text, size_t length,
                             const char *changes, const GridPlatformSettings *settings,
                             PepaDiagnose diagnose, void *user, PepaError *err)
{
    if (!out || !name || !text || !settings)
        return error(err, PEPA_EARG, "grid_platform_new: an argument is NULL");
    if (!(settings->scale > 0 && isfinite(settings->scale)))
        return error(err, PEPA_EARG, "grid_platform_new: the scale must be finite and > 0");
    if (settings->distribution != GRID_EXPONENTIAL && settings->distribution != GRID_CONSTANT)
        return error(err, PEPA_EARG, "grid_platform_new: no such distribution");
    const ChangesReading how = {settings->changes_name ? settings->changes_name : "changes",
                                diagnose, user};
    Text description = {name, text, length, {.diagnose = diagnose, .user = user}};
    Changes list;
    PepaStatus status = changes_read(&list, changes ? changes : "", &how, err);
    GridPlatform *platform = calloc(1, sizeof *platform);
    if (platform)
        platform->eras = calloc(list.count + 1, sizeof *platform->eras);
    if (status == PEPA_OK && (!platform || !platform->eras))
        status = error(err, PEPA_ENOMEM, "out of memory");
    if (status == PEPA_OK) {
        platform->settings = *settings;
        if (!settings->reader)
            platform->settings.reader = &machine_alone;
        status = first_era(platform, &description, err);
    }
    if (status == PEPA_OK && list.count > 0)
        status = add_changes(platform, &description, &list, &how, err);
    changes_free(&list);
    if (status == PEPA_OK)
        *out = platform;
    else
        grid_platform_free(platform);
    return status;
}

/* ---- durations ---------------------------------------------------------------------------- */

static const Era *era_at(const GridPlatform *platform, double time)
{
    size_t low = 0, high = platform->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (platform->eras[middle].from <= time)
            low = middle;
        else
            high = middle;
    }
    return &platform->eras[low];
}

const AmogetMachine *grid_platform_at(const GridPlatform *platform, double time)
{
    return era_at(platform, time)->machine;
}

const void *grid_platform_part(const GridPlatform *platform, double time)
{
    bool alone = platform->settings.reader == &machine_alone;
    return alone ? NULL : era_at(platform, time)->part;
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators,
 * OOPSLA 2014): a bijection whose output bits depend on all input bits. */
static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

double grid_platform_draw(const GridPlatform *platform, uint64_t stream, int64_t number)
{
    if (platform->settings.distribution == GRID_CONSTANT)
        return 1;
    uint64_t x = mix(mix(mix(platform->settings.seed) ^ stream) ^ (uint64_t)number);
    return -log(((double)(x >> 11) + 0.5) * 0x1p-53);
}

double grid_platform_work(const GridPlatform *platform, double time, int32_t process, double work,
                          int32_t sharers)
{
    const AmogetMachine *machine = grid_platform_at(platform, time);
    double alone = amoget_time(machine, process) * work / amoget_availability(machine, process);
    double stretch = (double)sharers / amoget_cores(machine, process);
    if (!platform->settings.static_sharing || stretch < 1)
        stretch = 1;
    return platform->settings.scale * alone * stretch;
}

double grid_platform_transfer(const GridPlatform *platform, double time, int32_t a, int32_t b,
                              double bytes)
{
    const AmogetMachine *machine = grid_platform_at(platform, time);
    return platform->settings.scale *
           (amoget_latency(machine, a, b) + bytes / amoget_bandwidth(machine, a, b));
}
