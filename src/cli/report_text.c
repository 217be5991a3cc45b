/* The report for a person: aligned, largest first, and how certain the answer is. */
#include <math.h>
#include <string.h>

#include "report.h"

enum { MOST_ROWS = 24, MOST_POSITIONS = 40, MOST_COMPONENTS = 8, VALUE_WIDTH = 16 };

static int width_of(const Named *items, int32_t count)
{
    size_t width = 0;
    for (int32_t i = 0; i < count; i++)
        if (strlen(items[i].name) > width)
            width = strlen(items[i].name);
    return width > 40 ? 40 : (int)width;
}

/* The end of a row: between what it is certain to be. */
static void end_row(const Bounds *within)
{
    char low[BOUND_SIZE], high[BOUND_SIZE];
    if (within) {
        bound_text(within->low, true, 13, low);
        bound_text(within->high, false, 13, high);
        (void)printf("  %-16s  %s", low, high);
    }
    (void)printf("\n");
}

/* Rows of name and value, largest first; what does not fit is summed up. */
static void rows(Named *items, int32_t count, int indent, int width)
{
    sort_largest(items, count);
    int32_t shown = count > MOST_ROWS + 1 ? MOST_ROWS : count;
    double rest = 0;
    for (int32_t i = 0; i < shown; i++) {
        (void)printf("%*s%-*s  %-*.10g", indent, "", width, items[i].name,
                     items[i].within ? VALUE_WIDTH : 0, items[i].value);
        end_row(items[i].within);
    }
    for (int32_t i = shown; i < count; i++)
        rest += items[i].value;
    if (shown < count)
        (void)printf("%*s… and %d more, together %.10g (--csv lists all)\n", indent, "",
                     count - shown, rest);
}

static void positions(const Session *s, Measures *m, int width)
{
    int32_t at = 0;
    for (int32_t p = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        if (p == MOST_POSITIONS) {
            (void)printf("  … and %d more components (--csv lists all)\n", s->info.positions - p);
            return;
        }
        (void)printf("  %d %s", p + 1, position.component);
        if (position.copies > 1)
            (void)printf(", %d copies, each", position.copies);
        (void)printf("\n");
        rows(m->share + at, position.local_count, 6, width);
        at += position.local_count;
    }
}

/* Do populations say more than utilisations: copies, or one name in two places? */
static bool populations_differ(const Session *s)
{
    for (int32_t p = 0; p < s->info.positions; p++)
        if (pepa_chain_position(s->chain, p).copies > 1)
            return true;
    return s->info.local_states < s->info.counts;
}

/* The bottom components, most probable first. */
static void bottom_components(const Session *s, const Measures *m)
{
    int32_t count = s->info.bottom_components,
            shown = count < MOST_COMPONENTS ? count : MOST_COMPONENTS;
    (void)printf("\nThe long run depends on chance: it is one of %d bottom components.\n"
                 "All measures are means over them.\n  probability   states  such as\n",
                 count);
    for (int32_t i = 0; i < shown; i++) {
        char *text = bottom_text(s, &m->bottom[i]);
        (void)printf("  %-12.10g  %6lld  %s\n", m->bottom[i].probability,
                     (long long)m->bottom[i].states, text ? text : "?");
        pepa_text_free(text);
    }
    if (shown < count)
        (void)printf("  … and %d more (--json lists all)\n", count - shown);
}

void text_solved(const Session *s)
{
    size_t warnings = 0;
    for (size_t i = 0; i < s->findings.count; i++)
        warnings += s->findings.each[i].severity == PEPA_WARNING;
    if (s->solved.trail[0])
        (void)printf("Before that: %s.\n", s->solved.trail);
    if (strcmp(s->solved.method, "none") == 0)
        (void)printf("Nothing to solve");
    else
        (void)printf("Solved by %s", s->solved.method);
    if (s->solved.iterations)
        (void)printf(" in %lld iteration%s", (long long)s->solved.iterations,
                     s->solved.iterations == 1 ? "" : "s");
    if (s->shared)
        (void)printf(" by %d processes", shared_count(s));
    (void)printf(", %.3g s in all.\n",
                 s->parse_seconds + s->derive_seconds + s->lump_seconds + s->solved.seconds);
    (void)
        printf("Residual: %.1e of the probability flow is out of balance (at most %.1e allowed).\n",
               s->solved.residual, s->solved.tolerance);
    if (s->certified)
        (void)printf("Bounds: certified by a linear solution each, %.3g s in all.\n",
                     s->certify_seconds);
    if (s->solved.caution[0])
        (void)printf("Caution: %s.\n", s->solved.caution);
    if (warnings)
        (void)printf("%zu warning%s: see %s.\n", warnings, warnings == 1 ? "" : "s",
                     s->options->quiet ? "'pepa check'" : "above");
}

static const char certain[] = ", and bounds of the exact value";

void text_measures(const Session *s)
{
    const int32_t count = pepa_measures_count(s->measures);
    int width = 0;
    for (int32_t i = 0; i < count; i++) {
        int length = (int)strlen(pepa_measures_name(s->measures, i));
        width = length > width ? length : width;
    }
    (void)printf("\nMeasures%s\n", s->certified ? certain : "");
    for (int32_t i = 0; i < count; i++) {
        const Bounds *within = s->certified ? &s->certified[s->info.actions + i] : NULL;
        (void)printf("  %-*s  ", width > 60 ? 60 : width, pepa_measures_name(s->measures, i));
        if (isnan(s->measured[i])) {
            (void)printf("no value\n");
            continue;
        }
        (void)printf("%-*.10g", within ? VALUE_WIDTH : 0, s->measured[i]);
        end_row(within);
    }
}

/* Throughput, utilisation, population. */
static void standard(const Session *s, Measures *m)
{
    int width = width_of(m->throughput, s->info.actions),
        names = width_of(m->share, s->info.counts);
    width = names + 4 > width ? names + 4 : width;
    (void)printf("\nThroughput (per unit of time)%s\n", s->certified ? certain : "");
    rows(m->throughput, s->info.actions, 2, width);
    if (s->info.actions == 0)
        (void)printf("  nothing ever happens\n");
    (void)printf("\nUtilisation (share of time)\n");
    positions(s, m, width - 4);
    if (populations_differ(s)) {
        (void)printf("\nPopulation (mean number of components)\n");
        rows(m->population, s->info.local_states, 2, width);
    }
}

void text_begin(const Session *s)
{
    char states[NUMBER_SIZE], transitions[NUMBER_SIZE];
    (void)printf("%s: %s state%s, %s transition%s\n", model_name(s->options),
                 number_grouped(s->info.states, states), s->info.states == 1 ? "" : "s",
                 number_grouped(s->info.transitions, transitions),
                 s->info.transitions == 1 ? "" : "s");
}

void text_steps(int64_t steps, int64_t terms)
{
    char text[NUMBER_SIZE];
    (void)printf("by uniformisation, %s steps", number_grouped(steps, text));
    if (terms > 0)
        (void)printf(", then Laguerre series, %s terms", number_grouped(terms, text));
}

int report_text(const Session *s)
{
    Measures m;
    if (!measures_new(&m, s))
        return EXIT_LIMIT;
    text_begin(s);
    if (s->info.bottom_components > 1)
        bottom_components(s, &m);
    if (s->measures)
        text_measures(s);
    else
        standard(s, &m);
    (void)printf("\n");
    text_solved(s);
    measures_free(&m);
    if (s->options->explain) {
        (void)printf("\n");
        if (!explain_text(s, true, stdout))
            return EXIT_LIMIT;
    }
    return finish_output();
}
