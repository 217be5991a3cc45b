/* The fluid limit of a model. */
#include "pepa_fluid.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "api/queries.h"
#include "base/clock.h"
#include "base/number.h"
#include "ctmc/system/durations.h"
#include "measure/fluid_individual.h"

static_assert((int)PEPA_CLOSURE_NORMAL == (int)CLOSURE_NORMAL &&
                  (int)PEPA_CLOSURE_LINEAR_NOISE == (int)CLOSURE_LINEAR_NOISE &&
                  (int)PEPA_CLOSURE_BOUNDS == (int)CLOSURE_BOUNDS,
              "closures have the same numbers inside");

static PepaStatus check(const PepaMeasures *measures, const PepaModel *model, const PepaFluid *at,
                        PepaError *err)
{
    if (measures->owner != model)
        return error_set(err, PEPA_EARG, "the measures are of another model");
    if (!ALL_ZERO(at->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaFluid: reserved words must be 0; is the library older than "
                         "pepa_fluid.h?");
    return at->steady ? PEPA_OK : times_check(at->time, at->count, err);
}

/* A finding about the model as a whole. */
static void warn(const FluidModel *m, const char *message)
{
    const PepaSettings *set = m->set;
    if (set->derive.diagnose)
        set->derive.diagnose(set->user, &(PepaDiagnostic){.severity = PEPA_WARNING,
                                                          .file = m->chain.model->source.name,
                                                          .message = message,
                                                          .excerpt = ""});
}

static void warn_of_model(const FluidModel *m)
{
    const int32_t single = fluid_model_single(m);
    char message[128];
    (void)number_print(message, sizeof message,
                       "%d component%s no copies: %s counts as a population of 1", single,
                       single == 1 ? " has" : "s have", single == 1 ? "it" : "each");
    if (single > 0)
        warn(m, message);
    if (m->population->composite)
        warn(m, "copies of composite components are approximated by populations of their parts, "
                "each of which cooperates with all others");
}

/* How far the means of second order are from those of first order, and where. */
static void put_doubt(const FluidModel *m, const PepaFluid *at, const FluidFound *found, Text *text)
{
    const char *name = m->query->items[found->doubt_item].name;
    if (found->doubt < 0.995)
        text_add(text, "fluctuations change `%.100s` by %.2g%%", name ? name : "",
                 100 * found->doubt);
    else
        text_add(text, "fluctuations change `%.100s` by 100%% or more", name ? name : "");
    if (!at->steady)
        text_add(text, " at time %g", at->time[found->doubt_time]);
    if (found->doubt_action >= 0)
        text_add(text, ", most where `%.100s` is limited by one side or the other",
                 m->chain.model->actions[found->doubt_action]);
    if (found->closure == CLOSURE_NORMAL)
        text_add(text, "; deviations can be off by as much");
    text_add(text, "; compare with pepa simulate");
}

static PepaStatus warn_of_doubt(const FluidModel *m, const PepaFluid *at, const FluidFound *found,
                                PepaError *err)
{
    const double enough = 0.01;
    Text text = {0};
    if (found->closure == CLOSURE_NORMAL && !(found->doubt > enough))
        return PEPA_OK;
    if (found->closure != CLOSURE_NORMAL)
        text_add(&text,
                 "populations are small beside their fluctuations, and with terms of second order "
                 "%s: so means are those of the fluid limit, ",
                 found->why);
    if (found->closure == CLOSURE_BOUNDS)
        text_add(&text,
                 "and since linear noise around it has no solution either, deviations are the "
                 "largest that quantities of such means can have; use pepa simulate");
    else if (found->closure == CLOSURE_LINEAR_NOISE)
        text_add(&text, "deviations those of linear noise around it; by a first estimate ");
    if (found->closure != CLOSURE_BOUNDS)
        put_doubt(m, at, found, &text);
    if (!text.failed)
        warn(m, text.text);
    const PepaStatus status = text.failed ? error_memory(err) : PEPA_OK;
    text_free(&text);
    return status;
}

/* Where a condition changes: within one component, which is next to nothing in large populations. */
static void warn_of_jump(const FluidModel *m, const FluidFound *found)
{
    char message[256];
    if (found->jump_action < 0)
        return;
    (void)number_print(
        message, sizeof message,
        "at time %.6g a condition changes, and the rate of `%.100s` with it, within one "
        "component: near such times the mean is smoother than this",
        found->jump_time, m->chain.model->actions[found->jump_action]);
    warn(m, message);
}

/* Where a rate is below 0: between whole numbers, where no chain is, or at these, where chain and
 * simulation end with an error. */
static void warn_of_negative(const FluidModel *m, const PepaFluid *at, const FluidFound *found)
{
    char message[400], when[64] = "where populations settle";
    if (found->negative_action < 0)
        return;
    if (!at->steady)
        (void)number_print(when, sizeof when, "from about time %.4g on", found->negative_time);
    (void)number_print(
        message, sizeof message,
        "%s, the rate of `%.100s` is below 0: it counts local states, and is that between whole "
        "numbers of them, or in states of the model, where pepa simulate ends with an error; "
        "values are meaningless there: use pepa simulate",
        when, m->chain.model->actions[found->negative_action]);
    warn(m, message);
}

/* Where a scarce population divides between actions that other scarce ones take part in. */
static void warn_of_choice(const FluidModel *m, bool steady, const FluidFound *found)
{
    char message[600], when[64] = "where populations settle";
    if (found->scarce < 0)
        return;
    if (!steady)
        (void)number_print(when, sizeof when, "from about time %.4g on", found->scarce_time);
    const Model *model = m->chain.model;
    const char *name = field_name(m->population, found->scarce),
               *first = model->actions[found->scarce_action],
               *other = found->scarce_other < 0 ? NULL : model->actions[found->scarce_other];
    if (!other)
        (void)number_print(
            message, sizeof message,
            "%s, `%.100s` is limited by one side while some are in `%.100s`, and by the "
            "other while none are, which differential equations do not tell apart: rates "
            "can be off however large the populations are; use pepa simulate",
            when, first, name);
    else
        (void)number_print(
            message, sizeof message,
            "%s, next to none are in `%.100s`, and how they divide between `%.100s` and "
            "`%.100s` depends on others who are as few, which differential equations do "
            "not know: rates can be off however large the populations are; use pepa "
            "simulate",
            when, name, first, other);
    warn(m, message);
}

/* The equations of a model in which every duration is exponential. */
static PepaStatus equations(FluidModel *m, const PepaModel *model, const Query *query,
                            const PepaSettings *set, PepaError *err)
{
    DiagList diags = {0};
    PepaStatus status = durations_refuse(model->model, &diags, err);
    if (status != PEPA_OK)
        status = diagnose_all(&diags, &model->model->source, set->derive.diagnose, set->user,
                              status, err);
    diag_free(&diags);
    return status == PEPA_OK ? fluid_model_new(m, model->model, query, set, err) : status;
}

/* Values alone, or moments. */
static PepaStatus find(const PepaModel *model, const PepaMeasures *measures, const PepaFluid *at,
                       const PepaSettings *set, double *value, FluidMoment *moment,
                       PepaFluidInfo *info, PepaError *err)
{
    PepaSettings all;
    FluidModel m = {0};
    FluidFound found = fluid_nothing_found;
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check(measures, model, at, err);
    if (status == PEPA_OK)
        status = equations(&m, model, &measures->query, &all, err);
    if (status != PEPA_OK)
        return status;
    warn_of_model(&m);
    if (moment)
        status = fluid_moments(&m, at->steady ? NULL : at->time, at->steady ? 1 : at->count, moment,
                               &found, err);
    else
        status = at->steady ? fluid_settled(&m, value, &found, err)
                            : fluid_at_times(&m, at->time, at->count, value, &found, err);
    if (status == PEPA_OK)
        status = warn_of_doubt(&m, at, &found, err);
    if (status == PEPA_OK)
        warn_of_jump(&m, &found);
    if (status == PEPA_OK)
        warn_of_negative(&m, at, &found);
    if (status == PEPA_OK)
        warn_of_choice(&m, at->steady, &found);
    if (status == PEPA_OK && info)
        *info = (PepaFluidInfo){.variables = m.field.n,
                                .equations = m.field.r,
                                .steps = found.steps,
                                .turns = found.turns,
                                .residual = found.settled.residual,
                                .settled = found.settled.time,
                                .single = fluid_model_single(&m),
                                .closure = (int32_t)found.closure,
                                .moment_steps = found.moment_steps,
                                .seconds = clock_seconds() - start};
    fluid_model_free(&m);
    return status;
}

PepaStatus pepa_fluid_measures(const PepaModel *model, const PepaMeasures *measures,
                               const PepaFluid *at, const PepaSettings *set, double *value,
                               PepaFluidInfo *info, PepaError *err)
{
    if (!model || !measures || !at || !value)
        return error_null(err, "pepa_fluid_measures");
    return find(model, measures, at, set, value, NULL, info, err);
}

PepaStatus pepa_fluid_moments(const PepaModel *model, const PepaMeasures *measures,
                              const PepaFluid *at, const PepaSettings *set, PepaMoment *out,
                              PepaFluidInfo *info, PepaError *err)
{
    FluidMoment *moment = NULL;
    if (!model || !measures || !at || !out)
        return error_null(err, "pepa_fluid_moments");
    const size_t count = (at->steady ? 1 : at->count) * measures->query.item_count;
    if (!mem_new(moment, count))
        return error_memory(err);
    PepaStatus status = find(model, measures, at, set, NULL, moment, info, err);
    for (size_t i = 0; i < count && status == PEPA_OK; i++)
        out[i] = (PepaMoment){moment[i].mean, moment[i].deviation, moment[i].fluid};
    mem_free(moment);
    return status;
}

/* Names of what the model leaves out, for messages about it. */
static bool keep_timeless(Model *one, const Model *model, const bool *timeless)
{
    one->timeless = arena_alloc(&one->arena, (size_t)model->action_count * sizeof *one->timeless);
    for (int32_t a = 0; a < model->action_count && one->timeless; a++) {
        const char *name = model->actions[a];
        const char *copy = timeless[a] ? arena_copy(&one->arena, name, strlen(name)) : "";
        if (!copy)
            return false;
        if (timeless[a])
            one->timeless[one->timeless_count++] = copy;
    }
    return one->timeless;
}

/* The text as a model, named after the one that it comes from. */
static PepaStatus read_individual(PepaModel **out, const PepaModel *model, const char *component,
                                  const Text *text, const bool *timeless, PepaError *err)
{
    Text name = {0};
    text_add(&name, "%s, one %s", model->model->source.name, component);
    PepaModel *one = NULL;
    PepaStatus status =
        name.failed ? error_memory(err)
                    : pepa_model_parse(&one, name.text, text->text, text->length, NULL, err);
    text_free(&name);
    if (status == PEPA_OK && !keep_timeless(one->model, model->model, timeless)) {
        pepa_model_free(one);
        status = error_memory(err);
    }
    if (status == PEPA_OK)
        *out = one;
    return status;
}

PepaStatus pepa_fluid_individual(PepaModel **out, const PepaModel *model, const char *component,
                                 const PepaSettings *set, PepaError *err)
{
    if (!out || !model || !component)
        return error_null(err, "pepa_fluid_individual");
    const Query none = {0};
    PepaSettings all;
    FluidModel m = {0};
    Text text = {0};
    FluidFound found = fluid_nothing_found;
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = equations(&m, model, &none, &all, err);
    if (status != PEPA_OK)
        return status;
    bool *timeless = NULL;
    if (!mem_new_zeroed(timeless, model->model->action_count))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = fluid_individual(&m, component, timeless, &text, &found, err);
    if (status == PEPA_OK)
        warn_of_choice(&m, true, &found);
    if (status == PEPA_OK)
        status = read_individual(out, model, component, &text, timeless, err);
    mem_free(timeless);
    text_free(&text);
    fluid_model_free(&m);
    return status;
}
