/* Writes and solves the PEPA model of a superstep. */
#include "grid/bsp/predict/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"
#include "grid/predict/maximum.h"
#include "grid/predict/throughput.h"

/* Activities that should take no time are so many times as fast as the superstep is long. */
#define INSTANT 1e6

/* Processes with equal times. */
typedef struct {
    double compute, communicate;
    int32_t count;
} Class;

typedef struct {
    const Superstep *step;
    int32_t stages;
    Class *class;
    int32_t classes;
    bool computes, communicates; /* some process does */
    double instant;              /* rate */
} Model;

static int by_times(const void *a, const void *b)
{
    const Class *x = a, *y = b;
    if (x->compute != y->compute)
        return x->compute > y->compute ? -1 : 1;
    return (x->communicate < y->communicate) - (x->communicate > y->communicate);
}

/* Errors: PEPA_ENOMEM. */
static PepaStatus model_new(Model *m, const Superstep *s, int32_t stages, PepaError *err)
{
    *m = (Model){.step = s, .stages = stages};
    if (!mem_new(m->class, s->processes))
        return error_memory(err);
    for (int32_t p = 0; p < s->processes; p++)
        m->class[p] = (Class){s->compute[p], s->communicate[p], 1};
    qsort(m->class, (size_t)s->processes, sizeof *m->class, by_times);
    for (int32_t p = 0; p < s->processes; p++) {
        m->computes = m->computes || m->class[p].compute > 0;
        m->communicates = m->communicates || m->class[p].communicate > 0;
        if (m->classes > 0 && by_times(&m->class[m->classes - 1], &m -> class[p]) == 0)
            m->class[m->classes - 1].count++;
        else
            m->class[m->classes++] = m->class[p];
    }
    m->instant = INSTANT / superstep_unequal(s);
    return PEPA_OK;
}

static bool meets(const Model *m)
{
    return m->computes && m->communicates;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void add_rate(Text *out, const char *name, int32_t number, double rate, const char *about)
{
    char digits[NUMBER_SIZE];
    number_write(rate, digits);
    text_add(out, "%s%d = %s;%s\n", name, number, digits, about);
}

static void add_stages(Text *out, const Model *m, const char *action, const char *rate,
                       int32_t class, double seconds)
{
    for (int32_t k = 0; k < m->stages && seconds > 0; k++)
        text_add(out, "(%s, %s%d).", action, rate, class);
}

static void add_class(Text *out, const Model *m, int32_t number)
{
    const Class *c = &m->class[number - 1];
    if (c->compute > 0)
        add_rate(out, "c", number, m->stages / c->compute, "");
    if (c->communicate > 0)
        add_rate(out, "g", number, m->stages / c->communicate, "");
    text_add(out, "P%d = ", number);
    add_stages(out, m, "compute", "c", number, c->compute);
    text_add(out, meets(m) ? "(meet, T)." : "");
    add_stages(out, m, "communicate", "g", number, c->communicate);
    text_add(out, "(sync, T).P%d;\n", number);
}

static void add_system(Text *out, const Model *m)
{
    const char *actions = meets(m) ? "meet, sync" : "sync";
    text_add(out, meets(m) ? "((" : "(");
    for (int32_t i = 1; i <= m->classes; i++) {
        text_add(out, "%s%s%sP%d", i > 1 ? " <" : "", i > 1 ? actions : "", i > 1 ? "> " : "", i);
        if (m->class[i - 1].count > 1)
            text_add(out, "[%d]{%s}", (int)m->class[i - 1].count, actions);
    }
    text_add(out, ") <sync> Barrier");
    text_add(out, meets(m) ? ") <meet> Meeting\n" : "\n");
}

static void add_model(Text *out, const Model *m, const char *about)
{
    char digits[NUMBER_SIZE];
    text_add(out, "// %s\n// Unit of time: second.\n\n", about);
    for (int32_t i = 1; i <= m->classes; i++)
        add_class(out, m, i);
    number_write(m->step->barrier > 0 ? 1 / m->step->barrier : m->instant, digits);
    text_add(out, "Barrier = (sync, %s).Barrier;%s\n", digits,
             m->step->barrier > 0 ? "" : "  // takes no time worth mentioning");
    number_write(m->instant, digits);
    if (meets(m))
        text_add(out, "Meeting = (meet, %s).Meeting;  // takes no time worth mentioning\n", digits);
    text_add(out, "\n");
    add_system(out, m);
}

static PepaStatus write_text(const Model *m, const char *about, char **out, PepaError *err)
{
    Text text = {0};
    add_model(&text, m, about);
    if (!text.failed) {
        *out = text.text;
        return PEPA_OK;
    }
    text_free(&text);
    return error_memory(err);
}

PepaStatus model_text(const Superstep *s, int32_t stages, const char *about, char **out,
                      PepaError *err)
{
    Model m;
    if (superstep_unequal(s) <= 0)
        return error_set(err, PEPA_EMODEL, "nothing in the superstep takes time");
    PepaStatus status = model_new(&m, s, stages, err);
    if (status == PEPA_OK)
        status = write_text(&m, about, out, err);
    mem_free(m.class);
    return status;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* States of n copies in one of `stages` stages, or done: ways to place them. */
static double states_of(int32_t copies, int32_t stages)
{
    return round(exp(lgamma(copies + stages + 1) - lgamma(stages + 1) - lgamma(copies + 1)));
}

double model_states(const Superstep *s, int32_t stages)
{
    Model m;
    double compute = 1, communicate = 1;
    if (model_new(&m, s, stages, NULL) != PEPA_OK)
        return HUGE_VAL;
    for (int32_t i = 0; i < m.classes; i++) {
        compute *= m.class[i].compute > 0 ? states_of(m.class[i].count, stages) : 1;
        communicate *= m.class[i].communicate > 0 ? states_of(m.class[i].count, stages) : 1;
    }
    mem_free(m.class);
    return compute + communicate;
}

PepaStatus model_solve(const Superstep *s, int32_t stages, const PepaSettings *set, double *out,
                       PepaError *err)
{
    Model m;
    char *text = NULL;
    double per_second;
    *out = 0;
    if (superstep_unequal(s) <= 0)
        return PEPA_OK;
    PepaStatus status = model_new(&m, s, stages, err);
    if (status == PEPA_OK)
        status = write_text(&m, "superstep", &text, err);
    if (status == PEPA_OK)
        status = text_throughput(text, "superstep", "sync", set, &per_second, err);
    if (status == PEPA_OK) /* they come one after another: their means add up */
        *out = 1 / per_second - (meets(&m) + (s->barrier == 0)) / m.instant;
    mem_free_all(m.class, text);
    return status;
}

PepaStatus model_mean(const Superstep *s, int32_t stages, double *out, PepaError *err)
{
    double compute = 0, communicate = 0;
    const Durations computing = {s->compute, s->processes, stages};
    const Durations communicating = {s->communicate, s->processes, stages};
    PepaStatus status = maximum_mean(&computing, &compute, err);
    if (status == PEPA_OK)
        status = maximum_mean(&communicating, &communicate, err);
    if (status == PEPA_OK)
        *out = compute + communicate + s->barrier;
    return status;
}
