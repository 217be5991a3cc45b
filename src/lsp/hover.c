/* What is known of the name under the pointer: values of rates, local states, who does an action.
 * */
#include <string.h>

#include "lsp/description_features.h"
#include "lsp/features.h"
#include "lsp/model_text.h"
#include "lsp/names.h"

enum {
    MOST_LOCALS = 40,     /* shown of a component */
    MOST_ACTIVITIES = 20, /* shown of a local state */
    MOST_TEXT = 400       /* bytes shown of a definition */
};

typedef struct {
    const Document *doc;
    const Ast *ast;
    const Model *model; /* or NULL */
    const Mentions *all;
    const Mention *at;
} Hover;

/* ---- parts --------------------------------------------------------------------------------- */

static void add_number(Text *out, double value)
{
    text_add(out, "%.10g", value);
}

static void add_value(Text *out, Value value)
{
    static const char *const level[] = {"", "immediate", "infty"};
    if (value.level == LEVEL_TIMED) {
        add_number(out, value.value);
        return;
    }
    if (value.value != 1) {
        add_number(out, value.value);
        text_add(out, " * ");
    }
    text_add(out, "%s", level[value.level]);
}

static void add_text(Text *out, const Content *content, Span span)
{
    size_t length = span.end - span.begin;
    const bool cut = length > MOST_TEXT;
    if (cut)
        for (length = MOST_TEXT;
             ((unsigned char)content->text[span.begin + length] & 0xC0) == 0x80;)
            length--;
    text_add(out, "%.*s%s", (int)length, content->text + span.begin, cut ? " ..." : "");
}

