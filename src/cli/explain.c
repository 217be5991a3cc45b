/* Explains an answer in five lines: states, matrix, methods before, the method, how sure it is.
 * The library's evidence in words. */
#include <math.h>
#include <string.h>

#include "report.h"

/* ", 1.2 MB, in 0.12 s". */
static void add_cost(Text *line, double seconds, double bytes)
{
    const double kilo = 1e3, mega = 1e6, giga = 1e9;
    const double unit = bytes < mega ? kilo : bytes < giga ? mega : giga;
    text_add(line, ", %.3g %s, in %.3g s", bytes / unit,
             bytes < mega   ? "kB"
             : bytes < giga ? "MB"
                            : "GB",
             seconds);
}

/* ---- states --------------------------------------------------------------------------------- */

static double each(int64_t states, int64_t visits)
{
    const double mean = visits > 0 ? (double)states / (double)visits : 0;
    return mean < 100 ? round(10 * mean) / 10 : round(mean);
}

static void add_abandoned(const PepaDeriveEvidence *e, Text *line)
{
    char visits[NUMBER_SIZE], found[NUMBER_SIZE];
    (void)number_grouped(e->left_visits, visits);
    (void)number_grouped(e->left_found, found);
    if (e->abandoned == PEPA_SEARCH_ALONE)
        text_add(
            line,
            "the search for sets was abandoned after %s visits, with only %.6g states for each",
            visits, each(e->left_found, e->left_visits));
    else if (e->abandoned == PEPA_SEARCH_COSTLY)
        text_add(line,
                 "the search for sets was abandoned as too costly, after %s visits with %s "
                 "states",
                 visits, found);
    else if (e->abandoned == PEPA_SEARCH_MEMORY)
        text_add(line, "sets would take too much memory");
    else
        text_add(line, "sets need several components with much in common and no functional rates");
}

static void add_why_explored(const PepaDeriveEvidence *e, bool sets, Text *line)
{
    char visits[NUMBER_SIZE];
    text_add(line, sets ? "as sets" : "one by one");
    switch (e->explored) {
    case PEPA_EXPLORED_FEW:
        text_add(line, ", since they are few");
        break;
    case PEPA_EXPLORED_SHARED:
        text_add(line, ", since %s visits found %.6g for each", number_grouped(e->visits, visits),
                 each(e->found, e->visits));
        break;
    case PEPA_EXPLORED_LEFT:
        text_add(line, ", since some are left for ever");
        break;
    case PEPA_EXPLORED_AFTER_ALL:
        text_add(line, " after all, since they are too many to explore or to solve one by one");
        if (e->abandoned == PEPA_SEARCH_NOT_ABANDONED)
            break;
        text_add(line, ", although ");
        add_abandoned(e, line);
        break;
    case PEPA_EXPLORED_ABANDONED:
        text_add(line, ", since ");
        add_abandoned(e, line);
        break;
    default:
        text_add(line, ", as requested");
    }
}

static void add_states(const Session *s, Text *line)
{
    const PepaDeriveEvidence *e = &s->evidence.derive;
    char states[NUMBER_SIZE], transitions[NUMBER_SIZE];
    text_add(line, "States: %s, with %s transitions", number_grouped(s->info.states, states),
             number_grouped(s->info.transitions, transitions));
    add_cost(line, e->seconds, e->bytes);
    text_add(line, "; ");
    add_why_explored(e, s->info.symbolic, line);
    text_add(line, ".");
}

/* ---- matrix --------------------------------------------------------------------------------- */

static const char *order_text(PepaOrder order)
{
    return order == PEPA_ORDER_FIRST  ? "by local states, the first component's first"
           : order == PEPA_ORDER_LAST ? "by local states, the last component's first"
                                      : "as found";
}

static void add_matrix(const Session *s, Text *line)
{
    const PepaSolveEvidence *e = &s->evidence.solve;
    char entries[NUMBER_SIZE];
    const char *form =
        strcmp(s->solved.matrix, "free") == 0 ? "free, as blocks that repeat" : s->solved.matrix;
    if (e->entries == 0) {
        text_add(line, "Matrix: none.");
        return;
    }
    text_add(line, "Matrix: %s, %s entries", form, number_grouped(e->entries, entries));
    add_cost(line, s->solved.matrix_seconds, e->bytes);
    text_add(line, "; states are ordered %s%s", order_text(e->order),
             e->reversed ? ", in reverse" : "");
    if (e->backward > 0)
        text_add(line, ", and %.2g%% of the jumps lead back", 100 * e->backward);
    text_add(line, ".");
}

/* ---- methods -------------------------------------------------------------------------------- */

static int32_t attempts_kept(const PepaSolveEvidence *e)
{
    return e->attempts < PEPA_MOST_ATTEMPTS ? e->attempts : PEPA_MOST_ATTEMPTS;
}

static void add_name(const PepaAttempt *a, Text *line)
{
    text_add(line, "%s", a->method);
    if (strcmp(a->precondition, "none") != 0)
        text_add(line, " with %s", a->precondition);
}

static void add_iterations(const PepaAttempt *a, Text *line)
{
    char count[NUMBER_SIZE];
    if (a->iterations > 0)
        text_add(line, "%s iteration%s", number_grouped(a->iterations, count),
                 a->iterations == 1 ? "" : "s");
    text_add(line, "%sin %.3g s", a->iterations > 0 ? " " : "", a->seconds);
}

