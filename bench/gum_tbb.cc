/* GUM's sparks beside the tasks of oneTBB, in turn in one process: a task that nobody else takes, and Fibonacci
 * numbers with a task for each.  oneTBB has one thread; its tasks can be taken by threads of their process, GUM's
 * by other processes.  Medians of the rounds' times on a core.
 *
 *   g++ by gumcc, -ltbb: make bench-gum */
#include <gum.h>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <vector>

namespace
{

constexpr int ROUNDS = 15, TASKS = 200000, N = 24;
GumType fib_type, empty_type;

double spent()
{
    timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

int64_t fib(int32_t n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int64_t spark_fib(int32_t n)
{
    int64_t other;
    int32_t less = n - 1;
    if (n < 2)
        return n;
    GumFuture f = gum_par(fib_type, &less);
    int64_t here = spark_fib(n - 2);
    gum_take(f, &other);
    return here + other;
}

int64_t tbb_fib(int32_t n)
{
    int64_t other = 0;
    if (n < 2)
        return n;
    tbb::task_group group;
    group.run([&other, n] { other = tbb_fib(n - 1); });
    int64_t here = tbb_fib(n - 2);
    group.wait();
    return here + other;
}

double median(const std::function<void()> &what, std::vector<double> &each)
{
    double begun = spent();
    what();
    each.push_back(spent() - begun);
    std::vector<double> sorted = each;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
}

void compare()
{
    std::vector<double> each[5];
    double spark = 0, task = 0, sparks = 0, tasks = 0, calls = 0;
    int64_t sum = 0, value = 0;
    volatile int32_t n = N;
    for (int r = 0; r < ROUNDS; r++) {
        spark = median(
            [&] {
                for (int32_t i = 0; i < TASKS; i++) {
                    gum_take(gum_par(empty_type, &i), &value);
                    sum += value;
                }
            },
            each[0]);
        task = median(
            [&] {
                tbb::task_group group;
                for (int32_t i = 0; i < TASKS; i++) {
                    group.run([&value, i] { value = i; });
                    group.wait();
                    sum -= value;
                }
            },
            each[1]);
        sparks = median([&] { sum += 2 * spark_fib(n); }, each[2]);
        tasks = median([&] { sum -= tbb_fib(n); }, each[3]);
        calls = median([&] { sum -= fib(n); }, each[4]);
    }
    std::printf("a task that nobody takes: GUM %.1f ns, oneTBB %.1f ns\n", 1e9 * spark / TASKS,
                1e9 * task / TASKS);
    std::printf(
        "fib(%d), a task for each number: GUM %.2f ms, oneTBB %.2f ms; sequential %.3f ms%s\n", N,
        1e3 * sparks, 1e3 * tasks, 1e3 * calls, sum == 0 ? "" : ", and WRONG");
}

void run_fib(const void *argument, void *result)
{
    *static_cast<int64_t *>(result) = spark_fib(*static_cast<const int32_t *>(argument));
}

void empty(const void *argument, void *result)
{
    *static_cast<int64_t *>(result) = *static_cast<const int32_t *>(argument);
}

void run(const void *, void *result)
{
    tbb::task_arena one(1);
    one.execute(compare);
    *static_cast<int32_t *>(result) = 0;
}

GumType type(const char *name, void (*function)(const void *, void *), size_t result)
{
    GumTask task = {};
    task.name = name;
    task.run = function;
    task.argument.size = sizeof(int32_t);
    task.result.size = result;
    return gum_type(&task);
}

} // namespace

int main(int argc, char **argv)
{
    int32_t n = 0, result;
    gum_init(&argc, &argv);
    fib_type = type("fib", run_fib, sizeof(int64_t));
    empty_type = type("empty", empty, sizeof(int64_t));
    (void)gum_run(type("compare", run, sizeof n), &n, &result);
    return gum_end();
}
