/* The report for programs: JSON and CSV. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "amoget_cli.h"

/* A whole number as long as it is one for certain. */
static void json_count(FILE *to, double count)
{
    (void)fprintf(to, count < 9007199254740992.0 ? "%.0f" : "%.17g", count);
}

static void json_number(FILE *to, double value)
{
    if (isfinite(value))
        (void)fprintf(to, FULL, value);
    else
        (void)fputs("null", to);
}

static void json_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping)
{
    for (int32_t i = 0; i < amoget_stage_count(desc); i++) {
        (void)fputs(i ? ", " : "[", to);
        json_string(to, amoget_processor_name(amoget_machine(desc), mapping[i]));
    }
    (void)fputc(']', to);
}

/* Names hold letters, digits and _ only: nothing to escape. */
static void json_resource(FILE *to, const AmogetDescription *desc, const AmogetResource *r)
{
    (void)fputc('"', to);
    print_resource(to, desc, r);
    (void)fputc('"', to);
}

static void json_entry(const Session *s, int64_t i, FILE *to)
{
    const AmogetEntry *e = &s->ranking->entries[i];
    (void)fprintf(to, "%s\n    { \"rank\": %d, \"tied\": %s, \"mapping\": ", i ? "," : "", e->rank,
                  e->tied ? "true" : "false");
    json_mapping(to, s->desc, e->mapping);
    (void)fprintf(to,
                  ", \"throughput\": " FULL ",\n      \"states\": %d, \"transitions\": %" PRId64
                  ", \"processors\": %d, \"stands_for\": ",
                  e->throughput, e->states, e->transitions, e->processors);
    json_count(to, e->stands_for);
    (void)fputs(", \"bottleneck\": ", to);
    if (s->why[i])
        json_resource(to, s->desc, &s->why[i]->resources[0]);
    else
        (void)fputs("null", to);
    (void)fputs(" }", to);
}

/* ---- explanation ---------------------------------------------------------------------------- */

/* more: NULL but for the loser */
static void json_activities(const Session *s, const int32_t *mapping, const AmogetExplanation *why,
                            const double *more, FILE *to)
{
    (void)fputs("\"activities\": [", to);
    for (int32_t k = 0; k < why->parts; k++) {
        bool take = k > 2 * amoget_stage_count(s->desc);
        (void)fprintf(to, "%s\n        { \"action\": \"%s%d\", \"activity\": \"", k ? "," : "",
                      take    ? "take"
                      : k % 2 ? "process"
                              : "move",
                      take ? k - 2 * amoget_stage_count(s->desc) + 1 : k / 2 + 1);
        print_activity(to, s->desc, k);
        (void)fputs("\", \"place\": \"", to);
        print_place(to, s->desc, mapping, why, k);
        (void)fprintf(to, "\", \"seconds\": " FULL ", \"share\": " FULL, why->seconds[k],
                      why->share[k]);
        if (more)
            (void)fprintf(to, ", \"adds\": " FULL, more[k]);
        (void)fputs(" }", to);
    }
    (void)fputs("\n      ]", to);
}

static void json_resources(const Session *s, const AmogetExplanation *why, FILE *to)
{
    (void)fputs("\"resources\": [", to);
    for (int32_t i = 0; i < why->resource_count; i++) {
        (void)fprintf(to, "%s\n        { \"resource\": ", i ? "," : "");
        json_resource(to, s->desc, &why->resources[i]);
        (void)fprintf(to, ", \"share\": " FULL ", \"doubled\": " FULL " }", why->resources[i].share,
                      why->resources[i].doubled);
    }
    (void)fputs("\n      ]", to);
}

static void json_side(const Session *s, const AmogetEntry *entry, const AmogetExplanation *why,
                      FILE *to)
{
    (void)fputs("{\n      \"mapping\": ", to);
    json_mapping(to, s->desc, entry->mapping);
    (void)fprintf(to, ", \"throughput\": " FULL ",\n      ", entry->throughput);
    json_resources(s, why, to);
    (void)fputs(",\n      ", to);
}

