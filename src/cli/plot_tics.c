/* Labels of logarithmic axes: as many as there is room for, at values that are easy to read.
 *
 * Between ends whose ratio is at most 4 they are evenly spaced; over one or two decades they are at 1, 2, 5
 * and the like of each; over more at each power of ten, then at those whose exponents are multiples of a
 * round number. */
#include <math.h>
#include <string.h>

#include "plot.h"

typedef struct {
    Span span;
    FILE *to;
    bool exponents, any;
} Tics;

static const double slack = 1e-9; /* relative: what computing powers loses */

static bool inside(const Tics *t, double value)
{
    return value >= t->span.least * (1 - slack) && value <= t->span.most * (1 + slack);
}

static void tic(Tics *t, double value, bool labelled)
{
    char label[32] = "";
    if (!inside(t, value))
        return;
    if (labelled)
        (void)snprintf(label, sizeof label, "%.12g", value);
    (void)fprintf(t->to, "%s\"%s\" %.12g%s", t->any ? ", " : "", label,
                  t->exponents ? log10(value) : value, labelled ? "" : " 1");
    t->any = true;
}

/* The powers of ten from the one that is not above `least` to the one that is not below `most`. */
static int lowest(const Tics *t)
{
    return (int)floor(log10(t->span.least) + slack);
}

static int highest(const Tics *t)
{
    return (int)ceil(log10(t->span.most) - slack);
}

/* Labels at multiples of 1, 2 or 5 times a power of ten. */
static void even(Tics *t, int labels)
{
    const double room = (t->span.most - t->span.least) / labels;
    const double power = pow(10, floor(log10(room))), times = room / power;
    const double step = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
    const double first = ceil(t->span.least / step - slack);
    for (int i = 0; i <= labels; i++)
        tic(t, (first + i) * step, true);
}

/* Labels at these digits of each decade, and marks at the others; or how many labels there would be. */
static int digits(Tics *t, const char *labelled, bool draws)
{
    int count = 0;
    for (int power = lowest(t); power <= highest(t); power++)
        for (int digit = 1; digit <= 9; digit++) {
            const double value = digit * pow(10, power);
            const bool has = strchr(labelled, '0' + digit) != NULL;
            count += has && inside(t, value);
            if (draws)
                tic(t, value, has);
        }
    return count;
}

/* Labels at powers of ten whose exponents are multiples of `every`, and marks at those of `mark`. */
static int decades(Tics *t, int every, int mark, bool draws)
{
    int count = 0;
    for (int power = lowest(t); power <= highest(t); power++) {
        count += power % every == 0 && inside(t, pow(10, power));
        if (draws && power % mark == 0)
            tic(t, pow(10, power), power % every == 0);
    }
    return count;
}

static void choose(Tics *t, int labels)
{
    static const char *const some[] = {"123468", "125", "1"};
    static const struct {
        int every, mark;
    } sparse[] = {{2, 1}, {3, 1}, {5, 1}, {10, 2}, {20, 5}, {50, 10}, {100, 20}, {200, 50}};
    const size_t most = sizeof some / sizeof *some, last = sizeof sparse / sizeof *sparse - 1;
    const double few = 4; /* times the least: even steps look even enough */
    size_t i = 0;
    if (t->span.most <= few * t->span.least) {
        even(t, labels);
        return;
    }
    while (i < most && digits(t, some[i], false) > labels)
        i++;
    if (i < most) {
        (void)digits(t, some[i], true);
        return;
    }
    for (i = 0; i < last && decades(t, sparse[i].every, 1, false) > labels;)
        i++;
    (void)decades(t, sparse[i].every, sparse[i].mark, true);
}

void plot_tics(Span span, char axis, int labels, bool exponents, FILE *to)
{
    Tics t = {span, to, exponents, false};
    (void)fprintf(to, "set %ctics (", axis);
    choose(&t, labels);
    (void)fprintf(to, ")\n");
}
