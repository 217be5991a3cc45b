/* Reference models as PEPA text, in as many of the language's spellings as there are, and the
 * names that local states without a name of their own are given. */
#include "property/ref_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const RefModel *model;
    RefPrinting how;
    Text text;
} Out;

/* ---- rate expressions ---- */

enum { CHOSEN, SUM, PRODUCT, ATOM }; /* how tightly an expression holds together */

static int tightness(const RefRate *rate)
{
    switch (rate->kind) {
    case REF_NEGATE:
    case REF_ADD:
    case REF_SUB:
        return SUM;
    case REF_MUL:
    case REF_DIV:
        return PRODUCT;
    case REF_IF:
        return CHOSEN;
    default:
        return ATOM;
    }
}

/* The fewest digits that read back as the same number; 1e+01 has too few. */
static void put_number(Out *out, double value)
{
    char digits[40];
    for (int count = 1; count <= 17; count++) {
        (void)snprintf(digits, sizeof digits, "%.*g", count, value);
        double read = strtod(digits, NULL);
        if (!(read < value) && !(read > value) && !strchr(digits, '+'))
            break;
    }
    text_add(&out->text, "%s", digits);
}

static void put_rate(Out *out, const RefRate *rate, int at_least);

static void put_call(Out *out, const char *function, const RefRate *rate)
{
    text_add(&out->text, "%s(", function);
    put_rate(out, rate->left, CHOSEN);
    if (rate->right) {
        text_add(&out->text, ", ");
        put_rate(out, rate->right, CHOSEN);
    }
    text_add(&out->text, ")");
}

/* Parentheses keep the structure, not only the value: a + (b + c) is printed as such. */
static void put_infix(Out *out, const char *sign, const RefRate *rate, int level)
{
    put_rate(out, rate->left, level);
    text_add(&out->text, " %s ", sign);
    put_rate(out, rate->right, level + 1);
}

/* Each part of a condition in parentheses. */
static void put_condition(Out *out, const RefRate *condition)
{
    static const char *const sign[] =
        {[REF_LESS] = "<",           [REF_LESS_EQUAL] = "<=", [REF_GREATER] = ">",
         [REF_GREATER_EQUAL] = ">=", [REF_EQUAL] = "==",      [REF_UNEQUAL] = "!=",
         [REF_AND] = "&&",           [REF_OR] = "||"};
    if (condition->kind < REF_NOT) {
        put_rate(out, condition->left, SUM);
        text_add(&out->text, " %s ", sign[condition->kind]);
        put_rate(out, condition->right, SUM);
        return;
    }
    text_add(&out->text, condition->kind == REF_NOT ? "!(" : "(");
    put_condition(out, condition->left);
    if (condition->kind != REF_NOT) {
        text_add(&out->text, ") %s (", sign[condition->kind]);
        put_condition(out, condition->right);
    }
    text_add(&out->text, ")");
}

static void put_rate(Out *out, const RefRate *rate, int at_least)
{
    bool closed = tightness(rate) < at_least;
    if (closed)
        text_add(&out->text, "(");
    switch (rate->kind) {
    case REF_NUMBER:
        put_number(out, rate->number);
        break;
    case REF_RATE:
        text_add(&out->text, "%s", out->model->rate[rate->id].name);
        break;
    case REF_COUNT:
        text_add(&out->text, "%s", out->model->process[rate->id].name);
        break;
    case REF_NEGATE:
        text_add(&out->text, "-");
        put_rate(out, rate->left, ATOM);
        break;
    case REF_ADD:
        put_infix(out, "+", rate, SUM);
        break;
    case REF_SUB:
        put_infix(out, "-", rate, SUM);
        break;
    case REF_MUL:
        put_infix(out, "*", rate, PRODUCT);
        break;
    case REF_DIV:
        put_infix(out, "/", rate, PRODUCT);
        break;
    case REF_IF:
        text_add(&out->text, "if ");
        put_condition(out, rate->condition);
        text_add(&out->text, " then ");
        put_rate(out, rate->left, CHOSEN);
        text_add(&out->text, " else ");
        put_rate(out, rate->right, CHOSEN);
        break;
    default: {
        static const char *const name[] =
            {[REF_MIN] = "min", [REF_MAX] = "max", [REF_POW] = "pow",
             [REF_EXP] = "exp", [REF_LOG] = "log", [REF_SQRT] = "sqrt"};
        put_call(out, name[rate->kind], rate);
    }
    }
    if (closed)
        text_add(&out->text, ")");
}

static void put_passive(Out *out, const RefTerm *term)
{
    static const char *const word[] = {"T", "infty", "_"};
    if (!term->rate) {
        text_add(&out->text, "%s", word[term->notation % 3]);
    } else if (term->notation % 3 == 0) {
        text_add(&out->text, "infty * ");
        put_rate(out, term->rate, ATOM);
    } else {
        put_rate(out, term->rate, PRODUCT);
        text_add(&out->text, " * %s", word[term->notation % 2]);
    }
}

/* A weight stands in parentheses where it is a conditional. */
static void put_immediate(Out *out, const RefTerm *term)
{
    if (term->rate) {
        put_rate(out, term->rate, SUM);
        text_add(&out->text, " : ");
    }
    text_add(&out->text, "immediate");
}

/* ---- components ---- */

static void put_timed(Out *out, const RefRate *rate)
{
    if (out->how.scale > 0) {
        put_number(out, out->how.scale);
        text_add(&out->text, " * ");
        put_rate(out, rate, ATOM);
    } else {
        put_rate(out, rate, CHOSEN);
    }
}

