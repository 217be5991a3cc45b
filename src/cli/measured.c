/* Measures at times or in the long run, with one number each or with an interval around it: reports
 * and pictures. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

static const char *name_of(const Measured *m, int32_t measure)
{
    return pepa_measures_name(m->s->measures, measure);
}

static double part_of(const Measured *m, size_t point, int32_t measure, int32_t part)
{
    return m->value(m->user, point, measure, part);
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void json_part(const Measured *m, int32_t measure, int32_t part)
{
    (void)printf(", \"%s\": [", m->part[part]);
    for (size_t j = 0; j < m->points; j++) {
        (void)printf("%s", j ? ", " : "");
        json_number(part_of(m, j, measure, part));
    }
    (void)printf("]");
}

void measured_json(const Measured *m)
{
    if (m->time) {
        (void)printf(",\n  \"time\": [");
        for (size_t j = 0; j < m->points; j++)
            (void)printf("%s" FULL, j ? ", " : "", m->time[j]);
        (void)printf("]");
    }
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < m->measures; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, name_of(m, i));
        for (int32_t part = 0; part < m->parts; part++)
            json_part(m, i, part);
        if (m->json)
            m->json(m->user, i);
        (void)printf(" }");
    }
    (void)printf("\n  ]");
}

/* ---- CSV --------------------------------------------------------------------------------------- */

static const char *column_name(const void *user, int32_t column)
{
    const Measured *m = user;
    return column ? name_of(m, (column - 1) % m->measures) : "time";
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Measured *m = user;
    return column ? part_of(m, row, column - 1, 0) : m->time[row];
}

/* A row for each time, and a column for each measure. */
static Grid grid_of(const Measured *m)
{
    return (Grid){1, m->measures + 1, m->points, column_name, column_value, m};
}

static void csv_row(const Measured *m, size_t point, int32_t measure)
{
    if (m->time)
        (void)printf(FULL ",", m->time[point]);
    csv_string(stdout, name_of(m, measure));
    for (int32_t part = 0; part < m->parts; part++) {
        const double x = part_of(m, point, measure, part);
        (void)printf(",");
        if (x == x)
            (void)printf(FULL, x);
    }
    (void)printf("\n");
}

void measured_csv(const Measured *m)
{
    const Grid grid = grid_of(m);
    if (m->time && m->parts == 1) {
        grid_csv(&grid);
        return;
    }
    (void)printf("%smeasure", m->time ? "time," : "");
    for (int32_t part = 0; part < m->parts; part++)
        (void)printf(",%s", m->part[part]);
    (void)printf("\n");
    for (size_t j = 0; j < m->points; j++)
        for (int32_t i = 0; i < m->measures; i++)
            csv_row(m, j, i);
}

/* ---- text -------------------------------------------------------------------------------------- */

enum { LINE = 100, TIME = 14, COLUMN = 30 }; /* widths; of a column with the blanks before it */

static void text_steady(const Measured *m)
{
    size_t width = 0, length;
    for (int32_t i = 0; i < m->measures; i++)
        if ((length = strlen(name_of(m, i))) > width)
            width = length;
    (void)printf("\n");
    if (m->parts > 1)
        (void)printf("  %-*s", (int)width, "");
    for (int32_t part = 0; part < m->parts && m->parts > 1; part++)
        (void)printf("  %14s", m->title[part]);
    (void)printf("%s", m->parts > 1 ? "\n" : "");
    for (int32_t i = 0; i < m->measures; i++) {
        (void)printf("  %-*s", (int)width, name_of(m, i));
        for (int32_t part = 0; part < m->parts; part++) {
            const double x = part_of(m, 0, i, part);
            if (x == x)
                (void)printf("  %14.8g", x);
            else
                (void)printf("  %14s", "no value");
        }
        (void)printf("\n");
    }
}

static int column_width(const Measured *m, int32_t measure)
{
    const size_t width = strlen(name_of(m, measure)) + 2;
    return width < COLUMN ? COLUMN : (int)width;
}

/* The lower or the upper end of what is around a value. */
static double end_of(const Measured *m, size_t point, int32_t measure, bool upper)
{
    const double value = part_of(m, point, measure, 0), second = part_of(m, point, measure, 1);
    if (m->parts == MEASURED_INTERVAL)
        return upper ? part_of(m, point, measure, 2) : second;
    return upper ? value + second : value - second;
}