static void json_explanation(const Session *s, FILE *to)
{
    const Comparison *c = &s->versus;
    const AmogetEntry *winner = &s->ranking->entries[0];
    (void)fputs(",\n  \"explanation\": {\n    \"winner\": ", to);
    json_side(s, winner, s->why[0], to);
    json_activities(s, winner->mapping, s->why[0], NULL, to);
    (void)fputs(" },\n    \"loser\": ", to);
    if (c->loser) {
        json_side(s, c->loser, c->why, to);
        json_activities(s, c->loser->mapping, c->why, c->more, to);
        if (amoget_sharing(s->desc) == AMOGET_SERIAL)
            (void)fprintf(to, ",\n      \"turns\": " FULL, c->turns);
        (void)fputs(",\n      \"because\": \"", to);
        if (c->largest == ADDS_TURNS)
            (void)fputs(turns_text, to);
        else
            print_activity(to, s->desc, c->largest);
        (void)fputs("\" } }", to);
    } else {
        (void)fputs("null }", to);
    }
}

/* ---- reports -------------------------------------------------------------------------------- */

static void json_head(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    (void)fputs("{ \"description\": ", to);
    json_string(to, description_name(&s->file));
    (void)fprintf(to, ",\n  \"stages\": %d, \"processors\": %d, \"search\": \"%s\",\n", r->stages,
                  amoget_processor_count(amoget_machine(s->desc)), amoget_search_name(r->search));
    (void)fputs("  \"candidates\": ", to);
    json_count(to, r->candidates);
    (void)fputs(", \"solved\": ", to);
    json_count(to, r->solved);
    (void)fputs(", \"pruned\": ", to);
    json_count(to, r->pruned);
    (void)fprintf(to, ", \"chains\": %" PRId64 ",\n  \"optimal\": %s, \"bound\": ", r->chains,
                  r->optimal ? "true" : "false");
    json_number(to, r->bound);
}

bool report_json(const Session *s, FILE *to)
{
    json_head(s, to);
    (void)fputs(",\n  \"ranking\": [", to);
    for (int64_t i = 0; i < s->shown; i++)
        json_entry(s, i, to);
    (void)fprintf(to, "%s]", s->shown ? "\n  " : "");
    if (s->options->explain && s->why[0])
        json_explanation(s, to);
    else if (s->options->explain)
        (void)fputs(",\n  \"explanation\": null", to);
    (void)fprintf(to,
                  ",\n  \"seconds\": { \"parse\": %.9f, \"derive\": %.9f, \"solve\": %.9f },\n"
                  "  \"warnings\": ",
                  s->parse_seconds, s->derive_seconds, s->solve_seconds);
    json_findings(to, &s->file.findings);
    (void)fputs(" }\n", to);
    return true;
}

/* A cell that may hold commas. */
static bool csv_mapping(const Session *s, const int32_t *mapping, FILE *to)
{
    char *text = NULL;
    size_t size;
    FILE *cell = open_memstream(&text, &size);
    if (!cell)
        return false;
    print_mapping(cell, s->desc, mapping);
    if (!close_text(cell, &text))
        return false;
    csv_string(to, text);
    free(text);
    return true;
}

bool report_csv(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    bool ok = true;
    (void)fputs("rank,tied,mapping,throughput,relative,processors,stands_for,bottleneck,optimal,"
                "bound\n",
                to);
    for (int64_t i = 0; i < s->shown && ok; i++) {
        const AmogetEntry *e = &r->entries[i];
        (void)fprintf(to, "%d,%d,", e->rank, e->tied);
        ok = csv_mapping(s, e->mapping, to);
        (void)fprintf(to, "," FULL "," FULL ",%d,", e->throughput,
                      e->rank == 1 ? 1 : e->throughput / r->entries[0].throughput, e->processors);
        json_count(to, e->stands_for);
        (void)fputc(',', to);
        print_bottleneck(to, s, i, "");
        (void)fprintf(to, ",%d," FULL "\n", r->optimal, r->bound);
    }
    return ok;
}
