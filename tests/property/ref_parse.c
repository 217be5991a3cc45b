#include "property/ref_parsing.h"

#include "property/room.h"

#include <ctype.h>
#include <string.h>

/* What a component is before it is known which names are static: RefTerm and RefStatic in one. */
typedef enum { CALL, ACTIVITY, SUM, COOPERATION, HIDING, COPIES } NodeKind;

typedef struct Node Node;
struct Node {
    NodeKind kind;
    int process;   /* CALL: REF_MAX_PROCESSES is Stop */
    RefTerm *term; /* ACTIVITY: without what follows */
    const RefRate *count;
    uint32_t set;
    bool star;
    const Node *left, *right;
};

typedef struct {
    const Node *body[REF_MAX_PROCESSES], *system;
    bool is_static[REF_MAX_PROCESSES];
} Definitions;

/* ---- components ---- */

static const Node *parse_component(RefParser *p);

static Node *new_node(RefParser *p, NodeKind kind, const Node *left, const Node *right)
{
    Node *node = arena_alloc(&p->arena, sizeof *node);
    if (!node)
        abort();
    *node = (Node){.kind = kind, .left = left, .right = right};
    return node;
}

static int take_action(RefParser *p)
{
    const char *name = ref_take_name(p);
    if (strcmp(name, "tau") == 0 || p->error)
        return REF_TAU;
    if (p->model->action_count == REF_MAX_ACTIONS) {
        ref_wrong(p, "too many action types");
        return REF_TAU;
    }
    return ref_action(p->model, name);
}

static uint32_t parse_set(RefParser *p, const char *close)
{
    uint32_t set = 0;
    while (!p->error && !ref_peek(p, close)) {
        const int action = take_action(p);
        set |= action == REF_TAU ? 0 : UINT32_C(1) << action;
        if (!ref_peek(p, close))
            ref_need(p, ",");
    }
    ref_need(p, close);
    return set;
}

static const Node *parse_activity(RefParser *p)
{
    ref_need(p, "(");
    const int action = take_action(p);
    ref_need(p, ",");
    const RefParsedRate rate = ref_parse_value(p);
    ref_need(p, ")");
    ref_need(p, ".");
    Node *node = new_node(p, ACTIVITY, NULL, NULL);
    node->term = rate.passive ? ref_passive(p->model, action, rate.value, NULL)
                              : ref_prefix(p->model, action, rate.value, NULL);
    return node;
}

static const Node *parse_atom(RefParser *p)
{
    if (ref_accept(p, "(")) {
        const Node *inner = parse_component(p);
        ref_need(p, ")");
        return inner;
    }
    Node *node = new_node(p, CALL, NULL, NULL);
    const char *name = ref_take_name(p);
    node->process = ref_find_process(p->model, name);
    if (node->process < 0 && strcmp(name, "Stop") != 0)
        ref_wrong(p, "no process has this name");
    if (node->process < 0)
        node->process = REF_MAX_PROCESSES;
    return node;
}

static const Node *parse_copies(RefParser *p, const Node *of)
{
    Node *node = new_node(p, COPIES, of, NULL);
    node->count = ref_active(p, ref_parse_value(p));
    if (ref_accept(p, ",")) {
        ref_need(p, "{");
        node->set = parse_set(p, "}");
        ref_need(p, "]");
        return node;
    }
    ref_need(p, "]");
    if (ref_accept(p, "{"))
        node->set = parse_set(p, "}");
    else if (ref_accept(p, "["))
        node->set = parse_set(p, "]");
    return node;
}

static const Node *parse_sequence(RefParser *p)
{
    if (p->error)
        return new_node(p, CALL, NULL, NULL);
    if (ref_peek(p, "(") && ref_is(ref_ahead(p, 2), ",")) {
        Node *node = new_node(p, ACTIVITY, NULL, NULL);
        node->term = parse_activity(p)->term;
        node->left = parse_sequence(p);
        return node;
    }
    const Node *left = parse_atom(p);
    while (!p->error && (ref_peek(p, "/") || ref_peek(p, "["))) {
        if (ref_accept(p, "[")) {
            left = parse_copies(p, left);
            continue;
        }
        p->at++;
        Node *node = new_node(p, HIDING, left, NULL);
        const bool brace = ref_accept(p, "{");
        if (!brace)
            ref_need(p, "<");
        node->set = parse_set(p, brace ? "}" : ">");
        left = node;
    }
    return left;
}

static const Node *parse_choice(RefParser *p)
{
    const Node *left = parse_sequence(p);
    while (!p->error && ref_accept(p, "+"))
        left = new_node(p, SUM, left, parse_sequence(p));
    return left;
}

static const Node *parse_component(RefParser *p)
{
    const Node *left = parse_choice(p);
    while (!p->error && (ref_peek(p, "<") || ref_peek(p, "||"))) {
        Node *node = new_node(p, COOPERATION, left, NULL);
        if (ref_accept(p, "<")) {
            node->star = ref_accept(p, "*");
            node->set = parse_set(p, ">");
        } else {
            p->at++;
        }
        node->right = parse_choice(p);
        left = node;
    }
    return left;
}

