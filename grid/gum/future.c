/* Futures: the calls in a task. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/gum/context.h"
#include "grid/gum/evaluate.h"
#include "grid/gum/profiler.h"
#include "grid/gum/tuning.h"
#include "grid/gum/values.h"

/* Most values have the size of a number or two. */
static inline void copy(void *to, const void *from, size_t size)
{
    switch (size) {
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    case 16:
        memcpy(to, from, 16);
        return;
    default:
        if (size > 0)
            memcpy(to, from, size);
    }
}

static inline Type *find_type(const Gum *gum, GumType type, const char *call)
{
    if (__builtin_expect((uint32_t)type >= (uint32_t)gum->type_count, 0))
        context_fail(call, GRID_EARG, "%d is no type of tasks: there are %d", (int)type,
                     (int)gum->type_count);
    return gum->types[type];
}

static void stale(const Gum *gum, GumFuture future, const char *call) __attribute__((noreturn));
static void stale(const Gum *gum, GumFuture future, const char *call)
{
    if (!future.record)
        context_fail(call, GRID_EARG, "this is no future: gum_par makes them");
    int32_t owner = (int32_t)(future.stamp >> RECORD_PID_SHIFT);
    if (owner != gum->pid)
        context_fail(call, GRID_EARG, "the future is one of process %d, and holds only there",
                     (int)owner);
    context_fail(call, GRID_EARG, "the future was freed before");
}

static inline Record *find(const Gum *gum, GumFuture future, const char *call)
{
    if (__builtin_expect(!future.record || (int)(future.stamp >> RECORD_PID_SHIFT) != gum->pid ||
                             future.record->stamp != future.stamp,
                         0))
        stale(gum, future, call);
    return future.record;
}

/* Whatever the type and the pool are. */
static GumFuture par(GumType type, const void *argument) __attribute__((noinline));
static GumFuture par(GumType type, const void *argument)
{
    static const char call[] = "gum_par";
    Gum *gum = context_inside(call);
    Type *its = find_type(gum, type, call);
    if (!argument && its->task.argument.size > 0)
        context_fail(call, GRID_EARG, "the argument of `%.60s` is NULL", its->task.name);
    int64_t room = gum->settings.sparks - pool_count(&gum->pool);
    gum->budget -= LEAST_WEIGHT;
    if (gum->budget < 0 || (gum->pool.top >= gum->pool.soft && room > 0))
        evaluate_pause(gum);
    Record *record = record_new(&gum->records, its);
    if (__builtin_expect(!record, 0))
        context_out_of_memory(call);
    copy(record->data, argument, its->task.argument.size);
    record->state = RECORD_HELD;
    gum->counters.made++;
    if (gum->profiler)
        profiler_spark(gum, record);
    if (pool_count(&gum->pool) >= gum->settings.sparks)
        gum->counters.discarded++;
    else if (pool_push(&gum->pool, record))
        context_out_of_memory(call);
    if (gum->pool.top > gum->pool.soft)
        evaluate_set_soft(gum);
    return (GumFuture){record, record->stamp};
}

/* What is not as in most cases, par does, so that this uses few registers. */
GumFuture gum_par(GumType type, const void *argument)
{
    Gum *gum = gum_quick;
    if (__builtin_expect(!gum || !argument || (uint32_t)type >= (uint32_t)gum->type_count, 0))
        return par(type, argument);
    Record *record = gum->records.free;
    Type *its = gum->types[type];
    if (__builtin_expect(!record || gum->pool.top >= gum->pool.soft, 0))
        return par(type, argument);
    if (its->quick_argument == 4)
        memcpy(record->bytes, argument, 4);
    else if (its->quick_argument == 8)
        memcpy(record->bytes, argument, 8);
    else if (its->quick_argument == 16)
        memcpy(record->bytes, argument, 16);
    else
        return par(type, argument);
    gum->records.free = record->next;
    record->type = its;
    gum->counters.made++;
    pool_put(&gum->pool, record);
    return (GumFuture){record, record->stamp};
}

