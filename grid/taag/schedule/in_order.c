/* The baseline: hosts are filled in the order of the description. */
#include "grid/taag/schedule/in_order.h"

#include "base/error.h"
#include "base/mem.h"

static void fill(const Hosts *h, int32_t processes, int32_t *host_of)
{
    for (int32_t host = 0, rank = 0; rank < processes; host++)
        for (int32_t i = 0; i < h->places[host] && rank < processes; i++)
            host_of[rank++] = host;
}

/* The hosts of ranks are the same for all partitions: only their groups are not. */
PepaStatus in_order_schedule(const Hosts *h, const AmogetProgram *program, Effort *effort,
                             Best *best, PepaError *err)
{
    int32_t first, last, step, *host_of = NULL;
    bool ended = false, no_memory = !mem_new(host_of, program->processes);
    if (!no_memory)
        fill(h, program->processes, host_of);
    division_parts(program, &first, &last, &step);
    for (int32_t parts = first; parts <= last && !no_memory && !ended; parts += step) {
        Shape shape;
        if (!division_make(&shape, program, parts, &no_memory))
            continue;
        do {
            best_offer(best, h, &shape, host_of);
            effort->work += cost_work(h, &shape);
            ended = effort_ended(effort);
        } while (!ended && division_next(&shape));
        division_free(&shape);
    }
    mem_free(host_of);
    return no_memory ? error_memory(err) : PEPA_OK;
}
