#include "property/ref_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *node(RefModel *model, size_t size)
{
    void *p = arena_alloc(&model->arena, size);
    if (!p)
        abort();
    return p;
}

void ref_model_free(RefModel *model)
{
    if (model)
        arena_free(&model->arena);
}

static const char *own(RefModel *model, const char *name)
{
    size_t length = strlen(name);
    char *copy = node(model, length + 1);
    memcpy(copy, name, length);
    return copy;
}

int ref_action(RefModel *model, const char *name)
{
    for (int a = 0; a < model->action_count; a++)
        if (strcmp(model->action[a], name) == 0)
            return a;
    if (model->action_count == REF_MAX_ACTIONS)
        abort();
    model->action[model->action_count] = own(model, name);
    return model->action_count++;
}

int ref_rate_define(RefModel *model, const char *name, const RefRate *value)
{
    if (model->rate_count == REF_MAX_RATES)
        abort();
    model->rate[model->rate_count] = (RefRateDef){.name = own(model, name), .value = value};
    return model->rate_count++;
}

int ref_process_declare(RefModel *model, const char *name)
{
    if (model->process_count == REF_MAX_PROCESSES)
        abort();
    model->process[model->process_count] = (RefProcess){.name = own(model, name)};
    return model->process_count++;
}

/* ---- constructors ---- */

RefRate *ref_operation(RefModel *model, RefRateKind kind, const RefRate *a, const RefRate *b)
{
    RefRate *rate = node(model, sizeof *rate);
    *rate = (RefRate){.kind = kind, .left = a, .right = b};
    return rate;
}

RefRate *ref_number(RefModel *model, double value)
{
    RefRate *rate = ref_operation(model, REF_NUMBER, NULL, NULL);
    rate->number = value;
    return rate;
}

RefRate *ref_rate(RefModel *model, int id)
{
    RefRate *rate = ref_operation(model, REF_RATE, NULL, NULL);
    rate->id = id;
    return rate;
}

RefRate *ref_conditional(RefModel *model, const RefRate *condition, const RefRate *yes,
                         const RefRate *no)
{
    RefRate *rate = ref_operation(model, REF_IF, yes, no);
    rate->condition = condition;
    return rate;
}

RefRate *ref_count(RefModel *model, int process)
{
    RefRate *rate = ref_operation(model, REF_COUNT, NULL, NULL);
    rate->id = process;
    return rate;
}

RefTerm *ref_stop(RefModel *model)
{
    RefTerm *term = node(model, sizeof *term);
    *term = (RefTerm){.kind = REF_STOP};
    return term;
}

RefTerm *ref_constant(RefModel *model, int process)
{
    RefTerm *term = node(model, sizeof *term);
    *term = (RefTerm){.kind = REF_CONSTANT, .process = process};
    return term;
}

RefTerm *ref_prefix(RefModel *model, int action, const RefRate *rate, const RefTerm *next)
{
    RefTerm *term = node(model, sizeof *term);
    *term = (RefTerm){.kind = REF_PREFIX, .action = action, .rate = rate, .next = next};
    term->priority = REF_UNSTATED;
    return term;
}

RefTerm *ref_passive(RefModel *model, int action, const RefRate *weight, const RefTerm *next)
{
    RefTerm *term = ref_prefix(model, action, weight, next);
    term->level = REF_PASSIVE;
    return term;
}

RefTerm *ref_immediate(RefModel *model, int action, const RefRate *weight, const RefTerm *next)
{
    RefTerm *term = ref_prefix(model, action, weight, next);
    term->level = REF_IMMEDIATE;
    return term;
}

RefTerm *ref_choice(RefModel *model, const RefTerm **part, int parts)
{
    RefTerm *term = node(model, sizeof *term);
    const RefTerm **copy = node(model, (size_t)parts * sizeof *copy);
    memcpy(copy, part, (size_t)parts * sizeof *copy);
    *term = (RefTerm){.kind = REF_CHOICE, .part = copy, .parts = parts};
    return term;
}

RefStatic *ref_leaf(RefModel *model, const RefTerm *term)
{
    RefStatic *made = node(model, sizeof *made);
    *made = (RefStatic){.kind = REF_LEAF, .leaf = term};
    return made;
}

