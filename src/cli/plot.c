/* Pictures of tables, by gnuplot: lines, or shades where two rates vary.  How they look is said in
 * plot_style.gp, which pictures of measurements have as well (bench/plot/draw). */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "report.h"

enum {
    MOST_LINES = 10, /* in one picture: the styles that plot_style.gp has for them */
    MOST_FAMILY = 6, /* values of the first key for which lines are drawn and not shades */
    MOST_SHADED = 4, /* measures that are shaded side by side */
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

/* The unit of a measure is known if its name is its definition. */
static bool per_time(const Grid *g, int32_t column)
{
    static const char throughput[] = "throughput:";
    return strncmp(name_of(g, column), throughput, sizeof throughput - 1) == 0;
}

/* The setting `what` ("ylabel", "title"): a measure and its unit. */
static void measure(const Grid *g, const char *what, int32_t column, FILE *to)
{
    Text text = {0};
    text_add(&text, "%s%s", name_of(g, column), per_time(g, column) ? " (per unit of time)" : "");
    picture_setting(to, what, text.text ? text.text : "");
    text_free(&text);
}

/* The label of the y axis for columns from `first` to before `end`. */
static void measures(const Grid *g, const Axes *axes, int32_t first, int32_t end, FILE *to)
{
    Text text = {0};
    int32_t rates = 0;
    for (int32_t c = first; c < end; c++)
        rates += per_time(g, c);
    if (end == first + 1) {
        measure(g, "ylabel", first, to);
        return;
    }
    text_add(&text, "%s%s", axes->y, rates ? " (throughputs: per unit of time)" : "");
    picture_setting(to, "ylabel", text.text ? text.text : "");
    text_free(&text);
}

/* The rows that one value of the first key of two has; all of them if there is one key. */
static size_t scan(const Grid *g)
{
    size_t rows = g->keys > 1 ? 1 : g->rows;
    while (rows < g->rows && g->value(g->user, rows, 0) == g->value(g->user, 0, 0))
        rows++;
    return rows;
}

/* Each value the same multiple of the one before: they were chosen so. */
static bool logarithmic(const Grid *g, int32_t key, size_t count, size_t stride)
{
    const double slack = 1e-6;
    double ratio = 0;
    for (size_t i = 0; i < count; i++) {
        const double here = g->value(g->user, i * stride, key);
        const double before = i ? g->value(g->user, (i - 1) * stride, key) : here;
        if (!(here > 0))
            return false;
        if (i == 1)
            ratio = here / before;
        else if (i > 1 && !(fabs(here / before / ratio - 1) <= slack))
            return false;
    }
    return count > 2;
}

/* A logarithmic axis ('x' or 'y') for such a key, with labels at 1, 2 and 5 times powers of ten. */
static void scale(const Grid *g, int32_t key, char axis, size_t count, size_t stride, FILE *to)
{
    static const double steps[] = {1, 2, 5};
    const double first = g->value(g->user, 0, key),
                 last = g->value(g->user, (count - 1) * stride, key);
    const double least = fmin(first, last), most = fmax(first, last);
    const char *between = "";
    if (!logarithmic(g, key, count, stride))
        return;
    (void)fprintf(to, "set logscale %c\nset %ctics (", axis, axis);
    for (double power = floor(log10(least)); power <= log10(most); power++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            (void)fprintf(to, "%s%.3g", between, steps[i] * pow(10, power));
            between = ", ";
        }
    (void)fprintf(to, ")\n");
}

/* Rows by scan, with a blank line after each. */
static void table(const Grid *g, size_t rows, FILE *to)
{
    (void)fprintf(to, "$table << END\n");
    for (size_t row = 0; row < g->rows; row++) {
        for (int32_t c = 0; c < g->columns; c++) {
            const double value = g->value(g->user, row, c);
            if (isfinite(value))
                (void)fprintf(to, "%s" FULL, c ? " " : "", value);
            else
                (void)fprintf(to, "%sNaN", c ? " " : "");
        }
        (void)fprintf(to, "\n%s", (row + 1) % rows == 0 ? "\n" : "");
    }
    (void)fprintf(to, "END\n");
}

/* ---- pictures -------------------------------------------------------------------------------- */

static void begin(const Grid *g, const char *path, size_t rows, FILE *to)
{
    picture_begin(path, WIDTH, HEIGHT, to);
    scale(g, g->keys - 1, 'x', rows, 1, to);
    table(g, rows, to);
}

/* How many columns have lines of their own. */
static int32_t shown_columns(const Grid *g, const Axes *axes)
{
    return axes->bands ? (g->columns - g->keys) / 3 : g->columns - g->keys;
}

/* An axis along which nothing changes but by rounding gets some room: gnuplot would make it, and say so. */
static void widen(const Grid *g, int32_t first, int32_t end, char axis, FILE *to)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (size_t row = 0; row < g->rows; row++)
        for (int32_t c = first; c < end; c++) {
            const double value = g->value(g->user, row, c);
            least = isfinite(value) ? fmin(least, value) : least;
            most = isfinite(value) ? fmax(most, value) : most;
        }
    const double room = most != 0 ? 0.1 * fabs(most) : 1, rounding = 1e-9;
    if (most - least <= rounding * fabs(most))
        (void)fprintf(to, "set %crange [" FULL ":" FULL "]\n", axis, least - room, most + room);
}

