/* What can be written at a place: names and keywords of the kind that fits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lsp/context.h"
#include "lsp/description_features.h"
#include "lsp/features.h"
#include "lsp/model_text.h"

/* Kinds of items, from the protocol. */
enum { ITEM_FUNCTION = 3, ITEM_CLASS = 7, ITEM_KEYWORD = 14, ITEM_CONSTANT = 21, ITEM_EVENT = 23 };
enum { MOST_ITEMS = 2000 };

static void add(json_t **list, const char *label, int kind, const char *detail)
{
    if (json_array_size(*list) < MOST_ITEMS)
        *list = list_add(*list,
                         json_pack("{ss, si, ss}", "label", label, "kind", kind, "detail", detail));
}

static void add_names(json_t **list, const Intern *names, int kind, const char *detail)
{
    for (size_t i = 0; i < names->count; i++)
        add(list, names->names[i], kind, detail);
}

/* The value of a rate, where it is known; else "rate". */
static void rate_detail(const Model *model, const char *name, char *detail, size_t size)
{
    (void)snprintf(detail, size, "rate");
    for (int32_t r = 0; model && r < model->rate_count; r++) {
        const Rate *rate = &model->rates[r];
        if (strcmp(rate->name, name) == 0 && rate->value.level == LEVEL_TIMED &&
            !isnan(rate->value.value))
            (void)snprintf(detail, size, "rate, %.10g", rate->value.value);
    }
}

static void add_rates(json_t **list, const Contexts *contexts, const Model *model)
{
    static const char *const functions[] = {"min", "max", "pow", "exp", "log", "sqrt", NULL};
    static const char *const times[] = {"erlang", "hyper", "cox", NULL};
    static const char *const durations[] = {"det", "uniform", "lognormal", "trace", NULL};
    static const char *const words[] = {"infty", "immediate", "if", "then", "else", NULL};
    for (size_t i = 0; i < contexts->rates.count && i < MOST_ITEMS; i++) {
        char detail[64];
        rate_detail(model, contexts->rates.names[i], detail, sizeof detail);
        add(list, contexts->rates.names[i], ITEM_CONSTANT, detail);
    }
    add_names(list, &contexts->processes, ITEM_CLASS, "how many are in this state");
    for (const char *const *each = functions; *each; each++)
        add(list, *each, ITEM_FUNCTION, "function");
    for (const char *const *each = times; *each; each++)
        add(list, *each, ITEM_FUNCTION, "phase type");
    for (const char *const *each = durations; *each; each++)
        add(list, *each, ITEM_FUNCTION, "duration, for simulation");
    for (const char *const *each = words; *each; each++)
        add(list, *each, ITEM_KEYWORD, "keyword");
}

static void add_processes(json_t **list, const Contexts *contexts)
{
    add_names(list, &contexts->processes, ITEM_CLASS, "process");
    if (intern_find(&contexts->processes, "Stop", strlen("Stop")) < 0)
        add(list, "Stop", ITEM_CLASS, "does nothing");
}

static json_t *items(const Contexts *contexts, const Model *model)
{
    json_t *list = json_array();
    if (!list)
        return NULL;
    switch (contexts->at) {
    case CONTEXT_START:
    case CONTEXT_PROCESS:
        add_processes(&list, contexts);
        break;
    case CONTEXT_ACTIVITY:
        add_names(&list, &contexts->actions, ITEM_EVENT, "action");
        add_processes(&list, contexts);
        break;
    case CONTEXT_RATE:
        add_rates(&list, contexts, model);
        break;
    case CONTEXT_SET:
        add_names(&list, &contexts->actions, ITEM_EVENT, "action");
        break;
    case CONTEXT_NOTHING:
        break;
    }
    return list;
}

json_t *feature_completion(Document *doc, json_t *params, Failure *failure)
{
    uint32_t offset;
    Contexts contexts = {0};
    const Reading *reading = request_place(doc, params, &offset, failure);
    if (!reading)
        return NULL;
    if (!reading->model)
        return description_completion(reading);
    json_t *result = NULL;
    if (context_find(&contexts, &reading->source, offset))
        result = items(&contexts, reading->model->model);
    context_free(&contexts);
    return result;
}
