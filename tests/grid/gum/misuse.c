/* Mistakes in GUM programs, one for each name: misuse.txt says what is printed. */
#include <gum.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static GumType main_type, number_type, owned_type, wait_type;
static const char *name;
static GumFuture shared;
static GumType circle_type, half_type;

static int is(const char *it)
{
    return strcmp(name, it) == 0;
}

static void number(const void *argument, void *result)
{
    *(int32_t *)result = *(const int32_t *)argument + 1;
}

/* Long enough to be taken by another process. */
static void wait_for(const void *argument, void *result)
{
    double until = gum_time() + 1e-3 * *(const int32_t *)argument;
    while (gum_time() < until)
        gum_poll();
    *(int32_t *)result = gum_pid();
    if (is("killed") && gum_pid() == 1)
        (void)raise(SIGKILL);
    if (is("again") && gum_pid() == 1)
        (void)pause(); /* it answers nobody any more */

    if (is("exits") && gum_pid() == 1)
        _exit(3);
    if (is("abort_elsewhere") && gum_pid() != 0)
        gum_abort("no more of %s", "this");
    if (is("foreign_future") && gum_pid() != 0) {
        /* a handle of process 0 as it is there */
        GumFuture other = shared;
        other.record = (struct GumRecord *)(uintptr_t)8;
        (void)gum_force(other);
    }
}

static void owned(const void *argument, void *result)
{
    (void)argument;
    GumBytes *out = result;
    *out = (GumBytes){calloc(1, 8), 8};
}

static void pack_short(GumWriter *to, const void *value)
{
    gum_write(to, value, 4);
}

static void unpack_long(GumReader *from, void *value)
{
    char bytes[800];
    gum_read(from, bytes, sizeof bytes);
    memcpy(value, bytes, 8);
}

static void unpack_calls(GumReader *from, void *value)
{
    gum_read(from, value, 4);
    gum_poll();
}

static void pack_all(GumWriter *to, const void *value)
{
    gum_write(to, value, 8);
}

static void unpack_half(GumReader *from, void *value)
{
    gum_read(from, value, 4);
}

static void pack_null(GumWriter *to, const void *value)
{
    (void)value;
    gum_write(to, NULL, 8);
}

static int deep(int n)
{
    volatile char room[1000];
    room[0] = (char)n;
    return n < 0 ? 0 : deep(n + 1) + room[0];
}

static void odd(const void *argument, void *result)
{
    (void)argument;
    (void)result;
}

/* Sparks that other processes take. */
static void spread(void)
{
    enum { COUNT = 40 };
    GumFuture each[COUNT];
    int32_t milliseconds = 20, pid;
    for (int i = 0; i < COUNT; i++)
        each[i] = gum_par(wait_type, &milliseconds);
    for (int i = 0; i < COUNT; i++)
        gum_take(each[i], &pid);
}

static void itself(void)
{
    int32_t result;
    gum_take(shared, &result);
}

/* `half` is taken by another process, whose sparks `circle` wait for it on this one. */
static void run_circle(const void *argument, void *result)
{
    const int32_t *home = argument;
    if (gum_pid() == *home)
        (void)gum_force(shared);
    *(int32_t *)result = 0;
}

static void run_half(const void *argument, void *result)
{
    enum { COUNT = 20 };
    GumFuture each[COUNT];
    int32_t value;
    const int32_t *home = argument;
    double until = gum_time() + 0.02;
    *(int32_t *)result = 0;
    if (gum_pid() == *home)
        return;
    for (int i = 0; i < COUNT; i++)
        each[i] = gum_par(circle_type, home);
    while (gum_time() < until)
        gum_poll();
    for (int i = 0; i < COUNT; i++)
        gum_take(each[i], &value);
}

static void circle(void)
{
    enum { TIMES = 500 };
    int32_t home = gum_pid(), value;
    for (int i = 0; i < TIMES; i++) {
        double until = gum_time() + 0.005;
        shared = gum_par(half_type, &home);
        while (gum_time() < until)
            gum_poll();
        gum_take(shared, &value);
    }
}

static void in_main(void)
{
    int32_t n = 1, result;
    if (is("type"))
        (void)gum_par(17, &n);
    if (is("no_future"))
        (void)gum_force((GumFuture){0});
    if (is("freed_twice")) {
        GumFuture f = gum_par(number_type, &n);
        gum_free(f);
        gum_free(f);
    }
    if (is("force_after_take")) {
        GumFuture f = gum_par(number_type, &n);
        gum_take(f, &result);
        (void)gum_force(f);
    }
    if (is("full_stack"))
        (void)deep(0);
    if (is("abort") || is("abort_before") || is("prints"))
        gum_abort("enough: %d", 7);
    if (is("run_within"))
        (void)gum_run(number_type, &n, &result);
    if (is("type_within"))
        (void)gum_type(&(GumTask){"late", number, {4, 0, 0, 0}, {4, 0, 0, 0}});
    if (is("no_data"))
        (void)gum_fetch((GumRef){gum_pid(), 3, 8});
    if (is("no_reference"))
        (void)gum_fetch((GumRef){-4, 0, 8});
    if (is("data_elsewhere"))
        (void)gum_fetch((GumRef){gum_processes() - 1 - gum_pid(), 5, 8});
    if (is("publish_null"))
        (void)gum_publish(NULL, 8);
    if (is("par_null"))
        (void)gum_par(number_type, NULL);
    if (is("take_null"))
        gum_take(gum_par(number_type, &n), NULL);
    if (is("seq_null"))
        gum_seq(number_type, NULL, &result);
    if (is("seq_no_result"))
        gum_seq(number_type, &n, NULL);
    if (is("circle"))
        circle();
    spread();
}

