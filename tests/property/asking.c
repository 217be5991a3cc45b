#include "property/asking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/asking_parts.h"
#include "property/room.h"

/* ---- facts --------------------------------------------------------------------------------- */

void facts_new(Facts *f, const PepaModel *model, const PepaChain *chain, uint64_t seed)
{
    *f = (Facts){.model = model, .chain = chain, .info = pepa_chain_info(chain)};
    size_t n = (size_t)f->info.states, counts = (size_t)f->info.counts;
    PepaTransitions t;
    double sum = 0;
    f->count = room(n * counts, sizeof *f->count);
    f->offset = room((size_t)f->info.positions + 1, sizeof *f->offset);
    f->can = room(n * (size_t)f->info.actions, 1);
    f->pi = room(n, sizeof *f->pi);
    for (int32_t p = 0; p < f->info.positions; p++)
        f->offset[p + 1] = f->offset[p] + pepa_chain_position(chain, p).local_count;
    if (pepa_chain_transitions(chain, &t, NULL) != PEPA_OK)
        abort();
    for (size_t s = 0; s < n; s++) {
        if (pepa_chain_state_counts(chain, (int64_t)s, f->count + s * counts, NULL) != PEPA_OK)
            abort();
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++)
            f->can[s * (size_t)f->info.actions + (size_t)pepa_transition_action(&t, k)] = 1;
        bool none = n > 1 && random_below(&seed, 10) == 0;
        sum += f->pi[s] = none ? 0 : 1 + (double)random_below(&seed, 1000);
    }
    for (size_t s = 0; s < n; s++)
        f->pi[s] = sum > 0 ? f->pi[s] / sum : s == 0;
}

void facts_free(Facts *f)
{
    mem_free(f->count);
    mem_free(f->offset);
    mem_free(f->can);
    mem_free(f->pi);
}

/* ---- within a state ------------------------------------------------------------------------ */

static int32_t count_of(const Facts *f, int64_t state, int32_t position, int32_t local)
{
    const int32_t *count = f->count + state * f->info.counts;
    int32_t sum = 0;
    for (int32_t p = 0; p < f->info.positions; p++) {
        PepaPosition at = pepa_chain_position(f->chain, p);
        for (int32_t l = 0; l < at.local_count; l++)
            if (at.local[l] == local && (position < 0 || position == p))
                sum += count[f->offset[p] + l];
    }
    return sum;
}

static bool can_do(const Facts *f, int64_t state, int32_t action)
{
    return action >= 0 && f->can[state * f->info.actions + action];
}

static bool is_stuck(const Facts *f, int64_t state)
{
    return !memchr(f->can + state * f->info.actions, 1, (size_t)f->info.actions);
}

static double operate(int kind, double a, double b)
{
    switch (kind) {
    case ASK_ADD:
        return a + b;
    case ASK_SUB:
        return a - b;
    case ASK_MUL:
        return a * b;
    case ASK_DIV:
        return a / b;
    case ASK_MIN:
        return a < b ? a : b;
    case ASK_MAX:
        return a > b ? a : b;
    case ASK_EQ:
        return a == b;
    case ASK_NE:
        return a != b;
    case ASK_LT:
        return a < b;
    case ASK_LE:
        return a <= b;
    case ASK_GT:
        return a > b;
    case ASK_GE:
        return a >= b;
    case ASK_AND:
        return a != 0 && b != 0;
    case ASK_OR:
        return a != 0 || b != 0;
    case ASK_NOT:
        return a == 0;
    default:
        return -a;
    }
}

static double in_state(const Ask *ask, int node, int64_t state)
{
    const Facts *f = ask->facts;
    const AskNode *n = &ask->node[node];
    switch (n->kind) {
    case ASK_NUMBER:
        return n->number;
    case ASK_RATE:
        return pepa_model_rate_value(f->model, n->a);
    case ASK_COUNT:
        return count_of(f, state, ask->place[n->a].position, ask->place[n->a].local);
    case ASK_ENABLED:
        return can_do(f, state, n->a);
    case ASK_DEADLOCK:
        return is_stuck(f, state);
    default:
        return operate(n->kind, in_state(ask, n->a, state),
                       n->b < 0 ? 0 : in_state(ask, n->b, state));
    }
}

