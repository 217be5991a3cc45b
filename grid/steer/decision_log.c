/* The decision log. */
#include "grid/steer/decision_log.h"

#include <math.h>

#include "grid/core/decimal.h"

static const double percent = 100;

/* (p1,p2,p1) */
static void print_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping)
{
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        (void)fprintf(to, "%c%s", i > 0 ? ',' : '(',
                      amoget_processor_name(amoget_machine(desc), mapping[i]));
    (void)fputc(')', to);
}

/* ---- text --------------------------------------------------------------------------------- */

/* Three significant digits; all digits before the point. */
static void print_figure(FILE *to, double value)
{
    const double three_digits = 100;
    (void)fprintf(to, value < three_digits ? "%.3g" : "%.0f", value);
}

static void print_percent(FILE *to, double part)
{
    const double two_digits = 10;
    (void)fprintf(to, percent * part < two_digits ? "%.1f%%" : "%.0f%%", percent * part);
}

static void print_reason(FILE *to, const DecisionRecord *d, const GridReschedulerSettings *set)
{
    switch (d->decision) {
    case DECISION_MOVE:
        (void)fputs("moved", to);
        break;
    case DECISION_ALARM:
        (void)fputs("moved at once, it gave ", to);
        print_figure(to, d->comparison.earlier);
        break;
    case DECISION_GAIN:
        (void)fputs("stays, less than ", to);
        print_percent(to, set->least_gain);
        (void)fputs(" is not worth it", to);
        break;
    case DECISION_MEASURING:
        (void)fprintf(to, "stays, still measuring: a stage has made %d of %d services",
                      d->comparison.samples, set->least_samples);
        break;
    case DECISION_DOUBT:
        (void)fputs("stays, measurements leave +-", to);
        print_percent(to, set->certainty * d->comparison.error);
        (void)fputs(" open", to);
        break;
    case DECISION_COST:
        (void)fputs("stays, that does not pay", to);
        break;
    case DECISION_UNCONFIRMED:
        (void)fputs("stays until the next decision confirms it", to);
        break;
    case DECISION_BEST:
    case DECISION_DONE:
    case DECISION_ERROR:
        break;
    }
}

static void print_comparison(FILE *to, const DecisionRecord *d, const AmogetDescription *desc,
                             const GridReschedulerSettings *set)
{
    const Comparison *w = &d->comparison;
    (void)fputs("; ", to);
    print_mapping(to, desc, d->best);
    (void)fputs(" would give ", to);
    print_figure(to, w->best);
    (void)fputs(" (+", to);
    print_percent(to, w->best / w->present - 1);
    (void)fputs(") and save ", to);
    print_figure(to, seconds_saved(w, set));
    (void)fputs(" s of the ", to);
    print_figure(to, seconds_left(w, set));
    (void)fprintf(to, " s %s, moving costs about ", w->left < 0 ? "ahead" : "left");
    print_figure(to, w->cost);
    (void)fputs(" s: ", to);
    print_reason(to, d, set);
}

static void print_decision(FILE *to, const DecisionRecord *d, const AmogetDescription *desc,
                           const GridReschedulerSettings *set)
{
    (void)fprintf(to, "%.1f s: ", d->time);
    if (d->decision == DECISION_ERROR) {
        (void)fputs("stays ", to);
        print_mapping(to, desc, d->present);
        (void)fprintf(to, ", not ranked: %s\n", d->error);
        return;
    }
    if (d->decision == DECISION_DONE) {
        (void)fputs("stays, nothing is left to be done\n", to);
        return;
    }
    print_figure(to, d->comparison.present);
    (void)fputs(" items/s as it is ", to);
    print_mapping(to, desc, d->present);
    if (d->best)
        print_comparison(to, d, desc, set);
    else
        (void)fputs(d->optimal ? ": stays, it is the best" : ": stays, no better one was found",
                    to);
    (void)fputc('\n', to);
}

/* ---- JSON --------------------------------------------------------------------------------- */

/* 17 digits, with a point in every locale; what is not finite is null. */
static void json_number(FILE *to, const char *key, double value)
{
    char text[DECIMAL_SIZE];
    (void)fprintf(to, ", \"%s\": %s", key,
                  isfinite(value) ? decimal_text(value, DECIMAL_EXACT, text) : "null");
}

