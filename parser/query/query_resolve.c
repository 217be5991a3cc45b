/* Finds what names, atoms and calls of a query mean in a model, and what stands in the wrong
 * place. */
#include <string.h>

#include "parser/query/query.h"
#include "parser/query/query_names.h"

/* What is wanted of a node by the one that it is an operand of; nothing, of the operands of an
 * error, so that it is the only one. */
typedef enum {
    WANT_NOTHING,
    WANT_MEASURE,
    WANT_STATES,
    WANT_VALUE,
    WANT_LOCAL,
    WANT_ACTION,
    WANT_RATE
} Want;

typedef struct {
    Query *query;
    const Model *model;
    DiagList *diags;
    Want *want; /* per node, from node `first` on */
    size_t first, first_item;
    size_t item; /* the one that the node at hand belongs to */
    int32_t positions;
    QueryNames names;
    Intern measures[ROLE_AT_LEAST + 1]; /* those before the item, by role */
    uint8_t *reached;                   /* per local state: see find_reached */
    int32_t *stack;                     /* scratch for it */
    int32_t reached_at;                 /* the position that it is about; -1: none yet */
} Resolving;

static const struct {
    const char *name;
    QueryMeaning meaning;
    Want operands;
    bool several;
} atoms[] = {
    {"throughput", MEANS_THROUGHPUT, WANT_ACTION, true},
    {"population", MEANS_POPULATION, WANT_LOCAL, true},
    {"utilisation", MEANS_UTILISATION, WANT_LOCAL, true},
    {"response", MEANS_RESPONSE, WANT_LOCAL, true},
    {"probability", MEANS_PROBABILITY, WANT_STATES, false},
    {"reward", MEANS_REWARD, WANT_STATES, false},
    {"rate", MEANS_VALUE, WANT_RATE, false},
};
enum { ATOMS = sizeof atoms / sizeof *atoms };

