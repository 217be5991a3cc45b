/* Options of pepa, by table: one row each, with its argument and what it does. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "checkpoint.h"
#include "memory.h"
#include "options.h"

enum {
    OPT_EVERY = OPT_OWN,
    OPT_MEMORY,
    OPT_EXPLORE,
    OPT_MATRIX,
    OPT_PRECONDITION,
    OPT_WITH,
    OPT_PROBABILITY,
    OPT_MEASURE,
    OPT_MEASURES,
    OPT_POSITIVE,
    OPT_VARY,
    OPT_LABEL,
    OPT_WITHIN,
    OPT_SUBJECT
};

/* Where a member is that has this type; another type does not compile. */
#define AT(member, type) (offsetof(Options, member) + _Generic(((Options *)0)->member, type : 0u))
static const OptionRow rows[] = {
    {OPT_FLAG, AT(json, bool), TAKES_FORM, "json", NULL, "print one JSON object", NULL},
    {OPT_FLAG, AT(json, bool), TAKES_WALK, "json", NULL,
     "print one JSON object per state, each on a line", NULL},
    {OPT_FLAG, AT(csv, bool), TAKES_FORM, "csv", NULL, "print comma-separated values", NULL},
    {OPT_TEXT, AT(method, const char *), TAKES_SOLVE, "method", "M",
     "how to solve; 'pepa help methods' lists them", NULL},
    {OPT_SHARE, AT(set.solve.tolerance, double), TAKES_SOLVE, "tolerance", "T",
     "largest share of the flow out of balance (1e-10)", "a number between 0 and 1"},
    {OPT_TEXT, AT(csl, const char *), TAKES_CSL, "csl", "FORMULA",
     "does this hold, such as 'P>=0.99 [ true U[0,5] {Served >= 1} ]'?", NULL},
    {OPT_SHARE, AT(set.solve.tolerance, double), TAKES_ACCUMULATED | TAKES_CSL, "tolerance", "T",
     "most that truncation adds to the error of a probability (1e-10)", "a number between 0 and 1"},
    {OPT_COUNT, AT(set.solve.max_iter, int64_t), TAKES_SOLVE, "max-iterations", "N",
     "per method (chosen by the method)", "a whole number from 1"},
    {OPT_TEXT, AT(picture, const char *), TAKES_GRAPH, "of", "WHAT",
     "cooperation, components or states (cooperation)", NULL},
    {OPT_TEXT, AT(format, const char *), TAKES_GRAPH, "format", "F",
     "dot or svg (what the name of --output ends in, or dot)", NULL},
    {OPT_COUNT, AT(set.derive.max_states, int64_t), TAKES_GRAPH, "max-states", "N",
     "draw so many states at most (100)", "a whole number from 1"},
    {OPT_COUNT, AT(set.derive.max_states, int64_t), TAKES_DERIVE, "max-states", "N",
     "stop beyond this many states (20000000 if one by one)", "a whole number from 1"},
    {OPT_COUNT, AT(set.derive.max_states, int64_t), TAKES_WALK, "max-states", "N",
     "jump to no state beyond this number (20000000)", "a whole number from 1"},
    {OPT_COUNT, AT(seed, int64_t), TAKES_WALK, "seed", "N", "of the steps at random (1)",
     "a whole number from 1"},
    {OPT_COUNT, AT(seed, int64_t), TAKES_FIT, "seed", "N", "of the p-values (1)",
     "a whole number from 1"},
    {OPT_TEXT, AT(column, const char *), TAKES_FIT, "column", "NAME|N",
     "the column that holds the durations", NULL},
    {OPT_TEXT, AT(family, const char *), TAKES_FIT, "family", "F",
     "erlang, hyper, hyper-erlang, cox or any (any)", NULL},
    {OPT_COUNT, AT(phases, int64_t), TAKES_FIT, "phases", "N", "so many phases (chosen)",
     "a whole number from 1"},
    {OPT_COUNT, AT(max_phases, int64_t), TAKES_FIT, "max-phases", "N",
     "at most so many phases (10)", "a whole number from 1"},
    {OPT_TEXT, AT(criterion, const char *), TAKES_FIT, "criterion", "C",
     "by which the candidates are compared: bic or aic (bic)", NULL},
    {OPT_TEXT, AT(action, const char *), TAKES_FIT, "action", "NAME",
     "the action in what is printed to paste into a model (work)", NULL},
    {OPT_FLAG, AT(states, bool), TAKES_FIT, "states", NULL,
     "print it as components of plain PEPA as well", NULL},
    {OPT_COUNT, AT(bootstrap, int64_t), TAKES_FIT, "bootstrap", "N",
     "samples drawn from the fit for its p-values (99)", "a whole number from 1"},
    {OPT_FLAG, AT(no_test, bool), TAKES_FIT, "no-test", NULL, "no p-values", NULL},
    {OPT_COUNT, AT(max_steps, int64_t), TAKES_WALK, "max-steps", "N",
     "of a run at random until a predicate is true (1000000)", "a whole number from 1"},
    {OPT_DEFINE, 0, TAKES_DERIVE | TAKES_MODEL, "define", "rate=value",
     "give a rate another value, such as 1/2 or 3*mu; may be repeated", NULL},
    {OPT_FLAG, AT(no_files, bool), TAKES_DERIVE | TAKES_MODEL, "no-files", NULL,
     "read no file of durations: for models of strangers", NULL},
    {OPT_FLAG, AT(no_aggregate, bool), TAKES_DERIVE | TAKES_MODEL, "no-aggregate", NULL,
     "keep the copies of P[n] apart", NULL},
    {OPT_THREADS, AT(set.threads, int), TAKES_DERIVE | TAKES_SIMULATE, "threads", "N",
     "threads to use (one per core); results do not depend on it", "a whole number from 1 to 4096"},
    {OPT_MEMORY, 0, TAKES_DERIVE, "memory", "SIZE",
     "most memory to use, such as 800MB or 1.5GiB (what is free)",
     "a number of bytes, or one with kB, MB, GB, TB, KiB, MiB, GiB or TiB, as 1.5GB"},
    {OPT_EXPLORE, 0, TAKES_EXPLORE, "explore", "HOW", "find the states explicit, symbolic or auto",
     "explicit, symbolic or auto"},
    {OPT_MATRIX, 0, TAKES_SOLVE, "matrix", "HOW", "keep the matrix explicit, compact, free or auto",
     "explicit, compact, free or auto"},
    {OPT_PRECONDITION, 0, TAKES_SOLVE, "precondition", "HOW",
     "by none, sweep, symmetric, ilu0, ilut, block, multilevel or auto",
     "none, sweep, symmetric, ilu0, ilut, block, multilevel or auto"},
    {OPT_MEASURE, 0, TAKES_MEASURES, "measure", "[NAME=]EXPR",
     "a measure, such as 'population:A / throughput:b'; may be repeated", NULL},
    {OPT_MEASURES, 0, TAKES_MEASURES, "measures", "FILE", "measures, one to a line", NULL},
    {OPT_TEXT, AT(at, const char *), TAKES_TIMES, "at", "T,T,...", "at these times, ascending",
     NULL},
    {OPT_POSITIVE, 0, TAKES_TIMES, "until", "T", "at --points equal steps from 0 to this time",
     "a number above 0"},
    {OPT_COUNT, AT(points, int64_t), TAKES_TIMES, "points", "N", "steps to --until (100)",
     "a whole number from 1"},
    {OPT_FLAG, AT(steady, bool), TAKES_SIMULATE | TAKES_FLUID | TAKES_POINTS, "steady", NULL,
     "in the long run", NULL},
    {OPT_FLAG, AT(rare, bool), TAKES_SIMULATE, "rare", NULL,
     "probabilities of rare events, by importance splitting", NULL},
    {OPT_FLAG, AT(simulate, bool), TAKES_POINTS, "simulate", NULL,
     "by simulation, with random numbers that all points have in common", NULL},
    {OPT_COUNT, AT(runs, int64_t), TAKES_SIMULATE | TAKES_POINTS, "runs", "N",
     "independent runs (1000; 32 long ones with --steady), or at most so many",
     "a whole number from 1"},
    {OPT_FLAG, AT(simulate, bool), TAKES_SAMPLED, "simulate", NULL,
     "by simulation, with intervals: for models of any size", NULL},
    {OPT_COUNT, AT(runs, int64_t), TAKES_SAMPLED, "runs", "N",
     "passages (10000), or, in the long run, long runs (32), with --simulate",
     "a whole number from 1"},
    {OPT_TEXT, AT(hosts, const char *), TAKES_SHARES, "hosts", "FILE",
     "share the work with the machines that this describes", NULL},
    {OPT_SHARE, AT(relative_width, double), TAKES_INTERVALS, "relative-width", "W",
     "go on until every interval is its value +- at most this share of it",
     "a number between 0 and 1"},
    {OPT_SHARE, AT(confidence, double), TAKES_INTERVALS, "confidence", "C",
     "of the intervals (0.95)", "a number between 0 and 1"},
    {OPT_COUNT, AT(max_events, int64_t), TAKES_SIMULATE | TAKES_POINTS, "max-events", "N",
     "give up after so many (10,000,000,000)", "a whole number from 1"},
    {OPT_COUNT, AT(max_events, int64_t), TAKES_SAMPLED, "max-events", "N",
     "give up after so many (1,000,000,000), with --simulate", "a whole number from 1"},
    {OPT_COUNT, AT(seed, int64_t), TAKES_INTERVALS, "seed", "N", "of the random numbers (1)",
     "a whole number from 1"},
    {OPT_FLAG, AT(moments, bool), TAKES_FLUID, "moments", NULL,
     "means of second order, and standard deviations", NULL},
    {OPT_SHARE, AT(set.solve.tolerance, double), TAKES_FLUID, "tolerance", "T",
     "error of a step, or residual, in shares of the populations (1e-10)",
     "a number between 0 and 1"},
    {OPT_TEXT, AT(compare, const char *), TAKES_COMPARE, "compare", "A,A,...",
     "by several analyses, side by side: some of exact, simulate, fluid", NULL},
    {OPT_FLAG, AT(accumulated, bool), TAKES_ACCUMULATED, "accumulated", NULL,
     "from time 0 until then: completions, and time spent", NULL},
    {OPT_TEXT, AT(from_action, const char *), TAKES_PASSAGE, "from-action", "A,A,...",
     "from completions of these actions in the long run", NULL},
    {OPT_TEXT, AT(from, const char *), TAKES_PASSAGE, "from", "PREDICATE",
     "from entering states of which it is true, in the long run", NULL},
    {OPT_FLAG, AT(from_start, bool), TAKES_PASSAGE, "from-start", NULL, "from the initial state",
     NULL},
    {OPT_TEXT, AT(to_action, const char *), TAKES_PASSAGE, "to-action", "A,A,...",
     "until the next completion of one of these actions", NULL},
    {OPT_TEXT, AT(to, const char *), TAKES_PASSAGE, "to", "PREDICATE",
     "until a state of which it is true", NULL},
    {OPT_TEXT, AT(probe, const char *), TAKES_PROBE, "probe", "PROBE",
     "with a probe, such as 'Client:(request:start, response:stop)'", NULL},
    {OPT_FLAG, AT(field, bool), TAKES_PASSAGE, "fluid", NULL,
     "of the probe's component among large populations, by differential equations", NULL},
    {OPT_TEXT, AT(quantiles, const char *), TAKES_PASSAGE, "quantiles", "Q,Q,...",
     "within which time so many per cent end (50,90,99)", NULL},
    {OPT_TEXT, AT(plot, const char *), TAKES_PLOT, "plot", "FILE",
     "a picture by gnuplot: .svg, .png, .pdf, or .gp for its text", NULL},
    {OPT_TEXT, AT(of, const char *), TAKES_OF, "of", "[NAME=]EXPR",
     "the measure, such as 'population:A / throughput:b'", NULL},
    {OPT_VARY, 0, TAKES_VARY, "vary", "rate=VALUES",
     "from:to:step, log:from:to:points or v,v,...; may be repeated",
     "rate=from:to:step, rate=log:from:to:points or rate=v,v,..."},
    {OPT_TEXT, AT(maximise, const char *), TAKES_OPTIMISE, "maximise", "[NAME=]EXPR",
     "the measure to make large, such as 'throughput:a - 2 * rate:b'", NULL},
    {OPT_TEXT, AT(minimise, const char *), TAKES_OPTIMISE, "minimise", "[NAME=]EXPR",
     "the measure to make small", NULL},
    {OPT_WITHIN, 0, TAKES_OPTIMISE, "within", "rate=low:high",
     "a rate to choose, or a number of copies, and its range; may be repeated", "rate=low:high"},
    {OPT_SUBJECT, 0, TAKES_OPTIMISE, "subject", "CONSTRAINT",
     "'EXPR <= VALUE', or >=, whose VALUE may name rates; may be repeated", NULL},
    {OPT_TEXT, AT(checkpoint, const char *), TAKES_EXPLAIN, "checkpoint", "FILE",
     "keep the solution there now and then, to go on after an interruption", NULL},
    {OPT_EVERY, 0, TAKES_EXPLAIN, "every", "TIME", "between checkpoints, as 30s or 2h (10min)",
     "a time, as 30s, 10min or 2h"},
    {OPT_FLAG, AT(resume, bool), TAKES_EXPLAIN, "resume", NULL,
     "go on from the checkpoint, if there is one", NULL},
    {OPT_FLAG, AT(explain, bool), TAKES_EXPLAIN, "explain", NULL,
     "say what was chosen, why, and what it cost", NULL},
    {OPT_FLAG, AT(certify, bool), TAKES_EXPLAIN, "certify", NULL,
     "bounds between which the exact values of throughputs and measures are", NULL},
    {OPT_FLAG, AT(lump, bool), TAKES_EXPLAIN, "lump", NULL,
     "solve a smaller chain that has the same measures", NULL},
    {OPT_FLAG, AT(solve, bool), TAKES_FILTER, "solve", NULL,
     "show the steady-state probability of each state", NULL},
    {OPT_WITH, 0, TAKES_FILTER, "with", "LOCAL",
     "only states in which some component is in local state LOCAL; may be repeated", NULL},
    {OPT_TEXT, AT(where, const char *), TAKES_FILTER, "where", "PREDICATE",
     "only states of which it is true, such as 'Down >= 2 && !enabled(serve)'", NULL},
    {OPT_TEXT, AT(enables, const char *), TAKES_FILTER, "enables", "ACTION",
     "only states that can do ACTION", NULL},
    {OPT_PROBABILITY, 0, TAKES_FILTER, "probability", "LOW..HIGH",
     "only states of such a probability; either end may be left out",
     "a range, as 0.1..0.5, 0.1.. or ..0.5"},
    {OPT_COUNT, AT(top, int64_t), TAKES_FILTER, "top", "N", "only the N most probable states",
     "a whole number from 1"},
    {OPT_TEXT, AT(format, const char *), TAKES_EXPORT, "format", "F",
     "prism tra sta lab drn mtx dot csv pepa", NULL},
    {OPT_LABEL, 0, TAKES_EXPORT, "label", "NAME=PREDICATE",
     "a label for prism, lab and drn, such as 'down = Down >= 2'; may be repeated", NULL},
    {OPT_FLAG, AT(actions, bool), TAKES_EXPORT, "actions", NULL,
     "for prism and tra: a transition for each action, with its name", NULL},
    {OPT_OUTPUT, AT(output, const char *), TAKES_GRAPH, "output", "FILE",
     "write there instead of to standard output; -o as well", NULL},
    {OPT_OUTPUT, AT(output, const char *), TAKES_EXPORT, "output", "FILE",
     "write there instead of to standard output; for prism, the name before .tra, .sta, .lab",
     NULL},
    {OPT_FLAG, AT(quiet, bool), ~0u, "quiet", NULL, "no warnings, no progress", NULL},
    {OPT_FLAG, AT(progress, bool),
     TAKES_DERIVE | TAKES_WALK | TAKES_SIMULATE | TAKES_FLUID | TAKES_FIT, "progress", NULL,
     "show progress even when not at a terminal", NULL},
    {OPT_HELP, 0, ~0u, "help", NULL, "this text", NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(sizeof rows / sizeof *rows <= MOST_OPTIONS, "options_store has an entry for each");

/* What the command works on. */
static const char *operand(const Command *command)
{
    return command->takes & TAKES_FIT ? "SAMPLES" : "MODEL";
}

static bool set(void *options, int code, char *value);

static OptionTable table_of(const Command *command)
{
    return (OptionTable){.row = rows,
                         .rows = ROWS,
                         .takes = command->takes,
                         .command = command->called,
                         .help = command->help,
                         .operands = operand(command),
                         .about = command->about,
                         .set = set};
}

void options_help(const Command *command, FILE *to)
{
    OptionTable table = table_of(command);
    print_help(&table, to);
}

/* "rate=value": what is to be known of it now is that there is something on either side. */
static bool add_given(Given *list, size_t *count, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    *equals = '\0'; /* argv is ours to cut */
    list[(*count)++] = (Given){text, equals + 1};
    return true;
}

/* "LOW..HIGH", "LOW..", "..HIGH". */
static bool range(char *text, double *least, double *most)
{
    char *dots = strstr(text, "..");
    if (!dots)
        return false;
    *dots = '\0';
    bool ok = (!*text || number(text, least)) && (!dots[2] || number(dots + 2, most));
    *dots = '.';
    return ok && *least <= *most;
}

/* The words for values of PepaExplore, PepaMatrixForm and PepaPrecondition, in their order. */
static const char *const explore_words[] = {"explicit", "symbolic", "auto", NULL};
static const char *const matrix_words[] = {"auto", "explicit", "compact", "free", NULL};
static const char *const precondition_words[] = {"auto", "none",  "sweep",      "symmetric", "ilu0",
                                                 "ilut", "block", "multilevel", NULL};

/* The place of a word among `words`; -1: it is none of them. */
static int word(const char *text, const char *const *words)
{
    int i = 0;
    while (words[i] && strcmp(text, words[i]) != 0)
        i++;
    return words[i] ? i : -1;
}

/* Set an option of pepa's own; false: its value is no good. */
static bool set(void *options, int code, char *value)
{
    Options *o = options;
    int choice;
    switch (code) {
    case OPT_DEFINE:
        return add_given(o->defines, &o->define_count, value);
    case OPT_VARY:
        return add_given(o->vary, &o->vary_count, value);
    case OPT_LABEL:
        o->labels[o->label_count++] = value;
        return true;
    case OPT_WITHIN:
        return add_given(o->within, &o->within_count, value);
    case OPT_SUBJECT:
        o->subject[o->subject_count++] = value;
        return true;
    case OPT_EVERY:
        return duration(value, &o->every);
    case OPT_MEMORY:
        return memory_size(value, &o->set.memory);
    case OPT_EXPLORE:
        choice = word(value, explore_words);
        o->set.derive.explore = (PepaExplore)choice;
        return choice >= 0;
    case OPT_MATRIX:
        choice = word(value, matrix_words);
        o->set.solve.matrix = (PepaMatrixForm)choice;
        return choice >= 0;
    case OPT_PRECONDITION:
        choice = word(value, precondition_words);
        o->set.solve.precondition = (PepaPrecondition)choice;
        return choice >= 0;
    case OPT_WITH:
        o->with[o->with_count++] = value;
        return true;
    case OPT_POSITIVE:
        return number(value, &o->until) && o->until > 0;
    case OPT_MEASURE:
    case OPT_MEASURES:
        o->asked[o->asked_count++] = (Asked){value, code == OPT_MEASURES};
        return true;
    default: /* OPT_PROBABILITY */
        o->solve = true;
        return range(value, &o->least, &o->most);
    }
}

/* What options say together, and what they leave open.
 *   beside  processes of one command on this host, which share its memory */
static void complete(Options *o, int32_t beside)
{
    const int32_t cores = cores_allowed("");
    o->solve = o->solve || o->top;
    o->set.derive.separate_copies = o->no_aggregate;
    if (o->set.solve.matrix == PEPA_MATRIX_FREE && o->set.derive.explore == PEPA_EXPLORE_AUTO)
        o->set.derive.explore = PEPA_SYMBOLIC;
    o->threads_alone = o->set.threads ? o->set.threads : cores;
    if (!o->set.threads)
        o->set.threads = cores;
    o->set.threads = o->set.threads > beside ? o->set.threads / beside : 1;
    o->memory_alone = o->set.memory ? o->set.memory : memory_free();
    o->set.memory = o->memory_alone / beside;
}

/* limit: 0: none */
static int64_t smaller(int64_t limit, double bytes)
{
    const double most = 9e18;
    return bytes < most && (limit == 0 || bytes < (double)limit) ? (int64_t)bytes : limit;
}

void options_limit(Options *o, const Together *together)
{
    if (together->memory < 1)
        return;
    const double part = together->memory / together->sharing;
    o->memory_alone = smaller(o->memory_alone, together->memory);
    o->host_limits = part < (double)o->set.memory;
    o->set.memory = smaller(o->set.memory, part);
}

int options_read(Options *o, const Command *command, int32_t beside, int argc, char **argv)
{
    const char *called = command->called;
    OptionTable table = table_of(command);
    *o = (Options){.command = command, .most = 1};
    if (command->takes & TAKES_EXPLORE)
        o->set.derive.explore = PEPA_EXPLORE_AUTO;
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    o->vary = calloc((size_t)argc, sizeof *o->vary);
    o->within = calloc((size_t)argc, sizeof *o->within);
    o->subject = calloc((size_t)argc, sizeof *o->subject);
    o->with = calloc((size_t)argc, sizeof *o->with);
    o->asked = calloc((size_t)argc, sizeof *o->asked);
    o->labels = calloc((size_t)argc, sizeof *o->labels);
    if (!o->defines || !o->vary || !o->within || !o->subject || !o->with || !o->asked || !o->labels)
        return out_of_memory();
    int status = options_store(&table, argc, argv, o);
    PepaError err;
    if (status != GO_ON)
        return status;
    if (o->method && pepa_method_find(o->method, &o->set.solve.method, &err) != PEPA_OK)
        return fail(EXIT_USAGE, "%s: %s (see 'pepa help methods')", called, err.message);
    if (o->json && o->csv)
        return fail(EXIT_USAGE, "%s: give --json or --csv, not both", called);
    if (o->explain && o->csv)
        return fail(EXIT_USAGE, "%s: --explain has no form for --csv; give --json instead", called);
    if (optind == argc)
        return fail(EXIT_USAGE,
                    "%s: no %s given; usage: %s %s [OPTION]...\n"
                    "%s is a file, or - for standard input",
                    called, command->takes & TAKES_FIT ? "samples" : "model", called,
                    operand(command), operand(command));
    if (optind + 1 < argc)
        return fail(EXIT_USAGE, "%s: one model at a time: '%s' comes after '%s'; try '%s'", called,
                    argv[optind + 1], argv[optind], command->help);
    o->model = argv[optind];
    complete(o, beside);
    return EXIT_SOLVED;
}

void options_free(Options *o)
{
    free(o->defines);
    free(o->vary);
    free(o->within);
    free(o->subject);
    free(o->with);
    free(o->asked);
    free(o->labels);
}
