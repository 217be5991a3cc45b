/* Pictures of tables, by gnuplot: lines, or shades where two rates vary. */
#include <math.h>
#include <string.h>

#include "cli.h"

enum {
    MOST_LINES = 10, /* in one picture: more are hard to tell apart */
    MOST_FAMILY = 6, /* values of the first key for which lines are drawn and not shades */
    MOST_SHADED = 4, /* measures that are shaded side by side */
    MARKS = 10       /* on a line */
};

/* ---- files ----------------------------------------------------------------------------------- */

typedef struct {
    const char *ending, *terminal;
} Format;
/* The last one is the text for gnuplot. */
static const Format formats[] =
    {{"svg", "svg size 800,500 dynamic background \"white\" font \"Helvetica,13\" noenhanced"},
     {"png", "pngcairo size 1600,1000 font \"Helvetica,24\" linewidth 2 noenhanced"},
     {"pdf", "pdfcairo size 16cm,10cm font \"Helvetica,11\" noenhanced"},
     {"gp", NULL}};
enum { FORMATS = sizeof formats / sizeof *formats };

static const Format *format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    for (int i = 0; ending && i < FORMATS; i++)
        if (strcmp(ending + 1, formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

int plot_check(const Options *o)
{
    if (!o->plot || format_of(o->plot))
        return EXIT_SOLVED;
    return fail(EXIT_USAGE,
                "%s: --plot takes a file that ends in .svg, .png, .pdf or .gp (the "
                "text for gnuplot), not '%s'",
                o->command->called, o->plot);
}

/* ---- the language of gnuplot ----------------------------------------------------------------- */

/* A string in quotes; line ends and the like count as blanks. */
static void quoted(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            (void)fputc('\\', to);
        (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    (void)fputc('"', to);
}

static void setting(FILE *to, const char *what, const char *text)
{
    (void)fprintf(to, "set %s ", what);
    quoted(to, text);
    (void)fprintf(to, "\n");
}

/* A line's look: told apart by dashes, marks and brightness, so in greys as well. */
static void look(FILE *to, int32_t line, size_t points)
{
    static const char *const colour[] = {"#000000", "#0060ad", "#c0392b", "#7f8c8d", "#1e8449"};
    static const int mark[] = {7, 4, 9, 10, 2};
    const int kinds = (int)(sizeof mark / sizeof *mark);
    const int kind = line % kinds, dash = 1 + line / kinds % 4 + line % kinds;
    (void)fprintf(to, " with linespoints lc rgb \"%s\" dt %d lw 1.5 pt %d ps 1 pointinterval %d",
                  colour[kind], dash > 5 ? dash - 5 : dash, mark[kind],
                  (int)(points > MARKS ? points / MARKS : 1));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *name_of(const Grid *g, int32_t column)
{
    return g->name(g->user, column);
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

static void begin(const Grid *g, const Format *format, size_t rows, FILE *to)
{
    const int32_t last = g->keys - 1;
    if (format->terminal)
        (void)fprintf(to, "set terminal %s\n", format->terminal);
    (void)fprintf(to, "set encoding utf8\nset border 3\nset tics nomirror out\n"
                      "set key outside top center horizontal\n");
    scale(g, last, 'x', rows, 1, to);
    table(g, rows, to);
}

/* A line for each measure. */
static void lines(const Grid *g, const Axes *axes, size_t rows, FILE *to)
{
    const int32_t first = g->keys;
    const int32_t end = g->columns < first + MOST_LINES ? g->columns : first + MOST_LINES;
    (void)fprintf(to, "set offsets 0, 0, graph 0.05, 0\n");
    setting(to, "ylabel", end == first + 1 ? name_of(g, first) : axes->y);
    if (axes->right) {
        setting(to, "y2label", axes->right);
        (void)fprintf(to, "set border 11\nset ytics nomirror\nset y2tics\n");
    }
    (void)fprintf(to, "%s", end == first + 1 ? "unset key\n" : "");
    for (int32_t c = first; c < end; c++) {
        (void)fprintf(to, "%s$table using %d:%d", c == first ? "plot " : ", \\\n     ", g->keys,
                      c + 1);
        look(to, c - first, rows);
        (void)fprintf(to, "%s title ", axes->right && c == end - 1 ? " axes x1y2" : "");
        quoted(to, name_of(g, c));
    }
    (void)fprintf(to, "\n");
}

/* A line for each value of the first key. */
static void family(const Grid *g, size_t rows, FILE *to)
{
    setting(to, "ylabel", name_of(g, g->keys));
    for (size_t k = 0; k < g->rows / rows; k++) {
        Text title = {0};
        (void)fprintf(to, "%s$table every :::%zu::%zu using %d:%d", k ? ", \\\n     " : "plot ", k,
                      k, g->keys, g->keys + 1);
        look(to, (int32_t)k, rows);
        text_add(&title, "%s = %.6g", name_of(g, 0), g->value(g->user, k * rows, 0));
        (void)fprintf(to, " title ");
        quoted(to, title.text ? title.text : "");
        text_free(&title);
    }
    (void)fprintf(to, "\n");
}

/* Shades over both keys, darker for more: a picture for each measure. */
static void shades(const Grid *g, size_t rows, FILE *to)
{
    const int32_t shown = g->columns - g->keys < MOST_SHADED ? g->columns - g->keys : MOST_SHADED;
    setting(to, "ylabel", name_of(g, 0));
    scale(g, 0, 'y', g->rows / rows, rows, to);
    (void)fprintf(to, "set palette defined (0 \"#ffffd9\", 1 \"#c7e9b4\", 2 \"#41b6c4\", "
                      "3 \"#225ea8\", 4 \"#081d58\")\n"
                      "set pm3d map interpolate 4,4\nunset key\nset border 15\n"
                      "set autoscale xfix\nset autoscale yfix\n");
    if (shown > 1)
        (void)fprintf(to, "set multiplot layout %d,%d\n", shown > 2 ? 2 : 1, 2);
    for (int32_t c = 0; c < shown; c++) {
        setting(to, "title", name_of(g, g->keys + c));
        (void)fprintf(to, "splot $table using 2:1:%d\n", g->keys + c + 1);
    }
    if (shown > 1)
        (void)fprintf(to, "unset multiplot\n");
}

typedef struct {
    const Grid *grid;
    const Axes *axes;
    const Format *format;
} Picture;

static int script(const Session *s, const void *user, FILE *to)
{
    const Picture *p = user;
    const Grid *g = p->grid;
    const size_t rows = scan(g), scans = g->rows / rows;
    begin(g, p->format, rows, to);
    setting(to, "xlabel", p->axes->x ? p->axes->x : name_of(g, g->keys - 1));
    (void)s;
    if (g->keys == 1)
        lines(g, p->axes, rows, to);
    else if (rows > 1 && scans > 1 && (scans > MOST_FAMILY || g->columns > g->keys + 1))
        shades(g, rows, to);
    else
        family(g, rows, to);
    return EXIT_SOLVED;
}

int plot(const Session *s, const Grid *g, const Axes *axes)
{
    const char *path = s->options->plot;
    const Picture picture = {g, axes, format_of(path)};
    const int32_t measures = g->columns - g->keys;
    const int32_t most = g->keys > 1 ? MOST_SHADED : MOST_LINES;
    static char name[] = "gnuplot";
    Drawer drawer = {{picture.format->terminal ? name : NULL, NULL},
                     "gnuplot-nox",
                     "--plot FILE.gp"};
    if (measures > most && !s->options->quiet)
        (void)fprintf(stderr, "pepa: the picture has %d of %d measures; --measure chooses which\n",
                      most, measures);
    return draw_file(s, &drawer, script, &picture, path);
}
