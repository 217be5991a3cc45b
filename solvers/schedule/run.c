/* Taking tasks, waiting for others, and the choice between one thread and several. */
#include "solvers/schedule/schedule.h"

#include <limits.h>
#include <math.h>

#include "base/clock.h"
#include "solvers/schedule/costs.h"

bool runner_follow(Runner *runner, const Plan *plan)
{
    bool enough =
        !plan || !plan->owner || workers_ready(runner->workers, plan->threads) == plan->threads;
    runner->plan = enough ? plan : NULL;
    return enough;
}

typedef struct {
    Runner *runner;
    const Plan *plan;
    const Sweeping *sweeping;
    bool backward;
} Walk;

/* All places before `at` have been taken: wait while one of those that must be done first is being
 * worked on, or may be. */
static void wait_for_others(const Walk *walk, int32_t at, uint64_t before, int32_t self)
{
    for (int32_t w = 0; w < walk->plan->threads; w++)
        for (int32_t waits = 0; w != self; waits++) {
            int32_t other = atomic_load(&walk->runner->counter[w].at), away = at - other / 2;
            bool known = other & 1 && away <= WINDOW;
            if (away <= 0 || (known && !(before >> (away - 1) & 1)))
                break;
            workers_wait(waits);
        }
}

/* A thread says that it may take a place before it does, so that no other misses it. */
static void take_tasks(void *user, int32_t self, int32_t worker)
{
    const Walk *walk = user;
    const Plan *plan = walk->plan;
    atomic_int *here = &walk->runner->counter[self].at, *next = &walk->runner->next;
    for (;;) {
        atomic_store(here, 2 * atomic_load(next));
        int32_t at = atomic_fetch_add(next, 1);
        if (at >= plan->tasks)
            break;
        atomic_store(here, 2 * at + 1);
        int32_t place = walk->backward ? plan->tasks - 1 - at : at;
        wait_for_others(walk, at, walk->backward ? plan->after[place] : plan->before[place], self);
        walk->sweeping->task(walk->sweeping->user, plan->order[place], worker);
    }
    atomic_store(here, INT_MAX);
}

/* seen: how far the other threads had come when last looked at. */
static void wait_for_each(const Walk *walk, const int32_t *told, int32_t *seen)
{
    for (int32_t w = 0; w < walk->plan->threads; w++)
        for (int32_t waits = 0; seen[w] < told[w]; waits++) {
            seen[w] = atomic_load(&walk->runner->counter[w].at);
            if (seen[w] < told[w])
                workers_wait(waits);
        }
}

static int32_t task_at(const Walk *walk, int32_t k)
{
    return walk->backward ? walk->plan->tasks - 1 - k : k;
}

/* The next own task, from the k-th on; plan->tasks: there is none. */
static int32_t next_own(const Walk *walk, int32_t self, int32_t k)
{
    while (k < walk->plan->tasks && walk->plan->owner[task_at(walk, k)] != self)
        k++;
    return k;
}

static void take_own(void *user, int32_t self, int32_t worker)
{
    const Walk *walk = user;
    const Plan *plan = walk->plan;
    const Sweeping *sweeping = walk->sweeping;
    const int32_t *told = walk->backward ? plan->told_after : plan->told_before;
    int32_t seen[MOST_WORKERS] = {0}, done = 0;
    seen[self] = INT32_MAX;
    for (int32_t k = next_own(walk, self, 0), next; k < plan->tasks; k = next) {
        int32_t task = task_at(walk, k);
        next = next_own(walk, self, k + 1);
        bool ahead = sweeping->ahead && next < plan->tasks;
        if (ahead)
            sweeping->ahead(sweeping->user, task_at(walk, next), false);
        wait_for_each(walk, told + (size_t)task * (size_t)plan->threads, seen);
        sweeping->task(sweeping->user, task, worker);
        atomic_store_explicit(&walk->runner->counter[self].at, ++done, memory_order_release);
        if (ahead)
            sweeping->ahead(sweeping->user, task_at(walk, next), true);
    }
}

/* First together: there may be one sweep only.  Then alone.  Then the kind that was quicker when
 * both were tried last; now and then the other. */
static bool choose_together(const Pace *pace, bool planned, bool *trial)
{
    bool better = pace->together <= pace->alone;
    *trial = planned && (pace->alone == 0 || pace->together == 0 || pace->sweeps >= pace->rest);
    if (!planned || pace->together == 0)
        return planned;
    return pace->alone != 0 && better != *trial;
}

/* A time much longer than the last one counts in small steps: another program may have interfered.
 * The other kind is tried again, rarely where it was clearly slower, or slower several times. */
static void note_pace(Pace *pace, bool together, bool trial, double seconds)
{
    double *kind = together ? &pace->together : &pace->alone;
    bool before = pace->together <= pace->alone;
    *kind = *kind > 0 ? fmin(seconds, PACE_BELIEVED * *kind) : seconds;
    pace->sweeps++;
    if (!trial)
        return;
    bool same = before == (pace->together <= pace->alone);
    bool rarely = pace->together < PACE_CLEAR * pace->alone || (same && 4 * pace->rest >= RARELY);
    pace->rest = rarely ? RARELY : same && pace->rest > 0 ? 4 * pace->rest : OFTEN;
    pace->sweeps = 0;
}

static void sweep_together(Runner *runner, bool backward, const Sweeping *sweeping)
{
    const Plan *plan = runner->plan;
    Walk walk = {runner, plan, sweeping, backward};
    atomic_store(&runner->next, 0);
    for (int32_t w = 0; w < plan->threads; w++)
        atomic_store(&runner->counter[w].at, plan->owner ? 0 : INT_MAX);
    workers_run(runner->workers, plan->threads, plan->owner ? take_own : take_tasks, &walk);
}

bool runner_sweep(Runner *runner, int32_t kind, bool backward, const Sweeping *sweeping)
{
    Pace *pace = &runner->pace[kind];
    bool planned = runner->plan != NULL, trial;
    bool together = choose_together(pace, planned, &trial) || (planned && runner->eager);
    double start = clock_seconds();
    if (together)
        sweep_together(runner, backward, sweeping);
    else
        sweeping->alone(sweeping->user);
    note_pace(pace, together, trial, clock_seconds() - start);
    return together;
}
