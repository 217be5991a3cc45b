/* Tables as pictures have them: values that can be drawn, ranges, and names with units. */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "plot.h"

double plot_value(const Grid *g, size_t row, int32_t column)
{
    const double value = g->value(g->user, row, column);
    return fabs(value) <= LARGEST_DRAWN ? value : NAN;
}

Span plot_span(const Grid *g, int32_t first, int32_t end)
{
    Span span = {HUGE_VAL, -HUGE_VAL};
    for (size_t row = 0; row < g->rows; row++)
        for (int32_t c = first; c < end; c++) {
            const double value = plot_value(g, row, c);
            span.least = isnan(value) ? span.least : fmin(span.least, value);
            span.most = isnan(value) ? span.most : fmax(span.most, value);
        }
    return span;
}

bool plot_widen(Span span, const char *axis, FILE *to)
{
    const double room = span.most != 0 ? 0.1 * fabs(span.most) : 1, rounding = 1e-9;
    if (span.least > span.most || span.most - span.least > rounding * fabs(span.most))
        return false;
    (void)fprintf(to, "set %srange [" FULL ":" FULL "]\n", axis, span.least - room,
                  span.most + room);
    return true;
}

bool plot_logarithmic(const Grid *g, int32_t key, size_t count, size_t stride)
{
    const double slack = 1e-6;
    double ratio = 0;
    for (size_t i = 0; i < count; i++) {
        const double here = plot_value(g, i * stride, key);
        const double before = i ? plot_value(g, (i - 1) * stride, key) : here;
        if (!(here > 0))
            return false;
        if (i == 1)
            ratio = here / before;
        else if (i > 1 && !(fabs(here / before / ratio - 1) <= slack))
            return false;
    }
    return count > 2 && fabs(ratio - 1) > slack;
}

void plot_row(const Grid *g, size_t row, FILE *to)
{
    for (int32_t c = 0; c < g->columns; c++) {
        const double value = plot_value(g, row, c);
        if (isnan(value))
            (void)fprintf(to, "%sNaN", c ? " " : "");
        else
            (void)fprintf(to, "%s" FULL, c ? " " : "", value);
    }
}

bool plot_per_time(const Grid *g, int32_t column)
{
    static const char throughput[] = "throughput:";
    return strncmp(g->name(g->user, column), throughput, sizeof throughput - 1) == 0;
}

void plot_measure(const Grid *g, const char *what, int32_t column, FILE *to)
{
    Text text = {0};
    text_add(&text, "%s%s", g->name(g->user, column),
             plot_per_time(g, column) ? " (per unit of time)" : "");
    picture_setting(to, what, text.text ? text.text : "");
    text_free(&text);
}
