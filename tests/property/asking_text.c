/* Makes random expressions, and writes them with as few brackets as the language needs, or more. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/asking_parts.h"

static int pick(Ask *ask, int n)
{
    return (int)random_below(&ask->state, (uint64_t)n);
}

static bool chance(Ask *ask, int percent)
{
    return pick(ask, 100) < percent;
}

static int add(Ask *ask, int kind, int a, int b, double number)
{
    if (ask->nodes == ASK_NODES)
        abort();
    ask->node[ask->nodes] = (AskNode){kind, a, b, number};
    return ask->nodes++;
}

/* ---- trees --------------------------------------------------------------------------------- */

static int any_number(Ask *ask)
{
    static const double some[] = {0, 1, 2, 3, 0.5, 4, 10, 0.25, 1.5, 100};
    return add(ask, ASK_NUMBER, -1, -1, some[pick(ask, 10)]);
}

/* A local state of some position, for that one or for all; or an action that occurs, or tau. */
static int any_place(Ask *ask, bool action)
{
    const Facts *f = ask->facts;
    if (ask->places == ASK_NODES)
        abort();
    if (action) {
        ask->place[ask->places].local = f->info.actions ? pick(ask, f->info.actions) : -1;
        ask->place[ask->places].position = -1;
        return ask->places++;
    }
    int32_t p = pick(ask, f->info.positions);
    PepaPosition at = pepa_chain_position(f->chain, p);
    ask->place[ask->places].local = at.local[pick(ask, at.local_count)];
    ask->place[ask->places].position = chance(ask, 30) ? p : -1;
    return ask->places++;
}

/* A rate whose name means it within a state too: no local state has it. */
static int32_t any_rate(Ask *ask)
{
    const Facts *f = ask->facts;
    int32_t rates = pepa_model_rate_count(f->model), rate = rates ? pick(ask, rates) : -1;
    for (int32_t l = 0; rate >= 0 && l < f->info.local_states; l++)
        if (strcmp(pepa_chain_local_name(f->chain, l), pepa_model_rate_name(f->model, rate)) == 0)
            rate = -1;
    return rate;
}

static int leaf_in_state(Ask *ask)
{
    int32_t rate = any_rate(ask);
    switch (pick(ask, 8)) {
    case 0:
        return any_number(ask);
    case 1:
        return rate < 0 ? any_number(ask) : add(ask, ASK_RATE, rate, -1, 0);
    case 2:
    case 3:
        return add(ask, ASK_ENABLED, ask->place[any_place(ask, true)].local, -1, 0);
    case 4:
        return add(ask, ASK_DEADLOCK, -1, -1, 0);
    default:
        return add(ask, ASK_COUNT, any_place(ask, false), -1, 0);
    }
}

static int in_state(Ask *ask, int depth)
{
    if (depth == 0 || chance(ask, 20))
        return leaf_in_state(ask);
    int kind = ASK_OR + pick(ask, ASK_MAX - ASK_OR + 1);
    int a = in_state(ask, depth - 1);
    return add(ask, kind, a, kind == ASK_NOT || kind == ASK_NEGATE ? -1 : in_state(ask, depth - 1),
               0);
}

static int atom(Ask *ask)
{
    int32_t rate = any_rate(ask);
    int kind = ASK_PROBABILITY + pick(ask, ASK_THROUGHPUT - ASK_PROBABILITY + 1);
    if (chance(ask, 10))
        return rate < 0 ? any_number(ask) : add(ask, ASK_RATE, rate, -1, 0);
    if (kind == ASK_RESPONSE && !ask->facts->response)
        kind = ASK_REWARD;
    if (kind <= ASK_REWARD)
        return add(ask, kind, in_state(ask, 1 + pick(ask, 4)), -1, 0);
    int first = ask->places;
    do
        (void)any_place(ask, kind == ASK_THROUGHPUT);
    while (chance(ask, 40));
    return add(ask, kind, first, ask->places, 0);
}

static int measure(Ask *ask, int depth)
{
    if (depth == 0 || chance(ask, 35)) {
        if (ask->items > 0 && chance(ask, 25))
            return add(ask, ASK_EARLIER, pick(ask, ask->items), -1, 0);
        return chance(ask, 15) ? any_number(ask) : atom(ask);
    }
    int kind = ASK_ADD + pick(ask, ASK_SQRT - ASK_ADD + 1), a = measure(ask, depth - 1);
    bool one = kind == ASK_NEGATE || kind >= ASK_EXP;
    return add(ask, kind, a, one ? -1 : measure(ask, depth - 1), 0);
}

