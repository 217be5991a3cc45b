/* Programs of the shapes of Al Zain and others 2007, whose tasks compute for a given time: in simulated
 * time work takes what the host's speed says, on real processes the clock decides.
 *
 *   shapes parfib DEPTH WORK        a binary tree of sparks; each of 2^DEPTH leaves has WORK
 *   shapes raytracer LINES WORK     the main task sparks LINES tasks, which fetch the scene; the work of
 *                                   each is very irregular, WORK in the mean
 *   shapes chain TASKS WORK         sparks in rows of 8, each row after the one before
 *
 * RUNS after these: so many runs, one after the other; in simulated time each prints what it took.
 * WORK: 10^9 operations, a second of a machine of 1 GHz.  The answer is a checksum, which is tested. */
#include <gum.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SIMULATED
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#endif

enum { SCENE = 20000, ROW = 8 };

typedef struct {
    int32_t kind, depth; /* parfib: levels below; else the number of a task */
    double work;
    GumRef scene;
} Task;

static GumType tree_type, ray_type, link_type;

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Compute, in slices of 20 ms on 1 GHz, as GUM's threads do. */
static void compute(double work)
{
    const double slice = 0.02;
    while (work > 1e-9) {
        double part = work < slice ? work : slice;
#ifdef SIMULATED
        sg_actor_execute(part * 1e9);
#else
        double until = gum_time() + part;
        while (gum_time() < until)
            ;
#endif
        work -= part;
        gum_poll();
    }
}

static uint64_t tree(const Task *task)
{
    if (task->depth == 0) {
        compute(task->work);
        return 1;
    }
    Task kid = *task;
    kid.depth--;
    uint64_t other, here;
    GumFuture f = gum_par(tree_type, &kid);
    here = tree(&kid);
    gum_take(f, &other);
    return here + other;
}

static void run_tree(const void *argument, void *result)
{
    *(uint64_t *)result = tree(argument);
}

/* Work of mean 1: most lines see little, one in ten sees a lot. */
static double irregular(int32_t line)
{
    double u = (double)(mix((uint64_t)line) >> 11) / 9007199254740992.0;
    return u < 0.9 ? 0.3 + 0.2 * u : 0.3 + 10.4 * (u - 0.9) * 10;
}

static void run_ray(const void *argument, void *result)
{
    const Task *task = argument;
    const unsigned char *scene = gum_fetch(task->scene);
    compute(task->work * irregular(task->depth));
    *(uint64_t *)result = mix((uint64_t)task->depth) ^ scene[task->depth % SCENE];
}

static void run_link(const void *argument, void *result)
{
    const Task *task = argument;
    compute(task->work * irregular(task->depth));
    *(uint64_t *)result = mix((uint64_t)task->depth);
}

typedef struct {
    char shape[16];
    int32_t size;
    double work;
} Job;

static uint64_t raytracer(const Job *job)
{
    unsigned char *scene = malloc(SCENE);
    GumFuture *lines = malloc((size_t)job->size * sizeof *lines);
    if (!scene || !lines)
        gum_abort("out of memory");
    for (int i = 0; i < SCENE; i++)
        scene[i] = (unsigned char)mix((uint64_t)i);
    Task task = {.work = job->work, .scene = gum_publish(scene, SCENE)};
    uint64_t sum = 0, wanted = 0, part;
    for (task.depth = 0; task.depth < job->size; task.depth++)
        lines[task.depth] = gum_par(ray_type, &task);
    for (int i = 0; i < job->size; i++) {
        gum_take(lines[i], &part);
        sum = mix(sum ^ part);
        wanted = mix(wanted ^ mix((uint64_t)i) ^ scene[i % SCENE]);
    }
    free(scene);
    free(lines);
    return sum == wanted;
}

static uint64_t chain(const Job *job)
{
    uint64_t sum = 0, wanted = 0, part;
    Task task = {.work = job->work};
    while (task.depth < job->size) {
        GumFuture row[ROW];
        int count = 0, first = task.depth;
        for (; count < ROW && task.depth < job->size; count++, task.depth++)
            row[count] = gum_par(link_type, &task);
        for (int i = 0; i < count; i++) {
            gum_take(row[i], &part);
            sum += part;
            wanted += mix((uint64_t)(first + i));
        }
    }
    return sum == wanted;
}

static void run_job(const void *argument, void *result)
{
    const Job *job = argument;
    int32_t right;
    if (strcmp(job->shape, "parfib") == 0)
        right = tree(&(Task){.depth = job->size, .work = job->work}) == UINT64_C(1) << job->size;
    else if (strcmp(job->shape, "raytracer") == 0)
        right = (int32_t)raytracer(job);
    else
        right = (int32_t)chain(job);
    *(int32_t *)result = right;
}

static int32_t run(GumType all, const Job *job)
{
    int32_t right = 0;
#ifdef SIMULATED
    double begun = simgrid_get_clock();
#endif
    if (gum_run(all, job, &right) == GUM_OK && gum_pid() == 0)
        printf("%s %d: %s\n", job->shape, (int)job->size, right ? "right" : "WRONG");
#ifdef SIMULATED
    if (gum_pid() == 0)
        printf("took %.4f s\n", simgrid_get_clock() - begun);
#endif
    return right;
}

int main(int argc, char **argv)
{
    Job job = {.size = argc > 2 ? atoi(argv[2]) : 6, .work = argc > 3 ? atof(argv[3]) : 0.01};
    int32_t right = 1;
    (void)snprintf(job.shape, sizeof job.shape, "%s", argc > 1 ? argv[1] : "parfib");
    gum_init(&argc, &argv);
    GumType all =
        gum_type(&(GumTask){"job", run_job, {.size = sizeof job}, {.size = sizeof(int32_t)}});
    tree_type =
        gum_type(&(GumTask){"tree", run_tree, {.size = sizeof(Task)}, {.size = sizeof(uint64_t)}});
    ray_type =
        gum_type(&(GumTask){"ray", run_ray, {.size = sizeof(Task)}, {.size = sizeof(uint64_t)}});
    link_type =
        gum_type(&(GumTask){"link", run_link, {.size = sizeof(Task)}, {.size = sizeof(uint64_t)}});
    gum_pure(tree_type);
    gum_pure(ray_type);
    gum_pure(link_type);
    for (int runs = argc > 4 ? atoi(argv[4]) : 1; runs > 0; runs--)
        right &= run(all, &job);
    return gum_end() || (gum_pid() == 0 && !right);
}