static void run_main(const void *argument, void *result)
{
    (void)argument;
    in_main();
    *(int32_t *)result = 0;
}

static void run_itself(const void *argument, void *result)
{
    (void)argument;
    itself();
    *(int32_t *)result = 0;
}

static void run_waits(const void *argument, void *result)
{
    int32_t n = 1;
    (void)argument;
    shared = gum_par(main_type, &n);
    gum_take(shared, result);
}

/* Once another process has taken one, the run is over. */
static void run_odd(const void *argument, void *result)
{
    enum { COUNT = 20 };
    GumFuture each[COUNT];
    int64_t n = 1;
    int32_t milliseconds = 30, pid;
    const double until = gum_time() + 20;
    (void)argument;
    do {
        for (int i = 0; i < COUNT; i++)
            each[i] = gum_par(owned_type, &n);
        GumFuture wait = gum_par(wait_type, &milliseconds);
        gum_take(wait, &pid);
        for (int i = 0; i < COUNT; i++)
            (void)gum_force(each[i]);
    } while (gum_time() < until);
    *(int32_t *)result = 0;
}

int main(int argc, char **argv)
{
    const GumValue four = {.size = 4}, bytes = GUM_BYTES;
    int32_t n = 1, result = 0;
    name = argc > 1 ? argv[1] : "";
    if (is("before_init"))
        (void)gum_pid();
    gum_init(&argc, &argv);
    if (is("init_twice"))
        gum_init(NULL, NULL);
    if (is("outside"))
        (void)gum_par(0, &n);
    if (is("no_function"))
        (void)gum_type(&(GumTask){"none", NULL, four, four});
    if (is("half_a_value"))
        (void)gum_type(&(GumTask){"half", odd, {4, pack_short, NULL, NULL}, four});
    number_type = gum_type(&(GumTask){"number", number, four, four});
    if (is("types_differ") && gum_pid() == 1)
        (void)gum_type(&(GumTask){"odd", odd, four, four});
    if (is("circle")) {
        circle_type = gum_type(&(GumTask){"circle", run_circle, four, four});
        half_type = gum_type(&(GumTask){"half", run_half, four, four});
    }
    wait_type = gum_type(&(GumTask){"wait", wait_for, four, four});
    if (is("unpack_long"))
        owned_type = gum_type(&(GumTask){"owned", odd, {8, pack_short, unpack_long, NULL}, four});
    else if (is("unpack_calls"))
        owned_type = gum_type(&(GumTask){"owned", odd, {8, pack_short, unpack_calls, NULL}, four});
    else if (is("unpack_half"))
        owned_type = gum_type(&(GumTask){"owned", odd, {8, pack_all, unpack_half, NULL}, four});
    else if (is("unpack_none"))
        owned_type = gum_type(&(GumTask){"owned", odd, {8, pack_null, unpack_half, NULL}, four});
    else
        owned_type = gum_type(&(GumTask){"owned", owned, four, bytes});
    main_type =
        gum_type(&(GumTask){"main", is("waits_for_itself") ? run_itself : run_main, four, four});
    GumType waits = gum_type(&(GumTask){"waits", run_waits, four, four});
    GumType odds = gum_type(&(GumTask){"odds", run_odd, four, four});
    GumType first = is("waits_for_itself")            ? waits
                    : strncmp(name, "unpack", 6) == 0 ? odds
                                                      : main_type;
    if (is("pure_type"))
        gum_pure(99);
    if (is("pure_owned"))
        gum_pure(gum_type(&(GumTask){"late", odd, bytes, four}));
    if (is("pure_differs") && gum_pid() == 1)
        gum_pure(number_type);
    if (is("no_type"))
        first = 99;
    if (is("exit_early") && gum_pid() == 1)
        exit(4);
    if (is("other_main") && gum_pid() == 1)
        first = number_type;
    if (is("skips_a_run") && gum_pid() == 1)
        return gum_end();
    if (is("ends_early") && gum_pid() == 0)
        return gum_end();
    (void)gum_run(first, is("run_null") ? NULL : &n, is("run_no_result") ? NULL : &result);
    if (is("abort_before")) /* a run without an error does not make it good */
        (void)gum_run(number_type, &n, &result);
    if (is("again")) /* as many runs as one likes */
        for (int i = 0; i < 3; i++)
            (void)gum_run(number_type, &n, &result);
    if (is("prints"))
        for (int i = 0; i < 100; i++)
            printf("line %d of process %d: %s\n", i, gum_pid(), gum_error());
    if (is("after_end")) {
        (void)gum_end();
        (void)gum_run(first, &n, &result);
    }
    return gum_end();
}