static const struct {
    const char *name;
    ExprOp op;
    int operands;
    bool states; /* also within a state */
} functions[] = {
    {"min", EXPR_MIN, 2, true},  {"max", EXPR_MAX, 2, true},  {"pow", EXPR_POW, 2, false},
    {"exp", EXPR_EXP, 1, false}, {"log", EXPR_LOG, 1, false}, {"sqrt", EXPR_SQRT, 1, false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- names ----------------------------------------------------------------------------------- */

static const char *const kinds[] =
    {[NAME_LOCAL] = "local state", [NAME_ACTION] = "action", [NAME_RATE] = "rate"};

/* The kind of name that is wanted: WANT_LOCAL or one after it. */
static NameKind kind_of(Want want)
{
    return (NameKind)(want - WANT_LOCAL);
}

static int32_t find(const Resolving *r, NameKind kind, const QueryNode *node)
{
    return query_names_find(&r->names, kind, node->name);
}

static void unknown(Resolving *r, NameKind kind, const QueryNode *node)
{
    const char *meant = query_names_suggest(&r->names, kind, node->name);
    if (meant)
        diag_error(r->diags, node->span, "the model has no %s `%s`; did you mean `%s`?", kinds[kind],
                   node->name, meant);
    else
        diag_error(r->diags, node->span, "the model has no %s `%s`", kinds[kind], node->name);
}

static void push(Resolving *r, int32_t local, int32_t *waiting)
{
    if (!r->reached[local])
        r->stack[(*waiting)++] = local;
    r->reached[local] = 1;
}

/* The local states that the component at this position can be in; position 0: at any. */
static void find_reached(Resolving *r, int32_t position)
{
    const Model *m = r->model;
    int32_t waiting = 0;
    memset(r->reached, 0, (size_t)m->local_count);
    r->reached_at = position;
    for (int32_t i = 0, at = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == NODE_LEAF && (++at == position || position == 0))
            push(r, m->nodes[i].local, &waiting);
    while (waiting > 0) {
        const Local *local = &m->locals[r->stack[--waiting]];
        for (int32_t i = local->first; i < local->first + local->count; i++)
            push(r, m->activities[i].target, &waiting);
    }
}

/* A local state is one that some component can be in. */
static void check_place(Resolving *r, const QueryNode *node)
{
    if (r->reached_at != node->position)
        find_reached(r, node->position);
    if (r->reached[node->id])
        return;
    if (node->position)
        diag_error(r->diags, node->span, "the component at position %d cannot be in `%s`",
                   node->position, node->name);
    else
        diag_error(r->diags, node->span, "no component of the system can be in `%s`", node->name);
}

/* The node is the name of a rate, an action or a local state. */
static void resolve_name(Resolving *r, QueryNode *node, Want want)
{
    static const QueryMeaning meaning[] =
        {[WANT_LOCAL] = MEANS_LOCAL, [WANT_ACTION] = MEANS_ACTION, [WANT_RATE] = MEANS_RATE};
    if (node->kind != QUERY_NAME) {
        diag_error(r->diags, node->span, "expected the name of %s %s here",
                   want == WANT_ACTION ? "an" : "a", kinds[kind_of(want)]);
        return;
    }
    node->meaning = meaning[want];
    node->id = find(r, kind_of(want), node);
    if (node->id < 0)
        unknown(r, kind_of(want), node);
    else if (node->position && want != WANT_LOCAL)
        diag_error(r->diags, node->span, "only local states have a position: write `%s`",
                   node->name);
    else if (node->position > r->positions)
        diag_error(r->diags, node->span, "the system equation has %d position%s", r->positions,
                   r->positions == 1 ? "" : "s");
    else if (want == WANT_LOCAL)
        check_place(r, node);
}

/* A name among measures: that of an earlier one.  What else it may be is told. */
static void resolve_earlier(Resolving *r, QueryNode *node)
{
    const Query *q = r->query;
    const bool among = q->items[r->item].role != ROLE_REWARD; /* formulas define no measures */
    for (size_t i = 0; among && i < r->item && !node->position; i++)
        if (q->items[i].role == ROLE_MEASURE && strcmp(q->items[i].name, node->name) == 0) {
            node->meaning = MEANS_EARLIER;
            node->id = (int32_t)i;
            return;
        }
    static const char *const written[] =
        {[NAME_LOCAL] = "population", [NAME_ACTION] = "throughput", [NAME_RATE] = "rate"};
    for (NameKind kind = 0; kind < NAME_KINDS; kind++)
        if (find(r, kind, node) >= 0) {
            diag_error(r->diags, node->span, "`%s` is %s %s: write `%s:%s`", node->name,
                       kind == NAME_ACTION ? "an" : "a", kinds[kind], written[kind], node->name);
            return;
        }
    if (among)
        diag_error(r->diags, node->span, "no measure `%s` is defined before this one", node->name);
    else
        diag_error(r->diags, node->span,
                   "`%s` is no measure, and the model has nothing of this name", node->name);
}

/* A name within a state. */
static void resolve_in_state(Resolving *r, QueryNode *node)
{
    bool truth = strcmp(node->name, "true") == 0;
    if (!node->position && (truth || strcmp(node->name, "false") == 0)) {
        node->meaning = MEANS_NUMBER;
        node->number = truth;
    } else if (!node->position && strcmp(node->name, "deadlock") == 0) {
        node->meaning = MEANS_DEADLOCK;
    } else if (!node->position && find(r, NAME_LOCAL, node) < 0 &&
               find(r, NAME_RATE, node) >= 0) {
        resolve_name(r, node, WANT_RATE);
    } else if (find(r, NAME_LOCAL, node) < 0 &&
               find(r, NAME_ACTION, node) >= 0) {
        diag_error(r->diags, node->span, "`%s` is an action: write `enabled(%s)`", node->name,
                   node->name);
    } else {
        resolve_name(r, node, WANT_LOCAL);
    }
}

/* The name of a rate, for its value. */
static void resolve_value(Resolving *r, QueryNode *node)
{
    resolve_name(r, node, WANT_RATE);
    const Rate *rate = node->id < 0 ? NULL : &r->model->rates[node->id];
    if (rate && rate->value.level != LEVEL_TIMED)
        diag_error(r->diags, node->span, "`%s` is %s: it has no value", node->name,
                   rate->value.level == LEVEL_PASSIVE ? "passive" : "immediate");
    else if (rate && r->model->exprs[rate->expr].functional)
        diag_error(r->diags, node->span, "`%s` depends on the state: it has no single value",
                   node->name);
}

/* ---- atoms and calls ------------------------------------------------------------------------- */

static int operands(const Query *q, const QueryNode *node)
{
    int count = 0;
    for (int32_t i = node->a; i >= 0; i = q->nodes[i].next)
        count++;
    return count;
}

static void set_wants(Resolving *r, const QueryNode *node, Want want)
{
    for (int32_t i = node->a; i >= 0; i = r->query->nodes[i].next)
        r->want[(size_t)i - r->first] = want;
}

static void resolve_atom(Resolving *r, QueryNode *node, Want want)
{
    const char *names[ATOMS];
    int i = 0;
    while (i < ATOMS && strcmp(atoms[i].name, node->name) != 0)
        i++;
    for (int k = 0; k < ATOMS; k++)
        names[k] = atoms[k].name;
    const char *meant = i == ATOMS ? suggest(node->name, names, ATOMS) : NULL;
    if (meant)
        diag_error(r->diags, node->span, "no measure `%s:`; did you mean `%s:`?", node->name,
                   meant);
    else if (i == ATOMS)
        diag_error(r->diags, node->span,
                   "no measure `%s:`; there are throughput, population, utilisation, response, "
                   "probability, reward and rate",
                   node->name);
    else if (want == WANT_VALUE)
        diag_error(r->diags, node->span,
                   "`%s:` belongs to a measure; only numbers and rates can stand here", node->name);
    else if (want != WANT_MEASURE)
        diag_error(r->diags, node->span,
                   "`%s:` is about the model as a whole; this is about one state", node->name);
    else if (!atoms[i].several && operands(r->query, node) > 1)
        diag_error(r->diags, node->span, "`%s:` takes one %s", node->name,
                   atoms[i].operands == WANT_RATE ? "name" : "expression");
    else
        node->meaning = atoms[i].meaning;
    set_wants(r, node, i < ATOMS ? atoms[i].operands : WANT_NOTHING);
}

static void resolve_function(Resolving *r, QueryNode *node, Want want)
{
    int i = 0;
    while (i < FUNCTIONS && strcmp(functions[i].name, node->name) != 0)
        i++;
    const bool states = want == WANT_STATES;
    if (i == FUNCTIONS || (states && !functions[i].states))
        diag_error(r->diags, node->span, "no function `%s` here; there are %s", node->name,
                   states ? "min, max and enabled" : "min, max, pow, exp, log and sqrt");
    else if (operands(r->query, node) != functions[i].operands)
        diag_error(r->diags, node->span, "`%s` takes %s, not %d", node->name,
                   functions[i].operands == 1 ? "one argument" : "two arguments",
                   operands(r->query, node));
    node->meaning = MEANS_FUNCTION;
    node->id = i < FUNCTIONS ? (int32_t)functions[i].op : 0;
    set_wants(r, node, want);
}

static void resolve_call(Resolving *r, QueryNode *node, Want want)
{
    if (strcmp(node->name, "enabled") != 0 || want != WANT_STATES) {
        resolve_function(r, node, want);
        return;
    }
    if (operands(r->query, node) > 1)
        diag_error(r->diags, node->span, "`enabled` takes one action");
    node->meaning = MEANS_ENABLED;
    set_wants(r, node, WANT_ACTION);
}

static void resolve_operator(Resolving *r, const QueryNode *node, Want want)
{
    const bool truth =
        node->kind == QUERY_NOT || (node->kind >= QUERY_EQ && node->kind <= QUERY_OR);
    if (truth && want == WANT_MEASURE)
        diag_error(r->diags, node->span,
                   "a condition is about one state: write `probability:{...}`");
    else if (truth && want == WANT_VALUE)
        diag_error(r->diags, node->span, "a condition is no number");
    r->want[(size_t)node->a - r->first] = want;
    if (node->b >= 0)
        r->want[(size_t)node->b - r->first] = want;
}

static void resolve(Resolving *r, QueryNode *node, Want want)
{
    node->states = want == WANT_STATES;
    if (want == WANT_NOTHING)
        return;
    const bool bound = r->query->items[r->item].role == ROLE_BOUND;
    if (want >= WANT_LOCAL)
        resolve_name(r, node, want);
    else if (node->kind == QUERY_NAME && want == WANT_MEASURE && bound &&
             find(r, NAME_RATE, node) >= 0)
        resolve_value(r, node);
    else if (node->kind == QUERY_NAME && want == WANT_MEASURE)
        resolve_earlier(r, node);
    else if (node->kind == QUERY_NAME && want == WANT_VALUE)
        resolve_value(r, node);
    else if (node->kind == QUERY_NAME)
        resolve_in_state(r, node);
    else if (node->kind == QUERY_ATOM)
        resolve_atom(r, node, want);
    else if (node->kind == QUERY_CALL)
        resolve_call(r, node, want);
    else if (node->kind != QUERY_NUMBER)
        resolve_operator(r, node, want);
}

/* The item's name is one that later ones may not have; false: memory is out. */
static bool check_name(Resolving *r, size_t item)
{
    const QueryItem *i = &r->query->items[item];
    if (i->role > ROLE_AT_LEAST)
        return true;
    Intern *there = &r->measures[i->role];
    const size_t before = there->count;
    const bool ok = intern_put(there, i->name, strlen(i->name)) >= 0;
    if (ok && there->count == before && item >= r->first_item)
        diag_error(r->diags, i->span, "the measure `%s` is there already", i->name);
    return ok;
}

static void resolve_item(Resolving *r, Want want)
{
    const QueryItem *item = &r->query->items[r->item];
    r->want[(size_t)item->body - r->first] = want;
    for (int32_t i = item->body; i >= item->first; i--)
        resolve(r, &r->query->nodes[i], r->want[(size_t)i - r->first]);
}

/* An operand's place is after that of the node before it and before that of its user: from the last
 * to the first, every node is told what is wanted of it before it is looked at. */
bool query_resolve(Query *q, size_t first, size_t first_item, const Model *model, DiagList *diags)
{
    static const Want wanted[] = {[ROLE_MEASURE] = WANT_MEASURE,  [ROLE_AT_MOST] = WANT_MEASURE,
                                  [ROLE_AT_LEAST] = WANT_MEASURE, [ROLE_BOUND] = WANT_MEASURE,
                                  [ROLE_REWARD] = WANT_MEASURE,   [ROLE_PREDICATE] = WANT_STATES,
                                  [ROLE_VALUE] = WANT_VALUE};
    Resolving r = {.query = q,
                   .model = model,
                   .diags = diags,
                   .first = first,
                   .first_item = first_item,
                   .reached_at = -1};
    bool ok = mem_new_zeroed(r.want, q->node_count - first + 1) &&
              query_names_init(&r.names, model) && mem_new(r.reached, model->local_count) &&
              mem_new(r.stack, model->local_count);
    for (int32_t i = 0; i < model->node_count; i++)
        r.positions += model->nodes[i].kind == NODE_LEAF;
    for (r.item = 0; ok && r.item < q->item_count; r.item++) {
        ok = check_name(&r, r.item);
        if (r.item >= first_item)
            resolve_item(&r, wanted[q->items[r.item].role]);
    }
    query_names_free(&r.names);
    for (QueryRole role = 0; role <= ROLE_AT_LEAST; role++)
        intern_free(&r.measures[role]);
    mem_free_all(r.want, r.reached, r.stack);
    return ok;
}