bool ask_true_in(const Ask *ask, int64_t state)
{
    return in_state(ask, ask->item[0].body, state) != 0;
}

/* ---- intervals ----------------------------------------------------------------------------- */

static AskAnswer nothing(void)
{
    return (AskAnswer){ANSWER_NONE, 0, 0};
}

/* low .. high, and the rounding errors of one more operation; far from what doubles can hold. */
static AskAnswer between(double low, double high)
{
    const double most = 1e200, slack = 1e-14;
    if (!(fabs(low) < most && fabs(high) < most))
        return (AskAnswer){ANSWER_OPEN, 0, 0};
    return (AskAnswer){ANSWER_VALUE, low - fabs(low) * slack, high + fabs(high) * slack};
}

/* A sum of at most some thousand terms, whose absolute values sum to `gross`. */
static AskAnswer around(double sum, double gross)
{
    const double rounding = 1e-12;
    if (!isfinite(sum) || !isfinite(gross))
        return nothing();
    return between(sum - rounding * gross, sum + rounding * gross);
}

static double power(double a, double b)
{
    return pow(a, b);
}

/* The range of a function that is monotone in each of its arguments over these ranges. */
static AskAnswer corners(double of(double, double), AskAnswer a, AskAnswer b)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int corner = 0; corner < 4; corner++) {
        double value = of(corner & 1 ? a.low : a.high, corner & 2 ? b.low : b.high);
        if (isnan(value))
            return (AskAnswer){ANSWER_OPEN, 0, 0};
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return between(low, high);
}

static double product(double a, double b)
{
    return a * b;
}

static double quotient(double a, double b)
{
    return a / b;
}

static bool is_zero(AskAnswer a)
{
    return a.kind == ANSWER_VALUE && !(a.low < 0) && !(a.high > 0);
}

/* Functions that are not defined everywhere: on a range that is well within, without, or open. */
static AskAnswer partial(int kind, AskAnswer a, AskAnswer b)
{
    const AskAnswer open = {ANSWER_OPEN, 0, 0};
    switch (kind) {
    case ASK_DIV:
        if (is_zero(b))
            return nothing();
        return b.low > 0 || b.high < 0 ? corners(quotient, a, b) : open;
    case ASK_LOG:
        if (a.high < 0 || is_zero(a))
            return nothing();
        return a.low > 0 ? between(log(a.low), log(a.high)) : open;
    case ASK_SQRT:
        if (a.high < 0)
            return nothing();
        return a.low >= 0 ? between(sqrt(a.low), sqrt(a.high)) : open;
    default:
        return a.low > 0 ? corners(power, a, b) : open;
    }
}

static AskAnswer join(int kind, AskAnswer a, AskAnswer b)
{
    if (a.kind == ANSWER_NONE || b.kind == ANSWER_NONE)
        return nothing();
    if (a.kind == ANSWER_OPEN || b.kind == ANSWER_OPEN)
        return (AskAnswer){ANSWER_OPEN, 0, 0};
    switch (kind) {
    case ASK_ADD:
        return between(a.low + b.low, a.high + b.high);
    case ASK_SUB:
        return between(a.low - b.high, a.high - b.low);
    case ASK_MUL:
        return corners(product, a, b);
    case ASK_MIN:
        return between(fmin(a.low, b.low), fmin(a.high, b.high));
    case ASK_MAX:
        return between(fmax(a.low, b.low), fmax(a.high, b.high));
    case ASK_NEGATE:
        return between(-a.high, -a.low);
    case ASK_EXP:
        return between(exp(a.low), exp(a.high));
    default:
        return partial(kind, a, b);
    }
}

/* ---- over all states ----------------------------------------------------------------------- */

/* The place that is the k-th local state of a position is one of those of a node. */
static bool is_place(const Ask *ask, const AskNode *n, int32_t position, int32_t k)
{
    int32_t local = pepa_chain_position(ask->facts->chain, position).local[k];
    for (int i = n->a; i < n->b; i++)
        if (ask->place[i].local == local &&
            (ask->place[i].position < 0 || ask->place[i].position == position))
            return true;
    return false;
}

