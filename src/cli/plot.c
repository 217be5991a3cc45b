/* Pictures of tables, by gnuplot: lines, or maps where two rates vary (plot_maps.c).  How they look is
 * said in plot_style.gp, which pictures of measurements have as well (bench/plot/draw). */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "plot.h"

enum {
    MOST_LINES = 10, /* in one picture: the styles that plot_style.gp has for them */
    MOST_FAMILY = 6, /* values of the first key for which lines are drawn and not a map */
    LABELS = 8,      /* on a logarithmic axis */
    MARKS = 10,      /* on a line */
    WIDTH = 800,     /* see terminal() in plot_style.gp */
    HEIGHT = 500
};

int plot_check(const Options *o)
{
    return picture_check(o->command->called, o->plot);
}

/* ---- the language of gnuplot ----------------------------------------------------------------- */

/* Line number `line` of the picture, from 0, through so many points. */
static void look(FILE *to, int32_t line, size_t points)
{
    (void)fprintf(to, " with linespoints ls %d pointinterval %d", line % MOST_LINES + 1,
                  (int)(points > MARKS ? points / MARKS : 1));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *name_of(const Grid *g, int32_t column)
{
    return g->name(g->user, column);
}

/* The label of the y axis for columns from `first` to before `end`. */
static void measures(const Grid *g, const Axes *axes, int32_t first, int32_t end, FILE *to)
{
    Text text = {0};
    int32_t rates = 0;
    for (int32_t c = first; c < end; c++)
        rates += plot_per_time(g, c);
    if (end == first + 1) {
        plot_measure(g, "ylabel", first, to);
        return;
    }
    text_add(&text, "%s%s", axes->y, rates ? " (throughputs: per unit of time)" : "");
    picture_setting(to, "ylabel", text.text ? text.text : "");
    text_free(&text);
}

/* The second key has the same values in each of so many rows, the first one has one value there. */
static bool repeats(const Grid *g, size_t rows)
{
    size_t row = 0;
    while (row < g->rows && g->value(g->user, row, 0) == g->value(g->user, row - row % rows, 0) &&
           g->value(g->user, row, 1) == g->value(g->user, row % rows, 1))
        row++;
    return row == g->rows;
}

/* The rows that one value of the first key of two has; all of them if there is one key.  Values can
 * be given twice. */
static size_t scan(const Grid *g)
{
    size_t rows = g->keys > 1 ? 1 : g->rows;
    while (rows < g->rows && !(g->rows % rows == 0 && repeats(g, rows)))
        rows++;
    return rows;
}

/* Rows by scan, with a blank line after each. */
static void table(const Grid *g, size_t rows, FILE *to)
{
    (void)fprintf(to, "$table << END\n");
    for (size_t row = 0; row < g->rows; row++) {
        plot_row(g, row, to);
        (void)fprintf(to, "\n%s", (row + 1) % rows == 0 ? "\n" : "");
    }
    (void)fprintf(to, "END\n");
}

/* A key that has one value only, of two; -1: both vary, or there is one. */
static int32_t constant_key(const Grid *g)
{
    for (int32_t key = 0; key < g->keys && g->keys > 1; key++) {
        size_t row = 0;
        while (row < g->rows && g->value(g->user, row, key) == g->value(g->user, 0, key))
            row++;
        if (row == g->rows)
            return key;
    }
    return -1;
}

/* A table without one of its columns. */
typedef struct {
    const Grid *whole;
    int32_t without;
} Narrowed;

static const char *narrowed_name(const void *user, int32_t column)
{
    const Narrowed *n = user;
    return name_of(n->whole, column + (column >= n->without));
}

static double narrowed_value(const void *user, size_t row, int32_t column)
{
    const Narrowed *n = user;
    return n->whole->value(n->whole->user, row, column + (column >= n->without));
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* The table of a picture of lines, and its x axis. */
static void begin(const Grid *g, size_t rows, FILE *to)
{
    const int32_t key = g->keys - 1;
    const Span span = plot_span(g, key, g->keys);
    const double slack = 1e-10; /* gnuplot leaves out labels that rounding puts outside the range */
    if (plot_logarithmic(g, key, rows, 1)) {
        (void)fprintf(to, "set logscale x\nset xrange [" FULL ":" FULL "]\n",
                      span.least * (1 - slack), span.most * (1 + slack));
        plot_tics(span, 'x', LABELS, false, to);
    } else
        (void)plot_widen(span, "x", to);
    table(g, rows, to);
}

/* How many columns have lines of their own. */
static int32_t shown_columns(const Grid *g, const Axes *axes)
{
    return axes->bands ? (g->columns - g->keys) / 3 : g->columns - g->keys;
}

/* Rows in which all of these columns have values, of so many from `row`; gnuplot complains of others. */
static bool drawable(const Grid *g, size_t row, size_t rows, const int32_t *column, int columns)
{
    for (size_t end = row + rows; row < end; row++) {
        int c = 0;
        while (c < columns && isfinite(plot_value(g, row, column[c])))
            c++;
        if (c == columns)
            return true;
    }
    return false;
}

static const char *between(bool *begun)
{
    const char *text = *begun ? ", \\\n     " : "plot ";
    *begun = true;
    return text;
}

static void bands(const Grid *g, int32_t shown, int32_t end, bool *begun, FILE *to)
{
    for (int32_t c = g->keys; c < end; c++) {
        const int32_t columns[] = {g->keys - 1, c + shown, c + 2 * shown};
        if (drawable(g, 0, g->rows, columns, 3))
            (void)fprintf(to,
                          "%s$table using %d:%d:%d with filledcurves ls %d fs transparent solid "
                          "0.2 noborder notitle",
                          between(begun), g->keys, c + shown + 1, c + 2 * shown + 1,
                          (c - g->keys) % MOST_LINES + 1);
    }
}

/* An axis at the right, for the last column. */
static void right_axis(const Grid *g, const char *label, int32_t column, FILE *to)
{
    picture_setting(to, "y2label", label);
    (void)fprintf(to, "set border 11\nset ytics nomirror\nset y2tics\n");
    (void)plot_widen(plot_span(g, column, column + 1), "y2", to);
}

/* A line for each measure, in a band if there are any. */
static void lines(const Grid *g, const Axes *axes, size_t rows, FILE *to)
{
    const int32_t first = g->keys;
    const int32_t shown = shown_columns(g, axes);
    const int32_t end = shown < MOST_LINES ? first + shown : first + MOST_LINES;
    bool begun = false;
    (void)fprintf(to, "%s\n",
                  axes->shares ? "set yrange [0:1]" : "set offsets 0, 0, graph 0.05, 0");
    measures(g, axes, first, end, to);
    if (!axes->shares)
        (void)plot_widen(plot_span(g, first, axes->bands ? g->columns : end), "y", to);
    if (axes->right)
        right_axis(g, axes->right, end - 1, to);
    (void)fprintf(to, "%s", end == first + 1 ? "unset key\n" : "");
    if (axes->bands)
        bands(g, shown, end, &begun, to);
    for (int32_t c = first; c < end; c++) {
        const int32_t columns[] = {g->keys - 1, c};
        if (!drawable(g, 0, g->rows, columns, 2))
            continue;
        (void)fprintf(to, "%s$table using %d:%d", between(&begun), g->keys, c + 1);
        look(to, c - first, rows);
        (void)fprintf(to, "%s title ", axes->right && c == end - 1 ? " axes x1y2" : "");
        picture_quoted(to, name_of(g, c));
    }
    (void)fprintf(to, "\n");
}

/* A line for each value of the first key. */
static void family(const Grid *g, size_t rows, FILE *to)
{
    const int32_t columns[] = {g->keys - 1, g->keys};
    bool begun = false;
    plot_measure(g, "ylabel", g->keys, to);
    (void)plot_widen(plot_span(g, g->keys, g->keys + 1), "y", to);
    for (size_t k = 0; k < g->rows / rows; k++) {
        Text title = {0};
        if (!drawable(g, k * rows, rows, columns, 2))
            continue;
        (void)fprintf(to, "%s$table every :::%zu::%zu using %d:%d", between(&begun), k, k, g->keys,
                      g->keys + 1);
        look(to, (int32_t)k, rows);
        text_add(&title, "%s = %.6g", name_of(g, 0), g->value(g->user, k * rows, 0));
        (void)fprintf(to, " title ");
        picture_quoted(to, title.text ? title.text : "");
        text_free(&title);
    }
    (void)fprintf(to, "\n");
}

typedef struct {
    const Grid *grid;
    const Axes *axes;
    const char *path;
    const char *x; /* label of the x axis, but for maps */
} Picture;

static int script(const void *user, FILE *to)
{
    const Picture *p = user;
    const Grid *g = p->grid;
    const size_t rows = scan(g), scans = g->rows / rows;
    picture_begin(p->path, WIDTH, HEIGHT, to);
    if (g->keys > 1 && (scans > MOST_FAMILY || g->columns > g->keys + 1))
        return plot_maps(g, rows, to);
    begin(g, rows, to);
    picture_setting(to, "xlabel", p->x);
    if (g->keys > 1)
        family(g, rows, to);
    else
        lines(g, p->axes, rows, to);
    return EXIT_SOLVED;
}

/* Values of measures that are drawn; or that are there, and too large to be drawn. */
static size_t count_values(const Grid *g, bool large)
{
    size_t count = 0;
    for (size_t row = 0; row < g->rows; row++)
        for (int32_t c = 0; c < g->columns; c++) {
            const bool drawn = isfinite(plot_value(g, row, c));
            if (!large && c < g->keys && !drawn)
                break; /* the row has no place */
            count += large ? !drawn && isfinite(g->value(g->user, row, c)) : c >= g->keys && drawn;
        }
    return count;
}

static int no_value(const Session *s, bool large)
{
    const char *called = s->options->command->called;
    if (large)
        return fail(EXIT_INPUT,
                    "%s: --plot: no measure has a value to draw: a picture shows values up to %g",
                    called, LARGEST_DRAWN);
    return fail(EXIT_INPUT, "%s: --plot: no measure has a value to draw", called);
}

/* What the picture does not show. */
static void tell(const Session *s, const Grid *g, const Axes *axes, size_t large)
{
    const int32_t measures = shown_columns(g, axes);
    const int32_t most = g->keys > 1 ? MOST_MAPS : MOST_LINES;
    if (s->options->quiet)
        return;
    if (measures > most)
        (void)fprintf(stderr, "pepa: the picture has %d of %d measures; --measure chooses which\n",
                      most, measures);
    if (large)
        (void)fprintf(stderr, "pepa: the picture leaves out values beyond %g\n", LARGEST_DRAWN);
}

int plot_status(int drawn, int reported)
{
    return reported != EXIT_SOLVED ? reported : drawn;
}

int plot(const Session *s, const Grid *g, const Axes *axes)
{
    const Narrowed narrowed = {g, constant_key(g)};
    const Grid fewer = {g->keys - 1,   g->columns - 1, g->rows,
                        narrowed_name, narrowed_value, &narrowed};
    const bool narrows = narrowed.without >= 0;
    Picture picture = {narrows ? &fewer : g, axes, s->options->plot, axes->x};
    const size_t large = count_values(picture.grid, true);
    Text x = {0};
    if (count_values(picture.grid, false) == 0)
        return no_value(s, large > 0);
    if (!axes->x)
        text_add(&x, "%s", name_of(picture.grid, picture.grid->keys - 1));
    if (!axes->x && narrows)
        text_add(&x, " (%s = %.6g)", name_of(g, narrowed.without),
                 g->value(g->user, 0, narrowed.without));
    if (!axes->x)
        picture.x = x.text ? x.text : "";
    tell(s, picture.grid, axes, large);
    const int status = picture_draw(s->options->command->called, script, &picture, picture.path);
    text_free(&x);
    return status;
}
