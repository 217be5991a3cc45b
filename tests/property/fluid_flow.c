#include "property/fluid_flow.h"

#include "property/room.h"

#include <math.h>
#include <string.h>

/* An activity of a local state. */
typedef struct {
    size_t from, to; /* variables */
    const RefTerm *prefix;
} Activity;

struct FluidNode {
    RefStaticKind kind; /* REF_LEAF, REF_COOP or REF_HIDE */
    uint32_t set;
    const FluidNode *left, *right;
    const Activity *activity;
    size_t activities;
    long double *drift, *diffusion; /* scratch of fluid_flow */
};

typedef struct {
    FluidSystem *system;
    size_t most, cap, start_cap;
    OracleStatus status;
} Builder;

static void *take(FluidSystem *system, size_t count, size_t size)
{
    void *p = arena_alloc(&system->arena, (count > 0 ? count : 1) * size);
    if (!p)
        abort();
    return p;
}

static FluidNode *new_node(FluidSystem *system, RefStaticKind kind)
{
    FluidNode *node = take(system, 1, sizeof *node);
    node->kind = kind;
    return node;
}

/* ---- places ---- */

static size_t count_prefixes(const RefModel *model, const RefTerm *term)
{
    if (term->kind == REF_CONSTANT)
        return count_prefixes(model, model->process[term->process].body);
    size_t count = term->kind == REF_PREFIX;
    for (int i = 0; i < term->parts; i++)
        count += count_prefixes(model, term->part[i]);
    return count;
}

static size_t variable_of(const RefTerms *terms, const RefTerm *term)
{
    size_t i = 0;
    while (ref_term_compare(terms->item[i], term) != 0)
        i++;
    return i;
}

static void add_activities(Builder *b, const RefTerms *terms, size_t first, size_t from,
                           const RefTerm *term, Activity *list, size_t *count)
{
    if (term->kind == REF_CONSTANT)
        add_activities(b, terms, first, from, b->system->model->process[term->process].body, list,
                       count);
    for (int i = 0; i < term->parts; i++)
        add_activities(b, terms, first, from, term->part[i], list, count);
    if (term->kind != REF_PREFIX)
        return;
    if (term->level == REF_IMMEDIATE || term->priority != REF_UNSTATED)
        b->status = ORACLE_MIXED;
    list[(*count)++] = (Activity){first + from, first + variable_of(terms, term->next), term};
}

static const FluidNode *unfold_place(Builder *b, const RefTerm *initial, double copies, int place)
{
    FluidSystem *s = b->system;
    RefTerms terms = {0};
    ref_derivatives(s->model, initial, &terms);
    const size_t first = s->count, after = first + terms.count;
    if (!mem_reserve(&s->variable, &b->cap, after, sizeof *s->variable) ||
        !mem_reserve(&s->start, &b->start_cap, after, sizeof *s->start))
        abort();
    size_t activities = 0;
    for (size_t i = 0; i < terms.count; i++) {
        s->variable[first + i] =
            (FluidVariable){place, ref_name(s->model, &s->names, initial),
                            ref_name(s->model, &s->names, terms.item[i]), terms.item[i]};
        s->start[first + i] = i == 0 ? copies : 0;
        activities += count_prefixes(s->model, terms.item[i]);
    }
    s->count = after;
    FluidNode *node = new_node(s, REF_LEAF);
    Activity *list = take(s, activities, sizeof *list);
    for (size_t i = 0; i < terms.count; i++)
        add_activities(b, &terms, first, i, terms.item[i], list, &node->activities);
    node->activity = list;
    ref_terms_free(&terms);
    return node;
}

static const FluidNode *unfold(Builder *b, const RefStatic *part, int *place);

/* What part is when names of static parts are followed. */
static const RefStatic *followed(const RefModel *model, const RefStatic *part)
{
    while (part->kind == REF_NAMED)
        part = model->process[part->process].system;
    return part;
}

static const FluidNode *unfold_copies(Builder *b, const RefStatic *part, int *place)
{
    const RefModel *model = b->system->model;
    const double copies = ref_rate_value(model, part->copies, NULL);
    const RefStatic *of = followed(model, part->left);
    if (of->kind == REF_LEAF && (part->set == 0 || !(copies > 1)))
        return unfold_place(b, of->leaf, copies, (*place)++);
    const FluidNode *all = NULL;
    int after = *place;
    for (double i = 0; i < copies && b->status == ORACLE_OK; i++) {
        after = *place;
        const FluidNode *one = unfold(b, of, &after);
        FluidNode *both = new_node(b->system, REF_COOP);
        *both = (FluidNode){.kind = REF_COOP, .set = part->set, .left = all, .right = one};
        all = all ? both : one;
        if (b->system->count > b->most)
            b->status = ORACLE_TOO_LARGE;
    }
    *place = after;
    return all;
}