/* ---- definitions ---- */

static bool defines(const RefParser *p)
{
    return ref_ahead(p, 0)->kind == TOKEN_NAME &&
           (ref_is(ref_ahead(p, 1), "=") || ref_is(ref_ahead(p, 1), ":="));
}

/* All names, so that a definition can refer to a later one. */
static void declare(RefParser *p)
{
    for (p->at = 0; p->at + 1 < p->tokens && !p->error; p->at++) {
        if (!defines(p))
            continue;
        const char *name = ref_take_name(p);
        RefModel *model = p->model;
        const bool rate = islower((unsigned char)*name);
        if (rate ? model->rate_count == REF_MAX_RATES : model->process_count == REF_MAX_PROCESSES)
            ref_wrong(p, "too many definitions");
        else if (rate)
            model->rate[ref_rate_define(model, name, NULL)].before = model->process_count;
        else
            (void)ref_process_declare(model, name);
    }
    p->at = 0;
}

/* In the order in which they were declared. */
static void parse_definitions(RefParser *p, Definitions *found)
{
    for (int rate = 0, process = 0; !p->error && ref_ahead(p, 0)->kind != TOKEN_END;) {
        const bool decorated = ref_accept(p, "#");
        if (!defines(p)) {
            if (found->system || decorated)
                ref_wrong(p, "a definition is expected here");
            found->system = parse_component(p);
        } else {
            const bool is_rate = islower((unsigned char)*ref_ahead(p, 0)->text);
            p->at += 2;
            if (is_rate)
                p->model->rate[rate++].value = ref_active(p, ref_parse_value(p));
            else
                found->body[process++] = parse_component(p);
        }
        if (ref_ahead(p, 0)->kind != TOKEN_END && !defines(p) && !ref_peek(p, "#"))
            ref_need(p, ";");
    }
    if (!found->system)
        ref_wrong(p, "there is no system equation");
}

/* A name is static if its definition is: by repetition, since it may refer to later ones. */
static void find_static(const RefModel *model, Definitions *found)
{
    for (int round = 0; round < model->process_count; round++)
        for (int i = 0; i < model->process_count; i++) {
            const Node *body = found->body[i];
            found->is_static[i] = body->kind == COOPERATION || body->kind == HIDING ||
                                  body->kind == COPIES ||
                                  (body->kind == CALL && body->process < REF_MAX_PROCESSES &&
                                   found->is_static[body->process]);
        }
}

static const RefTerm *to_term(RefParser *p, const Node *node)
{
    if (node->kind == CALL)
        return node->process < REF_MAX_PROCESSES ? ref_constant(p->model, node->process)
                                                 : ref_stop(p->model);
    if (node->kind == ACTIVITY) {
        node->term->next = to_term(p, node->left);
        return node->term;
    }
    if (node->kind == SUM) {
        const RefTerm *part[] = {to_term(p, node->left), to_term(p, node->right)};
        return ref_choice(p->model, part, 2);
    }
    ref_wrong(p, "a cooperation stands inside a sequential component");
    return ref_stop(p->model);
}

static const RefStatic *to_static(RefParser *p, const Definitions *found, const Node *node)
{
    RefModel *model = p->model;
    if (node->kind == CALL && node->process < REF_MAX_PROCESSES && found->is_static[node->process])
        return ref_named(model, node->process);
    if (node->kind == CALL || node->kind == ACTIVITY || node->kind == SUM)
        return ref_leaf(model, to_term(p, node));
    const RefStatic *left = to_static(p, found, node->left);
    if (node->kind == HIDING)
        return ref_hide(model, left, node->set);
    if (node->kind == COPIES)
        return ref_copies(model, left, node->count, node->set);
    RefStatic *both = ref_coop(model, left, node->set, to_static(p, found, node->right));
    both->star = node->star;
    return both;
}

static void put_aside(RefParser *p, const RefConstant *constants, size_t count)
{
    for (size_t i = 0; i < count && !p->error; i++) {
        int rate = p->model->rate_count - 1;
        while (rate >= 0 && strcmp(p->model->rate[rate].name, constants[i].name) != 0)
            rate--;
        if (rate < 0)
            ref_wrong(p, "the constant that is given a value is not defined");
        else
            p->model->rate[rate].value = ref_number(p->model, constants[i].value);
    }
}

const char *ref_parse(RefModel *model, const char *text, const RefConstant *constants, size_t count,
                      size_t *where)
{
    RefParser parser = {.model = model}, *p = &parser;
    Definitions found = {0};
    ref_read_tokens(p, text);
    declare(p);
    parse_definitions(p, &found);
    put_aside(p, constants, count);
    if (!p->error)
        find_static(model, &found);
    for (int i = 0; i < model->process_count && !p->error; i++) {
        if (found.is_static[i])
            model->process[i].system = to_static(p, &found, found.body[i]);
        else
            model->process[i].body = to_term(p, found.body[i]);
    }
    if (!p->error)
        model->system = to_static(p, &found, found.system);
    *where = p->where;
    mem_free(p->token);
    arena_free(&p->arena);
    return p->error;
}