/* Names of processors are letters, digits and _. */
static void json_mapping(FILE *to, const char *key, const AmogetDescription *desc,
                         const int32_t *mapping)
{
    (void)fprintf(to, ", \"%s\": [", key);
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        (void)fprintf(to, "%s\"%s\"", i > 0 ? ", " : "",
                      amoget_processor_name(amoget_machine(desc), mapping[i]));
    (void)fputc(']', to);
}

static void json_string(FILE *to, const char *key, const char *text)
{
    (void)fprintf(to, ", \"%s\": \"", key);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            (void)fprintf(to, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            (void)fprintf(to, "\\u%04x", (unsigned)*text);
        else
            (void)fputc(*text, to);
    (void)fputc('"', to);
}

static void json_comparison(FILE *to, const DecisionRecord *d, const AmogetDescription *desc,
                            const GridReschedulerSettings *set)
{
    const Comparison *w = &d->comparison;
    json_mapping(to, "best", desc, d->best);
    json_number(to, "best_throughput", w->best);
    json_number(to, "gain", w->best / w->present - 1);
    json_number(to, "doubt", w->error);
    json_number(to, "seconds_left", seconds_left(w, set));
    json_number(to, "seconds_saved", seconds_saved(w, set));
    json_number(to, "cost", w->cost);
}

static void json_decision(FILE *to, const DecisionRecord *d, const AmogetDescription *desc,
                          const GridReschedulerSettings *set)
{
    const Comparison *w = &d->comparison;
    (void)fputs("{ \"event\": \"decision\"", to);
    json_number(to, "time", d->time);
    (void)fprintf(to, ", \"done\": %lld", (long long)d->done);
    json_mapping(to, "mapping", desc, d->present);
    if (d->seen >= 0)
        json_number(to, "seen", d->seen);
    if (d->decision != DECISION_ERROR && d->decision != DECISION_DONE) {
        json_number(to, "throughput", w->present);
        (void)fprintf(to, ", \"samples\": %d, \"optimal\": %s", w->samples,
                      d->optimal ? "true" : "false");
    }
    if (d->best)
        json_comparison(to, d, desc, set);
    json_string(to, "decision", decision_name(d->decision));
    (void)fprintf(to, ", \"moves\": %s", decision_moves(d->decision) ? "true" : "false");
    if (d->error)
        json_string(to, "error", d->error);
    json_number(to, "seconds", d->seconds);
    (void)fputs(" }\n", to);
}

/* ---- both --------------------------------------------------------------------------------- */

void log_decision(const DecisionRecord *record, const AmogetDescription *desc,
                  const GridReschedulerSettings *set)
{
    if (!set->log)
        return;
    if (set->json)
        json_decision(set->log, record, desc, set);
    else
        print_decision(set->log, record, desc, set);
    (void)fflush(set->log);
}

void log_pauses(const DecisionRecord *record, int count, const GridReschedulerSettings *set)
{
    FILE *to = set->log;
    if (!to)
        return;
    if (set->json) {
        (void)fputs("{ \"event\": \"pauses\"", to);
        json_number(to, "time", record->time);
        json_number(to, "seen", record->seen);
        json_number(to, "throughput", record->comparison.present);
        (void)fprintf(to, ", \"count\": %s }\n", count ? "true" : "false");
    } else {
        (void)fprintf(to, "%.1f s: gives ", record->time);
        print_figure(to, record->seen);
        (void)fputs(" items/s: pauses of processes count ", to);
        (void)fputs(count ? "from now on\n" : "no longer\n", to);
    }
    (void)fflush(to);
}

void log_move(double time, const int32_t *mapping, double seconds, const AmogetDescription *desc,
              const GridReschedulerSettings *set)
{
    if (!set->log)
        return;
    if (set->json) {
        (void)fputs("{ \"event\": \"move\"", set->log);
        json_number(set->log, "time", time);
        json_mapping(set->log, "mapping", desc, mapping);
        json_number(set->log, "seconds", seconds);
        (void)fputs(" }\n", set->log);
    } else {
        (void)fprintf(set->log, "%.1f s: runs as ", time);
        print_mapping(set->log, desc, mapping);
        (void)fprintf(set->log, ", which took %.2g s\n", seconds);
    }
    (void)fflush(set->log);
}
