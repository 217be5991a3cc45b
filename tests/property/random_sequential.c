/* Sequential components: families of definitions that go on to one another. */
#include "property/random_parts.h"

#include <stdlib.h>

typedef struct {
    Maker *maker;
    int family;
    int member; /* whose body is being made */
} Body;

static const RefTerm *some_constant(const Body *body, int member)
{
    return ref_constant(body->maker->model, body->maker->family[body->family].member[member]);
}

/* Mostly the next definition, so that most components run through all their states. */
static const RefTerm *named_continuation(const Body *body)
{
    Maker *maker = body->maker;
    int members = maker->family[body->family].members;
    if (chance(maker, 50))
        return some_constant(body, (body->member + 1) % members);
    if (maker->families > 1 && chance(maker, 3)) {
        const Family *other = &maker->family[pick(maker, maker->families)];
        return ref_constant(maker->model, other->member[pick(maker, other->members)]);
    }
    return some_constant(body, pick(maker, members));
}

static const RefTerm *random_choice(const Body *body, int parts, int depth, bool guarded);

static const RefTerm *keep(Maker *maker, const RefTerm *term)
{
    if (maker->pooled < MAX_POOL)
        maker->pool[maker->pooled++] = term;
    return term;
}

static const RefTerm *random_prefix(const Body *body, int depth);

static const RefTerm *continuation(const Body *body, int depth)
{
    Maker *maker = body->maker;
    if (maker->family[body->family].constant)
        return some_constant(body, 0);
    if (chance(maker, maker->knobs.stop) && !maker->stop_defined)
        return ref_stop(maker->model);
    if (maker->pooled > 0 && chance(maker, 10))
        return maker->pool[pick(maker, maker->pooled)];
    if (depth > 0 && chance(maker, 22))
        return keep(maker, random_prefix(body, depth - 1));
    if (depth > 0 && chance(maker, 12))
        return keep(maker, random_choice(body, 2 + pick(maker, 2), depth - 1, true));
    return named_continuation(body);
}

static int random_action(const Body *body)
{
    Maker *maker = body->maker;
    if (chance(maker, 5))
        return REF_TAU;
    for (;;) {
        int action = pick(maker, maker->model->action_count);
        if (maker->family[body->family].alphabet >> action & 1)
            return action;
    }
}

static const RefTerm *random_prefix(const Body *body, int depth)
{
    Maker *maker = body->maker;
    int action = random_action(body);
    const RefRate *rate = random_rate(maker, 2);
    RefTerm *prefix = ref_prefix(maker->model, action, rate, continuation(body, depth));
    prefix->notation = pick(maker, 6);
    if (maker->prefixes == MAX_PREFIXES)
        abort();
    maker->prefix[maker->prefixes++] = (Placed){prefix, body->family};
    return prefix;
}

/* The same activity once more, or one that differs in the rate alone. */
static const RefTerm *again(const Body *body, const RefTerm *before)
{
    Maker *maker = body->maker;
    if (before->kind != REF_PREFIX || chance(maker, 50))
        return before;
    RefTerm *prefix = ref_prefix(maker->model, before->action, random_rate(maker, 1), before->next);
    if (maker->prefixes == MAX_PREFIXES)
        abort();
    maker->prefix[maker->prefixes++] = (Placed){prefix, body->family};
    return prefix;
}

/* guarded: under a prefix, where any constant may stand. */
static const RefTerm *random_choice(const Body *body, int parts, int depth, bool guarded)
{
    Maker *maker = body->maker;
    int members = maker->family[body->family].members, later = members - 1 - body->member;
    const RefTerm *part[4];
    for (int i = 0; i < parts; i++) {
        if (i > 0 && chance(maker, 12))
            part[i] = again(body, part[i - 1]);
        else if (guarded && chance(maker, 15))
            part[i] = some_constant(body, pick(maker, members));
        else if (!guarded && later > 0 && chance(maker, 12))
            part[i] = some_constant(body, body->member + 1 + pick(maker, later));
        else if (parts > 1 && parts < 4 && chance(maker, 5))
            part[i] = random_choice(body, 2, depth, guarded); /* parentheses within a choice */
        else
            part[i] = random_prefix(body, depth);
    }
    return parts == 1 ? part[0] : ref_choice(maker->model, part, parts);
}

static int random_parts(Maker *maker)
{
    static const int parts[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
    return parts[pick(maker, (int)(sizeof parts / sizeof *parts))];
}

const RefTerm *random_inline(Maker *maker, int family)
{
    Body body = {maker, family, pick(maker, maker->family[family].members)};
    return random_choice(&body, 1 + pick(maker, 2), 1, true);
}

static void random_family(Maker *maker, int family)
{
    Family *made = &maker->family[family];
    int actions = maker->model->action_count;
    while (made->alphabet == 0)
        for (int a = 0; a < actions; a++)
            if (chance(maker, 55))
                made->alphabet |= UINT32_C(1) << a;
    for (int i = 0; i < made->members; i++) {
        Body body = {maker, family, i};
        maker->model->process[made->member[i]].body =
            random_choice(&body, random_parts(maker), 2, false);
    }
}

void random_families(Maker *maker)
{
    static const char *const name[] = {"a", "serve", "Go", "move_1", "b'", "timeout", "t", "P"};
    int first = pick(maker, 8), actions = 2 + pick(maker, 4);
    for (int a = 0; a < actions; a++)
        (void)ref_action(maker->model, name[(first + a) % 8]);
    for (int f = 0; f < maker->families; f++)
        random_family(maker, f);
}