/* Until the result is there.  Another task may free the future while this one waits. */
static Record *complete(Gum *gum, GumFuture future, const char *call)
{
    Record *record = find(gum, future, call);
    while (record->state != RECORD_DONE) {
        switch (record->state) {
        case RECORD_SPARK:
            pool_remove(&gum->pool, record);
            __attribute__((fallthrough));
        case RECORD_HELD:
            gum->counters.inlined++;
            evaluate(gum, record);
            break;
        default:
            evaluate_wait(gum, record);
        }
        record = find(gum, future, call);
    }
    if (__builtin_expect(gum->profiler != NULL, 0))
        profiler_force(gum, record);
    return record;
}

const void *gum_force(GumFuture future)
{
    static const char call[] = "gum_force";
    return record_result(complete(context_inside(call), future, call));
}

static void take(GumFuture future, void *result) __attribute__((noinline));
static void take(GumFuture future, void *result)
{
    static const char call[] = "gum_take";
    Gum *gum = context_inside(call);
    Record *record = complete(gum, future, call);
    if (!result && record->type->task.result.size > 0)
        context_fail(call, GRID_EARG, "the place for the result of `%.60s` is NULL",
                     record->type->task.name);
    copy(result, record_result(record), record->type->task.result.size);
    record_free(&gum->records, record);
}

/* The newest spark, whose values are quick: most are.  Only a spark of this process stands there, and
 * what has an argument of another kind came through par, which leaves it odd or not quick. */
void gum_take(GumFuture future, void *result)
{
    Gum *gum = gum_quick;
    Record *record = future.record;
    if (__builtin_expect(!gum || !result || gum->pool.top[-1] != record ||
                             record->stamp != future.stamp,
                         0)) {
        take(future, result);
        return;
    }
    Type *type = record->type;
    if (__builtin_expect(!type->quick, 0)) {
        take(future, result);
        return;
    }
    gum->pool.top--;
    gum->counters.inlined++;
    record->state = RECORD_RUNNING;
    record->runner = gum->threads.current;
    gum->budget -= type->weight;
    if (__builtin_expect(gum->budget < 0, 0))
        evaluate_carefully(gum, record);
    else
        type->task.run(record->bytes, record->bytes + type->result_at);
    if (__builtin_expect(record->waiting != NULL || record->odd, 0)) {
        record->state = RECORD_DONE;
        evaluate_end(gum, record);
        take(future, result);
        return;
    }
    type = record->type; /* not kept in a register meanwhile */
    const void *its = record->bytes + type->result_at;
    if (type->quick_result == 4)
        memcpy(result, its, 4);
    else if (type->quick_result == 8)
        memcpy(result, its, 8);
    else
        memcpy(result, its, 16);
    record_free_quick(&gum->records, record);
}

void gum_seq(GumType type, const void *argument, void *result)
{
    static const char call[] = "gum_seq";
    Gum *gum = context_inside(call);
    Type *its = find_type(gum, type, call);
    if (__builtin_expect((!argument && its->task.argument.size > 0) ||
                             (!result && its->task.result.size > 0),
                         0))
        context_fail(call, GRID_EARG,
                     "the argument of `%.60s`, or the place for its result, is NULL",
                     its->task.name);
    gum->budget -= its->weight;
    if (__builtin_expect(gum->budget < 0, 0))
        evaluate_pause(gum);
    its->task.run(argument, result);
    if (its->task.argument.clear) {
        /* the value at `argument` is the task's, as in gum_par */
        its->task.argument.clear((void *)(uintptr_t)argument);
    }
}

void gum_free(GumFuture future)
{
    static const char call[] = "gum_free";
    Gum *gum = context_inside(call);
    gum->budget -= LEAST_WEIGHT;
    evaluate_drop(gum, find(gum, future, call));
    if (gum->budget < 0)
        evaluate_pause(gum);
}

int gum_ready(GumFuture future)
{
    static const char call[] = "gum_ready";
    const Gum *gum = context_inside(call);
    return find(gum, future, call)->state == RECORD_DONE;
}

void gum_poll(void)
{
    evaluate_pause(context_inside("gum_poll"));
}

void gum_abort(const char *format, ...)
{
    Gum *gum = gum_now;
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format ? format : "gum_abort", arguments);
    va_end(arguments);
    if (!gum || (!gum->threads.current && !gum->escape))
        context_stop("gum_abort", "%s", what);
    context_fail("gum_abort", GRID_EUSER, "%s", what);
}