RefStatic *ref_named(RefModel *model, int process)
{
    RefStatic *made = node(model, sizeof *made);
    *made = (RefStatic){.kind = REF_NAMED, .process = process};
    return made;
}

RefStatic *ref_coop(RefModel *model, const RefStatic *left, uint32_t set, const RefStatic *right)
{
    RefStatic *made = node(model, sizeof *made);
    *made = (RefStatic){.kind = REF_COOP, .left = left, .set = set, .right = right};
    return made;
}

RefStatic *ref_hide(RefModel *model, const RefStatic *of, uint32_t set)
{
    RefStatic *made = node(model, sizeof *made);
    *made = (RefStatic){.kind = REF_HIDE, .left = of, .set = set};
    return made;
}

RefStatic *ref_copies(RefModel *model, const RefStatic *of, const RefRate *count, uint32_t set)
{
    RefStatic *made = node(model, sizeof *made);
    *made = (RefStatic){.kind = REF_COPIES, .left = of, .copies = count, .set = set};
    return made;
}

/* ---- rates ---- */

static bool holds(const RefModel *model, const RefRate *condition, const double *count)
{
    const RefRate *left = condition->left, *right = condition->right;
    if (condition->kind == REF_NOT)
        return !holds(model, left, count);
    if (condition->kind == REF_AND)
        return holds(model, left, count) && holds(model, right, count);
    if (condition->kind == REF_OR)
        return holds(model, left, count) || holds(model, right, count);
    const double a = ref_rate_value(model, left, count), b = ref_rate_value(model, right, count);
    const bool table[][3] = {[REF_LESS - REF_LESS] = {1, 0, 0},
                             [REF_LESS_EQUAL - REF_LESS] = {1, 1, 0},
                             [REF_GREATER - REF_LESS] = {0, 0, 1},
                             [REF_GREATER_EQUAL - REF_LESS] = {0, 1, 1},
                             [REF_EQUAL - REF_LESS] = {0, 1, 0},
                             [REF_UNEQUAL - REF_LESS] = {1, 0, 1}};
    return table[condition->kind - REF_LESS][a < b ? 0 : a > b ? 2 : 1];
}

double ref_rate_value(const RefModel *model, const RefRate *rate, const double *count)
{
    if (rate->kind == REF_NUMBER)
        return rate->number;
    if (rate->kind == REF_RATE)
        return ref_rate_value(model, model->rate[rate->id].value, count);
    if (rate->kind == REF_COUNT)
        return count[rate->id];
    if (rate->kind == REF_IF)
        return ref_rate_value(model,
                              holds(model, rate->condition, count) ? rate->left : rate->right,
                              count);
    double a = ref_rate_value(model, rate->left, count);
    double b = rate->right ? ref_rate_value(model, rate->right, count) : 0;
    switch (rate->kind) {
    case REF_NEGATE:
        return -a;
    case REF_ADD:
        return a + b;
    case REF_SUB:
        return a - b;
    case REF_MUL:
        return a * b;
    case REF_DIV:
        return a / b;
    case REF_MIN:
        return a < b ? a : b;
    case REF_MAX:
        return a > b ? a : b;
    case REF_POW:
        return pow(a, b);
    case REF_EXP:
        return exp(a);
    case REF_LOG:
        return log(a);
    case REF_SQRT:
        return sqrt(a);
    default:
        abort();
    }
}

bool ref_rate_functional(const RefModel *model, const RefRate *rate)
{
    if (!rate)
        return false;
    if (rate->kind == REF_RATE)
        return ref_rate_functional(model, model->rate[rate->id].value);
    return rate->kind == REF_COUNT || ref_rate_functional(model, rate->condition) ||
           ref_rate_functional(model, rate->left) || ref_rate_functional(model, rate->right);
}

bool ref_rate_uses(const RefModel *model, const RefRate *rate, int id)
{
    if (!rate)
        return false;
    if (rate->kind == REF_RATE)
        return rate->id == id || ref_rate_uses(model, model->rate[rate->id].value, id);
    return ref_rate_uses(model, rate->condition, id) || ref_rate_uses(model, rate->left, id) ||
           ref_rate_uses(model, rate->right, id);
}

