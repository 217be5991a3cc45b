/* The fluid limit of a model. */
#include "pepa_fluid.h"

#include <stdio.h>

#include "api/queries.h"
#include "base/clock.h"
#include "measure/fluid.h"

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
static void warn_single(const FluidModel *m, const char *file, const PepaSettings *set)
{
    const int32_t single = fluid_model_single(m);
    char message[128];
    if (!set->derive.diagnose || single == 0)
        return;
    (void)snprintf(message, sizeof message,
                   "%d component%s no copies, and approximated as populations of 1", single,
                   single == 1 ? " has" : "s have");
    set->derive.diagnose(set->user, &(PepaDiagnostic){.severity = PEPA_WARNING,
                                                      .file = file,
                                                      .message = message,
                                                      .excerpt = ""});
}

PepaStatus pepa_fluid_measures(const PepaModel *model, const PepaMeasures *measures,
                               const PepaFluid *at, const PepaSettings *set, double *value,
                               PepaFluidInfo *info, PepaError *err)
{
    if (!model || !measures || !at || !value)
        return error_null(err, "pepa_fluid_measures");
    PepaSettings all;
    FluidModel m = {0};
    FluidFound found = {0};
    const Query *query = &measures->query;
    const double start = clock_seconds();
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK)
        status = check(measures, model, at, err);
    if (status == PEPA_OK)
        status = fluid_model_new(&m, model->model, query, &all, err);
    if (status != PEPA_OK)
        return status;
    warn_single(&m, model->model->source.name, &all);
    status = at->steady ? fluid_settled(&m, value, &found, err)
                        : fluid_at_times(&m, at->time, at->count, value, &found, err);
    if (status == PEPA_OK && info)
        *info = (PepaFluidInfo){.variables = m.field.n,
                                .equations = m.field.r,
                                .steps = found.steps,
                                .turns = found.turns,
                                .residual = found.settled.residual,
                                .settled = found.settled.time,
                                .single = fluid_model_single(&m),
                                .seconds = clock_seconds() - start};
    fluid_model_free(&m);
    return status;
}
