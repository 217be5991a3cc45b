/* Times that are injected.
 *
 * What the public interface of descriptions tells are the durations of a whole mapping.  So each
 * era, from one change to the next, keeps what services take (from all stages on one processor at a
 * time) and a second copy of the description, whose ends and sizes are set as moves are asked for.
 */
#include "grid/platform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/changes.h"

typedef struct {
    double from; /* seconds into the run, scaled */
    AmogetDescription *desc, *pairs;
    double *service; /* processors x stages: seconds, alone there */
    int32_t *cores;  /* processors: but never more than stages */
    double *probe;   /* processors: seconds for a unit of work */
    double *bytes;   /* stages + 1 */
} Era;

struct GridPlatform {
    GridPlatformSettings settings;
    int32_t stages, processors;
    int32_t *mapping; /* stages: to ask with */
    double *seconds;  /* of every activity: answers */
    Era *eras;
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

static void era_free(Era *era)
{
    amoget_free(era->desc);
    amoget_free(era->pairs);
    free(era->service);
    free(era->cores);
    free(era->probe);
    free(era->bytes);
    *era = (Era){0};
}

void grid_platform_free(GridPlatform *platform)
{
    if (!platform)
        return;
    for (size_t i = 0; i < platform->count; i++)
        era_free(&platform->eras[i]);
    free(platform->eras);
    free(platform->mapping);
    free(platform->seconds);
    free(platform);
}

/* Durations with all stages on one processor, into platform->seconds. */
static PepaStatus ask(const GridPlatform *platform, const AmogetDescription *desc,
                      int32_t processor, PepaError *err)
{
    for (int32_t i = 0; i < platform->stages; i++)
        platform->mapping[i] = processor;
    return amoget_durations(desc, platform->mapping, platform->seconds, err);
}

/* Seconds from a to b. */
static PepaStatus pair(const GridPlatform *platform, const Era *era, int32_t a, int32_t b,
                       double bytes, double *seconds, PepaError *err)
{
    PepaStatus status = amoget_set_ends(era->pairs, a, AMOGET_NOWHERE, err);
    if (status == PEPA_OK)
        status = amoget_set_output(era->pairs, AMOGET_NOWHERE, bytes, err);
    if (status == PEPA_OK)
        status = ask(platform, era->pairs, b, err);
    if (status == PEPA_OK)
        *seconds = platform->seconds[0];
    return status;
}

/* Of era->pairs, which is given a core for each stage and then unit work; scratch is as described.
 */
static PepaStatus measure_processors(const GridPlatform *platform, AmogetDescription *scratch,
                                     Era *era, PepaError *err)
{
    int32_t stages = platform->stages, processors = platform->processors;
    PepaStatus status = amoget_set_sharing(scratch, AMOGET_STATIC, err);
    for (int32_t j = 0; j < processors && status == PEPA_OK; j++) {
        double *service = &era->service[(size_t)j * (size_t)stages];
        status = amoget_set_cores(era->pairs, j, stages, err);
        if (status == PEPA_OK)
            status = ask(platform, era->pairs, j, err);
        for (int32_t i = 0; i < stages && status == PEPA_OK; i++)
            service[i] = platform->seconds[2 * i + 1];
        if (status == PEPA_OK)
            status = ask(platform, scratch, j, err);
        if (status == PEPA_OK) /* slower by stages / cores if that exceeds 1 */
            era->cores[j] = (int32_t)lround(stages * service[0] / platform->seconds[1]);
    }
    if (status == PEPA_OK)
        status = amoget_set_work(era->pairs, 0, 1, err);
    for (int32_t j = 0; j < processors && status == PEPA_OK; j++) {
        status = ask(platform, era->pairs, j, err);
        era->probe[j] = platform->seconds[1];
    }
    return status;
}

/* Bytes take so many seconds where there is no latency and a bandwidth of 1. */
static PepaStatus measure_bytes(const GridPlatform *platform, AmogetDescription *scratch, Era *era,
                                PepaError *err)
{
    const double none = 1e-30;
    PepaStatus status = amoget_set_ends(scratch, AMOGET_NOWHERE, AMOGET_NOWHERE, err);
    if (status == PEPA_OK)
        status = amoget_set_latency(scratch, 0, 0, none, err);
    if (status == PEPA_OK)
        status = amoget_set_bandwidth(scratch, 0, 0, 1, err);
    if (status == PEPA_OK)
        status = ask(platform, scratch, 0, err);
    for (int32_t i = 0; i <= platform->stages && status == PEPA_OK; i++)
        era->bytes[i] = platform->seconds[2 * i] > none ? platform->seconds[2 * i] : 0;
    return status;
}

static PepaStatus check_pairs(const GridPlatform *platform, const Era *era, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    double seconds;
    for (int32_t a = 0; a < platform->processors && status == PEPA_OK; a++)
        for (int32_t b = 0; b <= a && status == PEPA_OK; b++)
            status = pair(platform, era, a, b, 0, &seconds, err);
    return status;
}

/* The text once more, for every purpose a copy. */
typedef struct {
    const char *name, *text;
    size_t length;
    AmogetReading how;
} Text;

static PepaStatus era_new(const GridPlatform *platform, const Text *text, double from, Era *out,
                          PepaError *err)
{
    size_t stages = (size_t)platform->stages, processors = (size_t)platform->processors;
    AmogetDescription *scratch = NULL;
    Era era = {.from = from,
               .service = calloc(processors * stages, sizeof *era.service),
               .cores = calloc(processors, sizeof *era.cores),
               .probe = calloc(processors, sizeof *era.probe),
               .bytes = calloc(stages + 1, sizeof *era.bytes)};
    PepaStatus status = PEPA_OK;
    if (!era.service || !era.cores || !era.probe || !era.bytes)
        status = error(err, PEPA_ENOMEM, "out of memory");
    AmogetDescription **copies[] = {&era.desc, &era.pairs, &scratch};
    for (int i = 0; i < 3 && status == PEPA_OK; i++)
        status = amoget_parse(copies[i], text->name, text->text, text->length, &text->how, err);
    if (status == PEPA_OK)
        status = measure_processors(platform, scratch, &era, err);
    if (status == PEPA_OK)
        status = measure_bytes(platform, scratch, &era, err);
    amoget_free(scratch);
    if (status == PEPA_OK)
        *out = era;
    else
        era_free(&era);
    return status;
}

/* Eras of one time are one: the last. */
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
            era_free(&platform->eras[--platform->count]);
        platform->eras[platform->count++] = era;
    }
    free(defines);
    return status;
}