/* A line for each measure, in a band if there are any. */
static void lines(const Grid *g, const Axes *axes, size_t rows, FILE *to)
{
    const int32_t first = g->keys;
    const int32_t shown = shown_columns(g, axes);
    const int32_t end = shown < MOST_LINES ? first + shown : first + MOST_LINES;
    (void)fprintf(to, "%s\n",
                  axes->shares ? "set yrange [0:1]" : "set offsets 0, 0, graph 0.05, 0");
    measures(g, axes, first, end, to);
    widen(g, 0, g->keys, 'x', to);
    if (!axes->shares && !axes->right)
        widen(g, first, axes->bands ? g->columns : end, 'y', to);
    if (axes->right) {
        picture_setting(to, "y2label", axes->right);
        (void)fprintf(to, "set border 11\nset ytics nomirror\nset y2tics\n");
    }
    (void)fprintf(to, "%s", end == first + 1 ? "unset key\n" : "");
    for (int32_t c = first; c < end && axes->bands; c++)
        (void)fprintf(to,
                      "%s$table using %d:%d:%d with filledcurves ls %d fs transparent solid 0.2 "
                      "noborder notitle",
                      c == first ? "plot " : ", \\\n     ", g->keys, c + shown + 1,
                      c + 2 * shown + 1, (c - first) % MOST_LINES + 1);
    for (int32_t c = first; c < end; c++) {
        (void)fprintf(to, "%s$table using %d:%d",
                      c == first && !axes->bands ? "plot " : ", \\\n     ", g->keys, c + 1);
        look(to, c - first, rows);
        (void)fprintf(to, "%s title ", axes->right && c == end - 1 ? " axes x1y2" : "");
        picture_quoted(to, name_of(g, c));
    }
    (void)fprintf(to, "\n");
}

/* A line for each value of the first key. */
static void family(const Grid *g, size_t rows, FILE *to)
{
    measure(g, "ylabel", g->keys, to);
    for (size_t k = 0; k < g->rows / rows; k++) {
        Text title = {0};
        (void)fprintf(to, "%s$table every :::%zu::%zu using %d:%d", k ? ", \\\n     " : "plot ", k,
                      k, g->keys, g->keys + 1);
        look(to, (int32_t)k, rows);
        text_add(&title, "%s = %.6g", name_of(g, 0), g->value(g->user, k * rows, 0));
        (void)fprintf(to, " title ");
        picture_quoted(to, title.text ? title.text : "");
        text_free(&title);
    }
    (void)fprintf(to, "\n");
}

/* Shades over both keys, darker for more: a picture for each measure. */
static void shades(const Grid *g, size_t rows, FILE *to)
{
    const int32_t shown = g->columns - g->keys < MOST_SHADED ? g->columns - g->keys : MOST_SHADED;
    picture_setting(to, "ylabel", name_of(g, 0));
    scale(g, 0, 'y', g->rows / rows, rows, to);
    (void)fprintf(to, "set pm3d map interpolate 4,4\nunset key\nset border 15\n"
                      "set autoscale xfix\nset autoscale yfix\nset lmargin 9\n");
    if (shown > 1)
        (void)fprintf(to, "set multiplot layout %d,%d\n", shown > 2 ? 2 : 1, 2);
    for (int32_t c = 0; c < shown; c++) {
        measure(g, "title", g->keys + c, to);
        (void)fprintf(to, "splot $table using 2:1:%d\n", g->keys + c + 1);
    }
    if (shown > 1)
        (void)fprintf(to, "unset multiplot\n");
}

typedef struct {
    const Grid *grid;
    const Axes *axes;
    const char *path;
} Picture;

static int script(const void *user, FILE *to)
{
    const Picture *p = user;
    const Grid *g = p->grid;
    const size_t rows = scan(g), scans = g->rows / rows;
    begin(g, p->path, rows, to);
    picture_setting(to, "xlabel", p->axes->x ? p->axes->x : name_of(g, g->keys - 1));
    if (g->keys == 1)
        lines(g, p->axes, rows, to);
    else if (rows > 1 && scans > 1 && (scans > MOST_FAMILY || g->columns > g->keys + 1))
        shades(g, rows, to);
    else
        family(g, rows, to);
    return EXIT_SOLVED;
}

static bool has_values(const Grid *g)
{
    for (size_t row = 0; row < g->rows; row++)
        for (int32_t c = g->keys; c < g->columns; c++)
            if (isfinite(g->value(g->user, row, c)))
                return true;
    return false;
}

int plot_status(int drawn, int reported)
{
    return reported != EXIT_SOLVED ? reported : drawn;
}

int plot(const Session *s, const Grid *g, const Axes *axes)
{
    const char *path = s->options->plot;
    const Picture picture = {g, axes, path};
    const int32_t measures = shown_columns(g, axes);
    const int32_t most = g->keys > 1 ? MOST_SHADED : MOST_LINES;
    if (!has_values(g))
        return fail(EXIT_USAGE, "%s: --plot: no measure has a value to draw",
                    s->options->command->called);
    if (measures > most && !s->options->quiet)
        (void)fprintf(stderr, "pepa: the picture has %d of %d measures; --measure chooses which\n",
                      most, measures);
    return picture_draw(s->options->command->called, script, &picture, path);
}
