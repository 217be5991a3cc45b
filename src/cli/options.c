/* Options of pepa, by table: one row each, with its argument and what it does. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum {
    OPT_JSON = OPT_LONG,
    OPT_CSV,
    OPT_METHOD,
    OPT_TOLERANCE,
    OPT_ITERATIONS,
    OPT_STATES,
    OPT_NO_AGGREGATE,
    OPT_THREADS,
    OPT_MEMORY,
    OPT_EXPLORE,
    OPT_MATRIX,
    OPT_PRECONDITION,
    OPT_QUIET,
    OPT_PROGRESS,
    OPT_SOLVE,
    OPT_WITH,
    OPT_ENABLES,
    OPT_PROBABILITY,
    OPT_TOP,
    OPT_FORMAT,
    OPT_OUTPUT
};

static const OptionRow rows[] = {
    {OPT_JSON, TAKES_FORM, "json", NULL, "print one JSON object"},
    {OPT_CSV, TAKES_FORM, "csv", NULL, "print comma-separated values"},
    {OPT_METHOD, TAKES_SOLVE, "method", "M", "how to solve; 'pepa help methods' lists them"},
    {OPT_TOLERANCE, TAKES_SOLVE, "tolerance", "T",
     "largest share of the flow out of balance (1e-10)"},
    {OPT_ITERATIONS, TAKES_SOLVE, "max-iterations", "N", "per method (chosen by the method)"},
    {OPT_STATES, TAKES_DERIVE, "max-states", "N",
     "stop beyond this many states (20000000 if one by one)"},
    {OPT_DEFINE, TAKES_DERIVE, "define", "rate=value",
     "give a rate another value; may be repeated"},
    {OPT_NO_AGGREGATE, TAKES_DERIVE, "no-aggregate", NULL, "keep the copies of P[n] apart"},
    {OPT_THREADS, TAKES_DERIVE, "threads", "N",
     "most threads to use (1); results do not depend on it"},
    {OPT_MEMORY, TAKES_DERIVE, "memory", "SIZE",
     "most memory to use, such as 800MB or 1.5GiB (what is free)"},
    {OPT_EXPLORE, TAKES_EXPLORE, "explore", "HOW", "find the states explicit, symbolic or auto"},
    {OPT_MATRIX, TAKES_SOLVE, "matrix", "HOW", "keep the matrix explicit, compact, free or auto"},
    {OPT_PRECONDITION, TAKES_SOLVE, "precondition", "HOW",
     "by none, sweep, symmetric, ilu0, ilut, block, multilevel or auto"},
    {OPT_SOLVE, TAKES_FILTER, "solve", NULL, "show the steady-state probability of each state"},
    {OPT_WITH, TAKES_FILTER, "with", "LOCAL",
     "only states in which some component is in local state LOCAL; may be repeated"},
    {OPT_ENABLES, TAKES_FILTER, "enables", "ACTION", "only states that can do ACTION"},
    {OPT_PROBABILITY, TAKES_FILTER, "probability", "LOW..HIGH",
     "only states of such a probability; either end may be left out"},
    {OPT_TOP, TAKES_FILTER, "top", "N", "only the N most probable states"},
    {OPT_FORMAT, TAKES_EXPORT, "format", "F", "prism tra sta lab mtx dot csv pepa"},
    {OPT_OUTPUT, TAKES_EXPORT, "output", "FILE",
     "write there instead of to standard output; for prism, the name before .tra, .sta, .lab"},
    {OPT_QUIET, ~0u, "quiet", NULL, "no warnings, no progress"},
    {OPT_PROGRESS, TAKES_DERIVE, "progress", NULL, "show progress even when not at a terminal"},
    {OPT_HELP, ~0u, "help", NULL, "this text"},
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert(sizeof rows / sizeof *rows <= MOST_OPTIONS, "option_each has an entry for each");

enum { NAME_SIZE = 32 };
/* The table for a command, whose name and help are written to texts of NAME_SIZE bytes. */
static OptionTable table_of(const Command *command, char *name, char *help)
{
    (void)snprintf(name, NAME_SIZE, "pepa %s", command->name);
    (void)snprintf(help, NAME_SIZE, "pepa help %s", command->name);
    return (OptionTable){rows, ROWS, command->takes, name, help};
}

void options_help(const Command *command, FILE *to)
{
    char name[NAME_SIZE], help[NAME_SIZE];
    OptionTable table = table_of(command, name, help);
    (void)fprintf(to, "usage: pepa %s %s [OPTION]...\n%s\n\n", command->name, command->arguments,
                  command->about);
    option_help(&table, to);
}