/* The definition as it stands in the text. */
static void add_definition(const Hover *hover, Text *out)
{
    const Mention *head = mentions_definition(hover->all, hover->at);
    if (!head)
        return;
    const AstDef *def = &hover->ast->defs[head->def];
    text_add(out, "\n```pepa\n");
    add_text(out, &hover->doc->content,
             (Span){def->span.begin, hover->ast->nodes[def->body].span.end});
    text_add(out, ";\n```\n");
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* ---- rates --------------------------------------------------------------------------------- */

/* The rate of a component's activity. */
static void add_rate_of(const Model *model, const Value *values, int32_t expr, Text *out)
{
    if (model->exprs[expr].functional)
        text_add(out, "depends on the state");
    else if (model_is_duration(model, expr))
        text_add(out, "a duration");
    else
        add_value(out, model_eval(model, expr, values, NULL));
}

static void hover_rate(const Hover *hover, Text *out)
{
    text_add(out, "rate `%s`", hover->at->name);
    for (int32_t r = 0; hover->model && r < hover->model->rate_count; r++) {
        const Rate *rate = &hover->model->rates[r];
        if (strcmp(rate->name, hover->at->name) != 0)
            continue;
        if (hover->model->exprs[rate->expr].functional) {
            text_add(out, ", depends on the state");
        } else {
            text_add(out, " = ");
            add_value(out, rate->value);
        }
    }
    const size_t count = mentions_uses(hover->all, hover->at);
    text_add(out, ", %zu use%s\n", count, plural(count));
    add_definition(hover, out);
}

/* ---- processes ----------------------------------------------------------------------------- */

static Value *values_of(const Model *model)
{
    Value *values = NULL;
    if (mem_new(values, model->rate_count))
        for (int32_t r = 0; r < model->rate_count; r++)
            values[r] = model->rates[r].value;
    return values;
}

/* Local states that can be reached from the first, breadth first. */
static int32_t *reach(const Model *model, int32_t first, int32_t *count)
{
    int32_t *found = NULL;
    bool *seen = NULL;
    *count = 0;
    if (mem_new(found, model->local_count) && mem_new_zeroed(seen, model->local_count)) {
        seen[first] = true;
        found[(*count)++] = first;
        for (int32_t next = 0; next < *count; next++) {
            const Local *local = &model->locals[found[next]];
            for (int32_t k = local->first; k < local->first + local->count; k++) {
                const int32_t target = model->activities[k].target;
                if (!seen[target])
                    found[(*count)++] = target;
                seen[target] = true;
            }
        }
    } else {
        mem_free(found);
        found = NULL;
    }
    mem_free(seen);
    return found;
}

static void add_local(const Model *model, const Value *values, int32_t id, Text *out)
{
    const Local *local = &model->locals[id];
    text_add(out, "%s\n", local->name);
    if (local->count == 0)
        text_add(out, "    does nothing\n");
    for (int32_t k = 0; k < local->count && k < MOST_ACTIVITIES; k++) {
        const Activity *activity = &model->activities[local->first + k];
        text_add(out, "    (%s, ", model->actions[activity->action]);
        add_rate_of(model, values, activity->expr, out);
        text_add(out, ") -> %s\n", model->locals[activity->target].name);
    }
    if (local->count > MOST_ACTIVITIES)
        text_add(out, "    and %d more\n", local->count - MOST_ACTIVITIES);
}

/* False: memory is out. */
static bool add_locals(const Model *model, int32_t first, Text *out)
{
    int32_t count;
    int32_t *found = reach(model, first, &count);
    Value *values = values_of(model);
    const bool ok = found && values;
    if (ok) {
        text_add(out, "\n%d local state%s:\n```\n", count, plural((size_t)count));
        for (int32_t i = 0; i < count && i < MOST_LOCALS; i++)
            add_local(model, values, found[i], out);
        if (count > MOST_LOCALS)
            text_add(out, "and %d more\n", count - MOST_LOCALS);
        text_add(out, "```\n");
    }
    mem_free_all(found, values);
    return ok;
}

static bool hover_process(const Hover *hover, Text *out)
{
    const size_t count = mentions_uses(hover->all, hover->at);
    text_add(out, "process `%s`, %zu use%s\n", hover->at->name, count, plural(count));
    add_definition(hover, out);
    for (int32_t i = 0; hover->model && i < hover->model->local_count; i++)
        if (strcmp(hover->model->locals[i].name, hover->at->name) == 0)
            return add_locals(hover->model, i, out);
    return true;
}

/* ---- actions ------------------------------------------------------------------------------- */

/* The definition that a node is in; the system equation's number is def_count. */
static int32_t definition_of(const Ast *ast, int32_t node)
{
    int32_t low = 0, high = ast->def_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (ast->defs[middle].body < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void hover_action(const Hover *hover, Text *out)
{
    enum { MOST = 20 };
    const Ast *ast = hover->ast;
    int32_t last = -1, shown = 0, activities = 0, sets = 0;
    Text names = {0};
    for (int32_t i = 0; i < ast->node_count; i++) {
        const AstNode *node = &ast->nodes[i];
        for (int32_t w = node->word; w < node->word + node->word_count; w++) {
            if (strcmp(ast->words[w].name, hover->at->name) != 0)
                continue;
            sets += node->kind != AST_PREFIX;
            if (node->kind != AST_PREFIX)
                continue;
            activities++;
            const int32_t def = definition_of(ast, i);
            if (def != last && shown++ < MOST)
                text_add(&names, "%s`%s`", shown > 1 ? ", " : "",
                         def < ast->def_count ? ast->defs[def].name : "the system");
            last = def;
        }
    }
    text_add(out, "action `%s`: %d activit%s in %s%s, %d set%s\n", hover->at->name, activities,
             activities == 1 ? "y" : "ies", names.text ? names.text : "no process",
             shown > MOST ? ", ..." : "", sets, plural((size_t)sets));
    out->failed = out->failed || names.failed;
    text_free(&names);
}

/* The rate of the activity under the pointer.  False: memory is out. */
static bool add_activity(const Hover *hover, Text *out)
{
    const Model *model = hover->model;
    if (!model || !hover->at->declares)
        return true;
    for (int32_t k = 0; k < model->activity_count; k++) {
        const Activity *activity = &model->activities[k];
        if (activity->span.begin > hover->at->span.begin ||
            activity->span.end < hover->at->span.end)
            continue;
        Value *values = values_of(model);
        if (!values)
            return false;
        text_add(out, "\nhere at rate ");
        add_rate_of(model, values, activity->expr, out);
        text_add(out, "\n");
        mem_free(values);
        return true;
    }
    return true;
}

/* ---- the feature --------------------------------------------------------------------------- */

static json_t *answer(const Hover *hover)
{
    Text text = {0};
    bool ok = true;
    if (hover->at->kind == NAME_RATE) {
        hover_rate(hover, &text);
    } else if (hover->at->kind == NAME_PROCESS) {
        ok = hover_process(hover, &text);
    } else {
        hover_action(hover, &text);
        ok = add_activity(hover, &text);
    }
    json_t *result = NULL;
    if (ok && !text.failed)
        result = json_pack("{s{ss, ss}, so}", "contents", "kind", "markdown", "value", text.text,
                           "range", content_range(&hover->doc->content, hover->at->span));
    text_free(&text);
    return result;
}

json_t *feature_hover(Document *doc, json_t *params, Failure *failure)
{
    uint32_t offset;
    Mentions all = {0};
    const Reading *reading = request_place(doc, params, &offset, failure);
    if (!reading)
        return NULL;
    if (!reading->model)
        return description_hover(doc, reading, offset);
    if (!names_find(&all, reading))
        return NULL;
    const Mention *at = mentions_at(&all, offset);
    const Hover hover = {doc, reading->model->ast, reading->model->model, &all, at};
    json_t *result = at ? answer(&hover) : json_null();
    mentions_free(&all);
    return result;
}
