/* The picture of an activity: a band for each process over time, and below how many threads run, could
 * run and wait, of all processes together.  The activity profiles of GUM and Grid-GUM look like this. */
#include <math.h>
#include <string.h>

#include "drawing.h"
#include "gum_activity.h"

/* Pixels of SVG. */
enum { WIDTH = 800, BELOW = 210, HIGHEST_BAND = 34, LEAST_BAND = 5, LEAST_BANDS = 90, AROUND = 50 };
enum { MOST_HEIGHT = 2000, LABELS = 16 };
/* Of a band's height, the distance to the next one. */
#define GAP 0.12

static int bands_height(int32_t processes)
{
    int height = processes <= LABELS ? HIGHEST_BAND * processes
                                     : HIGHEST_BAND * LABELS + LEAST_BAND * (processes - LABELS);
    if (height < LEAST_BANDS)
        height = LEAST_BANDS;
    return (height < MOST_HEIGHT ? height : MOST_HEIGHT) + AROUND;
}

static double end_of(const Activity *a, int32_t k)
{
    return k + 1 < a->intervals ? (k + 1) * a->width : a->makespan;
}

/* Levels of an interval, rounded to less than a pixel. */
typedef struct {
    double at[3];
} Levels;

static Levels levels(double first, double second, double third)
{
    static const double unit = 0.02;
    return (Levels){
        {unit * round(first / unit), unit * round(second / unit), unit * round(third / unit)}};
}

static void point(double time, const Levels *levels, FILE *to)
{
    (void)fprintf(to, "%.6g %.6g %.6g %.6g\n", time, levels->at[0], levels->at[1], levels->at[2]);
}

/* Edges are upright; where levels stay as they are there is no point. */
static void step(const Activity *a, int32_t k, const Levels *before, const Levels *now, FILE *to)
{
    if (k == 0 || memcmp(before, now, sizeof *now) != 0) {
        if (k > 0)
            point(k * a->width, before, to);
        point(k * a->width, now, to);
    }
    if (k + 1 == a->intervals)
        point(a->makespan, now, to);
}

/* Process p from y = p + 1 up to p: the axis points down. */
static void bands(const Activity *a, FILE *to)
{
    (void)fprintf(to, "$bands << END\n");
    for (int32_t p = 0; p < a->processes; p++) {
        Levels before = {{0}};
        for (int32_t k = 0; k < a->intervals; k++) {
            const ActivityCell *c = &a->cell[(size_t)p * (size_t)a->intervals + (size_t)k];
            double length = end_of(a, k) - k * a->width, high = (1 - GAP) / length;
            double base = p + 1 - GAP / 2, running = base - high * c->running;
            const Levels now = levels(base, running, running - high * c->fetching);
            step(a, k, &before, &now, to);
            before = now;
        }
        (void)fprintf(to, "\n");
    }
    (void)fprintf(to, "END\n");
}

static void threads(const Activity *a, FILE *to)
{
    Levels before = {{0}};
    (void)fprintf(to, "$threads << END\n");
    for (int32_t k = 0; k < a->intervals; k++) {
        double length = end_of(a, k) - k * a->width, running = 0, runnable = 0, blocked = 0;
        for (int32_t p = 0; p < a->processes; p++) {
            const ActivityCell *c = &a->cell[(size_t)p * (size_t)a->intervals + (size_t)k];
            running += c->running / length;
            runnable += c->runnable / length;
            blocked += c->blocked / length;
        }
        const Levels now = levels(running, running + runnable, running + runnable + blocked);
        step(a, k, &before, &now, to);
        before = now;
    }
    (void)fprintf(to, "END\n");
}

typedef struct {
    const Activity *activity;
    const char *path;
} Drawing;

static int script(const void *user, FILE *to)
{
    const Drawing *drawing = user;
    const Activity *a = drawing->activity;
    const int above = bands_height(a->processes), height = above + BELOW;
    const double cut = (double)BELOW / height;
    char title[256];
    (void)snprintf(title, sizeof title, "%s on %d process%s, policy %s", a->program,
                   (int)a->processes, a->processes == 1 ? "" : "es", a->policy);
    picture_begin(drawing->path, WIDTH, height, to);
    bands(a, to);
    threads(a, to);
    (void)fprintf(to,
                  "set style fill solid noborder\nset multiplot\n"
                  "set lmargin at screen 0.1\nset rmargin at screen 0.97\nset xrange [0:%.9g]\n"
                  "set tmargin at screen %.6g\nset bmargin at screen %.6g\n",
                  a->makespan, 1 - 42.0 / height, cut + 8.0 / height);
    (void)fprintf(to, "set label 1 at graph 0, screen %.6g left ", 1 - 27.0 / height);
    picture_quoted(to, title);
    (void)fprintf(to, "\n");
    picture_setting(to, "ylabel", "process");
    (void)
        fprintf(to,
                "set yrange [%d:0]\nset xtics scale 0 format ''\nset border 0\nset ytics scale 0 (",
                (int)a->processes);
    const int32_t every = (a->processes + LABELS - 1) / LABELS;
    for (int32_t p = 0; p < a->processes; p += every)
        (void)fprintf(to, "%s\"%d\" %g", p ? ", " : "", (int)p, p + 0.5);
    (void)fprintf(
        to,
        ")\nset key at graph 1, screen %.6g right bottom horizontal reverse Left samplen 2\n"
        "running = '#1e8449'; runnable = '#a9d5b5'; waiting = '#dd5a3a'; nothing = '#e3e3e3'\n"
        "plot $bands using 1:2:(floor($2) + %g) with filledcurves fc rgb nothing title 'idle', \\\n"
        "     '' using 1:2:3 with filledcurves fc rgb running title 'running', \\\n"
        "     '' using 1:3:4 with filledcurves fc rgb waiting title 'waiting'\n",
        1 - 38.0 / height, GAP / 2);
    (void)fprintf(
        to,
        "unset label 1\nset tmargin at screen %.6g\nset bmargin at screen %.6g\n"
        "set border 3\nset xtics out scale 1 format '%%g'\nset ytics auto nomirror out scale 1\n"
        "set yrange [0:*]\nset offsets 0, 0, graph 0.08, 0\n"
        "set ylabel 'threads'\nset xlabel 'time (s)'\n"
        "set key at graph 1, screen %.6g right bottom horizontal reverse Left samplen 2\n"
        "plot $threads using 1:(0):2 with filledcurves fc rgb running title 'running', \\\n"
        "     '' using 1:2:3 with filledcurves fc rgb runnable title 'runnable', \\\n"
        "     '' using 1:3:4 with filledcurves fc rgb waiting title 'blocked'\n"
        "unset multiplot\n",
        cut - 24.0 / height, 68.0 / height, cut - 22.0 / height);
    return EXIT_SOLVED;
}

int gum_activity_plot(const Activity *activity, const char *path)
{
    const Drawing drawing = {activity, path};
    return picture_draw("gum activity", script, &drawing, path);
}
