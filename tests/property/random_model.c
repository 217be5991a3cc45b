#include "property/random_parts.h"

#include <math.h>
#include <stdio.h>

uint64_t random_below(uint64_t *state, uint64_t n)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (z ^ z >> 31) % n;
}

int pick(Maker *maker, int n)
{
    return (int)random_below(&maker->state, (uint64_t)n);
}

bool chance(Maker *maker, int percent)
{
    return pick(maker, 100) < percent;
}

/* ---- rates ---- */

enum { SMALLEST_RATE_INVERSE = 50, LARGEST_RATE = 50 };

static bool usable(const Maker *maker, const RefRate *rate)
{
    double value = ref_rate_value(maker->model, rate, NULL);
    return isfinite(value) && value * SMALLEST_RATE_INVERSE > 1 && value < LARGEST_RATE;
}

static const RefRate *plain_rate(Maker *maker)
{
    static const double nice[] = {0.1, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 4, 7, 10, 0.037, 12.5, 1e-1};
    if (maker->model->rate_count > 0 && chance(maker, 60))
        return ref_rate(maker->model, pick(maker, maker->model->rate_count));
    if (chance(maker, 15))
        return ref_number(maker->model, (30 + pick(maker, 9970)) / 1000.0);
    return ref_number(maker->model, nice[pick(maker, (int)(sizeof nice / sizeof *nice))]);
}

/* Where the right operands of conditions or one of the branches have no value, they do not count. */
static const RefRate *random_condition(Maker *maker, const RefRate *a, const RefRate *b)
{
    RefModel *model = maker->model;
    const RefRateKind kind = (RefRateKind)(REF_LESS + pick(maker, REF_UNEQUAL - REF_LESS + 1));
    const RefRate *first = ref_operation(model, kind, a, b), *zero = ref_number(model, 0);
    const RefRate *share = ref_operation(model, REF_DIV, a, b);
    const RefRate *second =
        ref_operation(model, REF_GREATER_EQUAL, share, ref_number(model, 1 + pick(maker, 2)));
    switch (pick(maker, 5)) {
    case 0:
        return ref_operation(model, REF_NOT, first, NULL);
    case 1: /* b is at least 0 */
        return ref_operation(model, REF_AND, ref_operation(model, REF_GREATER, b, zero), second);
    case 2:
        return ref_operation(model, REF_OR, ref_operation(model, REF_EQUAL, b, zero), second);
    default:
        return first;
    }
}

static const RefRate *random_expression(Maker *maker, int depth)
{
    static const RefRateKind kind[] = {REF_ADD, REF_SUB, REF_MUL, REF_DIV,  REF_MIN,    REF_MAX,
                                       REF_POW, REF_EXP, REF_LOG, REF_SQRT, REF_NEGATE, REF_IF};
    RefModel *model = maker->model;
    RefRateKind operation = kind[pick(maker, (int)(sizeof kind / sizeof *kind))];
    const RefRate *a = random_rate(maker, depth - 1), *b = random_rate(maker, depth - 1);
    switch (operation) {
    case REF_NEGATE: /* a - -b, or -a / -b */
        b = ref_operation(model, REF_NEGATE, b, NULL);
        if (chance(maker, 50))
            return ref_operation(model, REF_SUB, a, b);
        return ref_operation(model, REF_DIV, ref_operation(model, REF_NEGATE, a, NULL), b);
    case REF_EXP:
        return ref_operation(model, REF_EXP, ref_operation(model, REF_SUB, a, b), NULL);
    case REF_LOG:
        return ref_operation(model, REF_LOG, ref_operation(model, REF_ADD, a, b), NULL);
    case REF_SQRT:
        return ref_operation(model, REF_SQRT, a, NULL);
    case REF_IF:
        return ref_conditional(model, random_condition(maker, a, b), a, b);
    default:
        return ref_operation(model, operation, a, b);
    }
}

const RefRate *random_rate(Maker *maker, int depth)
{
    if (depth == 0 || chance(maker, 55))
        return plain_rate(maker);
    const RefRate *rate = random_expression(maker, depth);
    return usable(maker, rate) ? rate : plain_rate(maker);
}

void random_rates(Maker *maker)
{
    static const char *const name[] = {"r",   "lambda", "mu", "mu_2", "k'",
                                       "rXy", "serve",  "t",  "min1", "infty_rate"};
    int count = 1 + pick(maker, 6), first = pick(maker, 10);
    for (int i = 0; i < count; i++) {
        const RefRate *value = random_rate(maker, 2);
        (void)ref_rate_define(maker->model, name[(first + i) % 10], value);
    }
}

/* A local state that a rate can ask for. */
static const RefRate *random_population(Maker *maker)
{
    const Family *family = &maker->family[pick(maker, maker->families)];
    return ref_count(maker->model, family->member[pick(maker, family->members)]);
}

