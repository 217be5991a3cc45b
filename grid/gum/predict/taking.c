/* Writes and solves the model of processes that take sparks. */
#include "grid/gum/predict/taking.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <pepa_fluid.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/number.h"

const char *taking_method(ModelMethod method)
{
    return method == MODEL_EXACT ? "exact" : "fluid";
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool takes_from_main(const TakingModel *m)
{
    return m->work > 0;
}

static void add_rate(Text *out, const char *name, int32_t number, double rate)
{
    char digits[NUMBER_SIZE];
    number_write(rate, digits);
    text_add(out, "%s%d = %s;\n", name, (int)number, digits);
}

/* The most sparks that a process of the group has, the one that runs as well. */
static int32_t stock_of(const ModelGroup *g)
{
    return g->watermark - 1 + g->bulk;
}

/* The name of a state: with `stock` sparks, `fish` stages of the search are over, `done` of the task. */
static void add_state(Text *out, int32_t group, int32_t stock, int32_t fish, int32_t done)
{
    text_add(out, "P%d_%d", (int)group, (int)stock);
    if (fish > 0)
        text_add(out, "_f%d", (int)fish);
    if (done > 0)
        text_add(out, "_w%d", (int)done);
}

/* The moves of a state: the search goes on where there is less than the watermark, and work. */
static void add_moves(Text *out, const TakingModel *m, int32_t group, int32_t stock, int32_t fish,
                      int32_t done)
{
    const ModelGroup *g = &m->group[group - 1];
    const bool searches = stock<g->watermark, works = stock> 0;
    add_state(out, group, stock, fish, done);
    text_add(out, " = ");
    if (searches) {
        const bool last = fish + 1 == m->stages;
        text_add(out, "(%s, s%d).", last ? "give" : "fish", (int)group);
        add_state(out, group, last ? stock + g->bulk : stock, last ? 0 : fish + 1, done);
    }
    if (works) {
        const bool last = done + 1 == m->stages;
        text_add(out, "%s(%s%d, m%d).", searches ? " + " : "", last ? "work" : "go", (int)group,
                 (int)group);
        add_state(out, group, last ? stock - 1 : stock, fish, last ? 0 : done + 1);
    }
    text_add(out, ";\n");
}

static void add_group(Text *out, const TakingModel *m, int32_t group)
{
    const ModelGroup *g = &m->group[group - 1];
    add_rate(out, "m", group, m->stages / g->work);
    add_rate(out, "s", group, m->stages / g->search);
    for (int32_t stock = 0; stock <= stock_of(g); stock++)
        for (int32_t fish = 0; fish < (stock < g->watermark ? m->stages : 1); fish++)
            for (int32_t done = 0; done < (stock > 0 ? m->stages : 1); done++)
                add_moves(out, m, group, stock, fish, done);
}

static void add_main(Text *out, const TakingModel *m)
{
    add_rate(out, "m", 0, 1 / m->work);
    text_add(out, "Main = (work0, m0).Main");
    if (m->groups == 0) {
        text_add(out, ";\n\nMain\n");
        return;
    }
    text_add(out, " + (give, ");
    if (m->serve > 0) {
        char digits[NUMBER_SIZE];
        number_write(1 / m->serve, digits);
        text_add(out, "%s).Main;  // it takes time to answer\n\n", digits);
    } else {
        text_add(out, "T).Main;\n\n");
    }
    text_add(out, "Main <give> (");
}

static void add_model(Text *out, const TakingModel *m, const char *about)
{
    text_add(out, "// %s\n// Unit of time: second.\n\n", about);
    for (int32_t g = 1; g <= m->groups; g++)
        add_group(out, m, g);
    if (takes_from_main(m))
        add_main(out, m);
    else
        text_add(out, "\n");
    for (int32_t g = 1; g <= m->groups; g++) {
        text_add(out, "%sP%d_0", g > 1 ? " || " : "", (int)g);
        if (m->group[g - 1].copies > 1)
            text_add(out, "[%d]", (int)m->group[g - 1].copies);
    }
    if (m->groups > 0)
        text_add(out, takes_from_main(m) ? ")\n" : "\n");
}

PepaStatus taking_text(const TakingModel *m, const char *about, char **out, PepaError *err)
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

/* ---- answers --------------------------------------------------------------------------------- */

/* Ways to place the copies of a group on its states. */
static double states_of(const TakingModel *m, const ModelGroup *g)
{
    double states = 0;
    for (int32_t stock = 0; stock <= stock_of(g); stock++)
        states += (stock < g->watermark ? m->stages : 1.0) * (stock > 0 ? m->stages : 1.0);
    return round(exp(lgamma(g->copies + states) - lgamma(states) - lgamma(g->copies + 1.0)));
}

double taking_states(const TakingModel *m)
{
    double states = 1;
    for (int32_t g = 0; g < m->groups; g++)
        states *= states_of(m, &m->group[g]);
    return states;
}

static void action_name(char name[16], int32_t group)
{
    (void)snprintf(name, 16, "work%d", (int)group);
}

static PepaStatus solve_exactly(const TakingModel *m, const PepaModel *model,
                                const PepaSettings *set, double *rate, PepaError *err)
{
    PepaChain *chain = NULL;
    double *pi = NULL;
    PepaInfo info;
    PepaStatus status = pepa_chain_derive(&chain, model, set, err);
    if (status == PEPA_OK && !mem_new(pi, pepa_chain_info(chain).states))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = pepa_solve_steady(chain, set, pi, &info, err);
    for (int32_t g = takes_from_main(m) ? 0 : 1; g <= m->groups && status == PEPA_OK; g++) {
        char name[16];
        action_name(name, g);
        status = pepa_throughput(chain, pi, name, &rate[g], err);
    }
    mem_free(pi);
    pepa_chain_free(chain);
    return status;
}

static PepaStatus solve_fluid(const TakingModel *m, const PepaModel *model, const PepaSettings *set,
                              double *rate, PepaError *err)
{
    PepaMeasures *measures = NULL;
    Text text = {0};
    const PepaFluid at = {.steady = 1};
    const int32_t first = takes_from_main(m) ? 0 : 1;
    for (int32_t g = first; g <= m->groups; g++)
        text_add(&text, "throughput:work%d\n", (int)g);
    PepaStatus status = text.failed ? error_memory(err) : PEPA_OK;
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status =
            pepa_measures_add(measures, "throughputs", text.text, text.length, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_fluid_measures(model, measures, &at, set, rate + first, NULL, err);
    pepa_measures_free(measures);
    text_free(&text);
    return status;
}

PepaStatus taking_solve(const TakingModel *m, double most_states, const PepaSettings *set,
                        double *rate, ModelMethod *method, PepaError *err)
{
    PepaModel *model = NULL;
    char *text = NULL;
    rate[0] = 0;
    if (m->groups == 0 && !takes_from_main(m))
        return PEPA_OK;
    *method = taking_states(m) <= most_states ? MODEL_EXACT : MODEL_FLUID;
    PepaStatus status = taking_text(m, "GUM", &text, err);
    if (status == PEPA_OK)
        status = pepa_model_parse(&model, "gum", text, strlen(text), NULL, err);
    if (status == PEPA_OK)
        status = *method == MODEL_EXACT ? solve_exactly(m, model, set, rate, err)
                                        : solve_fluid(m, model, set, rate, err);
    pepa_model_free(model);
    mem_free(text);
    return status;
}
