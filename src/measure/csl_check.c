/* Evaluates a formula node by node: truth in each state, and numbers with what they may be off. */
#include "measure/csl_private.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/expression.h"

/* A comparison that was not decided: the one with the narrowest error, which is nearest to being a
 * tie. */
typedef struct {
    const FormulaNode *f; /* NULL: there was none */
    double value, error;
} Doubt;

typedef struct {
    Csl c;
    uint8_t **truth; /* per node; NULL before it is computed, and after it was needed */
    CslNumbers last; /* of the last operator that computes numbers */
    /* Entries of truths and numbers, of which the last is where the chain begins, if that is in several states;
     * which entry says where it begins. */
    size_t entries, at;
    Doubt doubt;
    bool open;   /* there is one where the chain begins */
    double blur; /* what the last operator's number is off where the chain begins because of what is
                  * not known; 0: nothing */
} Check;

static bool begins_in_several(const Check *k)
{
    return k->at == (size_t)k->c.rows.n;
}

bool csl_numbers_new(CslNumbers *x, int64_t states)
{
    *x = (CslNumbers){0};
    if (mem_new_zeroed(x->value, states) && mem_new_zeroed(x->error, states) &&
        mem_new_zeroed(x->sure, states))
        return true;
    csl_numbers_free(x);
    return false;
}

void csl_numbers_free(CslNumbers *x)
{
    mem_free_all(x->value, x->error, x->sure);
    *x = (CslNumbers){0};
}

/* ---- truth ----------------------------------------------------------------------------------- */

static uint8_t negate(uint8_t a)
{
    return a == CSL_UNKNOWN ? CSL_UNKNOWN : !a;
}

static uint8_t both(uint8_t a, uint8_t b)
{
    return a == CSL_FALSE || b == CSL_FALSE ? CSL_FALSE
           : a == CSL_TRUE && b == CSL_TRUE ? CSL_TRUE
                                            : CSL_UNKNOWN;
}

static uint8_t either(uint8_t a, uint8_t b)
{
    return negate(both(negate(a), negate(b)));
}

/* Whether x, which is in low .. high, passes; UNKNOWN where the two differ, and for NaN. */
static uint8_t passes(const FormulaNode *f, double low, double high)
{
    const double p = f->threshold;
    switch (f->test) {
    case FORMULA_LESS:
        return high < p ? CSL_TRUE : low >= p ? CSL_FALSE : CSL_UNKNOWN;
    case FORMULA_AT_MOST:
        return high <= p ? CSL_TRUE : low > p ? CSL_FALSE : CSL_UNKNOWN;
    case FORMULA_MORE:
        return low > p ? CSL_TRUE : high <= p ? CSL_FALSE : CSL_UNKNOWN;
    case FORMULA_AT_LEAST:
        return low >= p ? CSL_TRUE : high < p ? CSL_FALSE : CSL_UNKNOWN;
    default:
        return CSL_FALSE;
    }
}

/* What is known to be between 0 and 1 passes 0 and 1 as 0.5 does, however near its number
 * is. */