static void text_value(const Measured *m, size_t point, int32_t measure)
{
    const double value = part_of(m, point, measure, 0);
    char text[2 * NUMBER_SIZE] = "no value";
    if (value == value)
        (void)snprintf(text, sizeof text, "%.6g +- %.2g", value,
                       (end_of(m, point, measure, true) - end_of(m, point, measure, false)) / 2);
    (void)printf("%*s", column_width(m, measure), text);
}

/* The measures from `first` on that fit on a line; returns the first that does not. */
static int32_t text_part(const Measured *m, int32_t first)
{
    int width = TIME;
    int32_t end = first;
    do
        width += column_width(m, end++);
    while (end < m->measures && width + column_width(m, end) <= LINE);
    (void)printf("\n  %-*s", TIME - 2, "time");
    for (int32_t i = first; i < end; i++)
        (void)printf("%*s", column_width(m, i), name_of(m, i));
    (void)printf("\n");
    for (size_t j = 0; j < m->points; j++) {
        (void)printf("  %-*.8g", TIME - 2, m->time[j]);
        for (int32_t i = first; i < end; i++)
            text_value(m, j, i);
        (void)printf("\n");
    }
    return end;
}

void measured_text(const Measured *m)
{
    const Grid grid = grid_of(m);
    if (!m->time)
        text_steady(m);
    else if (m->parts == 1)
        grid_text(&grid);
    else
        for (int32_t first = 0; first < m->measures;)
            first = text_part(m, first);
}

/* ---- pictures ---------------------------------------------------------------------------------- */

/* All values, then all lower ends, then all upper ones. */
static double plot_value(const void *user, size_t row, int32_t column)
{
    const Measured *m = user;
    if (column == 0)
        return m->time[row];
    const int32_t measure = (column - 1) % m->measures, part = (column - 1) / m->measures;
    return part == 0 ? part_of(m, row, measure, 0) : end_of(m, row, measure, part == 2);
}

static int measured_plot(const Measured *m)
{
    const Axes axes = {.x = "time (in the model's unit)", .y = "value", .bands = m->parts > 1};
    const int32_t columns = m->parts > 1 ? 3 * m->measures : m->measures;
    const Grid grid = {1, columns + 1, m->points, column_name, plot_value, m};
    return m->s->options->plot ? plot(m->s, &grid, &axes) : EXIT_SOLVED;
}

/* Measures that nobody asked for may have none. */
static void warn_of_no_value(const Measured *m)
{
    const bool simulated = m->parts == MEASURED_INTERVAL;
    for (int32_t i = 0; i < m->measures && m->s->options->asked_count > 0; i++) {
        size_t without = 0;
        for (size_t j = 0; j < m->points; j++)
            without += isnan(part_of(m, j, i, 0)) != 0;
        if (without > 0)
            session_warn_no_value(m->s, i, without, m->time ? "time" : "", m->time && simulated);
    }
}

int measured_report(const Measured *m, MeasuredReport *json, MeasuredReport *text)
{
    warn_of_no_value(m);
    const int drawn = measured_plot(m);
    if (m->s->options->json)
        return plot_status(drawn, json(m));
    if (!m->s->options->csv)
        return plot_status(drawn, text(m));
    measured_csv(m);
    return plot_status(drawn, finish_output());
}

/* ---- the options ------------------------------------------------------------------------------- */

int read_when(const Session *s, double **time, size_t *points)
{
    const Options *o = s->options;
    int status = session_times(s, time, points);
    if (status != EXIT_SOLVED)
        return status;
    if (o->steady && *points)
        return fail(EXIT_USAGE, "%s: give times or --steady, not both", o->command->called);
    if (o->steady && o->plot)
        return fail(EXIT_USAGE, "%s: --plot draws values in time; give --until T",
                    o->command->called);
    if (!o->steady && !*points)
        return fail(EXIT_USAGE, "%s: give --at T,T,..., --until T or --steady", o->command->called);
    *points += o->steady;
    return EXIT_SOLVED;
}
