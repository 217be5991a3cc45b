/* The static tree. */
#include "property/random_parts.h"

#include <math.h>
#include <stdlib.h>

/* ---- sizes ---- */

static int activities(const Maker *maker, const RefTerm *term)
{
    if (term->kind == REF_CONSTANT)
        return activities(maker, maker->model->process[term->process].body);
    int count = term->kind == REF_PREFIX;
    for (int i = 0; i < term->parts; i++)
        count += activities(maker, term->part[i]);
    return count;
}

/* The number of local states, or of activities in one of them where that is larger: the product
 * over all leaves bounds the states, and the ways in which they can all take part in an action.
 * At least 2, so that there is an end to components with nothing but a self-loop. */
typedef struct {
    size_t states;
    double size;
} Local;

static Local local(const Maker *maker, const RefTerm *term)
{
    RefTerms found = {0};
    ref_derivatives(maker->model, term, &found);
    Local l = {found.count, found.count < 2 ? 2 : (double)found.count};
    for (size_t i = 0; i < found.count; i++)
        l.size = fmax(l.size, activities(maker, found.item[i]));
    ref_terms_free(&found);
    return l;
}

/* A bound on the states without aggregation. */
static double product(const Maker *maker, const RefStatic *part)
{
    switch (part->kind) {
    case REF_LEAF:
        return local(maker, part->leaf).size;
    case REF_NAMED:
        return product(maker, maker->model->process[part->process].system);
    case REF_COOP:
        return product(maker, part->left) * product(maker, part->right);
    case REF_COPIES:
        return pow(product(maker, part->left), ref_copy_count(maker->model, part));
    default:
        return product(maker, part->left);
    }
}

/* ---- the tree ---- */

static RefStatic *leaf_node(Maker *maker, const RefTerm *term)
{
    RefStatic *made = ref_leaf(maker->model, term);
    made->notation = pick(maker, 2);
    return made;
}

static RefStatic *leaf_of(Maker *maker, int family, double budget)
{
    const RefTerm *chosen = NULL;
    double least = INFINITY;
    for (int attempt = 0; attempt < 8; attempt++) {
        const Family *from = &maker->family[family < 0 ? pick(maker, maker->families) : family];
        const RefTerm *term = ref_constant(maker->model, from->member[pick(maker, from->members)]);
        if (chance(maker, 3))
            term = random_inline(maker, (int)(from - maker->family));
        Local l = local(maker, term);
        if (l.size <= budget && l.states > 1)
            return leaf_node(maker, term);
        if (l.size < least) {
            least = l.size;
            chosen = term;
        }
    }
    return leaf_node(maker, chosen);
}

static RefStatic *random_leaf(Maker *maker, double budget)
{
    return leaf_of(maker, -1, budget);
}

/* Each action of `likely` with some probability, and now and then one that blocks or does nothing.
 */
static uint32_t random_set(Maker *maker, uint32_t likely, int percent)
{
    uint32_t set = 0;
    for (int a = 0; a < maker->model->action_count; a++)
        if (chance(maker, likely >> a & 1 ? percent : 2))
            set |= UINT32_C(1) << a;
    return set;
}

static RefStatic *random_part(Maker *maker, double budget, int depth);

static RefStatic *random_coop(Maker *maker, double budget, int depth)
{
    RefModel *model = maker->model;
    double share = 0.25 + 0.5 * pick(maker, 100) / 100.0;
    RefStatic *left = random_part(maker, pow(budget, share), depth - 1);
    RefStatic *right = random_part(maker, budget / product(maker, left), depth - 1);
    uint32_t shared = ref_alphabet(model, left) & ref_alphabet(model, right);
    uint32_t set = chance(maker, 12) ? 0 : random_set(maker, shared, 70);
    RefStatic *coop = ref_coop(model, left, set, right);
    coop->star = chance(maker, 10);
    coop->notation = pick(maker, 2);
    return coop;
}

/* ((A <a> B) <> C) <a> D, with A, B and C of one family and D of another, which may come to drive
 * them: then the weight of A with B against that of C matters. */
