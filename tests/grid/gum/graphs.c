/* Random task graphs against a sequential evaluation: whatever is stolen, returned, awaited or dropped,
 * and however long tasks and messages take, the results are those of plain recursion.
 *
 *   graphs SEED GRAPHS [DELAY]    DELAY: microseconds that some tasks sleep, at most
 *
 * A task is a seed and a depth.  Its seed decides how many tasks it makes, of which type, in which way
 * (spark, sequential, spark that is never forced), in which order it forces them, and whether it reads
 * data that another process has published. */
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KIDS = 5, TABLES = 4, NUMBERS = 300, WIDE = 24, DEEPEST = 6 };

/* All types have the same argument at the beginning, and the result there as well. */
typedef struct {
    uint64_t seed;
    int32_t depth, delay;
    GumRef tables[TABLES];
} Task;
typedef struct {
    Task task;
    uint64_t wide[WIDE]; /* more than fits into a record */
} WideTask;
typedef struct {
    uint64_t wide[WIDE];
} WideResult;

static GumType flat_type, wide_type, owned_type, table_type;

static uint64_t mix(uint64_t z)
{
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static uint64_t number_of(int table, uint32_t i)
{
    return mix(((uint64_t)table << 32) + i);
}

/* ---- what a seed decides ------------------------------------------------------------------------ */

static int kids_of(const Task *task)
{
    return task->depth > 0 ? (int)(mix(task->seed ^ 1) % (KIDS + 1)) : 0;
}

static Task kid_of(const Task *task, int k)
{
    Task kid = *task;
    kid.seed = mix(task->seed * KIDS + (uint64_t)k + 2);
    kid.depth--;
    return kid;
}

static uint64_t own_part(const Task *task, uint64_t (*number)(const Task *, int, uint32_t))
{
    uint64_t h = mix(task->seed ^ 3);
    return h % 3 == 0 ? number(task, (int)((h >> 8) % TABLES), (uint32_t)(h >> 32) % NUMBERS) : h;
}

static uint64_t join(uint64_t a, uint64_t b)
{
    return mix(a ^ (b + UINT64_C(0x632BE59BD9B4E019)));
}

/* ---- sequentially -------------------------------------------------------------------------------- */

static uint64_t direct(const Task *task, int table, uint32_t i)
{
    (void)task;
    return number_of(table, i);
}

static uint64_t expected(const Task *task)
{
    uint64_t sum = own_part(task, direct);
    for (int k = 0; k < kids_of(task); k++) {
        Task kid = kid_of(task, k);
        sum = join(sum, expected(&kid));
    }
    return sum;
}

/* ---- as tasks ------------------------------------------------------------------------------------ */

static uint64_t fetched(const Task *task, int table, uint32_t i)
{
    const uint64_t *numbers = gum_fetch(task->tables[table]);
    return numbers[i];
}

static void rest(const Task *task)
{
    uint64_t h = mix(task->seed ^ 5);
    if (task->delay > 0 && h % 8 == 0) {
        struct timespec time = {.tv_nsec = (long)(h >> 8) % task->delay * 1000};
        (void)nanosleep(&time, NULL);
    }
    if (h % 3 == 0)
        gum_poll();
}

static GumType type_of(uint64_t seed)
{
    uint64_t h = mix(seed ^ 7) % 8;
    return h < 5 ? flat_type : h < 7 ? wide_type : owned_type;
}

/* The argument of a type, from a task; and its result, which is freed. */
static GumFuture spark(const Task *task)
{
    GumType type = type_of(task->seed);
    if (type == flat_type)
        return gum_par(type, task);
    if (type == wide_type) {
        WideTask wide = {.task = *task};
        for (int i = 0; i < WIDE; i++)
            wide.wide[i] = mix(task->seed + (uint64_t)i);
        return gum_par(type, &wide);
    }
    GumBytes bytes = {malloc(sizeof *task), sizeof *task};
    if (!bytes.bytes)
        gum_abort("out of memory");
    memcpy(bytes.bytes, task, sizeof *task);
    return gum_par(type, &bytes);
}

static uint64_t value_of(const Task *task, GumFuture future, int take)
{
    GumType type = type_of(task->seed);
    uint64_t value;
    if (type == owned_type) {
        const GumBytes *seen = gum_force(future);
        memcpy(&value, seen->bytes, sizeof value);
        gum_free(future);
    } else if (type == wide_type) {
        WideResult wide;
        gum_take(future, &wide);
        for (int i = 1; i < WIDE; i++)
            if (wide.wide[i] != wide.wide[0])
                gum_abort("a wide result is not what it was");
        value = wide.wide[0];
    } else if (take) {
        gum_take(future, &value);
    } else {
        value = *(const uint64_t *)gum_force(future);
        if (!gum_ready(future) || *(const uint64_t *)gum_force(future) != value)
            gum_abort("a result is not kept");
        gum_free(future);
    }
    return value;
}

static uint64_t evaluate(const Task *task)
{
    uint64_t sum = own_part(task, fetched), h = mix(task->seed ^ 11), part[KIDS];
    GumFuture futures[KIDS];
    Task kids[KIDS];
    int count = kids_of(task), sequential[KIDS];
    rest(task);
    for (int k = 0; k < count; k++) {
        kids[k] = kid_of(task, k);
        sequential[k] = (h >> (2 * k)) % 4 == 0 && type_of(kids[k].seed) == flat_type;
        if (sequential[k])
            gum_seq(flat_type, &kids[k], &part[k]);
        else
            futures[k] = spark(&kids[k]);
        if ((h >> (20 + k)) % 8 == 0) {
            Task vain = kid_of(task, KIDS + k);
            vain.depth = vain.depth > 1 ? 1 : vain.depth;
            GumFuture dropped = spark(&vain);
            if ((h >> (30 + k)) % 2 == 0)
                gum_free(dropped);
        }
    }
    for (int i = 0, turn = (int)(h >> 40) % KIDS; i < count; i++) {
        int k = (i + turn) % count;
        if (!sequential[k])
            part[k] = value_of(&kids[k], futures[k], (int)(h >> k) % 2);
    }
    for (int k = 0; k < count; k++)
        sum = join(sum, part[k]);
    return sum;
}

static void run_flat(const void *argument, void *result)
{
    *(uint64_t *)result = evaluate(argument);
}

static void run_wide(const void *argument, void *result)
{
    const WideTask *wide = argument;
    WideResult *out = result;
    for (int i = 0; i < WIDE; i++)
        if (wide->wide[i] != mix(wide->task.seed + (uint64_t)i))
            gum_abort("a wide argument is not what it was");
    out->wide[0] = evaluate(&wide->task);
    for (int i = 1; i < WIDE; i++)
        out->wide[i] = out->wide[0];
}

static void run_owned(const void *argument, void *result)
{
    const GumBytes *bytes = argument;
    GumBytes *out = result;
    Task task;
    memcpy(&task, bytes->bytes, sizeof task);
    uint64_t value = evaluate(&task);
    *out = (GumBytes){malloc(sizeof value), sizeof value};
    if (!out->bytes)
        gum_abort("out of memory");
    memcpy(out->bytes, &value, sizeof value);
}

/* Publishes a table, on whatever process this runs. */
static void run_table(const void *argument, void *result)
{
    uint64_t numbers[NUMBERS];
    for (uint32_t i = 0; i < NUMBERS; i++)
        numbers[i] = number_of(*(const int32_t *)argument, i);
    *(GumRef *)result = gum_publish(numbers, sizeof numbers);
}

/* ---- the main task ------------------------------------------------------------------------------- */

typedef struct {
    uint64_t seed;
    int64_t graphs;
    int32_t delay;
} Job;

/* The number of graphs whose value is right. */
static void run_all(const void *argument, void *result)
{
    const Job *job = argument;
    Task task = {.delay = job->delay};
    GumFuture tables[TABLES];
    int64_t right = 0;
    for (int32_t t = 0; t < TABLES; t++)
        tables[t] = gum_par(table_type, &t);
    for (int32_t t = 0; t < TABLES; t++)
        gum_take(tables[t], &task.tables[t]);
    for (int64_t i = 0; i < job->graphs; i++) {
        task.seed = mix(job->seed + (uint64_t)i);
        task.depth = (int32_t)(task.seed % (DEEPEST + 1));
        uint64_t wanted = expected(&task), got = evaluate(&task);
        if (got == wanted)
            right++;
        else
            (void)fprintf(stderr, "graph %lld of seed %llu: WRONG\n", (long long)i,
                          (unsigned long long)job->seed);
    }
    *(int64_t *)result = right;
}

int main(int argc, char **argv)
{
    Job job = {argc > 1 ? strtoull(argv[1], NULL, 10) : 1, argc > 2 ? atoll(argv[2]) : 100,
               argc > 3 ? atoi(argv[3]) : 0};
    const GumValue owned = GUM_BYTES;
    int64_t right = -1;
    gum_init(&argc, &argv);
    GumType all =
        gum_type(&(GumTask){"all", run_all, {.size = sizeof job}, {.size = sizeof right}});
    flat_type =
        gum_type(&(GumTask){"flat", run_flat, {.size = sizeof(Task)}, {.size = sizeof(uint64_t)}});
    wide_type = gum_type(
        &(GumTask){"wide", run_wide, {.size = sizeof(WideTask)}, {.size = sizeof(WideResult)}});
    owned_type = gum_type(&(GumTask){"owned", run_owned, owned, owned});
    table_type = gum_type(
        &(GumTask){"table", run_table, {.size = sizeof(int32_t)}, {.size = sizeof(GumRef)}});
    gum_pure(flat_type);
    gum_pure(wide_type);
    int status = gum_run(all, &job, &right);
    if (status == GUM_OK && gum_pid() == 0)
        printf("%lld of %lld graphs of seed %llu are right\n", (long long)right,
               (long long)job.graphs, (unsigned long long)job.seed);
    return gum_end() || (gum_pid() == 0 && right != job.graphs);
}