static void add_end(const PepaAttempt *a, Text *line)
{
    static const char *const ends[] = {
        [PEPA_ENDED_MET] =
            "met the tolerance, but shares of groups of states or of rare ones had not settled",
        [PEPA_ENDED_STALLED] = "stalled",
        [PEPA_ENDED_ITERATIONS] = "ran out of iterations",
        [PEPA_ENDED_FILL] = "would have filled up or worked too much",
        [PEPA_ENDED_MEMORY] = "would have taken too much memory",
        [PEPA_ENDED_CANCELLED] = "was cancelled",
        [PEPA_ENDED_SHORT] = "stopped short",
    };
    char left[NUMBER_SIZE];
    text_add(line, " %s", ends[a->end]);
    if (a->end == PEPA_ENDED_STALLED && a->left < 1e15)
        text_add(line, " with some %s left", number_grouped((int64_t)ceil(a->left), left));
    if (a->end != PEPA_ENDED_FILL && a->end != PEPA_ENDED_MEMORY)
        text_add(line, " at %.1e", a->residual);
    text_add(line, ", ");
    add_iterations(a, line);
}

static void add_tried(const PepaSolveEvidence *e, Text *line)
{
    int32_t count = attempts_kept(e), told = 0;
    char states[NUMBER_SIZE];
    text_add(line, "Tried before: ");
    if (e->lumped > 0)
        text_add(line, "%s states in counted form, for the first guess",
                 number_grouped(e->lumped, states));
    for (int32_t i = 0; i < count; i++)
        if (i != e->answer) {
            text_add(line, told++ > 0 || e->lumped > 0 ? "; " : "");
            add_name(&e->attempt[i], line);
            add_end(&e->attempt[i], line);
        }
    text_add(line, told > 0 || e->lumped > 0 ? "." : "nothing.");
}

static void add_why_tried(const PepaSolveEvidence *e, const PepaAttempt *a, Text *line)
{
    static const char *const reasons[] = {
        [PEPA_TRIED_REQUESTED] = "as requested",
        [PEPA_TRIED_FEW_STATES] = "since few states are eliminated",
        [PEPA_TRIED_DECOMPOSABLE] = "since only rare jumps join groups of states",
        [PEPA_TRIED_NARROW] =
            "since with entries this near the diagonal elimination hardly fills up",
        [PEPA_TRIED_SWEEPS] = "since most chains take few sweeps",
        [PEPA_TRIED_BLOCKS] = "since most chains take few sweeps, which blocks suffice for",
        [PEPA_TRIED_SLOW_SWEEPS] = "since sweeps were slow",
        [PEPA_TRIED_NEXT] = "since those before fell short",
        [PEPA_TRIED_PARTED] = "since few states part the chain",
    };
    char left[NUMBER_SIZE];
    double most = 0;
    for (int32_t i = 0; i < e->answer; i++)
        most = fmax(most, e->attempt[i].left);
    if (a->why == PEPA_TRIED_SLOW_SWEEPS && most > 0 && most < 1e15)
        text_add(line, "since sweeps seemed to need %s more",
                 number_grouped((int64_t)ceil(most), left));
    else
        text_add(line, "%s", reasons[a->why]);
}

static void add_method(const PepaSolveEvidence *e, Text *line)
{
    const PepaAttempt *a = e->answer >= 0 ? &e->attempt[e->answer] : NULL;
    char count[NUMBER_SIZE], transient[NUMBER_SIZE];
    text_add(line, "Method%s", e->components > 1 ? ", of the largest component" : "");
    text_add(line, ": ");
    if (a) {
        add_name(a, line);
        text_add(line, ", ");
        add_why_tried(e, a, line);
        text_add(line, "; ");
        add_iterations(a, line);
        if (a->iterations > 0 && a->start > 0 && a->residual > 0)
            text_add(line, ", each left %.2g of the residual on average",
                     pow(a->residual / a->start, 1 / (double)a->iterations));
    } else {
        text_add(line, e->attempts > 0 ? "none met the tolerance" : "none: nothing to solve");
    }
    if (e->transient > 0)
        text_add(line,
                 "; the probabilities of ending in each of the %s come from %s %s state%s "
                 "that %s left for ever",
                 number_grouped(e->components, count),
                 e->censored ? "elimination of" : "the visits to",
                 number_grouped(e->transient, transient), e->transient == 1 ? "" : "s",
                 e->transient == 1 ? "is" : "are");
    text_add(line, ".");
}

static void add_certainty(const Session *s, Text *line)
{
    const PepaSolveEvidence *e = &s->evidence.solve;
    text_add(line,
             "Certainty: %.1e of the flow and %.1e by time are out of balance, by the transitions; "
             "at most %.1e allowed.",
             e->residual, e->by_time, s->solved.tolerance);
    if (s->solved.caution[0])
        text_add(line, "  Caution: %s.", s->solved.caution);
    else
        text_add(line, "  Nothing calls for caution.");
}

bool explain_lines(const Session *s, bool solved, Text lines[EXPLAINED])
{
    bool ok = true;
    add_states(s, &lines[0]);
    add_matrix(s, &lines[1]);
    add_tried(&s->evidence.solve, &lines[2]);
    add_method(&s->evidence.solve, &lines[3]);
    if (solved)
        add_certainty(s, &lines[4]);
    else
        text_add(&lines[4], "Certainty: none, for there is no answer.");
    for (int i = 0; i < EXPLAINED; i++)
        ok = ok && !lines[i].failed;
    return ok;
}

bool explain_text(const Session *s, bool solved, FILE *to)
{
    Text lines[EXPLAINED] = {{0}};
    bool ok = explain_lines(s, solved, lines);
    for (int i = 0; i < EXPLAINED; i++) {
        if (ok)
            (void)fprintf(to, "%s\n", lines[i].text);
        text_free(&lines[i]);
    }
    return ok || out_of_memory() == EXIT_SOLVED;
}
