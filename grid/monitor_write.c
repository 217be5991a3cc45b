/* Measurements as amoget reads them. */
#include <math.h>
#include <string.h>

#include "grid/monitor_parts.h"

enum { NUMBER_TEXT = 40 };

/* All digits, with a point in every locale. */
static const char *number(double value, char text[NUMBER_TEXT])
{
    (void)snprintf(text, NUMBER_TEXT, "%.17g", value);
    for (char *at = text; *at; at++)
        if (*at == ',')
            *at = '.';
    return text;
}

static void write_line(FILE *to, double time, const char *what, const char *a, const char *b,
                       double value)
{
    char when[NUMBER_TEXT], much[NUMBER_TEXT];
    (void)fprintf(to, "%s,%s,%s,%s,%s\n", number(fmax(time, 0), when), what, a, b,
                  number(value, much));
}

static double newest(const GridSeries *series)
{
    return series->count > 0 ? series_at(series, series->count - 1)->time : -INFINITY;
}

static void write_process(GridMonitor *m, int32_t j, double epoch, FILE *to)
{
    const GridPace *pace = &m->paces[j];
    const char *name = amoget_processor_name(m->desc, j);
    double seen = epoch + fmax(newest(&pace->services), newest(&pace->probes));
    double share = fmin(number_in_range(fmin(pace->time, pace->pace) / pace->pace), 1);
    char text[NUMBER_TEXT];
    write_line(to, seen, "availability", name, "", share);
    if (pace->pace < pace->time)
        (void)fprintf(to, "# %s is faster than described: time %s\n", name,
                      number(pace->pace, text));
    m->unwritten[j] = false;
}

static void write_link(const GridMonitor *m, GridLink *link, double epoch, FILE *to)
{
    const char *a = amoget_processor_name(m->desc, link->a);
    const char *b = amoget_processor_name(m->desc, link->b);
    double seen = epoch + newest(&link->moves);
    write_line(to, seen, "latency", a, b, number_in_range(link->latency));
    if (isfinite(link->bandwidth))
        write_line(to, seen, "bandwidth", a, b, number_in_range(link->bandwidth));
    link->unwritten = false;
}

static void write_work(const GridMonitor *m, int32_t i, FILE *to)
{
    char work[NUMBER_TEXT], output[NUMBER_TEXT];
    if (m->works[i].output >= 0)
        (void)fprintf(to, "# stage %s: work %s output %s\n", amoget_stage_name(m->desc, i),
                      number(m->works[i].work, work), number(m->works[i].output, output));
}

int grid_monitor_write(GridMonitor *m, double epoch, FILE *to)
{
    if (!m->has_header)
        (void)fputs("time,what,from,to,value\n", to);
    m->has_header = true;
    bool any = false;
    for (int32_t j = 0; j < m->processes; j++)
        if (m->unwritten[j] && m->paces[j].measured) {
            write_process(m, j, epoch, to);
            any = true;
        }
    for (GridLink *link = m->links.first; link; link = link->next)
        if (link->unwritten && !link->fresh) {
            write_link(m, link, epoch, to);
            any = true;
        }
    for (int32_t i = 0; any && i < m->stages; i++)
        write_work(m, i, to);
    return ferror(to) ? -1 : 0;
}
