/* Writes a profile as text: with nothing but the C library, since run-times link this file. */
#include "grid/gum/predict/profile.h"

#include <stdio.h>
#include <string.h>

#include "grid/core/decimal.h"

/* `name value` of a number. */
static void put(FILE *to, const char *name, double value)
{
    char text[DECIMAL_SIZE];
    (void)fprintf(to, " %s %s", name, decimal_text(value, DECIMAL_EXACT, text));
}

static void put_count(FILE *to, const char *name, int64_t value)
{
    (void)fprintf(to, " %s %lld", name, (long long)value);
}

static void put_name(FILE *to, const char *value)
{
    (void)fputc(' ', to);
    if (!*value)
        (void)fputc('-', to);
    for (const char *c = value; *c; c++)
        (void)fputc(*c > ' ' && *c <= '~' && *c != '#' ? *c : '_', to);
}

static void put_levels(const Profile *p, FILE *to)
{
    for (int32_t d = 0; d < p->levels; d++) {
        const ProfileLevel *level = &p->level[d];
        (void)fprintf(to, "level %d", (int)d);
        put_count(to, "tasks", level->tasks);
        put(to, "work", level->work);
        put(to, "deviation", level->deviation);
        put(to, "longest", level->longest);
        put_count(to, "pure", level->pure);
        (void)fputc('\n', to);
    }
}

static void put_process(const ProfileProcess *p, int32_t number, FILE *to)
{
    (void)fprintf(to, "process %d", (int)number);
    (void)fputs(" host", to);
    put_name(to, p->host);
    (void)fputs(" cluster", to);
    put_name(to, p->cluster);
    put(to, "time", p->time);
    put(to, "running", p->running);
    put(to, "fetching", p->fetching);
    put(to, "idle", p->idle);
    put_count(to, "made", p->made);
    put_count(to, "taken", p->taken);
    put_count(to, "pruned", p->pruned);
    put_count(to, "messages", p->messages);
    (void)fputc('\n', to);
}

int profile_write(const Profile *p, FILE *to)
{
    (void)fputs("gum-profile 1\nprogram", to);
    put_name(to, p->program);
    (void)fputs("\nrun policy", to);
    put_name(to, p->policy);
    put_count(to, "processes", p->processes);
    put(to, "makespan", p->makespan);
    put(to, "critical", p->critical);
    (void)fputs("\nbytes", to);
    put(to, "task", p->task_bytes);
    put(to, "result", p->result_bytes);
    put(to, "fetched", p->fetched_bytes);
    (void)fputs("\ncost", to);
    put(to, "message", p->message);
    put(to, "slice", p->slice);
    (void)fputc('\n', to);
    put_levels(p, to);
    for (int32_t i = 0; i < p->processes; i++)
        put_process(&p->process[i], i, to);
    return ferror(to) ? -1 : 0;
}
