/* Maps of tables with two keys: a cell for each point, around it, in the shade of its value.
 *
 * Nothing is interpolated: every shade is that of a value that was computed, whatever the values of
 * the keys are, evenly spaced or not.  Places on a logarithmic axis are decimal logarithms, as the outer
 * ends of cells can be too small or too large for a number. */
#include <math.h>
#include <stdlib.h>

#include "drawing.h"
#include "plot.h"

enum {
    LABELS = 8,     /* on a logarithmic axis that has all of the picture */
    LABELS_HALF = 4 /* beside another map, or above */
};

/* The places of a key's values on its axis, in ascending order, each once. */
typedef struct {
    int32_t key;
    double *place; /* owned */
    size_t count;
    bool logarithmic;
    Span span; /* of the values */
} Scale;

static double place_of(const Scale *s, double value)
{
    return s->logarithmic ? log10(value) : value;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The key has `count` values, in rows 0, stride, 2 stride ... */
static int scale_new(Scale *s, const Grid *g, int32_t key, size_t count, size_t stride)
{
    size_t different = 0;
    *s = (Scale){.key = key, .logarithmic = plot_logarithmic(g, key, count, stride)};
    s->span = plot_span(g, key, key + 1);
    s->place = calloc(count, sizeof *s->place);
    if (!s->place)
        return out_of_memory();
    for (size_t i = 0; i < count; i++) {
        const double value = plot_value(g, i * stride, key);
        if (isfinite(value))
            s->place[s->count++] = place_of(s, value);
    }
    qsort(s->place, s->count, sizeof *s->place, ascending);
    for (size_t i = 0; i < s->count; i++)
        if (i == 0 || s->place[i] > s->place[different - 1])
            s->place[different++] = s->place[i];
    s->count = different;
    return EXIT_SOLVED;
}

/* Where the cells end: halfway to their neighbours, and as far on the outer sides.
 *   i  of the cell below, from 0; count: the last end */
static double border(const Scale *s, size_t i)
{
    const double *at = s->place;
    const size_t n = s->count;
    const double alone = at[0] != 0 ? 0.1 * fabs(at[0]) : 1;
    if (n == 1)
        return i == 0 ? at[0] - alone : at[0] + alone;
    if (i == 0)
        return at[0] - (at[1] - at[0]) / 2;
    if (i == n)
        return at[n - 1] + (at[n - 1] - at[n - 2]) / 2;
    return at[i - 1] + (at[i] - at[i - 1]) / 2;
}

/* The ends of the cell of a row along this key. */
static void write_cell(const Scale *s, const Grid *g, size_t row, FILE *to)
{
    const double value = plot_value(g, row, s->key);
    const double place = isfinite(value) ? place_of(s, value) : NAN;
    size_t low = 0, high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->place[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    if (isfinite(value))
        (void)fprintf(to, " " FULL " " FULL, border(s, low), border(s, low + 1));
    else
        (void)fprintf(to, " NaN NaN");
}

static void write_axis(const Scale *s, char axis, int labels, FILE *to)
{
    (void)fprintf(to, "set %crange [" FULL ":" FULL "]\n", axis, border(s, 0), border(s, s->count));
    if (s->logarithmic)
        plot_tics(s->span, axis, labels, true, to);
}

/* Where a map has no value it is white; a measure without any has no map. */
static void write_maps(const Grid *g, const Scale *x, const Scale *y, FILE *to)
{
    const int32_t most = g->keys + MOST_MAPS, end = g->columns < most ? g->columns : most;
    int32_t shown = 0;
    for (int32_t c = g->keys; c < end; c++) {
        const Span span = plot_span(g, c, c + 1);
        shown += span.least <= span.most;
    }
    write_axis(x, 'x', shown > 1 ? LABELS_HALF : LABELS, to);
    write_axis(y, 'y', shown > 2 ? LABELS_HALF : LABELS, to);
    (void)fprintf(to, "unset key\nset border 15\n");
    if (shown > 1)
        (void)fprintf(to, "set multiplot layout %d,%d\n", shown > 2 ? 2 : 1, 2);
    for (int32_t c = g->keys; c < end; c++) {
        const Span span = plot_span(g, c, c + 1);
        const int32_t cell = g->columns + 1;
        if (span.least > span.most)
            continue;
        plot_measure(g, "title", c, to);
        if (!plot_widen(span, "cb", to))
            (void)fprintf(to, "set cbrange [*:*]\n");
        (void)
            fprintf(to,
                    "plot $table using %d:%d:%d:%d:%d:%d:%d with boxxyerror lc palette fs solid\n",
                    cell, cell + 2, cell, cell + 1, cell + 2, cell + 3, c + 1);
    }
    if (shown > 1)
        (void)fprintf(to, "unset multiplot\n");
}

int plot_maps(const Grid *g, size_t rows, FILE *to)
{
    Scale x = {0}, y = {0};
    int status = scale_new(&x, g, 1, rows, 1);
    if (status == EXIT_SOLVED)
        status = scale_new(&y, g, 0, g->rows / rows, rows);
    if (status == EXIT_SOLVED) {
        (void)fprintf(to, "$table << END\n");
        for (size_t row = 0; row < g->rows; row++) {
            plot_row(g, row, to);
            write_cell(&x, g, row, to);
            write_cell(&y, g, row, to);
            (void)fprintf(to, "\n");
        }
        (void)fprintf(to, "END\n");
        picture_setting(to, "xlabel", g->name(g->user, 1));
        picture_setting(to, "ylabel", g->name(g->user, 0));
        write_maps(g, &x, &y, to);
    }
    free(x.place);
    free(y.place);
    return status;
}