/* Components at a position that are in the places of a node. */
static int32_t inside(const Ask *ask, const AskNode *n, int64_t state, int32_t position)
{
    const Facts *f = ask->facts;
    int32_t sum = 0, at = f->offset[position];
    for (int32_t k = at; k < f->offset[position + 1]; k++)
        if (is_place(ask, n, position, k - at))
            sum += f->count[state * f->info.counts + k];
    return sum;
}

static AskAnswer mean(const Ask *ask, const AskNode *n)
{
    const Facts *f = ask->facts;
    double sum = 0, gross = 0;
    for (int64_t s = 0; s < f->info.states; s++) {
        double value = in_state(ask, n->a, s);
        value = n->kind == ASK_PROBABILITY ? value != 0 : value;
        sum += f->pi[s] > 0 ? f->pi[s] * value : 0;
        gross += f->pi[s] > 0 ? f->pi[s] * fabs(value) : 0;
    }
    return around(sum, gross);
}

static AskAnswer population(const Ask *ask, const AskNode *n)
{
    const Facts *f = ask->facts;
    double sum = 0;
    for (int64_t s = 0; s < f->info.states; s++)
        for (int32_t p = 0; p < f->info.positions; p++)
            sum += f->pi[s] * inside(ask, n, s, p);
    return around(sum, sum);
}

/* The copies at the positions of a node's places. */
static double copies(const Ask *ask, const AskNode *n)
{
    double sum = 0;
    for (int32_t p = 0; p < ask->facts->info.positions; p++) {
        PepaPosition at = pepa_chain_position(ask->facts->chain, p);
        int32_t k = 0;
        while (k < at.local_count && !is_place(ask, n, p, k))
            k++;
        sum += k < at.local_count ? at.copies : 0;
    }
    return sum;
}

/* Over the transitions: components that enter the places; or completions of the actions. */
static AskAnswer flow(const Ask *ask, const AskNode *n)
{
    const Facts *f = ask->facts;
    PepaTransitions t;
    double sum = 0;
    (void)pepa_chain_transitions(f->chain, &t, NULL);
    for (int64_t s = 0; s < f->info.states; s++)
        for (int64_t k = t.row[s]; k < t.row[s + 1]; k++) {
            int32_t weight = 0, action = pepa_transition_action(&t, k);
            for (int i = n->a; n->kind == ASK_THROUGHPUT && i < n->b; i++)
                weight = weight || ask->place[i].local == action;
            for (int32_t p = 0; n->kind == ASK_RESPONSE && p < f->info.positions; p++) {
                int32_t more = inside(ask, n, t.target[k], p) - inside(ask, n, s, p);
                weight += more > 0 ? more : 0;
            }
            sum += f->pi[s] * pepa_transition_rate(&t, k) * weight;
        }
    return around(sum, sum);
}

AskAnswer ask_answer(const Ask *ask, int node)
{
    const AskNode *n = &ask->node[node];
    double value;
    switch (n->kind) {
    case ASK_NUMBER:
        return between(n->number, n->number);
    case ASK_RATE:
        value = pepa_model_rate_value(ask->facts->model, n->a);
        return isfinite(value) ? between(value, value) : nothing();
    case ASK_EARLIER:
        return ask->item[n->a].answer;
    case ASK_PROBABILITY:
    case ASK_REWARD:
        return mean(ask, n);
    case ASK_POPULATION:
        return population(ask, n);
    case ASK_UTILISATION:
        value = copies(ask, n);
        return join(ASK_DIV, population(ask, n), between(value, value));
    case ASK_RESPONSE:
        return join(ASK_DIV, population(ask, n), flow(ask, n));
    case ASK_THROUGHPUT:
        return flow(ask, n);
    default:
        return join(n->kind, ask_answer(ask, n->a),
                    n->b < 0 ? between(0, 0) : ask_answer(ask, n->b));
    }
}
