/* The structure of a model: views of its arrays, and its rates as text. */
#include "pepa_structure.h"

#include <math.h>

#include "api/handles.h"
#include "base/error.h"
#include "parser/rate_text.h"

struct PepaStructure {
    PepaModel *owner;
    const Model *model;
    const char **rate; /* per expression that is the rate of an activity: its text */
    Value *value;      /* per activity */
    Arena arena;
};

/* The values of the rates of all activities; rates: scratch, for those of the model's rates. */
static void evaluate(const Model *m, Value *rates, Value *value)
{
    for (int32_t r = 0; r < m->rate_count; r++)
        rates[r] = m->rates[r].value;
    for (int32_t k = 0; k < m->activity_count; k++) {
        const int32_t expr = m->activities[k].expr;
        value[k] =
            m->exprs[expr].functional ? (Value){.value = NAN} : model_eval(m, expr, rates, NULL);
    }
}

PepaStatus pepa_structure_new(PepaStructure **out, const PepaModel *model, PepaError *err)
{
    if (!out || !model)
        return error_null(err, "pepa_structure_new");
    const Model *m = model->model;
    PepaStructure *s = mem_calloc(1, sizeof *s);
    if (!s)
        return error_memory(err);
    s->owner = (PepaModel *)model; /* only the count of its users changes */
    atomic_fetch_add(&s->owner->users, 1);
    s->model = m;
    Value *rates = NULL;
    const bool ok = mem_new_zeroed(s->rate, m->expr_count) &&
                    mem_new(s->value, m->activity_count) && mem_new(rates, m->rate_count) &&
                    rate_texts(m, &s->arena, s->rate);
    if (ok)
        evaluate(m, rates, s->value);
    mem_free(rates);
    if (!ok) {
        pepa_structure_free(s);
        return error_memory(err);
    }
    *out = s;
    return PEPA_OK;
}

void pepa_structure_free(PepaStructure *s)
{
    if (!s)
        return;
    pepa_model_free(s->owner);
    arena_free(&s->arena);
    mem_free_all(s->rate, s->value, s);
}

PepaStructureInfo pepa_structure_info(const PepaStructure *s)
{
    return (PepaStructureInfo){.nodes = s->model->node_count,
                               .local_states = s->model->local_count,
                               .activities = s->model->activity_count,
                               .actions = s->model->action_count};
}

PepaNode pepa_structure_node(const PepaStructure *s, int32_t node)
{
    static const PepaNodeKind kinds[] = {[NODE_LEAF] = PEPA_NODE_COMPONENT,
                                         [NODE_COOP] = PEPA_NODE_COOPERATION,
                                         [NODE_HIDE] = PEPA_NODE_HIDING,
                                         [NODE_COPIES] = PEPA_NODE_COPIES};
    const Node *n = &s->model->nodes[node];
    const bool leaf = n->kind == NODE_LEAF;
    return (PepaNode){.kind = kinds[n->kind],
                      .left = leaf ? -1 : n->left,
                      .right = n->kind == NODE_COOP ? n->right : -1,
                      .local = leaf ? n->local : -1,
                      .copies = n->kind == NODE_COPIES ? n->copies : 1,
                      .action_count = leaf ? 0 : n->set_count,
                      .action = leaf ? NULL : s->model->sets + n->set_first};
}

PepaLocal pepa_structure_local(const PepaStructure *s, int32_t local)
{
    const Local *l = &s->model->locals[local];
    return (PepaLocal){.name = l->name, .first = l->first, .count = l->count, .whole = l->whole};
}

PepaActivity pepa_structure_activity(const PepaStructure *s, int32_t activity)
{
    const Activity *a = &s->model->activities[activity];
    const Value value = s->value[activity];
    const Expr *rate = &s->model->exprs[a->expr];
    return (PepaActivity){.action = a->action,
                          .target = a->target,
                          .passive = value.level == LEVEL_PASSIVE,
                          .value = value.value,
                          .rate = s->rate[a->expr],
                          .immediate = model_is_immediate(s->model, a->expr),
                          .priority = rate->op == EXPR_PRIORITY ? (int)rate->number - 1 : -1};
}

const char *pepa_structure_action_name(const PepaStructure *s, int32_t action)
{
    return s->model->actions[action];
}