static const FluidNode *unfold(Builder *b, const RefStatic *part, int *place)
{
    const RefModel *model = b->system->model;
    part = followed(model, part);
    if (part->kind == REF_LEAF)
        return unfold_place(b, part->leaf, 1, (*place)++);
    if (part->kind == REF_COPIES)
        return unfold_copies(b, part, place);
    FluidNode *node = new_node(b->system, part->kind);
    node->set = part->set;
    node->left = unfold(b, part->left, place);
    if (part->kind == REF_COOP)
        node->right = unfold(b, part->right, place);
    if (part->star)
        node->set = ref_alphabet(model, part->left) & ref_alphabet(model, part->right);
    return node;
}

static void give_scratch(FluidSystem *system, const FluidNode *node, bool diffuse)
{
    if (!node)
        return;
    FluidNode *own = (FluidNode *)node;
    own->drift = take(system, system->count, sizeof *own->drift);
    if (diffuse)
        own->diffusion = take(system, system->count * system->count, sizeof *own->diffusion);
    give_scratch(system, node->left, diffuse);
    give_scratch(system, node->right, diffuse);
}

OracleStatus fluid_system(FluidSystem *system, const RefModel *model, size_t max_variables,
                          bool diffuse)
{
    *system = (FluidSystem){.model = model, .names = ref_names(model)};
    Builder b = {.system = system, .most = max_variables};
    system->root = unfold(&b, model->system, &system->places);
    if (system->count > max_variables)
        b.status = ORACLE_TOO_LARGE;
    if (b.status == ORACLE_OK)
        give_scratch(system, system->root, diffuse);
    return b.status;
}

void fluid_system_free(FluidSystem *system)
{
    mem_free_all(system->variable, system->start);
    ref_names_free(&system->names);
    arena_free(&system->arena);
    *system = (FluidSystem){0};
}

/* ---- rates ---- */

typedef struct {
    const FluidSystem *system;
    const long double *x;
    double count[REF_MAX_PROCESSES];
    bool diffuse;
    OracleStatus status;
} Context;

/* All that a part of the system can do of one action type, as if nothing held it back: the apparent
 * rate, what it does to the counts per unit of time (node->drift, node->diffusion), and how many
 * components are ready to do it. */
typedef struct {
    bool passive;
    long double rate, ready;
} Flow;

static void fail(Context *c, OracleStatus status)
{
    if (c->status == ORACLE_OK)
        c->status = status;
}

static long double count_of(const Context *c, size_t variable)
{
    return c->x[variable] > 0 ? c->x[variable] : 0;
}

static long double rate_now(Context *c, const RefTerm *prefix)
{
    if (!prefix->rate)
        return 1;
    const double rate = ref_rate_value(c->system->model, prefix->rate, c->count);
    const bool off = rate <= 0 && rate >= 0 && ref_rate_functional(c->system->model, prefix->rate);
    if (!(isfinite(rate) && rate > 0) && !off)
        fail(c, ORACLE_BAD_RATE);
    return rate;
}

static Flow sum(Context *c, Flow a, Flow b)
{
    if (a.rate > 0 && b.rate > 0 && a.passive != b.passive)
        fail(c, ORACLE_MIXED);
    return (Flow){a.rate > 0 ? a.passive : b.passive, a.rate + b.rate, a.ready + b.ready};
}

static Flow place_flow(Context *c, const FluidNode *node, int action)
{
    const size_t n = c->system->count;
    Flow all = {0};
    for (size_t i = 0; i < node->activities; i++) {
        const Activity *a = &node->activity[i];
        if (a->prefix->action != action)
            continue;
        const long double ready = count_of(c, a->from), rate = ready * rate_now(c, a->prefix);
        all = sum(c, all, (Flow){a->prefix->level == REF_PASSIVE, rate, rate > 0 ? ready : 0});
        node->drift[a->from] -= rate;
        node->drift[a->to] += rate;
        if (!c->diffuse || a->from == a->to)
            continue;
        node->diffusion[a->from * n + a->from] += rate;
        node->diffusion[a->to * n + a->to] += rate;
        node->diffusion[a->from * n + a->to] -= rate;
        node->diffusion[a->to * n + a->from] -= rate;
    }
    return all;
}

