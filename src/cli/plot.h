/* What pictures of tables share: values, axes, labels, and the maps of two keys. */
#ifndef PEPA_CLI_PLOT_H
#define PEPA_CLI_PLOT_H

#include "report.h"

/* Values farther from 0 are not drawn: gnuplot's ranges overflow from some 1e307 on. */
#define LARGEST_DRAWN 1e300

/* A value of the table; NaN if it has none or one that is not drawn. */
double plot_value(const Grid *g, size_t row, int32_t column);
/* All columns of a row, between blanks, without the end of the line. */
void plot_row(const Grid *g, size_t row, FILE *to);
/* A measure is a throughput: its unit is known if its name is its definition. */
bool plot_per_time(const Grid *g, int32_t column);
/* The setting `what` ("ylabel", "title"): a measure and its unit. */
void plot_measure(const Grid *g, const char *what, int32_t column, FILE *to);

/* The least and the largest value of the columns from `first` to before `end`; least > most: none. */
typedef struct {
    double least, most;
} Span;
Span plot_span(const Grid *g, int32_t first, int32_t end);
/* A range that is not empty for an axis ("x", "y2", "cb") along which nothing changes but by rounding:
 * gnuplot would make one, and say so.  Elsewhere nothing is written.  True: it was. */
bool plot_widen(Span span, const char *axis, FILE *to);

/* Each of the values of a key in rows 0, stride, 2 stride ... is the same multiple of the one before:
 * they were chosen so, and their axis is logarithmic. */
bool plot_logarithmic(const Grid *g, int32_t key, size_t count, size_t stride);
/* Up to `labels` labels, or one more, at round values of a logarithmic axis ('x' or 'y') from `least` > 0
 * to `most`.
 *   exponents  places on the axis are decimal logarithms */
void plot_tics(Span span, char axis, int labels, bool exponents, FILE *to);

/* A map of both keys for each measure; `rows`: how many one value of the first key has.  An exit
 * status, with a message unless it is EXIT_SOLVED. */
enum { MOST_MAPS = 4 }; /* side by side */
int plot_maps(const Grid *g, size_t rows, FILE *to);

#endif
