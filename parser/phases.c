/* Replaces activities of phase types by phases.
 *
 * A local state with such activities becomes one local state for each combination of their phases; the
 * first of these is the state itself.  From a phase an activity is completed, with its action, or goes
 * on to the next phase, as tau.  All phase types are brought into Cox's form: phases one after the
 * other, each with a rate at which it completes and a rate at which it goes on.
 *     erlang(k, r)             k phases of rate r
 *     cox(r1, c1, r2, ..)      phase i has rate ri and goes on with probability ci
 *     hyper(p1:r1, p2:r2, ..)  with the rates in descending order, phase j has the rate rj.  What is
 *                              left of weight i when it is entered is wi(j), wi(1) = pi; it
 *                              completes at the rate sum_i wi(j) ri / sum_i wi(j), and leaves
 *                              wi(j+1) = wi(j) (rj - ri): an exponential time of rate ri < rj is a
 *                              geometric number of times of rate rj (Cumani, Microelectronics and
 *                              Reliability 22, 1982).
 * The rates of phases are expressions over the arguments, so that rates can have other values later. */
#include <math.h>
#include <stdio.h>

#include "parser/checking.h"

enum { MOST_PHASES = 10000 };

/* An expression and its value. */
typedef struct {
    int32_t expr;
    double value;
} Quantity;

/* The rates of a phase; value 0: there is none. */
typedef struct {
    Quantity complete, onward;
} Phase;

typedef struct {
    Check *check;
    Locals *locals;
    const Meaning **meaning; /* per expression of the text */
    int32_t *node;           /* per expression of the text: a node that has it */
    int32_t known;           /* so many */
    Phase *phase;
    size_t phase_count, phase_cap;
    Quantity *item, *weight; /* of a list being read */
    size_t item_count, item_cap;
    Activity *activity; /* the new ones */
    size_t activity_count, activity_cap;
    Intern taken; /* names of local states */
    bool failed;  /* an error was reported */
} Expansion;

/* ---- quantities ------------------------------------------------------------------------------ */

static Quantity number(Expansion *x, double value)
{
    const int32_t expr = cons_put(&x->check->exprs, (ConsKey){EXPR_NUMBER, -1, -1, -1, value});
    x->check->no_memory = x->check->no_memory || expr < 0;
    return (Quantity){expr, value};
}

static Quantity operate(Expansion *x, ExprOp op, Quantity a, Quantity b)
{
    const int32_t expr = cons_put(&x->check->exprs, (ConsKey){(int32_t)op, a.expr, b.expr, -1, 0});
    x->check->no_memory = x->check->no_memory || expr < 0;
    return (Quantity){expr, model_operate(op, a.value, b.value)};
}

static Quantity argument(const Expansion *x, int32_t expr)
{
    return (Quantity){expr, x->meaning[expr]->value};
}

/* Report a phase type's number; false. */
static bool wrong(Expansion *x, int32_t expr, const char *what)
{
    diag_error(x->check->diags, x->check->ast->nodes[x->node[expr]].span, "%s", what);
    x->failed = true;
    return false;
}

static bool positive(Expansion *x, Quantity q, const char *what)
{
    return (q.value > 0 && isfinite(q.value)) || wrong(x, q.expr, what);
}

/* ---- phase types ----------------------------------------------------------------------------- */

static bool add_phase(Expansion *x, Quantity complete, Quantity onward)
{
    if (!mem_grow(x->phase, x->phase_cap, x->phase_count + 1)) {
        x->check->no_memory = true;
        return false;
    }
    x->phase[x->phase_count++] = (Phase){complete, onward};
    return true;
}

static bool erlang(Expansion *x, ConsKey key)
{
    const Quantity count = argument(x, key.a), rate = argument(x, key.b), none = {-1, 0};
    const double whole = nearbyint(count.value);
    if (!(whole >= 1 && whole <= MOST_PHASES && fabs(count.value - whole) <= CHECK_WHOLE))
        return wrong(x, key.a, "the number of phases is a whole number from 1 to 10000");
    if (!positive(x, rate, "the rate of a phase must be finite and > 0"))
        return false;
    bool ok = true;
    for (int32_t i = 1; i <= (int32_t)whole && ok; i++)
        ok = add_phase(x, i < (int32_t)whole ? none : rate, i < (int32_t)whole ? rate : none);
    return ok;
}

