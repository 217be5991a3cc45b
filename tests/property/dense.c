#include "property/dense.h"

#include "property/room.h"

#include <math.h>
#include <string.h>

/* next: of each state its successors, as many as count says, n places each */
static void visit(const size_t *next, const size_t *count, size_t n, size_t i, bool *seen)
{
    seen[i] = true;
    for (size_t k = 0; k < count[i]; k++)
        if (!seen[next[i * n + k]])
            visit(next, count, n, next[i * n + k], seen);
}

void dense_reach(const long double *rate, size_t n, bool *reach)
{
    size_t *next = room(n * n, sizeof *next), *count = room(n, sizeof *count);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (j != i && rate[i * n + j] > 0)
                next[i * n + count[i]++] = j;
    memset(reach, 0, n * n * sizeof *reach);
    for (size_t i = 0; i < n; i++)
        visit(next, count, n, i, reach + i * n);
    mem_free(count);
    mem_free(next);
}

int dense_bottoms(const long double *rate, size_t n, int *bottom)
{
    bool *reach = room(n * n, sizeof *reach);
    dense_reach(rate, n, reach);
    int count = 0;
    for (size_t i = 0; i < n; i++) {
        bool closed = true;
        size_t first = i;
        for (size_t j = 0; j < n; j++)
            if (reach[i * n + j]) {
                closed = closed && reach[j * n + i];
                first = j < first ? j : first;
            }
        if (!closed)
            bottom[i] = -1;
        else
            bottom[i] = first == i ? count++ : bottom[first];
    }
    mem_free(reach);
    return count;
}

/* Watch the chain only while it is in states 0 .. k-1: what it does on leaving them for k .. is
 * replaced by where it comes back.  q is n x n and changed; returns k's rate into them. */
static long double censor(long double *q, size_t n, size_t k)
{
    long double out = 0;
    for (size_t j = 0; j < k; j++)
        out += q[k * n + j];
    for (size_t i = 0; i < k; i++) {
        if (!(q[i * n + k] > 0))
            continue;
        long double share = q[i * n + k] / out;
        for (size_t j = 0; j < k; j++)
            if (j != i)
                q[i * n + j] += share * q[k * n + j];
    }
    return out;
}

/* Steady state of an irreducible chain; q is changed. */
static void steady(long double *q, size_t n, long double *pi)
{
    long double *out = room(n, sizeof *out), sum = 1;
    for (size_t k = n - 1; k > 0; k--)
        out[k] = censor(q, n, k);
    pi[0] = 1;
    for (size_t k = 1; k < n; k++) {
        pi[k] = 0;
        for (size_t i = 0; i < k; i++)
            pi[k] += pi[i] * q[i * n + k] / out[k];
        sum += pi[k];
    }
    for (size_t k = 0; k < n; k++)
        pi[k] /= sum;
    mem_free(out);
}

/* Probability of ending in each of the m components when starting in `start`, which is in none.
 * The states become: the components, then start, then the other transient ones, eliminated. */
static void absorb(const long double *rate, size_t n, const int *bottom, int m, size_t start,
                   long double *ending)
{
    size_t components = (size_t)m, size = components;
    size_t *place = room(n, sizeof *place);
    place[start] = size++;
    for (size_t i = 0; i < n; i++)
        if (bottom[i] >= 0)
            place[i] = (size_t)bottom[i];
        else if (i != start)
            place[i] = size++;
    long double *q = room(size * size, sizeof *q), sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (bottom[i] < 0 && i != j)
                q[place[i] * size + place[j]] += rate[i * n + j];
    for (size_t k = size - 1; k > components; k--)
        (void)censor(q, size, k);
    for (size_t c = 0; c < components; c++)
        sum += q[components * size + c];
    for (size_t c = 0; c < components; c++)
        ending[c] = q[components * size + c] / sum;
    mem_free(q);
    mem_free(place);
}

static void add_component(const long double *rate, size_t n, const int *bottom, int component,
                          long double weight, long double *pi)
{
    size_t *state = room(n, sizeof *state), size = 0;
    for (size_t i = 0; i < n; i++)
        if (bottom[i] == component)
            state[size++] = i;
    long double *q = room(size * size, sizeof *q), *part = room(size, sizeof *part);
    for (size_t a = 0; a < size; a++)
        for (size_t b = 0; b < size; b++)
            q[a * size + b] = rate[state[a] * n + state[b]];
    steady(q, size, part);
    for (size_t a = 0; a < size; a++)
        pi[state[a]] = weight * part[a];
    mem_free(part);
    mem_free(q);
    mem_free(state);
}

void dense_long_run(const long double *rate, size_t n, size_t start, long double *pi)
{
    int *bottom = room(n, sizeof *bottom), m = dense_bottoms(rate, n, bottom);
    long double *ending = room((size_t)m, sizeof *ending);
    if (bottom[start] >= 0)
        ending[bottom[start]] = 1;
    else
        absorb(rate, n, bottom, m, start, ending);
    for (size_t i = 0; i < n; i++)
        pi[i] = 0;
    for (int c = 0; c < m; c++)
        if (ending[c] > 0)
            add_component(rate, n, bottom, c, ending[c], pi);
    mem_free(ending);
    mem_free(bottom);
}

