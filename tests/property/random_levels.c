/* What depends on the static tree: which activities are passive or immediate, priorities,
 * functional rates. */
#include "property/random_parts.h"

/* ---- what meets what ---- */

/* What can come out of a part for one action, over-estimated: a bit for each level and each
 * priority of its activities; a fault where several meet. */
typedef struct {
    unsigned levels, priorities; /* bit 0: none stated; bit p + 1: priority p */
    bool fault;
} Offer;

static Offer joined(Offer a, Offer b)
{
    return (Offer){a.levels | b.levels, a.priorities | b.priorities, a.fault || b.fault};
}

static bool several(unsigned bits)
{
    return (bits & (bits - 1)) != 0;
}

static Offer meeting(Offer all)
{
    all.fault = all.fault || several(all.levels) || several(all.priorities);
    return all;
}

static Offer offered_by_term(const Maker *maker, const RefTerm *term, int action)
{
    if (term->kind == REF_CONSTANT)
        return offered_by_term(maker, maker->model->process[term->process].body, action);
    Offer all = {0};
    if (term->kind == REF_PREFIX && term->action == action)
        all = (Offer){1u << term->level, 1u << (term->priority + 1), false};
    for (int i = 0; i < term->parts; i++)
        all = joined(all, offered_by_term(maker, term->part[i], action));
    return all;
}

static Offer offered_by_leaf(const Maker *maker, const RefTerm *leaf, int action)
{
    RefTerms found = {0};
    ref_derivatives(maker->model, leaf, &found);
    Offer all = {0};
    for (size_t i = 0; i < found.count; i++)
        all = joined(all, offered_by_term(maker, found.item[i], action));
    ref_terms_free(&found);
    return all;
}

/* The bits of one result for each pair: the lower one, or the higher one. */
static unsigned pairs(unsigned a, unsigned b, bool higher)
{
    unsigned all = 0;
    for (unsigned i = 1; i <= a; i <<= 1)
        for (unsigned j = 1; j <= b; j <<= 1)
            if ((a & i) && (b & j))
                all |= (i < j) != higher ? i : j;
    return all;
}

static Offer together(Offer left, Offer right, bool shared)
{
    if (!shared)
        return meeting(joined(left, right));
    return (Offer){pairs(left.levels, right.levels, false),
                   pairs(left.priorities, right.priorities, true), left.fault || right.fault};
}

static Offer offered(const Maker *maker, const RefStatic *part, int action)
{
    if (part->kind == REF_LEAF)
        return meeting(offered_by_leaf(maker, part->leaf, action));
    if (part->kind == REF_NAMED)
        return offered(maker, maker->model->process[part->process].system, action);
    Offer left = offered(maker, part->left, action);
    bool in_set = action != REF_TAU && (part->set >> action & 1);
    if (part->kind == REF_HIDE) {
        if (!in_set)
            return left;
        return (Offer){.fault = left.fault || (left.levels >> REF_PASSIVE & 1)};
    }
    if (part->kind == REF_COPIES) {
        bool many = ref_copy_count(maker->model, part) > 1;
        return many ? together(left, left, in_set) : left;
    }
    Offer right = offered(maker, part->right, action);
    if (part->star)
        in_set = action != REF_TAU && (ref_alphabet(maker->model, part->left) &
                                       ref_alphabet(maker->model, part->right)) >>
                                              action &
                                          1;
    return together(left, right, in_set);
}

/* ---- levels ---- */

static void set_level(Maker *maker, int family, int action, RefLevel level)
{
    for (int i = 0; i < maker->prefixes; i++)
        if (maker->prefix[i].family == family && maker->prefix[i].term->action == action)
            maker->prefix[i].term->level = level;
}

static RefLevel level_of(const Maker *maker, int family, int action)
{
    for (int i = 0; i < maker->prefixes; i++)
        if (maker->prefix[i].family == family && maker->prefix[i].term->action == action)
            return maker->prefix[i].term->level;
    return REF_TIMED;
}

/* Where immediate activities of a component lead, through one of them. */
static void add_immediate(const RefModel *model, const RefTerm *term, RefTerms *found)
{
    if (term->kind == REF_CONSTANT)
        add_immediate(model, model->process[term->process].body, found);
    if (term->kind == REF_PREFIX && term->level == REF_IMMEDIATE)
        ref_terms_add(found, term->next);
    for (int i = 0; i < term->parts; i++)
        add_immediate(model, term->part[i], found);
}

static bool returns_at_once(const RefModel *model, const RefTerm *term)
{
    RefTerms found = {0};
    bool back = false;
    add_immediate(model, term, &found);
    for (size_t i = 0; i < found.count && !back; i++) {
        back = ref_term_compare(found.item[i], term) == 0;
        add_immediate(model, found.item[i], &found);
    }
    ref_terms_free(&found);
    return back;
}