static bool add_item(Expansion *x, Quantity weight, Quantity item)
{
    const MemColumn columns[] = {{&x->item, sizeof *x->item}, {&x->weight, sizeof *x->weight}};
    if (!mem_reserve_columns(columns, 2, &x->item_cap, x->item_count + 1)) {
        x->check->no_memory = true;
        return false;
    }
    x->weight[x->item_count] = weight;
    x->item[x->item_count++] = item;
    return true;
}

/* The items of a list, the last one first; of pairs with their weights. */
static bool read_items(Expansion *x, int32_t list)
{
    x->item_count = 0;
    for (bool more = true; more;) {
        ConsKey key = cons_key(&x->check->exprs, list);
        int32_t item = list;
        more = key.kind == EXPR_LIST;
        if (more) {
            item = key.b;
            list = key.a;
        }
        key = cons_key(&x->check->exprs, item);
        const Quantity none = {-1, 0};
        const bool pair = key.kind == EXPR_PAIR;
        if (!add_item(x, pair ? argument(x, key.a) : none, argument(x, pair ? key.b : item)))
            return false;
    }
    return true;
}

static bool cox(Expansion *x, ConsKey key)
{
    const Quantity one = number(x, 1), none = {-1, 0};
    bool ok = read_items(x, key.a);
    for (size_t left = x->item_count; ok && left > 0; left -= left > 1 ? 2 : 1) {
        const Quantity rate = x->item[left - 1];
        if (!positive(x, rate, "the rate of a phase must be finite and > 0"))
            return false;
        if (left == 1) {
            ok = add_phase(x, rate, none);
            continue;
        }
        const Quantity on = x->item[left - 2];
        if (!(on.value > 0 && on.value <= 1))
            return wrong(x, on.expr, "the probability to go on must be > 0 and at most 1");
        const Quantity complete = operate(x, EXPR_MUL, rate, operate(x, EXPR_SUB, one, on));
        ok = add_phase(x, on.value < 1 ? complete : none,
                       on.value < 1 ? operate(x, EXPR_MUL, rate, on) : rate);
    }
    return ok;
}

/* Rates in descending order; equal ones as they are. */
static void sort_items(Expansion *x)
{
    for (size_t i = 1; i < x->item_count; i++)
        for (size_t k = i; k > 0 && x->item[k - 1].value < x->item[k].value; k--) {
            const Quantity item = x->item[k], weight = x->weight[k];
            x->item[k] = x->item[k - 1];
            x->weight[k] = x->weight[k - 1];
            x->item[k - 1] = item;
            x->weight[k - 1] = weight;
        }
}

/* Only shares of weights count: those that grow or shrink too far are multiplied by a number. */
static void rescale(Expansion *x, size_t first)
{
    const double far = 1e100;
    double most = 0;
    for (size_t i = first; i < x->item_count; i++)
        most = fmax(most, x->weight[i].value);
    if (!(most > 0 && isfinite(most)) || (most <= far && most >= 1 / far))
        return;
    const Quantity by = number(x, 1 / most);
    for (size_t i = first; i < x->item_count; i++)
        x->weight[i] = operate(x, EXPR_MUL, x->weight[i], by);
}

static bool hyper(Expansion *x, ConsKey key)
{
    const Quantity none = {-1, 0};
    if (!read_items(x, key.a))
        return false;
    for (size_t i = 0; i < x->item_count; i++)
        if (!positive(x, x->weight[i], "the weight of an alternative must be finite and > 0") ||
            !positive(x, x->item[i], "the rate of an alternative must be finite and > 0"))
            return false;
    sort_items(x);
    for (size_t first = 0; first < x->item_count;) {
        const Quantity rate = x->item[first];
        Quantity weights = x->weight[first], sum = operate(x, EXPR_MUL, x->weight[first], rate);
        size_t next = first + 1;
        while (next < x->item_count && !(x->item[next].value < rate.value))
            next++;
        for (size_t i = first + 1; i < x->item_count; i++) {
            weights = operate(x, EXPR_ADD, weights, x->weight[i]);
            sum = operate(x, EXPR_ADD, sum, operate(x, EXPR_MUL, x->weight[i], x->item[i]));
        }
        const Quantity complete = operate(x, EXPR_DIV, sum, weights);
        if (next == x->item_count)
            return add_phase(x, rate, none); /* all that are left have this rate */
        if (!add_phase(x, complete, operate(x, EXPR_SUB, rate, complete)))
            return false;
        for (size_t i = next; i < x->item_count; i++)
            x->weight[i] =
                operate(x, EXPR_MUL, x->weight[i], operate(x, EXPR_SUB, rate, x->item[i]));
        rescale(x, next);
        first = next;
    }
    return true;
}