static long double size_of(long double x)
{
    return x < 0 ? -x : x;
}

/* m: the length of a row */
static void swap_rows(long double *a, size_t m, size_t i, size_t k)
{
    for (size_t j = 0; j < m && i != k; j++) {
        long double swapped = a[i * m + j];
        a[i * m + j] = a[k * m + j];
        a[k * m + j] = swapped;
    }
}

/* row i of a -= factor * row k */
static void subtract_row(long double *a, size_t m, size_t i, long double factor, size_t k)
{
    for (size_t j = 0; j < m; j++)
        a[i * m + j] -= factor * a[k * m + j];
}

void dense_eliminate(long double *a, size_t n, long double *x, size_t m)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            if (size_of(a[i * n + k]) > size_of(a[best * n + k]))
                best = i;
        swap_rows(a, n, best, k);
        swap_rows(x, m, best, k);
        long double pivot = a[k * n + k];
        for (size_t j = 0; j < n; j++)
            a[k * n + j] /= pivot;
        for (size_t j = 0; j < m; j++)
            x[k * m + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            long double factor = a[i * n + k];
            if (i == k || (!(factor > 0) && !(factor < 0)))
                continue;
            subtract_row(a, n, i, factor, k);
            subtract_row(x, m, i, factor, k);
        }
    }
}

long double dense_condition(const long double *rate, size_t n, const long double *pi)
{
    long double *a = room(n * n, sizeof *a), *inverse = room(n * n, sizeof *inverse), most = 0;
    for (size_t i = 0; i < n; i++) {
        inverse[i * n + i] = 1;
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] += j == i ? 0 : rate[i * n + j];
            a[i * n + i] -= j == i ? 0 : rate[i * n + j];
            a[i * n + j] -= pi[j];
        }
    }
    dense_eliminate(a, n, inverse, n);
    for (size_t i = 0; i < n; i++) {
        long double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += size_of(inverse[i * n + j]);
        most = sum > most ? sum : most;
    }
    mem_free(inverse);
    mem_free(a);
    return most;
}

/* out = a b */
static void multiply(const long double *a, const long double *b, size_t n, long double *out)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; a[i * n + k] != 0 && j < n; j++)
                out[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* y = x m */
static void apply(const long double *x, const long double *m, size_t n, long double *y)
{
    memset(y, 0, n * sizeof *y);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            y[j] += x[i] * m[i * n + j];
}

/* exp(Q h) and its integral over 0 .. h for `fast` h <= 1, fast the largest exit rate. */
static void short_time(const long double *rate, size_t n, long double fast, long double h,
                       long double *power, long double *whole, long double *passed)
{
    enum { TERMS = 40 };
    long double *jump = room(n * n, sizeof *jump), *next = room(n * n, sizeof *next);
    for (size_t i = 0; i < n; i++) {
        long double out = 0;
        for (size_t j = 0; j < n; j++) {
            out += i == j ? 0 : rate[i * n + j];
            jump[i * n + j] = i == j ? 0 : rate[i * n + j] / fast;
            power[i * n + j] = i == j;
        }
        jump[i * n + i] = 1 - out / fast;
    }
    memset(whole, 0, n * n * sizeof *whole);
    memset(passed, 0, n * n * sizeof *passed);
    long double x = fast * h, weight = expl(-x), left = -expm1l(-x); /* P(N = k), P(N > k) */
    for (int k = 0; k < TERMS; k++) {
        for (size_t i = 0; i < n * n; i++) {
            whole[i] += weight * power[i];
            passed[i] += left / fast * power[i];
        }
        multiply(power, jump, n, next);
        memcpy(power, next, n * n * sizeof *power);
        weight *= x / (k + 1);
        left = left > weight ? left - weight : 0;
    }
    mem_free_all(jump, next);
}

void dense_transient(const long double *rate, size_t n, size_t start, double t, long double *p,
                     long double *spent)
{
    long double fast = 0;
    for (size_t i = 0; i < n; i++) {
        long double out = 0;
        for (size_t j = 0; j < n; j++)
            out += i == j ? 0 : rate[i * n + j];
        fast = out > fast ? out : fast;
    }
    memset(p, 0, n * sizeof *p);
    memset(spent, 0, n * sizeof *spent);
    p[start] = 1;
    spent[start] = t;
    if (fast == 0 || t == 0)
        return;
    int squarings = 0;
    while (fast * t > ldexpl(1, squarings))
        squarings++;
    long double *m = room(3 * n * n, sizeof *m), *whole = m + n * n, *passed = whole + n * n;
    long double *more = room(n, sizeof *more);
    short_time(rate, n, fast, t / ldexpl(1, squarings), m, whole, passed);
    memcpy(spent, passed + start * n, n * sizeof *spent);
    for (int k = 0; k < squarings; k++) { /* the time until 2 h: that until h, and that again */
        apply(spent, whole, n, more);
        for (size_t i = 0; i < n; i++)
            spent[i] += more[i];
        multiply(whole, whole, n, m);
        memcpy(whole, m, n * n * sizeof *whole);
    }
    memcpy(p, whole + start * n, n * sizeof *p);
    mem_free_all(m, more);
}