static uint8_t compare(Check *k, const FormulaNode *f, int32_t i)
{
    const double value = k->last.value[i], error = k->last.error[i] * (1 + 4 * DBL_EPSILON);
    double low = error > 0 ? nextafter(value - error, -HUGE_VAL) : value;
    double high = error > 0 ? nextafter(value + error, HUGE_VAL) : value;
    if (f->kind <= FORMULA_LONG_RUN) {
        low = fmax(low, 0);
        high = fmin(high, 1);
    }
    if ((k->last.sure[i] == CSL_POSITIVE && f->threshold <= 0) ||
        (k->last.sure[i] == CSL_BETWEEN && (f->threshold <= 0 || f->threshold >= 1)))
        low = high = 0.5;
    const uint8_t truth = passes(f, low, high);
    k->open |= truth == CSL_UNKNOWN && (size_t)i == k->at;
    if (truth == CSL_UNKNOWN && (!k->doubt.f || k->last.error[i] < k->doubt.error))
        k->doubt = (Doubt){f, value, k->last.error[i]};
    return truth;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* What is unknown counts as `as`. */
static bool decide(const uint8_t *truth, size_t n, uint8_t as, uint8_t **out)
{
    if (!mem_new(*out, n))
        return false;
    for (size_t i = 0; i < n; i++)
        (*out)[i] = truth[i] == CSL_UNKNOWN ? as : truth[i];
    return true;
}

/* x, for what is unknown taken as false, and y, taken as true: all between, into x.  The exact
 * number is between these, as operators are monotone. */
static void join(CslNumbers *x, const CslNumbers *y, int32_t n, bool monotone)
{
    for (int32_t i = 0; i < n; i++) {
        const double apart = fabs(x->value[i] - y->value[i]) / 2;
        if (x->value[i] == y->value[i] && x->error[i] == 0 && y->error[i] == 0 && monotone)
            continue;
        x->value[i] = x->value[i] / 2 + y->value[i] / 2;
        x->error[i] = !monotone || isnan(apart)
                          ? HUGE_VAL
                          : fmax(x->error[i], y->error[i]) + apart * (1 + 4 * DBL_EPSILON);
        x->sure[i] = x->sure[i] == y->sure[i] ? x->sure[i] : CSL_ANY;
    }
}

static bool has_unknown(const uint8_t *truth, size_t n)
{
    return truth && memchr(truth, CSL_UNKNOWN, n) != NULL;
}

/* The operator f into k->last. */
static PepaStatus operate(Check *k, const FormulaNode *f, const uint8_t *a, const uint8_t *b,
                          PepaError *err)
{
    const size_t n = (size_t)k->c.rows.n;
    const bool twice = has_unknown(a, n) || has_unknown(b, n);
    bool negative = false;
    uint8_t *known[2] = {NULL, NULL};
    CslNumbers other = {0};
    csl_numbers_free(&k->last);
    if (!csl_numbers_new(&k->last, (int64_t)k->entries) ||
        (twice && !csl_numbers_new(&other, (int64_t)k->entries)))
        return error_memory(err);
    PepaStatus status = PEPA_OK;
    for (uint8_t as = 0; as <= twice && status == PEPA_OK; as++) {
        bool ok = (!a || decide(a, n, as, &known[0])) && (!b || decide(b, n, as, &known[1]));
        status =
            ok ? csl_compute(&k->c, f, known[0], known[1], as ? &other : &k->last, &negative, err)
               : error_memory(err);
        if (status == PEPA_OK && begins_in_several(k))
            csl_begin_numbers(&k->c, as ? &other : &k->last);
        mem_free_all(known[0], known[1]);
        known[0] = known[1] = NULL;
    }
    k->blur = 0;
    if (status == PEPA_OK && twice) {
        const double before = fmax(k->last.error[k->at], other.error[k->at]);
        join(&k->last, &other, (int32_t)k->entries, !negative);
        k->blur = k->last.error[k->at] > 2 * before ? k->last.error[k->at] : 0;
    }
    csl_numbers_free(&other);
    return status;
}

/* ---- the formula ----------------------------------------------------------------------------- */

static void forget(Check *k, int32_t node)
{
    if (node < 0)
        return;
    mem_free(k->truth[node]);
    k->truth[node] = NULL;
}

/* The atom at a node, and some after it: every pass over the states computes all of the query. */
static PepaStatus evaluate_atoms(Check *k, size_t at, PepaError *err)
{
    enum { ATOMS = 32 };
    const Query *q = k->c.job->query;
    int32_t item[ATOMS];
    uint8_t *out[ATOMS];
    size_t count = 0;
    for (size_t i = at; i < q->formula_count && count < ATOMS; i++) {
        if (q->formula[i].kind != FORMULA_ATOM)
            continue;
        if (!mem_new(k->truth[i], k->entries))
            return error_memory(err);
        item[count] = q->formula[i].item;
        out[count++] = k->truth[i];
    }
    PepaStatus status = expressions_states(k->c.e, k->c.job->at, item, count, out, err);
    for (size_t i = 0; i < count && status == PEPA_OK && begins_in_several(k); i++)
        out[i][k->at] = csl_begin_truth(&k->c, out[i]);
    return status;
}

static PepaStatus evaluate_node(Check *k, size_t at, PepaError *err)
{
    const FormulaNode *f = &k->c.job->query->formula[at];
    const size_t n = k->entries;
    const uint8_t *a = f->a < 0 ? NULL : k->truth[f->a], *b = f->b < 0 ? NULL : k->truth[f->b];
    PepaStatus status = PEPA_OK;
    if (f->kind == FORMULA_ATOM)
        return k->truth[at] ? PEPA_OK : evaluate_atoms(k, at, err);
    if (!mem_new_zeroed(k->truth[at], n))
        return error_memory(err);
    uint8_t *out = k->truth[at];
    if (formula_compares(f->kind))
        status = operate(k, f, a, b, err);
    for (size_t i = 0; i < n && status == PEPA_OK; i++) {
        if (f->kind == FORMULA_NOT)
            out[i] = negate(a[i]);
        else if (f->kind == FORMULA_AND)
            out[i] = both(a[i], b[i]);
        else if (f->kind == FORMULA_OR)
            out[i] = either(a[i], b[i]);
        else if (f->kind == FORMULA_IMPLIES)
            out[i] = either(negate(a[i]), b[i]);
        else if (formula_compares(f->kind))
            out[i] = compare(k, f, (int32_t)i);
        else
            out[i] = f->kind == FORMULA_TRUE;
    }
    /* It may be the same wherever the chain begins, although its operands are not. */
    if (status == PEPA_OK && begins_in_several(k) && out[k->at] == CSL_UNKNOWN &&
        !formula_compares(f->kind))
        out[k->at] = csl_begin_truth(&k->c, out);
    forget(k, f->a);
    forget(k, f->b);
    return status;
}

static PepaStatus evaluate(Check *k, PepaError *err)
{
    const Query *q = k->c.job->query;
    PepaStatus status = PEPA_OK;
    k->doubt.f = NULL;
    k->open = false;
    k->blur = 0;
    for (size_t i = 0; i < q->formula_count; i++)
        forget(k, (int32_t)i);
    csl_numbers_free(&k->last);
    for (size_t i = 0; i < q->formula_count && status == PEPA_OK; i++)
        status = evaluate_node(k, i, err);
    return status;
}

static uint8_t root_truth(const Check *k, const FormulaNode *root)
{
    return k->truth[root - k->c.job->query->formula][k->at];
}

static bool asks(const FormulaNode *root)
{
    return formula_compares(root->kind) && root->test == FORMULA_ASKS;
}

/* Whether the formula has its answer where the chain begins: a truth, or a number that is off by no
 * more than it should. */
static bool answered(const Check *k, const FormulaNode *root)
{
    return asks(root) ? k->blur <= k->c.job->set->solve.tolerance
                      : root_truth(k, root) != CSL_UNKNOWN;
}

/* Whether no tolerance gives an answer: states in which the chain begins differ in a predicate. */
static bool depends_on_start(const Check *k, const FormulaNode *root)
{
    return begins_in_several(k) && !asks(root) && !k->open;
}

static PepaStatus undecided(const Check *k, PepaError *err)
{
    static const char *const what[] =
        {[FORMULA_NEXT] = "P",      [FORMULA_UNTIL] = "P",     [FORMULA_LONG_RUN] = "S",
         [FORMULA_EARNED] = "R",    [FORMULA_EARNED_TO] = "R", [FORMULA_EARNS_AT] = "R",
         [FORMULA_EARNS_EVER] = "R"};
    const Doubt *d = &k->doubt;
    return error_set(err, PEPA_ENOCONV,
                     "not decided: `%s` is %.17g to within %.1e, and its threshold is %.17g: move "
                     "the threshold, or ask for the number with `=?`",
                     what[d->f->kind], d->value, d->error, d->f->threshold);
}

static void report(const Check *k, const FormulaNode *root, CslFound *found)
{
    const bool number = formula_compares(root->kind);
    found->asks = asks(root);
    found->value = number ? k->last.value[k->at] : NAN;
    found->error = number ? k->last.error[k->at] : 0;
    found->truth = (CslTruth)root_truth(k, root);
    found->steps = k->c.steps;
}

static PepaStatus open_check(Check *k, const CslJob *job, PepaError *err)
{
    *k = (Check){.c = {.job = job, .tolerance = job->set->solve.tolerance}};
    k->c.clock = step_clock_start(job->set);
    PepaStatus status = expressions_new(&k->c.e, job->query, job->chain, err);
    if (status == PEPA_OK)
        status = rate_rows_new(&k->c.rows, job->chain, job->at->term, job->set,
                               "checking a formula", &k->c.memory, err);
    const bool several = !chain_has_one_start(job->chain);
    k->entries = (size_t)job->chain->state_count + several;
    k->at = several ? k->entries - 1 : (size_t)job->chain->initial;
    if (status == PEPA_OK &&
        !(mem_new(k->c.stack, k->c.rows.n) && mem_new_zeroed(k->truth, job->query->formula_count)))
        status = error_memory(err);
    return status;
}

static void close_check(Check *k)
{
    for (size_t i = 0; k->truth && i < k->c.job->query->formula_count; i++)
        forget(k, (int32_t)i);
    csl_numbers_free(&k->last);
    rate_rows_free(&k->c.rows);
    expressions_free(k->c.e);
    mem_free_all(k->c.stack, k->truth);
}

PepaStatus csl_check(const CslJob *job, double *value, double *error, uint8_t *truth,
                     CslFound *found, PepaError *err)
{
    const double least = 1e-17, times = 1e-3; /* of what truncation adds */
    const FormulaNode *root = &job->query->formula[job->query->formula_count - 1];
    const size_t n = (size_t)job->chain->state_count;
    Check k;
    PepaStatus status = open_check(&k, job, err);
    *found = (CslFound){0};
    while (status == PEPA_OK) {
        status = evaluate(&k, err);
        if (status != PEPA_OK || answered(&k, root))
            break;
        if (depends_on_start(&k, root))
            status = chain_several_starts(err, "a predicate");
        else if (k.c.tolerance <= least)
            status = undecided(&k, err);
        k.c.tolerance = fmax(k.c.tolerance * times, least);
        found->refined++;
    }
    if (status == PEPA_OK) {
        report(&k, root, found);
        if (truth && !found->asks)
            memcpy(truth, k.truth[root - job->query->formula], n);
        if (value && formula_compares(root->kind))
            memcpy(value, k.last.value, n * sizeof *value);
        if (error && formula_compares(root->kind))
            memcpy(error, k.last.error, n * sizeof *error);
    }
    close_check(&k);
    return status;
}
