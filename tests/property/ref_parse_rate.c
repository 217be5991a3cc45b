/* The rates of PEPA text for ref_parse. */
#include "property/ref_parsing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const RefRate *some(RefParser *p, RefParsedRate rate)
{
    return rate.value ? rate.value : ref_number(p->model, 1);
}

const RefRate *ref_active(RefParser *p, RefParsedRate rate)
{
    if (rate.passive)
        ref_wrong(p, "a passive rate takes no part in this");
    return some(p, rate);
}

static int find_rate(const RefModel *model, const char *name)
{
    for (int i = 0; i < model->rate_count; i++)
        if (strcmp(model->rate[i].name, name) == 0)
            return i;
    return -1;
}

int ref_find_process(const RefModel *model, const char *name)
{
    for (int i = 0; i < model->process_count; i++)
        if (strcmp(model->process[i].name, name) == 0)
            return i;
    return -1;
}

static RefParsedRate parse_call(RefParser *p, const char *name)
{
    static const struct {
        const char *name;
        RefRateKind kind;
    } known[] = {{"min", REF_MIN}, {"max", REF_MAX}, {"pow", REF_POW},
                 {"exp", REF_EXP}, {"log", REF_LOG}, {"sqrt", REF_SQRT}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            const RefRate *left = ref_active(p, ref_parse_value(p));
            const RefRate *right = ref_accept(p, ",") ? ref_active(p, ref_parse_value(p)) : NULL;
            if ((right != NULL) != (known[i].kind <= REF_POW))
                ref_wrong(p, "another number of arguments is expected here");
            ref_need(p, ")");
            return (RefParsedRate){ref_operation(p->model, known[i].kind, left, right), false};
        }
    ref_wrong(p, "this is no function");
    return (RefParsedRate){0};
}

static RefParsedRate parse_primary(RefParser *p)
{
    const RefToken *token = ref_ahead(p, 0);
    if (ref_accept(p, "(")) {
        const RefParsedRate inner = ref_parse_value(p);
        ref_need(p, ")");
        return inner;
    }
    if (ref_accept(p, "-"))
        return (RefParsedRate){ref_operation(p->model, REF_NEGATE, ref_active(p, parse_primary(p)),
                                             NULL),
                               false};
    if (token->kind == TOKEN_NUMBER) {
        p->at++;
        return (RefParsedRate){ref_number(p->model, strtod(token->text, NULL)), false};
    }
    if (ref_accept(p, "T") || ref_accept(p, "infty") || ref_accept(p, "_"))
        return (RefParsedRate){NULL, true};
    const char *name = ref_take_name(p);
    if (ref_accept(p, "("))
        return parse_call(p, name);
    const int rate = find_rate(p->model, name), process = ref_find_process(p->model, name);
    if (islower((unsigned char)*name) && rate >= 0)
        return (RefParsedRate){ref_rate(p->model, rate), false};
    if (!islower((unsigned char)*name) && process >= 0)
        return (RefParsedRate){ref_count(p->model, process), false};
    ref_wrong(p, "no rate and no process has this name");
    return (RefParsedRate){0};
}

/* Weights: w * T, T * w and T / w are passive. */
static RefParsedRate parse_product(RefParser *p)
{
    RefParsedRate left = parse_primary(p);
    while (!p->error && (ref_peek(p, "*") || ref_peek(p, "/"))) {
        const bool times = ref_peek(p, "*");
        p->at++;
        const RefParsedRate right = parse_primary(p);
        if (times && left.passive && !left.value) {
            left.value = ref_active(p, right);
            continue;
        }
        if (times && right.passive && !right.value && !left.passive) {
            left.passive = true;
            continue;
        }
        left.value =
            ref_operation(p->model, times ? REF_MUL : REF_DIV, some(p, left), ref_active(p, right));
    }
    return left;
}

static RefParsedRate parse_sum(RefParser *p)
{
    RefParsedRate left = parse_product(p);
    while (!p->error && (ref_peek(p, "+") || ref_peek(p, "-"))) {
        const RefRateKind kind = ref_peek(p, "+") ? REF_ADD : REF_SUB;
        p->at++;
        const RefRate *first = ref_active(p, left);
        left.value = ref_operation(p->model, kind, first, ref_active(p, parse_product(p)));
    }
    return left;
}

static const RefRate *parse_condition(RefParser *p);

static const RefRate *parse_comparison(RefParser *p)
{
    static const struct {
        const char *sign;
        RefRateKind kind;
    } known[] = {{"<", REF_LESS},   {"<=", REF_LESS_EQUAL}, {">", REF_GREATER},
                 {"==", REF_EQUAL}, {"!=", REF_UNEQUAL},    {">=", REF_GREATER_EQUAL}};
    const RefRate *left = ref_active(p, parse_sum(p));
    for (size_t i = 0; !p->error && i < sizeof known / sizeof *known; i++)
        if (ref_accept(p, known[i].sign))
            return ref_operation(p->model, known[i].kind, left, ref_active(p, parse_sum(p)));
    ref_wrong(p, "a comparison is expected here");
    return left;
}

/* "(" begins an expression or a condition: what it is shows at the end of it. */
static const RefRate *parse_negation(RefParser *p)
{
    if (ref_accept(p, "!"))
        return ref_operation(p->model, REF_NOT, parse_negation(p), NULL);
    const size_t before = p->at;
    if (p->error)
        return ref_number(p->model, 0);
    const RefRate *found = parse_comparison(p);
    if (!p->error || !ref_is(&p->token[before], "("))
        return found;
    p->error = NULL;
    p->at = before + 1;
    found = parse_condition(p);
    ref_need(p, ")");
    return found;
}

static const RefRate *parse_condition(RefParser *p)
{
    const RefRate *any = NULL;
    do {
        const RefRate *all = NULL;
        do {
            const RefRate *one = parse_negation(p);
            all = all ? ref_operation(p->model, REF_AND, all, one) : one;
        } while (!p->error && ref_accept(p, "&&"));
        any = any ? ref_operation(p->model, REF_OR, any, all) : all;
    } while (!p->error && ref_accept(p, "||"));
    return any;
}

RefParsedRate ref_parse_value(RefParser *p)
{
    if (p->error)
        return (RefParsedRate){0};
    if (!ref_peek(p, "if"))
        return parse_sum(p);
    p->at++;
    const RefRate *condition = parse_condition(p);
    ref_need(p, "then");
    const RefRate *yes = ref_active(p, ref_parse_value(p));
    ref_need(p, "else");
    const RefRate *no = ref_active(p, ref_parse_value(p));
    return (RefParsedRate){ref_conditional(p->model, condition, yes, no), false};
}