static bool add_define(Options *o, char *text)
{
    char *equals = strchr(text, '=');
    PepaDefine define = {text, 0};
    if (!equals || equals == text || !number(equals + 1, &define.value))
        return false;
    *equals = '\0'; /* argv is ours to cut */
    o->defines[o->define_count++] = define;
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

static const char *const explore_names[] = {
    [PEPA_EXPLICIT] = "explicit", [PEPA_SYMBOLIC] = "symbolic", [PEPA_EXPLORE_AUTO] = "auto", NULL};
static const char *const matrix_names[] = {[PEPA_MATRIX_AUTO] = "auto",
                                           [PEPA_MATRIX_EXPLICIT] = "explicit",
                                           [PEPA_MATRIX_COMPACT] = "compact",
                                           [PEPA_MATRIX_FREE] = "free",
                                           NULL};

static const char *const precondition_names[] = {[PEPA_PRECONDITION_AUTO] = "auto",
                                                 [PEPA_PRECONDITION_NONE] = "none",
                                                 [PEPA_PRECONDITION_SWEEP] = "sweep",
                                                 [PEPA_PRECONDITION_SYMMETRIC] = "symmetric",
                                                 [PEPA_PRECONDITION_ILU0] = "ilu0",
                                                 [PEPA_PRECONDITION_ILUT] = "ilut",
                                                 [PEPA_PRECONDITION_BLOCK] = "block",
                                                 [PEPA_PRECONDITION_MULTILEVEL] = "multilevel",
                                                 NULL};

/* The place of a word among names; -1: it is none of them. */
static int word(const char *text, const char *const *names)
{
    int i = 0;
    while (names[i] && strcmp(text, names[i]) != 0)
        i++;
    return names[i] ? i : -1;
}

/* Apply one option; false: its value is no good. */
static bool set(Options *o, int code, char *value)
{
    int64_t n = 0;
    int choice;
    switch (code) {
    case OPT_JSON:
    case OPT_CSV:
        o->forms |= code == OPT_JSON ? 1u << OUT_JSON : 1u << OUT_CSV;
        o->form = code == OPT_JSON ? OUT_JSON : OUT_CSV;
        return true;
    case OPT_METHOD:
        return pepa_method_find(value, &o->set.solve.method, NULL) == PEPA_OK;
    case OPT_TOLERANCE:
        return number(value, &o->set.solve.tolerance) && o->set.solve.tolerance > 0 &&
               o->set.solve.tolerance < 1;
    case OPT_ITERATIONS:
        return whole(value, 1, &o->set.solve.max_iter);
    case OPT_STATES:
        return whole(value, 1, &o->set.derive.max_states);
    case OPT_DEFINE:
        return add_define(o, value);
    case OPT_NO_AGGREGATE:
        o->set.derive.separate_copies = 1;
        return true;
    case OPT_THREADS:
        if (!whole(value, 1, &n) || n > 4096)
            return false;
        o->set.threads = (int)n;
        return true;
    case OPT_MEMORY:
        return memory_size(value, &o->set.memory);
    case OPT_EXPLORE:
        choice = word(value, explore_names);
        o->set.derive.explore = (PepaExplore)choice;
        return choice >= 0;
    case OPT_MATRIX:
        choice = word(value, matrix_names);
        o->set.solve.matrix = (PepaMatrixForm)choice;
        return choice >= 0;
    case OPT_PRECONDITION:
        choice = word(value, precondition_names);
        o->set.solve.precondition = (PepaPrecondition)choice;
        return choice >= 0;
    case OPT_QUIET:
        o->quiet = true;
        return true;
    case OPT_PROGRESS:
        o->progress = true;
        return true;
    case OPT_SOLVE:
        o->solve = true;
        return true;
    case OPT_WITH:
        o->with[o->with_count++] = value;
        return true;
    case OPT_ENABLES:
        o->enables = value;
        return true;
    case OPT_PROBABILITY:
        o->solve = true;
        return range(value, &o->least, &o->most);
    case OPT_TOP:
        o->solve = true;
        return whole(value, 1, &o->top);
    case OPT_FORMAT:
        o->format = value;
        return true;
    default: /* OPT_OUTPUT */
        o->output = value;
        return true;
    }
}

typedef struct {
    Options *options;
    const Command *command;
    const OptionTable *table;
} Reader;

/* The option's name and the values that it takes; NULL if its help says enough. */
static const char *values_of(int code)
{
    switch (code) {
    case OPT_TOLERANCE:
        return "tolerance takes a number between 0 and 1";
    case OPT_ITERATIONS:
        return "max-iterations takes a whole number from 1";
    case OPT_STATES:
        return "max-states takes a whole number from 1";
    case OPT_THREADS:
        return "threads takes a whole number from 1 to 4096";
    case OPT_TOP:
        return "top takes a whole number from 1";
    case OPT_PROBABILITY:
        return "probability takes a range, as 0.1..0.5, 0.1.. or ..0.5";
    case OPT_MEMORY:
        return "memory takes a number of bytes, or one with kB, MB, GB, KiB, MiB or GiB, as 1.5GB";
    case OPT_EXPLORE:
        return "explore takes explicit, symbolic or auto";
    case OPT_MATRIX:
        return "matrix takes explicit, compact, free or auto";
    case OPT_PRECONDITION:
        return "precondition takes none, sweep, symmetric, ilu0, ilut, block, multilevel or auto";
    default:
        return NULL;
    }
}

static int unknown_method(const char *command, const char *value)
{
    const char *names[PEPA_METHOD_COUNT];
    for (int m = 0; m < PEPA_METHOD_COUNT; m++)
        names[m] = pepa_method_name((PepaMethod)m);
    const char *meant = nearest(value, names, PEPA_METHOD_COUNT);
    (void)fprintf(stderr, "%s: unknown method '%s'; ", command, value);
    if (meant)
        (void)fprintf(stderr, "did you mean '%s'?", meant);
    else
        (void)fprintf(stderr, "--method takes");
    for (int m = 0; m < PEPA_METHOD_COUNT && !meant; m++)
        (void)fprintf(stderr, "%s %s", m ? "," : "", names[m]);
    (void)fprintf(stderr, " (see 'pepa help methods')\n");
    return EXIT_USAGE;
}

static int apply(void *user, int code, char *value)
{
    const Reader *reader = user;
    if (code == OPT_HELP) {
        options_help(reader->command, stdout);
        return finish_output();
    }
    if (set(reader->options, code, value))
        return GO_ON;
    if (code == OPT_METHOD)
        return unknown_method(reader->table->command, value);
    const char *values = values_of(code);
    if (!values)
        return bad_value(reader->table, code, value);
    (void)fprintf(stderr, "%s: --%s, not '%s'\n", reader->table->command, values, value);
    return EXIT_USAGE;
}

static int read_arguments(Options *o, const Command *command, int argc, char **argv)
{
    char name[NAME_SIZE], help[NAME_SIZE];
    OptionTable table = table_of(command, name, help);
    Reader reader = {o, command, &table};
    int status = option_each(&table, argc, argv, apply, &reader);
    if (status != GO_ON)
        return status;
    const unsigned both = 1u << OUT_JSON | 1u << OUT_CSV;
    if (o->forms == both) {
        (void)fprintf(stderr, "%s: give --json or --csv, not both\n", name);
        return EXIT_USAGE;
    }
    if (optind == argc) {
        (void)fprintf(stderr,
                      "%s: no model given; usage: %s %s [OPTION]...\n"
                      "MODEL is a file, or - for standard input\n",
                      name, name, command->arguments);
        return EXIT_USAGE;
    }
    if (optind + 1 < argc) {
        (void)fprintf(stderr, "%s: one model at a time: '%s' comes after '%s'; try '%s'\n", name,
                      argv[optind + 1], argv[optind], help);
        return EXIT_USAGE;
    }
    o->model = argv[optind];
    if (o->set.solve.matrix == PEPA_MATRIX_FREE && o->set.derive.explore == PEPA_EXPLORE_AUTO)
        o->set.derive.explore = PEPA_SYMBOLIC;
    if (!o->set.memory)
        o->set.memory = memory_free();
    return EXIT_SOLVED;
}

int options_read(Options *o, const Command *command, int argc, char **argv)
{
    *o = (Options){.set = (PepaSettings){0}, .most = 1};
    if (command->takes & TAKES_EXPLORE)
        o->set.derive.explore = PEPA_EXPLORE_AUTO;
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    o->with = calloc((size_t)argc, sizeof *o->with);
    if (!o->defines || !o->with)
        return out_of_memory();
    return read_arguments(o, command, argc, argv);
}

void options_free(Options *o)
{
    free(o->defines);
    free(o->with);
}