/* With the activity's priority, if it has one. */
static void set_priority(Expansion *x, Quantity *q, double priority)
{
    if (q->expr < 0)
        return;
    q->expr = cons_put(&x->check->exprs, (ConsKey){EXPR_PRIORITY, q->expr, -1, -1, priority});
    x->check->no_memory = x->check->no_memory || q->expr < 0;
}

/* The phases of an activity's rate; false: it is no phase type, or wrong. */
static bool read_phases(Expansion *x, int32_t expr)
{
    ConsKey key = cons_key(&x->check->exprs, expr);
    double priority = 0;
    if (key.kind == EXPR_PRIORITY) {
        priority = key.number;
        key = cons_key(&x->check->exprs, key.a);
    }
    const size_t first = x->phase_count;
    bool is_one = false;
    if (key.kind == EXPR_ERLANG)
        is_one = erlang(x, key);
    else if (key.kind == EXPR_HYPER)
        is_one = hyper(x, key);
    else if (key.kind == EXPR_COX)
        is_one = cox(x, key);
    for (size_t i = first; i < x->phase_count && priority > 0; i++) {
        set_priority(x, &x->phase[i].complete, priority);
        set_priority(x, &x->phase[i].onward, priority);
    }
    return is_one;
}

/* ---- local states ---------------------------------------------------------------------------- */

/* The phases of an activity of the local state at hand. */
typedef struct {
    size_t first;   /* in Expansion.phase */
    int32_t count;  /* 0: it is of no phase type */
    int32_t stride; /* so many local states further it is in its next phase */
} Course;

static bool add_activity(Expansion *x, int32_t action, int32_t expr, int32_t target, Span span)
{
    if (!mem_grow(x->activity, x->activity_cap, x->activity_count + 1)) {
        x->check->no_memory = true;
        return false;
    }
    x->activity[x->activity_count++] = (Activity){action, expr, target, span};
    return true;
}

static bool take_name(Expansion *x, const char *name)
{
    return !name || intern_put(&x->taken, name, strlen(name)) >= 0;
}

/* Those of the text. */
static bool take_names(Expansion *x)
{
    bool ok = true;
    for (size_t i = 0; i < x->locals->local_count && ok; i++)
        ok = take_name(x, x->locals->locals[i].name);
    return ok;
}

static bool is_taken(const Expansion *x, const char *name)
{
    const size_t length = strlen(name);
    return intern_find(&x->taken, name, length) >= 0 ||
           intern_find(&x->check->processes, name, length) >= 0;
}

/* Serve'2: the second phase; Serve'2'1: of two activities. */
static const char *phase_name(Expansion *x, const char *whole, const Course *course,
                              int32_t courses, int32_t number)
{
    Text text = {0};
    text_add(&text, "%s", whole);
    for (int32_t i = 0; i < courses; i++)
        if (course[i].count)
            text_add(&text, "'%d", number / course[i].stride % course[i].count + 1);
    while (!text.failed && is_taken(x, text.text))
        text_add(&text, "'");
    const char *name = text.failed ? NULL : arena_copy(&x->check->scratch, text.text, text.length);
    text_free(&text);
    return name && take_name(x, name) ? name : NULL;
}

/* Room for the phases of a local state behind the others; local_term keeps in step. */
static bool add_locals(Expansion *x, int32_t whole, const Course *course, int32_t courses,
                       int32_t states)
{
    Locals *l = x->locals;
    const size_t need = l->local_count + (size_t)states;
    if (!mem_reserve(&l->locals, &l->local_cap, need, sizeof *l->locals) ||
        !mem_reserve(&l->local_term, &l->term_cap, need, sizeof *l->local_term))
        return false;
    for (int32_t i = 1; i < states; i++) {
        const char *name = phase_name(x, l->locals[whole].name, course, courses, i);
        if (!name)
            return false;
        l->local_term[l->local_count] = -1;
        l->locals[l->local_count++] =
            (Local){.name = name, .whole = whole, .span = l->locals[whole].span};
    }
    return true;
}

/* The activities of one combination of phases: `number`, of a local state whose others begin at
 * `first`. */