static void add_sides(Context *c, const FluidNode *node, long double left, long double right)
{
    const size_t n = c->system->count;
    for (size_t i = 0; i < n; i++)
        node->drift[i] = left * node->left->drift[i] + right * node->right->drift[i];
    for (size_t k = 0; c->diffuse && k < n * n; k++)
        node->diffusion[k] = left * node->left->diffusion[k] + right * node->right->diffusion[k];
}

/* How far a passive side can follow: see FluidSystem.edge. */
static long double following(const Context *c, Flow passive)
{
    if (!(c->system->edge > 0))
        return 1;
    return passive.ready < c->system->edge ? passive.ready / c->system->edge : 1;
}

/* The smaller apparent rate; an activity of one side meets one of the other by their shares, so
 * that the changes of both sides are independent of one another once the action happens. */
static Flow shared(Context *c, const FluidNode *node, Flow a, Flow b)
{
    if (!(a.rate > 0) || !(b.rate > 0))
        return (Flow){0};
    Flow both = {a.passive && b.passive, a.rate < b.rate ? a.rate : b.rate,
                 a.ready < b.ready ? a.ready : b.ready};
    if (a.passive != b.passive) {
        both.rate = a.passive ? b.rate * following(c, a) : a.rate * following(c, b);
        both.ready = a.passive ? b.ready : a.ready;
    }
    add_sides(c, node, both.rate / a.rate, both.rate / b.rate);
    const size_t n = c->system->count;
    const long double *left = node->left->drift, *right = node->right->drift;
    for (size_t i = 0; c->diffuse && i < n; i++)
        for (size_t j = 0; j < n; j++)
            node->diffusion[i * n + j] +=
                both.rate / (a.rate * b.rate) * (left[i] * right[j] + right[i] * left[j]);
    return both;
}

static Flow node_flow(Context *c, const FluidNode *node, int action)
{
    const size_t n = c->system->count;
    memset(node->drift, 0, n * sizeof *node->drift);
    if (c->diffuse)
        memset(node->diffusion, 0, n * n * sizeof *node->diffusion);
    const bool in_set = action != REF_TAU && (node->set >> action & 1);
    if (node->kind == REF_LEAF)
        return place_flow(c, node, action);
    if (node->kind == REF_HIDE && in_set)
        return (Flow){0};
    const Flow left = node_flow(c, node->left, action);
    if (node->kind == REF_HIDE) {
        memcpy(node->drift, node->left->drift, n * sizeof *node->drift);
        if (c->diffuse)
            memcpy(node->diffusion, node->left->diffusion, n * n * sizeof *node->diffusion);
        return left;
    }
    const Flow right = node_flow(c, node->right, action);
    if (in_set)
        return shared(c, node, left, right);
    add_sides(c, node, 1, 1);
    return sum(c, left, right);
}

/* ---- the whole ---- */

/* Nothing outside of the node takes part in the action. */
static void add_alone(Context *c, const FluidNode *node, int action, long double *drift,
                      long double *diffusion)
{
    const size_t n = c->system->count;
    const Flow flow = node_flow(c, node, action);
    if (flow.passive && flow.rate > 0)
        fail(c, ORACLE_UNDRIVEN);
    for (size_t i = 0; i < n; i++)
        drift[i] += node->drift[i];
    for (size_t k = 0; c->diffuse && k < n * n; k++)
        diffusion[k] += node->diffusion[k];
}

static void add_hidden(Context *c, const FluidNode *node, long double *drift,
                       long double *diffusion)
{
    if (!node)
        return;
    for (int a = 0; node->kind == REF_HIDE && a < c->system->model->action_count; a++)
        if (node->set >> a & 1)
            add_alone(c, node->left, a, drift, diffusion);
    add_hidden(c, node->left, drift, diffusion);
    add_hidden(c, node->right, drift, diffusion);
}

OracleStatus fluid_flow(const FluidSystem *system, const long double *x, long double *drift,
                        long double *diffusion)
{
    const size_t n = system->count;
    Context c = {.system = system, .x = x, .diffuse = diffusion != NULL};
    for (size_t i = 0; i < n; i++)
        if (system->variable[i].term->kind == REF_CONSTANT)
            c.count[system->variable[i].term->process] += (double)count_of(&c, i);
    memset(drift, 0, n * sizeof *drift);
    if (diffusion)
        memset(diffusion, 0, n * n * sizeof *diffusion);
    for (int a = REF_TAU; a < system->model->action_count; a++)
        add_alone(&c, system->root, a, drift, diffusion);
    add_hidden(&c, system->root, drift, diffusion);
    return c.status;
}
