/* Compares models with simulations. */
#include "compare.h"

#include <stdio.h>

PepaStatus compare_platform(Platform *out, const TestGrid *grid, PepaError *err)
{
    AmogetMachine *machine = NULL;
    PepaStatus status = amoget_machine_new(&machine, err);
    for (int32_t i = 0; i < grid->size && status == PEPA_OK; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "p%d", (int)i);
        status = amoget_add_processor(machine, name, grid->time[i], err);
        for (int32_t j = 0; j < i && status == PEPA_OK; j++)
            status = amoget_set_latency(machine, i, j, grid->latency[i * grid->size + j], err);
    }
    if (status == PEPA_OK)
        status = platform_new(out, machine, 0, err);
    amoget_machine_free(machine);
    return status;
}

double compare_simulated(const TestGrid *grid, const TestProgram *program, PolicyName policy,
                         int run)
{
    const SimGrid g = sim_grid(grid);
    const SimProgram p = sim_program(program);
    const SimPolicy how = {{policy, grid->size, 0}, 0, 5 + 17 * (uint64_t)run};
    SimResult result;
    return simulate(&g, &p, &how, &result) == 0 ? result.makespan : -1;
}

double compare_median(const TestGrid *grid, const TestProgram *program, PolicyName policy)
{
    double run[3], least = 0, most = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        run[i] = compare_simulated(grid, program, policy, i);
        if (run[i] < 0)
            return -1;
        least = i == 0 || run[i] < least ? run[i] : least;
        most = i == 0 || run[i] > most ? run[i] : most;
        sum += run[i];
    }
    return sum - least - most;
}