static bool add_activities(Expansion *x, const Activity *from, const Course *course,
                           int32_t courses, int32_t first, int32_t number)
{
    bool ok = true;
    for (int32_t i = 0; i < courses && ok; i++) {
        const Activity a = from[i];
        if (!course[i].count) {
            ok = add_activity(x, a.action, a.expr, a.target, a.span);
            continue;
        }
        const int32_t at = number / course[i].stride % course[i].count;
        const Phase phase = x->phase[course[i].first + (size_t)at];
        if (phase.complete.expr >= 0)
            ok = add_activity(x, a.action, phase.complete.expr, a.target, a.span);
        if (ok && phase.onward.expr >= 0)
            ok = add_activity(x, ACTION_TAU, phase.onward.expr,
                              first + number + course[i].stride - 1, a.span);
    }
    return ok;
}

/* A local state and its phases: how many there are; 0 after an error or without memory. */
static int32_t find_courses(Expansion *x, const Local *local, Course *course)
{
    int64_t states = 1;
    for (int32_t k = 0; k < local->count; k++) {
        const size_t first = x->phase_count;
        course[k] = (Course){.first = first, .stride = (int32_t)states};
        if (read_phases(x, x->locals->activities[local->first + k].expr)) {
            course[k].count = (int32_t)(x->phase_count - first);
            states *= course[k].count;
        }
        if (states > CHECK_MAX_NODES) {
            diag_error(x->check->diags, local->span, "`%s` has more than %d combinations of phases",
                       local->name, CHECK_MAX_NODES);
            x->failed = true;
        }
        if (x->failed || x->check->no_memory)
            return 0;
    }
    return (int32_t)states;
}

/* Rewrite the activities of a local state, which go to the new ones; those of its phases follow
 * after all others. */
static bool expand_local(Expansion *x, int32_t whole, Course *course, Activity *from)
{
    const Local local = x->locals->locals[whole];
    x->phase_count = 0;
    const int32_t states = find_courses(x, &local, course);
    const int32_t first = (int32_t)x->locals->local_count;
    if (states == 0 || (states > 1 && !add_locals(x, whole, course, local.count, states)))
        return false;
    for (int32_t k = 0; k < local.count; k++)
        from[k] = x->locals->activities[local.first + k];
    bool ok = true;
    for (int32_t i = 0; i < states && ok; i++) {
        Local *here = &x->locals->locals[i == 0 ? whole : first + i - 1];
        here->first = (int32_t)x->activity_count;
        ok = add_activities(x, from, course, local.count, first, i);
        here->count = (int32_t)x->activity_count - here->first;
    }
    return ok;
}

/* Which expressions the text has, and what they mean.  Definitions that were replaced have not been evaluated. */
static bool find_meanings(Expansion *x)
{
    const Check *check = x->check;
    x->known = check->exprs.count;
    x->meaning = mem_calloc((size_t)x->known, sizeof *x->meaning);
    x->node = mem_calloc((size_t)x->known, sizeof *x->node);
    for (int32_t i = 0; x->meaning && x->node && i < check->ast->node_count; i++)
        if (ast_is_rate(check->ast->nodes[i].kind) && check->expr[i] >= 0 &&
            check->meaning[i].size > 0) {
            x->meaning[check->expr[i]] = &check->meaning[i];
            x->node[check->expr[i]] = i;
        }
    return x->meaning && x->node;
}

static bool has_phases(const Check *check)
{
    for (int32_t i = 0; i < check->exprs.count; i++)
        if (ast_is_phases((AstKind)cons_key(&check->exprs, i).kind))
            return true;
    return false;
}

void phases_expand(Check *check, Locals *locals)
{
    Expansion x = {.check = check, .locals = locals};
    if (!has_phases(check))
        return;
    const int32_t count = (int32_t)locals->local_count;
    int32_t most = 1;
    for (int32_t l = 0; l < count; l++)
        most = locals->locals[l].count > most ? locals->locals[l].count : most;
    Course *course = mem_calloc((size_t)most, sizeof *course);
    Activity *from = mem_calloc((size_t)most, sizeof *from);
    bool ok = course && from && find_meanings(&x) && take_names(&x);
    for (int32_t l = 0; l < count && ok; l++)
        ok = expand_local(&x, l, course, from);
    if (ok) {
        mem_free(locals->activities);
        locals->activities = x.activity;
        locals->activity_count = x.activity_count;
        locals->activity_cap = x.activity_cap;
        locals->unfolded = locals->local_count;
        x.activity = NULL;
    }
    check->no_memory = check->no_memory || (!ok && !x.failed);
    mem_free_all(course, from, x.meaning, x.node, x.phase, x.item, x.weight, x.activity);
    intern_free(&x.taken);
}
