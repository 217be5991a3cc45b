/* amoget_explain: what a mapping's throughput depends on. */
#include <string.h>

#include "amoget/search/ranker.h"

/* Processors, links and moves within processors that a mapping uses. */
enum { MOST_RESOURCES = 2 * MOST_STAGES + 1 };

typedef struct {
    AmogetExplanation handle; /* first: what the caller sees */
    double seconds[MOST_ACTIVITIES], share[MOST_ACTIVITIES];
    AmogetResource resources[MOST_RESOURCES];
    int32_t resource[MOST_ACTIVITIES];
    Shape shape;
} Owner;

void amoget_explanation_free(AmogetExplanation *explanation)
{
    mem_free(explanation);
}

static AmogetResource resource_of(const AmogetDescription *desc, const int32_t *mapping, int32_t k)
{
    int32_t i = k / 2, takes = 2 * desc->stages + 1;
    if (k >= takes)
        return (AmogetResource){.kind = AMOGET_WITHIN,
                                .a = mapping[k - takes + 1],
                                .b = mapping[k - takes + 1]};
    if (k % 2)
        return (AmogetResource){.kind = AMOGET_PROCESSOR, .a = mapping[i], .b = mapping[i]};
    int32_t from = i > 0 ? mapping[i - 1] : desc->input;
    int32_t to = i < desc->stages ? mapping[i] : desc->output_to;
    from = from == AMOGET_NOWHERE ? to : from;
    to = to == AMOGET_NOWHERE ? from : to;
    return (AmogetResource){.kind = from == to ? AMOGET_WITHIN : AMOGET_LINK,
                            .a = from < to ? from : to,
                            .b = from < to ? to : from};
}

static void find_resources(Owner *own, const AmogetDescription *desc, const int32_t *mapping)
{
    int32_t *count = &own->handle.resource_count;
    for (int32_t k = 0; k < own->handle.parts; k++) {
        AmogetResource r = resource_of(desc, mapping, k);
        int32_t at = 0;
        while (at < *count && !(own->resources[at].kind == r.kind && own->resources[at].a == r.a &&
                                own->resources[at].b == r.b))
            at++;
        if (at == *count)
            own->resources[(*count)++] = r;
        own->resources[at].share += own->share[k];
        own->resource[k] = at;
    }
}

/* The throughput with each resource twice as fast. */
static PepaStatus double_each(Owner *own, Run *run, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t r = 0; r < own->handle.resource_count && status == PEPA_OK; r++) {
        double seconds[MOST_ACTIVITIES];
        ChainAnswer answer;
        for (int32_t k = 0; k < own->handle.parts; k++)
            seconds[k] = own->seconds[k] / (own->resource[k] == r ? 2 : 1);
        status = run_solve(run, 0, &own->shape, seconds, (ChainQuestion){0}, &answer, NULL, err);
        if (status == PEPA_OK)
            own->resources[r].doubled = 1 / answer.time;
    }
    return status;
}

/* Largest share first; equal ones by kind and number. */
static bool comes_first(const AmogetResource *x, const AmogetResource *y)
{
    if (x->share > y->share || x->share < y->share)
        return x->share > y->share;
    if (x->kind != y->kind)
        return x->kind < y->kind;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static void sort_resources(Owner *own)
{
    int32_t count = own->handle.resource_count, place[MOST_RESOURCES];
    AmogetResource sorted[MOST_RESOURCES];
    for (int32_t r = 0; r < count; r++) {
        place[r] = 0;
        for (int32_t other = 0; other < count; other++)
            place[r] += comes_first(&own->resources[other], &own->resources[r]);
        sorted[place[r]] = own->resources[r];
    }
    memcpy(own->resources, sorted, (size_t)count * sizeof *sorted);
    for (int32_t k = 0; k < own->handle.parts; k++)
        own->resource[k] = place[own->resource[k]];
}

static PepaStatus explain(Owner *own, Run *run, const int32_t *mapping, PepaError *err)
{
    const AmogetDescription *desc = run->ranker->desc;
    ChainAnswer answer;
    AmogetExplanation *handle = &own->handle;
    PepaStatus status = amoget_durations(desc, mapping, own->seconds, err);
    if (status == PEPA_OK)
        own->shape = shape_of(desc, mapping);
    if (status == PEPA_OK)
        status = run_solve(run, 0, &own->shape, own->seconds, (ChainQuestion){.shares = true},
                           &answer, NULL, err);
    if (status == PEPA_ENOCONV)
        run_blame(run, mapping, err);
    if (status != PEPA_OK)
        return status;
    handle->throughput = 1 / answer.time;
    handle->parts = shape_activities(&own->shape);
    handle->solution = answer.info;
    memcpy(own->share, answer.share, (size_t)handle->parts * sizeof *own->share);
    handle->seconds = own->seconds;
    handle->share = own->share;
    handle->resource = own->resource;
    handle->resources = own->resources;
    find_resources(own, desc, mapping);
    sort_resources(own);
    return run->set.single ? PEPA_OK : double_each(own, run, err);
}

PepaStatus amoget_explain(AmogetRanker *ranker, const int32_t *mapping, const AmogetSettings *set,
                          AmogetExplanation **out, PepaError *err)
{
    Run run;
    if (!ranker || !mapping || !out)
        return error_null(err, "amoget_explain");
    PepaStatus status = run_start(&run, ranker, set, "amoget_explain", err);
    if (status != PEPA_OK)
        return status;
    Owner *own = mem_calloc(1, sizeof *own);
    if (!own)
        return error_memory(err);
    status = explain(own, &run, mapping, err);
    if (status == PEPA_ELIMIT && atomic_load(&run.agreement.stopped) == PEPA_ELIMIT)
        (void)error_set(err, PEPA_ELIMIT, "%s before the mapping was explained", run_end(&run));
    if (status == PEPA_OK)
        *out = &own->handle;
    else
        amoget_explanation_free(&own->handle);
    return status;
}
