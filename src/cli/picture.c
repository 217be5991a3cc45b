/* Pictures by gnuplot in files: what their names say, and how all of them look. */
#include <string.h>

#include "drawing.h"

/* The last one is the text for gnuplot. */
static const char *const formats[] = {"svg", "png", "pdf", "gp"};
enum { FORMATS = sizeof formats / sizeof *formats, TEXT = FORMATS - 1 };

/* What the file is to be; FORMATS: unknown. */
static int format_of(const char *path)
{
    const char *ending = strrchr(path, '.');
    int format = 0;
    while (format < FORMATS && (!ending || strcmp(ending + 1, formats[format]) != 0))
        format++;
    return format;
}

int picture_check(const char *called, const char *path)
{
    if (!path || format_of(path) < FORMATS)
        return EXIT_SOLVED;
    return fail(EXIT_USAGE,
                "%s: --plot takes a file that ends in .svg, .png, .pdf or .gp (the "
                "text for gnuplot), not '%s'",
                called, path);
}

void picture_quoted(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            (void)fputc('\\', to);
        (void)fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    (void)fputc('"', to);
}

void picture_setting(FILE *to, const char *what, const char *text)
{
    (void)fprintf(to, "set %s ", what);
    picture_quoted(to, text);
    (void)fprintf(to, "\n");
}

void picture_begin(const char *path, int width, int height, FILE *to)
{
    static const char *const style[] = {
#include "plot_style.h"
    };
    const int format = format_of(path);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        (void)fprintf(to, "%s\n", style[i]);
    if (format != TEXT)
        (void)fprintf(to, "eval terminal(\"%s\", %d, %d)\n", formats[format], width, height);
}

int picture_draw(const char *called, DrawTask *task, const void *user, const char *path)
{
    static char name[] = "gnuplot";
    const Drawer drawer = {{format_of(path) != TEXT ? name : NULL, NULL},
                           "gnuplot-nox",
                           "--plot FILE.gp"};
    return draw_file(called, &drawer, task, user, path);
}
