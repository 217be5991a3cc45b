/* The explanation for a person: what limits the best mapping, and why the next one loses. */
#include "amoget_cli.h"

enum { MOST_RESOURCES = 12 };

static double gain(const AmogetExplanation *why, const AmogetResource *r)
{
    return 100 * (r->doubled / why->throughput - 1);
}

static bool print_resources(const Session *s, const AmogetExplanation *why, FILE *to)
{
    Table t;
    FILE *cells = table_new(&t);
    if (!cells)
        return false;
    int32_t shown = why->resource_count > MOST_RESOURCES + 1 ? MOST_RESOURCES : why->resource_count;
    (void)fprintf(cells, "resource\tshare\ttwice as fast\t\n");
    for (const AmogetResource *r = why->resources; r < why->resources + shown; r++) {
        print_resource(cells, s->desc, r);
        (void)fprintf(cells, "\t%.1f%%\t%+.1f%%\t\n", 100 * r->share, gain(why, r));
    }
    bool ok = table_print(&t, "lrr", to);
    double rest = 0;
    for (int32_t i = shown; i < why->resource_count; i++)
        rest += why->resources[i].share;
    if (shown < why->resource_count)
        (void)fprintf(to, "  %d more, together %.1f%% (--json lists all)\n",
                      why->resource_count - shown, 100 * rest);
    return ok;
}

/* One sentence: the bottleneck, and what would help most. */
static void print_advice(const Session *s, const AmogetExplanation *why, FILE *to)
{
    const AmogetResource *first = why->resources, *most = first;
    for (const AmogetResource *r = first; r < first + why->resource_count; r++)
        if (r->doubled > most->doubled * (1 + 1e-9))
            most = r;
    (void)fputs("Bottleneck: ", to);
    print_resource(to, s->desc, first);
    (void)fprintf(to, ", %.1f%% of the time per item", 100 * first->share);
    if (most == first) {
        (void)fprintf(to,
                      ".\nTwice as fast, it would give %+.1f%%: nothing else would help as much.\n",
                      gain(why, first));
        return;
    }
    (void)fprintf(to, "; twice as fast, it would give %+.1f%%.\nMost would be gained by ",
                  gain(why, first));
    print_resource(to, s->desc, most);
    (void)fprintf(to, " twice as fast: %+.1f%%.\n", gain(why, most));
}

static void print_side(const Session *s, const int32_t *mapping, const AmogetExplanation *why,
                       int32_t part, FILE *to)
{
    print_place(to, s->desc, mapping, why, part);
    (void)fprintf(to, "\t%.4g\t%.1f%%\t", why->seconds[part], 100 * why->share[part]);
}

static bool print_sides(const Session *s, FILE *to)
{
    const Comparison *c = &s->versus;
    Table t;
    FILE *cells = table_new(&t);
    if (!cells)
        return false;
    (void)fprintf(cells, "activity\tplace\tseconds\tshare\tplace\tseconds\tshare\tadds s\t\n");
    for (int32_t k = 0; k < c->why->parts; k++) {
        print_activity(cells, s->desc, k);
        (void)fputc('\t', cells);
        print_side(s, s->ranking->entries[0].mapping, s->why[0], k, cells);
        print_side(s, c->loser->mapping, c->why, k, cells);
        (void)fprintf(cells, c->more[k] != 0 ? "%+.3g\t\n" : "0\t\n", c->more[k]);
    }
    if (amoget_sharing(s->desc) == AMOGET_SERIAL)
        (void)fprintf(cells, c->turns != 0 ? "%s\t\t\t\t\t\t\t%+.3g\t\n" : "%s\t\t\t\t\t\t\t0\t\n",
                      turns_text, c->turns);
    return table_print(&t, "llrrlrrr", to);
}

/* "takes 1 s on 3" */
static void print_fact(const Session *s, const int32_t *mapping, const AmogetExplanation *why,
                       int32_t part, FILE *to)
{
    static const char *const how[] =
        {[AMOGET_PROCESSOR] = "on ", [AMOGET_LINK] = "over ", [AMOGET_WITHIN] = ""};
    (void)fprintf(to, "%.4g s %s", why->seconds[part],
                  how[why->resources[why->resource[part]].kind]);
    print_place(to, s->desc, mapping, why, part);
}

static bool print_versus(const Session *s, FILE *to)
{
    const Comparison *c = &s->versus;
    const AmogetEntry *winner = &s->ranking->entries[0];
    double longer = 1 / c->loser->throughput - 1 / winner->throughput;
    (void)fputs("\nLeft ", to);
    print_mapping(to, s->desc, winner->mapping);
    (void)fputs(", right ", to);
    print_mapping(to, s->desc, c->loser->mapping);
    (void)fprintf(to, ", the best that loses: %.10g items per second\n", c->loser->throughput);
    if (!print_sides(s, to))
        return false;
    print_mapping(to, s->desc, c->loser->mapping);
    (void)fputs(" loses mainly because ", to);
    if (c->largest == ADDS_TURNS) {
        (void)fputs("stages on one processor take turns", to);
    } else {
        print_activity(to, s->desc, c->largest);
        (void)fputs(" takes ", to);
        print_fact(s, c->loser->mapping, c->why, c->largest, to);
        (void)fputs("\ninstead of ", to);
        print_fact(s, winner->mapping, s->why[0], c->largest, to);
    }
    (void)fprintf(to, ".\nThat adds %.3g s to the time per item, which is %.3g s longer in all.\n",
                  c->largest == ADDS_TURNS ? c->turns : c->more[c->largest], longer);
    return true;
}

bool explain_text(const Session *s, FILE *to)
{
    (void)fputs("\nWhat limits ", to);
    print_mapping(to, s->desc, s->ranking->entries[0].mapping);
    (void)fputc('\n', to);
    if (!print_resources(s, s->why[0], to))
        return false;
    print_advice(s, s->why[0], to);
    if (s->versus.loser)
        return print_versus(s, to);
    if (s->ranking->candidates > 1)
        (void)fputs("\nNo mapping that loses was found to compare it with.\n", to);
    return true;
}