/* ---- texts --------------------------------------------------------------------------------- */

/* In quotes where it has to be, and sometimes where not. */
static void write_name(Ask *ask, const char *name, Text *out)
{
    bool plain = isalpha((unsigned char)*name);
    for (const char *p = name; *p; p++)
        plain = plain && (isalnum((unsigned char)*p) || *p == '_' || *p == '\'');
    const char *quote = plain && !chance(ask, 10) ? "" : "\"";
    text_add(out, "%s%s%s", quote, name, quote);
}

static void write_place(Ask *ask, int place, bool action, Text *out)
{
    const PepaChain *chain = ask->facts->chain;
    int32_t local = ask->place[place].local, position = ask->place[place].position;
    if (position >= 0)
        text_add(out, "%d.", position + 1);
    if (action)
        write_name(ask, local < 0 ? "tau" : pepa_chain_action_name(chain, local), out);
    else
        write_name(ask, pepa_chain_local_name(chain, local), out);
}

/* How tightly an operator binds; what is no operator binds tightest. */
static int binding(int kind)
{
    static const int tight[] =
        {[ASK_OR] = 1,  [ASK_AND] = 2, [ASK_NOT] = 3, [ASK_EQ] = 4,    [ASK_NE] = 4,
         [ASK_LT] = 4,  [ASK_LE] = 4,  [ASK_GT] = 4,  [ASK_GE] = 4,    [ASK_ADD] = 5,
         [ASK_SUB] = 5, [ASK_MUL] = 6, [ASK_DIV] = 6, [ASK_NEGATE] = 7};
    return kind >= ASK_OR && kind <= ASK_NEGATE ? tight[kind] : 8;
}

static void write(Ask *ask, int node, int least, bool states, Text *out);

/* name(a, b), or name(a) */
static void write_call(Ask *ask, const AskNode *n, const char *name, bool states, Text *out)
{
    text_add(out, "%s(", name);
    write(ask, n->a, 0, states, out);
    if (n->b >= 0) {
        text_add(out, ", ");
        write(ask, n->b, 0, states, out);
    }
    text_add(out, ")");
}

static void write_atom(Ask *ask, const AskNode *n, Text *out)
{
    static const char *const name[] =
        {[ASK_PROBABILITY] = "probability", [ASK_REWARD] = "reward",
         [ASK_POPULATION] = "population",   [ASK_UTILISATION] = "utilisation",
         [ASK_RESPONSE] = "response",       [ASK_THROUGHPUT] = "throughput"};
    text_add(out, "%s:%s", name[n->kind], n->kind <= ASK_REWARD ? "{" : "");
    if (n->kind <= ASK_REWARD) {
        write(ask, n->a, 0, true, out);
        text_add(out, "}");
        return;
    }
    bool braces = n->b - n->a > 1 || chance(ask, 30);
    text_add(out, braces ? "{" : "");
    for (int i = n->a; i < n->b; i++) {
        text_add(out, i > n->a ? ", " : "");
        write_place(ask, i, n->kind == ASK_THROUGHPUT, out);
    }
    text_add(out, braces ? "}" : "");
}

static void write_operator(Ask *ask, const AskNode *n, bool states, Text *out)
{
    static const char *const sign[] =
        {[ASK_OR] = "||", [ASK_AND] = "&&", [ASK_EQ] = "==", [ASK_NE] = "!=",
         [ASK_LT] = "<",  [ASK_LE] = "<=",  [ASK_GT] = ">",  [ASK_GE] = ">=",
         [ASK_ADD] = "+", [ASK_SUB] = "-",  [ASK_MUL] = "*", [ASK_DIV] = "/"};
    const int tight = binding(n->kind);
    if (n->b < 0) {
        text_add(out, n->kind == ASK_NOT ? "!" : "-");
        write(ask, n->a, tight, states, out);
        return;
    }
    /* comparisons have no comparisons beside them */
    write(ask, n->a, tight == 4 ? 5 : tight, states, out);
    const char *blank = chance(ask, 80) ? " " : "";
    text_add(out, "%s%s%s", blank, sign[n->kind], blank);
    write(ask, n->b, tight + 1, states, out);
}