static void put_action(Out *out, const RefTerm *term)
{
    text_add(&out->text, "%s", term->action == REF_TAU ? "tau" : out->model->action[term->action]);
    if (term->priority != REF_UNSTATED)
        text_add(&out->text, "[%d]", term->priority);
}

/* a.P is short for (a, immediate).P. */
static void put_activity(Out *out, const RefTerm *term)
{
    if (term->level == REF_IMMEDIATE && !term->rate && term->notation % 2) {
        put_action(out, term);
        return;
    }
    text_add(&out->text, "(");
    put_action(out, term);
    text_add(&out->text, ", ");
    if (term->level == REF_PASSIVE)
        put_passive(out, term);
    else if (term->level == REF_IMMEDIATE)
        put_immediate(out, term);
    else
        put_timed(out, term->rate);
    text_add(&out->text, ")");
}

static void put_term(Out *out, const RefTerm *term, bool whole)
{
    if (term->kind == REF_STOP) {
        text_add(&out->text, "Stop");
    } else if (term->kind == REF_CONSTANT) {
        text_add(&out->text, "%s", out->model->process[term->process].name);
    } else if (term->kind == REF_PREFIX) {
        put_activity(out, term);
        text_add(&out->text, ".");
        put_term(out, term->next, false);
    } else {
        if (!whole)
            text_add(&out->text, "(");
        for (int i = 0; i < term->parts; i++) {
            if (i > 0)
                text_add(&out->text, " + ");
            put_term(out, term->part[i], false);
        }
        if (!whole)
            text_add(&out->text, ")");
    }
}

static void put_set(Out *out, const char *open, uint32_t set, const char *close)
{
    text_add(&out->text, "%s", open);
    const char *comma = "";
    for (int a = 0; a < out->model->action_count; a++)
        if (set >> a & 1) {
            text_add(&out->text, "%s%s", comma, out->model->action[a]);
            comma = ", ";
        }
    text_add(&out->text, "%s", close);
}

static void put_coop_sign(Out *out, const RefStatic *part)
{
    if (part->star)
        text_add(&out->text, " <*> ");
    else if (part->set == 0)
        text_add(&out->text, part->notation % 2 ? " <> " : " || ");
    else
        put_set(out, " <", part->set, "> ");
}

static void put_static(Out *out, const RefStatic *part, bool operand);

static void put_coop(Out *out, const RefStatic *part, bool operand)
{
    const RefStatic *left = out->how.mirror ? part->right : part->left;
    const RefStatic *right = out->how.mirror ? part->left : part->right;
    if (operand)
        text_add(&out->text, "(");
    put_static(out, left, false);
    put_coop_sign(out, part);
    put_static(out, right, true);
    if (operand)
        text_add(&out->text, ")");
}

/* P / {a} / {b} and P[2]{a}[3] need no parentheses, P[2][3] does: [3] would be a set. */
static void put_postfix_operand(Out *out, const RefStatic *part, bool open)
{
    bool postfix = part->kind == REF_HIDE || part->kind == REF_COPIES;
    bool set_next = part->kind == REF_COPIES && part->set == 0;
    bool closed = (postfix && (set_next || !open)) ||
                  (part->kind == REF_LEAF && part->leaf->kind == REF_PREFIX);
    if (closed)
        text_add(&out->text, "(");
    put_static(out, part, true);
    if (closed)
        text_add(&out->text, ")");
}

/* operand: a cooperation, and a choice, have to be closed by parentheses */
static void put_static(Out *out, const RefStatic *part, bool operand)
{
    switch (part->kind) {
    case REF_LEAF:
        put_term(out, part->leaf, !operand && part->notation % 2);
        break;
    case REF_NAMED:
        text_add(&out->text, "%s", out->model->process[part->process].name);
        break;
    case REF_COOP:
        put_coop(out, part, operand);
        break;
    case REF_HIDE:
        put_postfix_operand(out, part->left, part->notation % 3 == 0);
        if (part->notation % 2)
            put_set(out, "/{", part->set, "}");
        else
            put_set(out, " / <", part->set, ">");
        break;
    case REF_COPIES:
        put_postfix_operand(out, part->left, part->notation % 3 == 0);
        text_add(&out->text, "[");
        put_rate(out, part->copies, SUM);
        text_add(&out->text, "]");
        if (part->set && part->notation % 2)
            put_set(out, "{", part->set, "}");
        else if (part->set)
            put_set(out, "[", part->set, "]");
        break;
    }
}

static void put_rates_before(Out *out, int process)
{
    for (int i = 0; i < out->model->rate_count; i++)
        if (out->model->rate[i].before == process) {
            text_add(&out->text, "%s = ", out->model->rate[i].name);
            put_rate(out, out->model->rate[i].value, CHOSEN);
            text_add(&out->text, ";\n");
        }
}

Text ref_model_print(const RefModel *model, RefPrinting how)
{
    static const char *const remark[] = {"// a remark\n", "/* over\n two lines */\n",
                                         "% another\n"};
    Out out = {.model = model, .how = how};
    for (int p = 0; p < model->process_count; p++) {
        const RefProcess *process = &model->process[p];
        put_rates_before(&out, p);
        if (process->notation < 3)
            text_add(&out.text, "%s", remark[process->notation]);
        text_add(&out.text, "%s%s %s ", process->notation == 3 ? "#" : "", process->name,
                 process->notation == 4 ? ":=" : "=");
        if (process->body)
            put_term(&out, process->body, true);
        else
            put_static(&out, process->system, false);
        text_add(&out.text, ";\n");
    }
    put_rates_before(&out, model->process_count);
    put_static(&out, model->system, false);
    static const char *const end[] = {";\n", "\n", "", ";"};
    text_add(&out.text, "%s", end[model->notation % 4]);
    if (out.text.failed)
        abort();
    return out.text;
}
