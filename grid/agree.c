/* The beginning of a run: arguments checked, the same everywhere, and who is who. */
#include "grid/agree.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "grid/clock.h"

#define DEFAULT_PATIENCE 10.0

/* ---- arguments ---------------------------------------------------------------------------- */

static int check_stages(Run *run)
{
    const GridPipeline *pipeline = run->pipeline;
    if (!pipeline->source || !pipeline->sink || !pipeline->stages || pipeline->stage_count < 1)
        return run_fail(run, GRID_EARG, "a pipeline needs a source, stages and a sink");
    for (int32_t i = 0; i < pipeline->stage_count; i++)
        if (!pipeline->stages[i].process)
            return run_fail(run, GRID_EARG, "stage %d has no function", i + 1);
    return 0;
}

static int check_end(Run *run, const char *what, int32_t process)
{
    if (process == AMOGET_NOWHERE || (process >= 0 && process < run->wire.size))
        return 0;
    return run_fail(run, GRID_EARG, "the %s is on process %d: there are processes 0 to %d", what,
                    process, run->wire.size - 1);
}

static int check_mapping(Run *run)
{
    const GridSettings *settings = run->settings;
    if (!settings->mapping)
        return run_fail(run, GRID_EARG, "there is no mapping");
    for (int32_t i = 0; i < run->pipeline->stage_count; i++)
        if (settings->mapping[i] < 0 || settings->mapping[i] >= run->wire.size)
            return run_fail(run, GRID_EARG,
                            "the mapping puts %s on process %d: there are processes 0 to %d",
                            run_unit_words(run, i + 1).text, settings->mapping[i],
                            run->wire.size - 1);
    return check_end(run, "input", settings->input) || check_end(run, "output", settings->output);
}

static int check_platform(Run *run)
{
    const GridPlatform *platform = run->settings->platform;
    if (!platform && run->settings->static_sharing)
        return run_fail(run, GRID_EARG, "static sharing is to be had with a platform only");
    if (!platform)
        return 0;
    const AmogetDescription *desc = grid_platform_at(platform, 0);
    int32_t stages = amoget_stage_count(desc), processors = amoget_processor_count(desc);
    if (stages != run->pipeline->stage_count)
        return run_fail(run, GRID_EARG, "the platform is for %d stages, the pipeline has %d",
                        stages, run->pipeline->stage_count);
    if (processors < run->wire.size)
        return run_fail(run, GRID_EARG, "the platform has %d processors for %d processes",
                        processors, run->wire.size);
    return 0;
}

void agree_check(Run *run)
{
    const GridController *controller = run->settings ? run->settings->controller : NULL;
    if (!run->pipeline || !run->settings) {
        (void)run_fail(run, GRID_EARG, "grid_run: an argument is NULL");
        return;
    }
    if (check_stages(run) || check_mapping(run) || check_platform(run))
        return;
    if (run->settings->mode != GRID_RENDEZVOUS && run->settings->mode != GRID_BUFFERED)
        (void)run_fail(run, GRID_EARG, "there is no mode %d", (int)run->settings->mode);
    else if (!(run->settings->patience >= 0))
        (void)run_fail(run, GRID_EARG, "patience must not be negative");
    else if (run->wire.rank == 0 && controller && !(controller->period > 0))
        (void)run_fail(run, GRID_EARG, "the controller's period must be > 0");
}

/* ---- agreement ---------------------------------------------------------------------------- */

static int failed(Run *run, int status)
{
    run->wire.code = GRID_EMPI;
    run->wire.mpi_code = status;
    return run_wire_failed(run);
}

static uint64_t hash(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ byte[i]) * UINT64_C(0x100000001B3); /* FNV-1a */
    return seed;
}

#define HASH_BASIS UINT64_C(0xCBF29CE484222325)

/* What has to be the same everywhere, as a number. */
static int64_t settings_hash(const Run *run)
{
    const GridSettings *s = run->settings;
    const int32_t numbers[] = {run->pipeline->stage_count,
                               (int32_t)s->mode,
                               !!s->static_sharing,
                               s->input,
                               s->output,
                               !!s->platform};
    uint64_t value = hash(HASH_BASIS, numbers, sizeof numbers);
    size_t size = (size_t)run->pipeline->stage_count * sizeof *s->mapping;
    return (int64_t)(hash(value, s->mapping, size) >> 1);
}

/* The first process in error, and whether all have the same settings. */
static int compare(Run *run)
{
    int32_t size = run->wire.size;
    int code = run->ending.error.code;
    int64_t number = code ? 0 : settings_hash(run);
    int64_t mine[3] = {code ? run->wire.rank : size, number, -number}, least[3];
    MPI_Request request;
    int status = MPI_Iallreduce(mine, least, 3, MPI_INT64_T, MPI_MIN, run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    if (status != MPI_SUCCESS)
        return failed(run, status);
    if (least[0] == size && least[1] != -least[2])
        return run_fail(run, GRID_EARG,
                        "stages, mode, mapping or ends are not the same on all processes");
    if (least[0] == size)
        return 0;
    status = MPI_Ibcast(&run->ending.error, (int)sizeof run->ending.error, MPI_BYTE, (int)least[0],
                        run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    return status == MPI_SUCCESS ? -1 : failed(run, status);
}

/* Equal for processes whose clock_now() is the same: those of one kernel since it started. */
static uint64_t clock_name(const char *host)
{
    char text[64];
    size_t size = 0;
    FILE *from = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (from) {
        size = fread(text, 1, sizeof text, from);
        (void)fclose(from);
    }
    return size > 0 ? hash(HASH_BASIS, text, size) : hash(HASH_BASIS, host, strlen(host));
}

static int meet(Run *run)
{
    Peer self;
    MPI_Request request;
    memset(&self, 0, sizeof self);
    if (gethostname(self.host, sizeof self.host - 1))
        (void)snprintf(self.host, sizeof self.host, "?");
    self.clock = clock_name(self.host);
    int status = MPI_Iallgather(&self, (int)sizeof self, MPI_BYTE, run->peer, (int)sizeof self,
                                MPI_BYTE, run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    return status == MPI_SUCCESS ? 0 : failed(run, status);
}

/* Process 0 says when the run begins, and what holds for it. */
static int set_off(Run *run)
{
    const GridController *controller = run->wire.rank == 0 ? run->settings->controller : NULL;
    double patience = run->settings->patience > 0 ? run->settings->patience : DEFAULT_PATIENCE;
    double said[3] = {clock_now(), controller ? controller->period : 0, patience};
    MPI_Request request;
    int status = MPI_Ibcast(said, 3, MPI_DOUBLE, 0, run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    if (status != MPI_SUCCESS)
        return failed(run, status);
    run->start = run_same_clock(run, 0) ? said[0] : clock_now();
    run->controller = controller;
    run->period = said[1];
    run->patience = said[2];
    return 0;
}

int agree_all(Run *run)
{
    return compare(run) || meet(run) || set_off(run) ? -1 : 0;
}
