/* Files that are replaced as a whole, and pictures in them, which other programs draw. */
#ifndef PEPA_CLI_DRAWING_H
#define PEPA_CLI_DRAWING_H

#include "tool.h"

/* A file being written.  A regular file, or one that does not exist yet, changes only when
 * output_keep succeeds; pipes and devices are written to directly.  Symbolic links are followed.
 * Each function but the last returns an exit status; unless it is EXIT_SOLVED, a message
 * is printed.  Call output_free in any case: it removes what was not kept. */
typedef struct {
    const char *path; /* borrowed */
    FILE *to;
    char *target, *temporary; /* of a regular file; else NULL */
    bool created;             /* there was no file before */
} Output;
int output_open(Output *output, const char *path);
int output_close(Output *output);
int output_keep(Output *output);
void output_free(Output *output);

/* A program that draws, from standard input to standard output. */
typedef struct {
    char *arguments[4];  /* its name first, NULL last; no name: the text itself is wanted */
    const char *package; /* that has it */
    const char *instead; /* the option that needs no program */
} Drawer;
/* Write the text for it.  An exit status, as all below, with a message unless it is EXIT_SOLVED. */
typedef int DrawTask(const void *user, FILE *to);
/* Nothing is written unless all of it can be.  `called`: the command, for messages. */
int draw(const char *called, const Drawer *drawer, DrawTask *task, const void *user, FILE *to);
int draw_file(const char *called, const Drawer *drawer, DrawTask *task, const void *user,
              const char *path);

/* ---- pictures by gnuplot, all in the style of plot_style.gp -------------------------------- */

/* The option --plot takes this file: its ending says what it is to be.  An exit status. */
int picture_check(const char *called, const char *path);
/* The beginning of the text for gnuplot: the style, and the size in pixels of SVG. */
void picture_begin(const char *path, int width, int height, FILE *to);
/* A string in quotes; line ends and the like count as blanks.  "set WHAT TEXT". */
void picture_quoted(FILE *to, const char *text);
void picture_setting(FILE *to, const char *what, const char *text);
/* Draw what `task` writes, or keep the text if the ending says so. */
int picture_draw(const char *called, DrawTask *task, const void *user, const char *path);

#endif
