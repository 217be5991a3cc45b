/* The report for a person: what was ranked and how certain that is, then the ranking. */
#include <math.h>

#include "amoget_cli.h"

static const char *plural(double count)
{
    return count == 1 ? "" : "s";
}

/* "as 7 chains of 27 states and 51 transitions, 0.001 s in all" */
static void print_work(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    char chains[NUMBER_SIZE], states[NUMBER_SIZE], transitions[NUMBER_SIZE];
    (void)fprintf(to, "%s chain%s of %s states and %s transitions, %.3g s in all\n",
                  number_grouped(r->chains, chains), plural((double)r->chains),
                  number_grouped(r->states, states), number_grouped(r->transitions, transitions),
                  s->parse_seconds + s->derive_seconds + s->solve_seconds);
}

static void print_search(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    char all[COUNT_SIZE], solved[COUNT_SIZE], pruned[COUNT_SIZE];
    (void)count_text(r->candidates, all);
    (void)count_text(r->solved, solved);
    if (r->search != AMOGET_BEST) {
        (void)fprintf(to, r->search == AMOGET_ALL ? "all %s mapping%s" : "%s listed mapping%s", all,
                      plural(r->candidates));
        (void)fprintf(to, " solved, as ");
    } else if (r->optimal) {
        (void)fprintf(to,
                      "proved best of %s mapping%s: %s solved, the others ruled out by bounds\n",
                      all, plural(r->candidates), solved);
    } else {
        double gap = r->bound / r->entries[0].throughput - 1;
        if (gap > 1e-9)
            (void)fprintf(to, "not proved: no mapping can have more than %.10g (gap %.*f%%)\n",
                          r->bound, gap < 0.01 ? 4 : 1, 100 * gap);
        else
            (void)fputs(
                "not proved: none has more than the first, but others as good may be missing\n",
                to);
        (void)fprintf(to, "%s after %s of %s mappings, %s others ruled out by bounds\n",
                      s->interrupted ? "interrupted" : "time was up", solved, all,
                      count_text(r->pruned, pruned));
    }
    print_work(s, to);
}

static bool print_entries(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    Table t;
    FILE *cells = table_new(&t);
    bool alike = false;
    if (!cells)
        return false;
    for (int64_t i = 0; i < s->shown; i++)
        alike = alike || r->entries[i].stands_for > 1;
    (void)fprintf(cells, "rank \tmapping\titems per second\tof the best\tbottleneck%s\t\n",
                  alike ? "\tstands for" : "");
    for (int64_t i = 0; i < s->shown; i++) {
        const AmogetEntry *e = &r->entries[i];
        char count[COUNT_SIZE];
        (void)fprintf(cells, "%d%c\t", e->rank, e->tied ? '=' : ' ');
        print_mapping(cells, s->desc, e->mapping);
        (void)fprintf(cells, "\t%#.10g\t%.2f%%\t", e->throughput,
                      100 * e->throughput / r->entries[0].throughput);
        print_bottleneck(cells, s, i, "?");
        if (alike)
            (void)fprintf(cells, "\t%s", count_text(e->stands_for, count));
        (void)fputs("\t\n", cells);
    }
    return table_print(&t, "rlrrlr", to);
}

/* What the table means, where it needs words. */
static void print_notes(const Session *s, FILE *to)
{
    const AmogetRanking *r = s->ranking;
    bool tied = false, alike = false;
    char more[COUNT_SIZE];
    for (int64_t i = 0; i < s->shown; i++) {
        tied = tied || r->entries[i].tied;
        alike = alike || r->entries[i].stands_for > 1;
    }
    if (r->search != AMOGET_BEST && r->candidates > (double)s->shown)
        (void)fprintf(to, "  %s more: --top N shows more, --top 0 all\n",
                      count_text(r->candidates - (double)s->shown, more));
    if (s->shown > 0 && !s->why[s->shown - 1])
        (void)fprintf(to, "  ? %s before the bottleneck was found\n",
                      s->interrupted ? "interrupted" : "the time was up");
    if (tied)
        (void)fputs("  = tied, equal to 9 digits: those with fewest processors first\n", to);
    if (alike)
        (void)fputs("  a mapping stands for those that differ only by exchanging processors that "
                    "are alike\n",
                    to);
}

bool report_text(const Session *s, FILE *to)
{
    int32_t stages = amoget_stage_count(s->desc);
    int32_t processors = amoget_processor_count(amoget_machine(s->desc));
    (void)fprintf(to, "%s: %d stage%s on %d processor%s\n", description_name(&s->file), stages,
                  plural(stages), processors, plural(processors));
    print_search(s, to);
    (void)fputc('\n', to);
    bool ok = print_entries(s, to);
    print_notes(s, to);
    return ok && (!s->options->explain || !s->why[0] || explain_text(s, to));
}
