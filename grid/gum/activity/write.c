/* Writes activities as text: with nothing but the C library, since the run-time links this file. */
#include <math.h>
#include <string.h>

#include "grid/core/decimal.h"
#include "grid/gum/activity/activity.h"

int32_t activity_intervals(double makespan, double width)
{
    double count = ceil(makespan / width);
    if (!(count > 1))
        return 1;
    return count < ACTIVITY_CELLS ? (int32_t)count : ACTIVITY_CELLS;
}

static void put(FILE *to, const char *before, double value)
{
    char text[DECIMAL_SIZE];
    (void)fprintf(to, "%s%s", before, decimal_text(value, 9, text));
}

static void put_word(FILE *to, const char *before, const char *value)
{
    (void)fputs(before, to);
    if (!*value)
        (void)fputc('-', to);
    for (const char *c = value; *c; c++)
        (void)fputc(*c > ' ' && *c <= '~' && *c != '#' ? *c : '_', to);
}

int activity_write(const Activity *a, FILE *to)
{
    (void)fputs("gum-activity 1\n", to);
    put_word(to, "run program ", a->program);
    put_word(to, " policy ", a->policy);
    (void)fprintf(to, " processes %d", (int)a->processes);
    put(to, " makespan ", a->makespan);
    put(to, " width ", a->width);
    (void)fputs("\n# process interval running fetching idle runnable blocked made pruned taken "
                "given\n",
                to);
    for (int32_t p = 0; p < a->processes; p++)
        for (int32_t k = 0; k < a->intervals; k++) {
            double number[ACTIVITY_NUMBERS];
            memcpy(number, &a->cell[(size_t)p * (size_t)a->intervals + (size_t)k], sizeof number);
            (void)fprintf(to, "%d %d", (int)p, (int)k);
            for (int i = 0; i < ACTIVITY_NUMBERS; i++)
                put(to, " ", number[i]);
            (void)fputc('\n', to);
        }
    return ferror(to) ? -1 : 0;
}
