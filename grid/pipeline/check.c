/* The arguments of grid_run. */
#include "grid/pipeline/check.h"

#include "grid/pipeline/injected.h"

static int check_stages(Run *run)
{
    const GridPipeline *pipeline = run->pipeline;
    if (!pipeline->source || !pipeline->sink || !pipeline->stages || pipeline->stage_count < 1)
        return session_fail(&run->session, GRID_EARG,
                            "a pipeline needs a source, stages and a sink");
    for (int32_t i = 0; i < pipeline->stage_count; i++)
        if (!pipeline->stages[i].process)
            return session_fail(&run->session, GRID_EARG, "stage %d has no function", i + 1);
    return 0;
}

static int check_end(Run *run, const char *what, int32_t process)
{
    if (process == AMOGET_NOWHERE || (process >= 0 && process < run_size(run)))
        return 0;
    return session_fail(&run->session, GRID_EARG,
                        "the %s is on process %d: there are processes 0 to %d", what, process,
                        run_size(run) - 1);
}

static int check_mapping(Run *run)
{
    const GridSettings *settings = run->settings;
    if (!settings->mapping)
        return session_fail(&run->session, GRID_EARG, "there is no mapping");
    for (int32_t i = 0; i < run->pipeline->stage_count; i++)
        if (settings->mapping[i] < 0 || settings->mapping[i] >= run_size(run))
            return session_fail(&run->session, GRID_EARG,
                                "the mapping puts %s on process %d: there are processes 0 to %d",
                                unit_name(run, i + 1).text, settings->mapping[i],
                                run_size(run) - 1);
    return check_end(run, "input", settings->input) || check_end(run, "output", settings->output);
}

static int check_platform(Run *run)
{
    const GridPlatform *platform = run->settings->platform;
    if (!platform && run->settings->static_sharing)
        return session_fail(&run->session, GRID_EARG, "static sharing works with a platform only");
    if (!platform)
        return 0;
    const AmogetDescription *desc = injected_pipeline(platform, 0);
    if (!desc)
        return session_fail(&run->session, GRID_EARG,
                            "the platform has a machine only: make it with grid_pipeline_reader");
    int32_t stages = amoget_stage_count(desc);
    int32_t processors = amoget_processor_count(grid_platform_at(platform, 0));
    if (stages != run->pipeline->stage_count)
        return session_fail(&run->session, GRID_EARG,
                            "the platform is for %d stages, the pipeline has %d", stages,
                            run->pipeline->stage_count);
    if (processors < run_size(run))
        return session_fail(&run->session, GRID_EARG,
                            "the platform has %d processors for %d processes", processors,
                            run_size(run));
    return 0;
}

void check_arguments(Run *run)
{
    const GridController *controller = run->settings ? run->settings->controller : NULL;
    if (!run->pipeline || !run->settings) {
        (void)session_fail(&run->session, GRID_EARG, "grid_run: an argument is NULL");
        return;
    }
    if (check_stages(run) || check_mapping(run) || check_platform(run))
        return;
    if (run->settings->mode != GRID_RENDEZVOUS && run->settings->mode != GRID_BUFFERED)
        (void)session_fail(&run->session, GRID_EARG, "there is no mode %d",
                           (int)run->settings->mode);
    else if (!(run->settings->patience >= 0))
        (void)session_fail(&run->session, GRID_EARG, "patience must not be negative");
    else if (run_rank(run) == 0 && controller && !(controller->period > 0))
        (void)session_fail(&run->session, GRID_EARG, "the controller's period must be > 0");
}

int64_t check_fingerprint(const Run *run)
{
    const GridSettings *s = run->settings;
    const int32_t numbers[] = {run->pipeline->stage_count,
                               (int32_t)s->mode,
                               !!s->static_sharing,
                               s->input,
                               s->output,
                               !!s->platform};
    uint64_t value = peers_hash(PEERS_HASH_BASIS, numbers, sizeof numbers);
    size_t size = (size_t)run->pipeline->stage_count * sizeof *s->mapping;
    return (int64_t)(peers_hash(value, s->mapping, size) >> 1);
}
