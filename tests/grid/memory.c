/* Runs in which memory gives out on one process. */
#include <stdio.h>
#include <string.h>

#include "allocations.h"
#include "cases.h"
#include "harness.h"

/* Everything moves, a few times. */
static int swap(void *user, double time, int64_t done, int32_t *mapping)
{
    int *left = user;
    if ((*left)-- <= 0)
        return 0;
    (void)time;
    (void)done;
    for (int i = 0; i < 3; i++)
        mapping[i] = (mapping[i] + 1) % size;
    return 1;
}

/* The same on all processes? */
static int agreed(const Outcome *outcome)
{
    GridError error = outcome->error;
    all_get(&error, sizeof error, 0);
    return error.code == outcome->error.code && strcmp(error.message, outcome->error.message) == 0;
}

/* The k-th allocation of a process fails, for k = 1, 2, ... until the run does without the k-th. */
static int64_t give_out(const Trial *trial, int *left, int process, int good)
{
    for (int64_t k = 1;; k++) {
        int64_t made, before = allocations.held;
        *left = 3;
        allocations.calls = 0;
        allocations.first = rank == process ? k : 0;
        allocations.for_good = good;
        Outcome outcome = run_trial(trial);
        allocations.first = 0;
        made = allocations.calls;
        all_get(&made, sizeof made, process);
        expect(agreed(&outcome), "allocation %lld of %d fails: here: %s", (long long)k, process,
               outcome.error.message);
        expect(outcome.status == 0 || outcome.error.message[0], "an error without words");
        expect(outcome.living == 0 && allocations.held == before,
               "allocation %lld of %d fails: %lld states, %lld blocks are left", (long long)k,
               process, (long long)outcome.living, (long long)(allocations.held - before));
        if (made < k)
            return k;
    }
}

void memory(void)
{
    static const int32_t mapping[3] = {0, 1, 2};
    int left;
    GridController controller = {1e-3, NULL, swap, NULL, &left};
    for (int process = 0; process < size; process++)
        for (int good = 0; good < 2; good++) {
            Trial trial = {.stages = 3,
                           .items = 20,
                           .size = 5000,
                           .settings = {.mode = good ? GRID_RENDEZVOUS : GRID_BUFFERED,
                                        .mapping = mapping,
                                        .input = AMOGET_NOWHERE,
                                        .output = AMOGET_NOWHERE,
                                        .controller = rank == 0 ? &controller : NULL}};
            int64_t tried = give_out(&trial, &left, process, good);
            if (rank == 0)
                printf("  process %d%s: %lld allocations failed, one at a time\n", process,
                       good ? ", all behind" : "", (long long)tried);
            expect(tried > 10, "only %lld allocations", (long long)tried);
        }
}
