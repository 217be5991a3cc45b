/* Tasks whose arguments take longer to unpack than processes that have nothing to do wait before they ask again: each has to
 * begin where it comes to, and the sum of their results is printed. */
#include <gum.h>
#include <stdio.h>
#include <time.h>

enum { TASKS = 4 };

static GumType main_type, task_type;

static void pack(GumWriter *to, const void *value)
{
    gum_write(to, value, sizeof(int64_t));
}

static void unpack(GumReader *from, void *value)
{
    const struct timespec time = {.tv_nsec = 50 * 1000 * 1000};
    gum_read(from, value, sizeof(int64_t));
    (void)nanosleep(&time, NULL);
}

static void task(const void *argument, void *result)
{
    *(int64_t *)result = *(const int64_t *)argument;
}

static void start(const void *argument, void *result)
{
    GumFuture future[TASKS];
    int64_t part, sum = 0;
    (void)argument;
    for (int64_t i = 0; i < TASKS; i++)
        future[i] = gum_par(task_type, &i);
    const double until = gum_time() + 0.3;
    while (gum_time() < until) /* others take them */
        gum_poll();
    for (int i = 0; i < TASKS; i++) {
        gum_take(future[i], &part);
        sum += part;
    }
    *(int64_t *)result = sum;
}

int main(int argc, char **argv)
{
    const int64_t none = 0;
    int64_t sum = -1;
    gum_init(&argc, &argv);
    task_type = gum_type(
        &(GumTask){"task", task, {sizeof(int64_t), pack, unpack, NULL}, {.size = sizeof(int64_t)}});
    main_type = gum_type(&(GumTask){"start", start, {.size = sizeof none}, {.size = sizeof sum}});
    if (gum_run(main_type, &none, &sum) == 0 && gum_pid() == 0)
        (void)printf("sum %d\n", (int)sum);
    return gum_end();
}