static void write_leaf(Ask *ask, const AskNode *n, bool states, Text *out)
{
    if (n->kind == ASK_NUMBER && states && !(n->number > 1) && !(n->number < 1)) {
        text_add(out, chance(ask, 20) ? "true" : "1");
    } else if (n->kind == ASK_NUMBER) {
        text_add(out, "%g", n->number);
    } else if (n->kind == ASK_RATE) {
        text_add(out, "%s%s", states ? "" : "rate:", pepa_model_rate_name(ask->facts->model, n->a));
    } else if (n->kind == ASK_COUNT) {
        write_place(ask, n->a, false, out);
    } else if (n->kind == ASK_DEADLOCK) {
        text_add(out, "deadlock");
    } else if (n->kind == ASK_ENABLED) {
        text_add(out, "enabled(");
        write_name(ask, n->a < 0 ? "tau" : pepa_chain_action_name(ask->facts->chain, n->a), out);
        text_add(out, ")");
    } else if (ask->item[n->a].name[0]) {
        text_add(out, "%s", ask->item[n->a].name);
    } else {
        text_add(out, "\"%s\"", ask->item[n->a].text);
    }
}

/* A node, in brackets if it binds less than `least`. */
static void write(Ask *ask, int node, int least, bool states, Text *out)
{
    static const char *const call[] = {[ASK_MIN] = "min", [ASK_MAX] = "max", [ASK_POW] = "pow",
                                       [ASK_EXP] = "exp", [ASK_LOG] = "log", [ASK_SQRT] = "sqrt"};
    const AskNode *n = &ask->node[node];
    bool brackets = binding(n->kind) < least || chance(ask, 8);
    text_add(out, brackets ? "(" : "");
    if (n->kind >= ASK_MIN)
        write_call(ask, n, call[n->kind], states, out);
    else if (n->kind >= ASK_OR)
        write_operator(ask, n, states, out);
    else if (n->kind >= ASK_PROBABILITY)
        write_atom(ask, n, out);
    else
        write_leaf(ask, n, states, out);
    text_add(out, brackets ? ")" : "");
}

/* ---- texts of several -------------------------------------------------------------------- */

/* Without a name an item is called by its text, which must then be new, and fit into quotes. */
static bool may_have_no_name(const Ask *ask, const char *text)
{
    for (int i = 0; i < ask->items; i++)
        if (strcmp(ask->item[i].text, text) == 0 || strcmp(ask->item[i].name, text) == 0)
            return false;
    return !strchr(text, '"');
}

Text ask_measures(Ask *ask, const Facts *facts, uint64_t seed)
{
    static const char *const ends[] = {"\n", "\n", "  # a comment\n", "\r\n", "\n\n", "\n# one\n"};
    Text all = {0};
    *ask = (Ask){.facts = facts, .state = seed};
    text_add(&all, chance(ask, 20) ? "# measures\n" : "");
    for (int i = 0; i < ASK_ITEMS; i++) {
        Text text = {0};
        int body = measure(ask, pick(ask, 4));
        write(ask, body, 0, false, &text);
        bool named = !may_have_no_name(ask, text.text) || chance(ask, 60);
        if (named) {
            (void)snprintf(ask->item[i].name, sizeof ask->item[i].name, "m%d", i);
            text_add(&all, "%s = ", ask->item[i].name);
        }
        text_add(&all, "%s%s", text.text, i + 1 < ASK_ITEMS ? ends[pick(ask, 6)] : "");
        ask->item[i].body = body;
        ask->item[i].text = text.text;
        ask->item[i].answer = ask_answer(ask, body);
        ask->items++;
    }
    return all;
}

Text ask_predicate(Ask *ask, const Facts *facts, uint64_t seed)
{
    Text text = {0};
    *ask = (Ask){.facts = facts, .state = seed};
    ask->item[0].body = in_state(ask, 1 + pick(ask, 6));
    write(ask, ask->item[0].body, 0, true, &text);
    return text;
}

void ask_free(Ask *ask)
{
    for (int i = 0; i < ask->items; i++)
        mem_free(ask->item[i].text);
}