/* Factors that are 0, fractions, whole numbers; careless ones can be negative or not a number. */
const RefRate *random_functional(Maker *maker, const RefRate *rate)
{
    RefModel *model = maker->model;
    const RefRate *p = random_population(maker), *q = random_population(maker);
    const RefRate *one = ref_number(model, 1);
    const RefRate *sum = ref_operation(model, REF_ADD, p, q);
    switch (pick(maker, maker->careless ? 11 : 9)) {
    case 0:
        return ref_operation(model, REF_MUL, p, rate);
    case 1:
        return ref_operation(model, REF_DIV, rate, ref_operation(model, REF_ADD, one, p));
    case 2:
        p = ref_operation(model, REF_SUB, sum, one);
        p = ref_operation(model, REF_MAX, p, ref_number(model, 0));
        return ref_operation(model, REF_MUL, rate, p);
    case 3:
        return ref_operation(model, REF_MUL, ref_operation(model, REF_MIN, p, one), rate);
    case 4:
        return ref_operation(model, REF_ADD, rate, sum);
    case 5:
        p = ref_operation(model, REF_EXP, ref_operation(model, REF_NEGATE, p, NULL), NULL);
        return ref_operation(model, REF_MUL, p, rate);
    case 6:
        p = ref_operation(model, REF_POW, ref_operation(model, REF_ADD, one, p), q);
        return ref_operation(model, REF_MUL, ref_operation(model, REF_SQRT, p, NULL), rate);
    case 7:
        return ref_conditional(model, random_condition(maker, p, q), rate,
                               ref_number(model, (1 + pick(maker, 8)) / 2.0));
    case 8:
        sum = ref_operation(model, REF_DIV, rate, p);
        return ref_conditional(model, ref_operation(model, REF_GREATER, p, ref_number(model, 0)),
                               sum, chance(maker, 50) ? rate : ref_number(model, 0));
    case 9:
        return ref_operation(model, REF_MUL, rate, ref_operation(model, REF_SUB, p, one));
    default:
        return ref_operation(model, REF_DIV, ref_operation(model, REF_MUL, rate, p), sum);
    }
}

/* ---- names and their order ---- */

typedef struct {
    char name[32];
    int *id;
} Planned;

static void plan_family(Maker *maker, Family *family, const char *base, Planned *plan, int *planned)
{
    static const char *const suffix[] = {"", "_2", "1", "'", "Wait", "_4"};
    family->constant = maker->knobs.constant > 0 && chance(maker, maker->knobs.constant);
    family->members = family->constant ? 1 : 1 + pick(maker, MAX_MEMBERS);
    int first = chance(maker, 60) ? 0 : pick(maker, 6);
    for (int i = 0; i < family->members; i++) {
        Planned *one = &plan[(*planned)++];
        (void)snprintf(one->name, sizeof one->name, "%s%s", base, suffix[(first + i) % 6]);
        one->id = &family->member[i];
    }
}

/* Declare every process in random order: the order of the source, on which the names of local
 * states depend.  What may refer to what is decided by the place in the family instead. */
static void declare(Maker *maker)
{
    static const char *const base[] = {"P", "Queue", "Stage"}, *const system[] = {"Sys", "Net"};
    Planned plan[MAX_FAMILIES * MAX_MEMBERS + MAX_SYSTEMS];
    int planned = 0;
    maker->families = maker->knobs.constant > 0 ? MAX_FAMILIES : 1 + pick(maker, MAX_FAMILIES);
    for (int f = 0; f < maker->families; f++)
        plan_family(maker, &maker->family[f], base[f], plan, &planned);
    if (chance(maker, 2)) {
        maker->stop_defined = true;
        (void)snprintf(plan[planned - 1].name, sizeof plan[0].name, "Stop");
    }
    maker->systems = chance(maker, 25) ? 1 + pick(maker, MAX_SYSTEMS) : 0;
    for (int i = 0; i < maker->systems; i++) {
        Planned *one = &plan[planned++];
        (void)snprintf(one->name, sizeof one->name, "%s", system[i]);
        one->id = &maker->system[i];
    }
    for (int left = planned; left > 0; left--) {
        int chosen = pick(maker, left);
        *plan[chosen].id = ref_process_declare(maker->model, plan[chosen].name);
        plan[chosen] = plan[left - 1];
    }
}

/* Where the rates are written, and in which of its spellings everything is. */
static void lay_out(Maker *maker)
{
    RefModel *model = maker->model;
    bool first = chance(maker, 50);
    for (int i = 0; i < model->rate_count; i++)
        model->rate[i].before = first ? 0 : pick(maker, model->process_count + 1);
    for (int p = 0; p < model->process_count; p++)
        model->process[p].notation = pick(maker, 30);
    model->notation = pick(maker, 4);
}

RandomKnobs random_knobs_default(void)
{
    return (
        RandomKnobs){.max_states = 120, .functional = 25, .careless = 15, .passive = 65, .stop = 2};
}

RefModel random_model(uint64_t seed, const RandomKnobs *knobs)
{
    RefModel model = {0};
    Maker maker = {.model = &model, .state = seed, .knobs = *knobs};
    maker.functional = chance(&maker, knobs->functional);
    maker.careless = chance(&maker, knobs->careless);
    declare(&maker);
    random_rates(&maker);
    random_families(&maker);
    random_system(&maker);
    random_levels(&maker);
    lay_out(&maker);
    return model;
}