int ref_copy_count(const RefModel *model, const RefStatic *copies)
{
    return (int)ref_rate_value(model, copies->copies, NULL);
}

static int rate_compare(const RefRate *a, const RefRate *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->number < b->number)
        return -1;
    if (a->number > b->number)
        return 1;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    int first = rate_compare(a->condition, b->condition);
    first = first ? first : rate_compare(a->left, b->left);
    return first ? first : rate_compare(a->right, b->right);
}

/* ---- sequential components ---- */

static int prefix_compare(const RefTerm *a, const RefTerm *b)
{
    if (a->action != b->action)
        return a->action < b->action ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    int rate = rate_compare(a->rate, b->rate);
    return rate ? rate : ref_term_compare(a->next, b->next);
}

static int summands(const RefTerm *term)
{
    int count = term->kind != REF_CHOICE;
    for (int i = 0; i < term->parts; i++)
        count += summands(term->part[i]);
    return count;
}

/* The i-th of a choice from left to right, parentheses apart. */
static const RefTerm *summand(const RefTerm *term, int i)
{
    while (term->kind == REF_CHOICE) {
        int k = 0;
        while (i >= summands(term->part[k]))
            i -= summands(term->part[k++]);
        term = term->part[k];
    }
    return term;
}

int ref_term_compare(const RefTerm *a, const RefTerm *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == REF_CONSTANT)
        return (a->process > b->process) - (a->process < b->process);
    if (a->kind == REF_PREFIX)
        return prefix_compare(a, b);
    if (a->kind == REF_STOP)
        return 0;
    int summands_a = summands(a), summands_b = summands(b);
    for (int i = 0; i < summands_a && i < summands_b; i++) {
        int part = ref_term_compare(summand(a, i), summand(b, i));
        if (part)
            return part;
    }
    return (summands_a > summands_b) - (summands_a < summands_b);
}

void ref_terms_add(RefTerms *terms, const RefTerm *term)
{
    for (size_t i = 0; i < terms->count; i++)
        if (ref_term_compare(terms->item[i], term) == 0)
            return;
    if (!mem_reserve(&terms->item, &terms->cap, terms->count + 1, sizeof *terms->item))
        abort();
    terms->item[terms->count++] = term;
}

void ref_terms_free(RefTerms *terms)
{
    mem_free(terms->item);
    *terms = (RefTerms){0};
}

static void add_next(const RefModel *model, const RefTerm *term, RefTerms *found)
{
    if (term->kind == REF_PREFIX)
        ref_terms_add(found, term->next);
    else if (term->kind == REF_CONSTANT)
        add_next(model, model->process[term->process].body, found);
    for (int i = 0; i < term->parts; i++)
        add_next(model, term->part[i], found);
}

void ref_derivatives(const RefModel *model, const RefTerm *from, RefTerms *found)
{
    ref_terms_add(found, from);
    for (size_t i = 0; i < found->count; i++)
        add_next(model, found->item[i], found);
}

static uint32_t term_actions(const RefModel *model, const RefTerm *term)
{
    if (term->kind == REF_CONSTANT)
        return term_actions(model, model->process[term->process].body);
    if (term->kind == REF_PREFIX)
        return term->action == REF_TAU ? 0 : UINT32_C(1) << term->action;
    uint32_t set = 0;
    for (int i = 0; i < term->parts; i++)
        set |= term_actions(model, term->part[i]);
    return set;
}

uint32_t ref_alphabet(const RefModel *model, const RefStatic *part)
{
    switch (part->kind) {
    case REF_LEAF: {
        RefTerms found = {0};
        ref_derivatives(model, part->leaf, &found);
        uint32_t set = 0;
        for (size_t i = 0; i < found.count; i++)
            set |= term_actions(model, found.item[i]);
        ref_terms_free(&found);
        return set;
    }
    case REF_NAMED:
        return ref_alphabet(model, model->process[part->process].system);
    case REF_COOP:
        return ref_alphabet(model, part->left) | ref_alphabet(model, part->right);
    case REF_HIDE:
        return ref_alphabet(model, part->left) & ~part->set;
    default:
        return ref_alphabet(model, part->left);
    }
}