static RefStatic *random_contest(Maker *maker, double budget)
{
    int first = pick(maker, maker->families), second = (first + 1) % maker->families;
    uint32_t both = maker->family[first].alphabet & maker->family[second].alphabet;
    double each = pow(budget, 0.25);
    RefStatic *all = leaf_of(maker, first, each);
    for (int i = 0; i < 3; i++) {
        uint32_t set = random_set(maker, both, 90);
        all = ref_coop(maker->model, all, i == 1 ? 0 : set,
                       leaf_of(maker, i < 2 ? first : second, each));
    }
    return all;
}

static RefStatic *random_hide(Maker *maker, double budget, int depth)
{
    RefStatic *of = random_part(maker, budget, depth - 1);
    uint32_t set = random_set(maker, ref_alphabet(maker->model, of), 45);
    if (set == 0)
        return of;
    RefStatic *hide = ref_hide(maker->model, of, set);
    hide->notation = pick(maker, 6);
    return hide;
}

/* A whole number: written out, or computed, or by name. */
static const RefRate *random_count(Maker *maker, int copies)
{
    static const char *const name[] = {"n", "copies", "many", "some", "few", "all"};
    RefModel *model = maker->model;
    const RefRate *number = ref_number(model, copies);
    int style = pick(maker, 5);
    if (style == 0)
        return ref_operation(model, REF_SUB, ref_number(model, copies + 2), ref_number(model, 2));
    if (style == 1 && maker->counts < 6 && model->rate_count < REF_MAX_RATES)
        return ref_rate(model, ref_rate_define(model, name[maker->counts++], number));
    return number;
}

static RefStatic *random_copies(Maker *maker, double budget, int depth)
{
    int copies = chance(maker, 8) ? 1 : 2 + pick(maker, 3);
    RefStatic *of = chance(maker, 60) ? random_leaf(maker, pow(budget, 1.0 / copies))
                                      : random_part(maker, pow(budget, 1.0 / copies), depth - 1);
    while (copies > 1 && pow(product(maker, of), copies) > budget)
        copies--;
    uint32_t set = chance(maker, 55) ? 0 : random_set(maker, ref_alphabet(maker->model, of), 30);
    RefStatic *made = ref_copies(maker->model, of, random_count(maker, copies), set);
    made->notation = pick(maker, 6);
    return made;
}

static RefStatic *random_part(Maker *maker, double budget, int depth)
{
    int kind = pick(maker, 100);
    if (maker->systems_made > 0 && kind < 20) {
        RefStatic *named = ref_named(maker->model, maker->system[pick(maker, maker->systems_made)]);
        if (product(maker, named) <= budget)
            return named;
    }
    if (depth <= 0 || budget < 4)
        return random_leaf(maker, budget);
    if (kind < 45)
        return random_coop(maker, budget, depth);
    if (kind < 58)
        return random_hide(maker, budget, depth);
    if (kind < 80)
        return random_copies(maker, budget, depth);
    return random_leaf(maker, budget);
}

/* A tree within the budget: the states of its leaves are not known before they are chosen. */
static const RefStatic *within(Maker *maker, double budget)
{
    for (int attempt = 0; attempt < 20; attempt++) {
        int kind = pick(maker, 100);
        const RefStatic *made = kind < 10   ? random_contest(maker, budget)
                                : kind < 75 ? random_coop(maker, budget, 3)
                                : kind < 85 ? random_hide(maker, budget, 4)
                                            : random_part(maker, budget, 3);
        if (product(maker, made) <= budget)
            return made;
    }
    return random_leaf(maker, budget);
}

void random_system(Maker *maker)
{
    RefModel *model = maker->model;
    double budget = maker->knobs.max_states;
    for (; maker->systems_made < maker->systems; maker->systems_made++) {
        int process = maker->system[maker->systems_made];
        model->process[process].system = random_coop(maker, pow(budget, 0.5), 2);
    }
    model->system = within(maker, budget);
}