static PepaStatus first_era(GridPlatform *platform, Text *text, PepaError *err)
{
    AmogetDescription *desc = NULL;
    PepaStatus status = amoget_parse(&desc, text->name, text->text, text->length, &text->how, err);
    if (status != PEPA_OK)
        return status;
    platform->stages = amoget_stage_count(desc);
    platform->processors = amoget_processor_count(desc);
    size_t activities = (size_t)amoget_activity_count(desc);
    amoget_free(desc);
    if (platform->stages == 0 || platform->processors == 0)
        return error(err, PEPA_EMODEL, "a platform needs a stage and a processor");
    platform->mapping = calloc((size_t)platform->stages, sizeof *platform->mapping);
    platform->seconds = calloc(activities, sizeof *platform->seconds);
    if (!platform->mapping || !platform->seconds)
        return error(err, PEPA_ENOMEM, "out of memory");
    text->how = (AmogetReading){0};
    status = era_new(platform, text, 0, &platform->eras[0], err);
    if (status == PEPA_OK)
        platform->count = 1;
    /* Latencies can only be added: what the first era knows the others do. */
    return status == PEPA_OK ? check_pairs(platform, &platform->eras[0], err) : status;
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

/* ---- what takes how long ------------------------------------------------------------------ */

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

const AmogetDescription *grid_platform_at(const GridPlatform *platform, double time)
{
    return era_at(platform, time)->desc;
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

typedef enum { SERVICE, MOVE, TAKE } Activity;

/* Mean 1, > 0. */
static double draw(const GridPlatform *platform, Activity activity, int32_t index, int64_t item)
{
    if (platform->settings.distribution == GRID_CONSTANT)
        return 1;
    uint64_t which = (uint64_t)index * 4 + (uint64_t)activity;
    uint64_t x = mix(mix(mix(platform->settings.seed) ^ which) ^ (uint64_t)item);
    return -log(((double)(x >> 11) + 0.5) * 0x1p-53);
}

double grid_platform_service(const GridPlatform *platform, double time, int32_t stage, int64_t item,
                             int32_t process, int32_t there)
{
    const Era *era = era_at(platform, time);
    double alone = era->service[(size_t)process * (size_t)platform->stages + (size_t)stage];
    double stretch = (double)there / era->cores[process];
    if (!platform->settings.static_sharing || stretch < 1)
        stretch = 1;
    return platform->settings.scale * alone * stretch * draw(platform, SERVICE, stage, item);
}

double grid_platform_ping(const GridPlatform *platform, double time, int32_t a, int32_t b,
                          double bytes)
{
    double seconds = 0;
    PepaStatus status = pair(platform, era_at(platform, time), a, b, bytes, &seconds, NULL);
    return status == PEPA_OK ? platform->settings.scale * seconds : 0;
}

double grid_platform_move(const GridPlatform *platform, double time, int32_t move, int64_t item,
                          int32_t a, int32_t b)
{
    int32_t from = a == AMOGET_NOWHERE ? b : a, to = b == AMOGET_NOWHERE ? a : b;
    return draw(platform, MOVE, move, item) *
           grid_platform_ping(platform, time, from, to, grid_platform_bytes(platform, time, move));
}

double grid_platform_take(const GridPlatform *platform, double time, int32_t move, int64_t item,
                          int32_t process)
{
    return draw(platform, TAKE, move, item) *
           grid_platform_ping(platform, time, process, process, 0);
}

int32_t grid_platform_cores(const GridPlatform *platform, double time, int32_t process)
{
    return era_at(platform, time)->cores[process];
}

double grid_platform_probe(const GridPlatform *platform, double time, int32_t process)
{
    return platform->settings.scale * era_at(platform, time)->probe[process];
}

double grid_platform_bytes(const GridPlatform *platform, double time, int32_t move)
{
    return era_at(platform, time)->bytes[move];
}
