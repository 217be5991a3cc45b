/* Injected times of a pipeline. */
#include "grid/pipeline/injected.h"

typedef enum { SERVICE, MOVE, TAKE } Activity;

static double draw(const GridPlatform *platform, Activity activity, int32_t index, int64_t item)
{
    return grid_platform_draw(platform, (uint64_t)index * 4 + (uint64_t)activity, item);
}

double injected_service(const GridPlatform *platform, double time, int32_t stage, int64_t item,
                        int32_t process, int32_t there)
{
    double work = amoget_work(grid_platform_at(platform, time), stage);
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
    const AmogetDescription *desc = grid_platform_at(platform, time);
    int32_t cores = amoget_cores(desc, process), stages = amoget_stage_count(desc);
    return cores < stages ? cores : stages;
}

double injected_bytes(const GridPlatform *platform, double time, int32_t move)
{
    return amoget_output(grid_platform_at(platform, time), move - 1);
}
