/* Writes and solves the PEPA model of a round. */
#include "grid/taag/predict/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "grid/predict/throughput.h"

/* An exchange that takes no time is so many times as fast as the round is long. */
#define INSTANT 1e6

/* Groups with equal times. */
typedef struct {
    double time;
    int32_t count;
} Class;

static int by_time(const void *a, const void *b)
{
    const Class *x = a, *y = b;
    return (x->time < y->time) - (x->time > y->time);
}

/* To be freed by mem_free; NULL: out of memory. */
static Class *classes_of(const Round *r, int32_t *count)
{
    Class *class;
    *count = 0;
    if (!mem_new(class, r->groups))
        return NULL;
    for (int32_t g = 0; g < r->groups; g++)
        class[g] = (Class){r->time[g], 1};
    qsort(class, (size_t)r->groups, sizeof *class, by_time);
    for (int32_t g = 0; g < r->groups; g++) {
        if (*count > 0 && class[*count - 1].time == class[g].time)
            class[*count - 1].count++;
        else
            class[(*count)++] = class[g];
    }
    return class;
}

static double exchange_rate(const Round *r)
{
    return r->exchange > 0 ? 1 / r->exchange : INSTANT / round_least(r);
}

static void add_class(Text *out, const Class *class, int32_t number, int32_t phases)
{
    char digits[NUMBER_SIZE];
    if (class->time > 0) {
        number_write(phases / class->time, digits);
        text_add(out, "r%d = %s;\n", number, digits);
    }
    text_add(out, "G%d = ", number);
    for (int32_t k = 0; k<phases &&class->time> 0; k++)
        text_add(out, "(ring, r%d).", number);
    text_add(out, "(exch, T).G%d;\n", number);
}

static void add_model(Text *out, const Round *r, const Class *class, int32_t count, int32_t phases,
                      const char *about)
{
    char digits[NUMBER_SIZE];
    text_add(out, "// %s\n// Unit of time: second.\n\n", about);
    for (int32_t i = 0; i < count; i++)
        add_class(out, &class[i], i + 1, phases);
    number_write(exchange_rate(r), digits);
    text_add(out, "X = (exch, %s).X;%s\n\n(", digits,
             r->exchange > 0 ? "" : "  // takes no time worth mentioning");
    for (int32_t i = 0; i < count; i++) {
        text_add(out, "%sG%d", i > 0 ? " <exch> " : "", i + 1);
        if (class[i].count > 1)
            text_add(out, "[%d]{exch}", (int)class[i].count);
    }
    text_add(out, ") <exch> X\n");
}

PepaStatus round_text(const Round *r, int32_t phases, const char *about, char **out, PepaError *err)
{
    Text text = {0};
    int32_t count;
    Class *class = classes_of(r, &count);
    if (!class)
        return error_memory(err);
    add_model(&text, r, class, count, phases, about);
    mem_free(class);
    if (!text.failed) {
        *out = text.text;
        return PEPA_OK;
    }
    text_free(&text);
    return error_memory(err);
}

double round_states(const Round *r, int32_t phases)
{
    int32_t count;
    double states = 1;
    Class *class = classes_of(r, &count);
    for (int32_t i = 0; class && i < count; i++)
        if (class[i].time > 0) /* copies in one of `phases` phases, or done */
            states *= round(exp(lgamma(class[i].count + phases + 1.0) - lgamma(phases + 1.0) -
                                lgamma(class[i].count + 1.0)));
    if (!class)
        return HUGE_VAL;
    mem_free(class);
    return states;
}

PepaStatus round_solve(const Round *r, int32_t phases, const PepaSettings *set, double *out,
                       PepaError *err)
{
    char *text = NULL;
    double per_second;
    PepaStatus status = round_text(r, phases, "round", &text, err);
    if (status == PEPA_OK)
        status = text_throughput(text, "round", "exch", set, &per_second, err);
    if (status == PEPA_OK) /* what comes after another adds to its mean */
        *out = 1 / per_second - (r->exchange > 0 ? 0 : 1 / exchange_rate(r));
    mem_free(text);
    return status;
}