/* Whether a component of the family could do immediate activities for ever. */
static bool may_be_timeless(Maker *maker, int family)
{
    const Family *f = &maker->family[family];
    RefTerms found = {0};
    bool back = false;
    for (int i = 0; i < f->members; i++)
        ref_derivatives(maker->model, ref_constant(maker->model, f->member[i]), &found);
    for (size_t i = 0; i < found.count && !back; i++)
        back = returns_at_once(maker->model, found.item[i]);
    ref_terms_free(&found);
    return back;
}

static bool any_timeless(Maker *maker)
{
    bool timeless = false;
    for (int f = 0; f < maker->families; f++)
        timeless = timeless || may_be_timeless(maker, f);
    return timeless;
}

/* Whether an action can be as it is now: tau shares no apparent rate, so that anything can meet. */
static bool sound(Maker *maker, int action, bool daring)
{
    bool wrong = action != REF_TAU && offered(maker, maker->model->system, action).fault;
    return !(wrong && !(maker->careless && chance(maker, 20))) && (daring || !any_timeless(maker));
}

/* In all families at once, as activities that do not cooperate need it, or else in one by one. */
static void random_immediate(Maker *maker)
{
    bool daring = chance(maker, 15); /* cycles of immediate activities, some of which never end */
    int families = maker->families;
    for (int a = REF_TAU; a < maker->model->action_count; a++) {
        bool all = chance(maker, maker->knobs.immediate);
        for (int f = 0; f < families && all; f++)
            set_level(maker, f, a, REF_IMMEDIATE);
        if (all && sound(maker, a, daring))
            continue;
        for (int f = 0; f < families; f++)
            set_level(maker, f, a, REF_TIMED);
        for (int f = 0; f < families; f++) {
            if (!chance(maker, maker->knobs.immediate))
                continue;
            set_level(maker, f, a, REF_IMMEDIATE);
            if (!sound(maker, a, daring))
                set_level(maker, f, a, REF_TIMED);
        }
    }
}

static void random_passive(Maker *maker)
{
    int first = pick(maker, maker->families);
    for (int i = 0; i < maker->families; i++)
        for (int a = 0; a < maker->model->action_count; a++) {
            int f = (first + i) % maker->families;
            if (!(maker->family[f].alphabet >> a & 1) || !chance(maker, maker->knobs.passive))
                continue;
            RefLevel old = level_of(maker, f, a);
            set_level(maker, f, a, REF_PASSIVE);
            Offer all = offered(maker, maker->model->system, a);
            bool undriven = all.levels >> REF_PASSIVE & 1, wrong = undriven || all.fault;
            if (maker->careless ? undriven && chance(maker, 60) : wrong)
                set_level(maker, f, a, old);
        }
    if (maker->careless && chance(maker, 30))
        maker->prefix[pick(maker, maker->prefixes)].term->level = REF_PASSIVE;
}

static void set_priority(Maker *maker, int family, int action, int priority)
{
    for (int i = 0; i < maker->prefixes; i++)
        if (maker->prefix[i].family == family && maker->prefix[i].term->action == action)
            maker->prefix[i].term->priority = priority;
}

/* In all families at once or in one, as the levels. */
static void random_priorities(Maker *maker)
{
    for (int a = REF_TAU; a < maker->model->action_count; a++) {
        if (!chance(maker, maker->knobs.priority))
            continue;
        int only = chance(maker, 60) ? pick(maker, maker->families) : -1, priority = pick(maker, 4);
        for (int f = 0; f < maker->families; f++)
            if (only < 0 || f == only)
                set_priority(maker, f, a, priority);
        bool wrong = a != REF_TAU && offered(maker, maker->model->system, a).fault;
        if (wrong && !(maker->careless && chance(maker, 20)))
            for (int f = 0; f < maker->families; f++)
                set_priority(maker, f, a, REF_UNSTATED);
    }
}

/* ---- rates ---- */

/* A functional rate by a name of its own. */
static const RefRate *named_functional(Maker *maker, const RefRate *rate)
{
    static const char *const name[] = {"f", "load", "speed", "share"};
    if (maker->functionals == 4 || !chance(maker, 25))
        return rate;
    return ref_rate(maker->model, ref_rate_define(maker->model, name[maker->functionals++], rate));
}

/* A timed rate stays as it was made; other activities get no weight, or any expression. */
static void finish_rates(Maker *maker)
{
    for (int i = 0; i < maker->prefixes; i++) {
        RefTerm *term = maker->prefix[i].term;
        if (term->level != REF_TIMED && chance(maker, 40))
            term->rate = NULL;
        if (maker->functional && term->rate && chance(maker, term->level == REF_PASSIVE ? 10 : 30))
            term->rate = named_functional(maker, random_functional(maker, term->rate));
    }
}

void random_levels(Maker *maker)
{
    if (maker->knobs.immediate > 0)
        random_immediate(maker);
    random_passive(maker);
    if (maker->knobs.priority > 0)
        random_priorities(maker);
    finish_rates(maker);
}
