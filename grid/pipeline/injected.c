/* Injected times of a pipeline. */
#include "grid/pipeline/injected.h"

/* ---- the pipeline's part of a platform ------------------------------------------------------ */

static PepaStatus read_pipeline(void **part, const AmogetMachine **machine, const char *name,
                                const char *text, size_t length, const AmogetReading *how,
                                PepaError *err)
{
    AmogetDescription *desc = NULL;
    PepaStatus status = amoget_parse(&desc, name, text, length, how, err);
    if (status != PEPA_OK)
        return status;
    *part = desc;
    *machine = amoget_machine(desc);
    return PEPA_OK;
}

static void free_pipeline(void *part)
{
    amoget_free(part);
}

const GridPlatformReader *grid_pipeline_reader(void)
{
    static const GridPlatformReader reader = {read_pipeline, free_pipeline};
    return &reader;
}

const AmogetDescription *injected_pipeline(const GridPlatform *platform, double time)
{
    return grid_platform_part(platform, time);
}

/* ---- durations ------------------------------------------------------------------------------ */

typedef enum { SERVICE, MOVE, TAKE } Activity;

static double draw(const GridPlatform *platform, Activity activity, int32_t index, int64_t item)
{
    return grid_platform_draw(platform, (uint64_t)index * 4 + (uint64_t)activity, item);
}

double injected_service(const GridPlatform *platform, double time, int32_t stage, int64_t item,
                        int32_t process, int32_t there)
{
    double work = amoget_work(injected_pipeline(platform, time), stage);
    return grid_platform_work(platform, time, process, work, there) *
           draw(platform, SERVICE, stage, item);
}

double injected_move(const GridPlatform *platform, double time, int32_t move, int64_t item,
                     int32_t a, int32_t b)
{
    int32_t from = a == AMOGET_NOWHERE ? b : a, to = b == AMOGET_NOWHERE ? a : b;
    return draw(platform, MOVE, move, item) *
           grid_platform_transfer(platform, time, from, to, injected_bytes(platform, time, move));
}

double injected_take(const GridPlatform *platform, double time, int32_t move, int64_t item,
                     int32_t process)
{
    return draw(platform, TAKE, move, item) *
           grid_platform_transfer(platform, time, process, process, 0);
}

int32_t injected_cores(const GridPlatform *platform, double time, int32_t process)
{
    int32_t cores = amoget_cores(grid_platform_at(platform, time), process);
    int32_t stages = amoget_stage_count(injected_pipeline(platform, time));
    return cores < stages ? cores : stages;
}

double injected_bytes(const GridPlatform *platform, double time, int32_t move)
{
    return amoget_output(injected_pipeline(platform, time), move - 1);
}
