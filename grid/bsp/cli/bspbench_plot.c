/* bspbench --plot: g and l against the number of processes, of what runs with --csv have printed. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bspbench.h"
#include "drawing.h"

static const char called[] = "bspbench";
static const char heading[] = "processes,parameter,seconds,low,high";

/* ---- files --------------------------------------------------------------------------------------- */

typedef struct {
    int processes;
    char parameter[16];
    Estimate seconds;
} Row;

typedef struct {
    Row *row;
    size_t rows, capacity;
} Rows;

/* A line without its end: 0, or the column, from 1, of what is wrong with it. */
static int read_row(const char *line, Row *out)
{
    int at[5] = {0};
    (void)sscanf(line, "%d%n,%15[a-z_]%n,%lf%n,%lf%n,%lf%n", &out->processes, &at[0],
                 out->parameter, &at[1], &out->seconds.value, &at[2], &out->seconds.low, &at[3],
                 &out->seconds.high, &at[4]);
    int good = 0;
    for (int i = 0; i < 5; i++)
        good = at[i] > good ? at[i] : good;
    if (at[4] == 0 || line[at[4]] != '\0')
        return good + 1 + (good > 0 && line[good] == ',');
    const Estimate *e = &out->seconds;
    return out->processes > 0 && isfinite(e->low + e->value + e->high) ? 0 : 1;
}

static int read_lines(const char *path, FILE *from, Rows *rows)
{
    char *line = NULL;
    size_t room = 0;
    int status = EXIT_SOLVED, number = 0;
    for (ssize_t length; status == EXIT_SOLVED && (length = getline(&line, &room, from)) >= 0;) {
        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (strcmp(line, heading) == 0 || line[0] == '\0')
            continue;
        if (!mem_grow(rows->row, rows->capacity, rows->rows + 1)) {
            status = out_of_memory();
            break;
        }
        const int column = read_row(line, &rows->row[rows->rows++]);
        if (column > 0)
            status = fail(EXIT_MODEL,
                          "%s:%d:%d: error: a line is '%s', as bspbench --csv prints\n  %s\n  %*s^",
                          path, number, column, heading, line, column - 1, "");
    }
    if (status == EXIT_SOLVED && ferror(from))
        status = fail(EXIT_INPUT, "%s: cannot read %s: %s", called, path, strerror(errno));
    free(line);
    return status;
}

static int read_file(const char *path, Rows *rows)
{
    FILE *from = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!from)
        return fail(EXIT_INPUT, "%s: cannot read %s: %s", called, path, strerror(errno));
    const int status = read_lines(path, from, rows);
    if (from != stdin)
        (void)fclose(from);
    return status;
}

/* ---- the picture --------------------------------------------------------------------------------- */

static int by_processes(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    return (x->processes > y->processes) - (x->processes < y->processes);
}

/* $NAME: processes, and microseconds with their bounds. */
static void table(const Rows *rows, const char *parameter, FILE *to)
{
    (void)fprintf(to, "$%s << END\n", parameter);
    for (size_t i = 0; i < rows->rows; i++) {
        const Row *r = &rows->row[i];
        if (strcmp(r->parameter, parameter) == 0)
            (void)fprintf(to, "%d %.6g %.6g %.6g\n", r->processes, 1e6 * r->seconds.value,
                          1e6 * r->seconds.low, 1e6 * r->seconds.high);
    }
    (void)fprintf(to, "END\n");
}

/* A curve with the bounds of its points; `more`: another follows. */
static void curve(const char *parameter, int style, const char *title, bool more, FILE *to)
{
    (void)fprintf(to, "$%s using 1:2 with linespoints ls %d title \"%s\", ", parameter, style,
                  title);
    (void)fprintf(to, "$%s using 1:2:3:4 with yerrorbars ls %d notitle%s", parameter, style,
                  more ? ", " : "\n");
}

typedef struct {
    const Rows *rows;
    const char *path;
} Drawing;

static int script(const void *user, FILE *to)
{
    const Drawing *drawing = user;
    picture_begin(drawing->path, 860, 380, to);
    table(drawing->rows, "g", to);
    table(drawing->rows, "g_words", to);
    table(drawing->rows, "l", to);
    (void)fprintf(to,
                  "set multiplot layout 1,2 margins char 10,char 2,char 4,char 3 spacing char 13\n"
                  "set grid ytics ls 11\nset xlabel \"processes\"\nset xtics 2\n"
                  "set xrange [0:*]\nset yrange [0:*]\nset offsets 0, 0.5, 0, 0\n"
                  "set key inside left top\nset ylabel \"microseconds\"\n"
                  "set title \"g: a double sent or received\"\nplot ");
    curve("g_words", 14, "a put for each", true, to);
    curve("g", 13, "in blocks", false, to);
    (void)fprintf(to, "set title \"l: a superstep in which nothing is sent\"\nunset key\nplot ");
    curve("l", 13, "", false, to);
    (void)fprintf(to, "unset multiplot\n");
    return EXIT_SOLVED;
}

/* Is there a point of each curve? */
static bool is_complete(const Rows *rows)
{
    static const char *const needed[] = {"g", "g_words", "l"};
    bool all = true;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
        bool any = false;
        for (size_t i = 0; i < rows->rows; i++)
            any |= strcmp(rows->row[i].parameter, needed[k]) == 0;
        all &= any;
    }
    return all;
}

int bench_plot(const char *path, char **files, int count)
{
    Rows rows = {0};
    int status = picture_check(called, path);
    for (int i = 0; i < count && status == EXIT_SOLVED; i++)
        status = read_file(files[i], &rows);
    if (status == EXIT_SOLVED && !is_complete(&rows))
        status =
            fail(EXIT_MODEL, "%s: no g, no g_words or no l in %s%s: bspbench --csv prints them",
                 called, files[0], count > 1 ? " and the other files" : "");
    if (status == EXIT_SOLVED) {
        qsort(rows.row, rows.rows, sizeof *rows.row, by_processes);
        const Drawing drawing = {&rows, path};
        status = picture_draw(called, script, &drawing, path);
    }
    mem_free(rows.row);
    return status;
}
