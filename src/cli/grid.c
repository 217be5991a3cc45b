/* Tables of numbers: as text for a person, in parts that fit on a line, and as CSV. */
#include <math.h>
#include <string.h>

#include "report.h"

enum { LINE = 100, COLUMN = 14 };

static const char *name_of(const Grid *g, int32_t column)
{
    return g->name(g->user, column);
}

static int width_of(const Grid *g, int32_t column)
{
    const size_t width = strlen(name_of(g, column));
    return width < COLUMN ? COLUMN : (int)width;
}

/* A value to the left if it says what its row is about, else to the right. */
static void print_value(const Grid *g, size_t row, int32_t column)
{
    const double value = g->value(g->user, row, column);
    const int width = width_of(g, column);
    if (isnan(value))
        (void)printf("  %*s", width, "no value");
    else if (column < g->keys)
        (void)printf("  %-*.8g", width, value);
    else
        (void)printf("  %*.8g", width, value);
}

/* The keys, and the columns first .. end - 1. */
static void print_part(const Grid *g, int32_t first, int32_t end)
{
    (void)printf("\n");
    for (int32_t c = 0; c < g->keys; c++)
        (void)printf("  %-*s", width_of(g, c), name_of(g, c));
    for (int32_t c = first; c < end; c++)
        (void)printf("  %*s", width_of(g, c), name_of(g, c));
    (void)printf("\n");
    for (size_t row = 0; row < g->rows; row++) {
        for (int32_t c = 0; c < g->keys; c++)
            print_value(g, row, c);
        for (int32_t c = first; c < end; c++)
            print_value(g, row, c);
        (void)printf("\n");
    }
}

void grid_text(const Grid *g)
{
    int keys = 0;
    for (int32_t c = 0; c < g->keys; c++)
        keys += 2 + width_of(g, c);
    for (int32_t first = g->keys, end; first < g->columns; first = end) {
        int width = keys;
        for (end = first; end < g->columns; end++) {
            width += 2 + width_of(g, end);
            if (end > first && width > LINE)
                break;
        }
        print_part(g, first, end);
    }
}

void grid_csv(const Grid *g)
{
    for (int32_t c = 0; c < g->columns; c++) {
        (void)printf("%s", c ? "," : "");
        csv_string(stdout, name_of(g, c));
    }
    (void)printf("\n");
    for (size_t row = 0; row < g->rows; row++) {
        for (int32_t c = 0; c < g->columns; c++) {
            const double value = g->value(g->user, row, c);
            (void)printf("%s", c ? "," : "");
            if (!isnan(value))
                (void)printf(FULL, value);
        }
        (void)printf("\n");
    }
}
