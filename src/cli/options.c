/* Options by table: one row each, with what it takes and what it does. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum {
    OPT_JSON = 256,
    OPT_CSV,
    OPT_METHOD,
    OPT_TOLERANCE,
    OPT_ITERATIONS,
    OPT_STATES,
    OPT_NO_AGGREGATE,
    OPT_THREADS,
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

static const struct {
    int code;
    unsigned takes;
    const char *name, *argument, *about;
} table[] = {
    {OPT_JSON, TAKES_FORM, "json", NULL, "print one JSON object"},
    {OPT_CSV, TAKES_FORM, "csv", NULL, "print comma-separated values"},
    {OPT_METHOD, TAKES_SOLVE, "method", "M", "how to solve; 'pepa help methods' lists them"},
    {OPT_TOLERANCE, TAKES_SOLVE, "tolerance", "T",
     "largest share of the flow out of balance (1e-10)"},
    {OPT_ITERATIONS, TAKES_SOLVE, "max-iterations", "N", "per method (chosen by the method)"},
    {OPT_STATES, TAKES_DERIVE, "max-states", "N", "give up beyond this many states (20000000)"},
    {'D', TAKES_DERIVE, "define", "rate=value", "give a rate another value; may be repeated"},
    {OPT_NO_AGGREGATE, TAKES_DERIVE, "no-aggregate", NULL, "keep the copies of P[n] apart"},
    {OPT_THREADS, TAKES_DERIVE, "threads", "N", "most threads to use; so far one is used"},
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
    {'h', ~0u, "help", NULL, "this text"},
};
enum { ROWS = sizeof table / sizeof *table };

void options_help(const Command *command, FILE *to)
{
    (void)fprintf(to, "usage: pepa %s %s [OPTION]...\n%s\n\n", command->name, command->arguments,
                  command->about);
    for (size_t i = 0; i < ROWS; i++) {
        if (!(table[i].takes & command->takes))
            continue;
        char left[64];
        if (table[i].code == 'D')
            (void)snprintf(left, sizeof left, "-D rate=value");
        else
            (void)snprintf(left, sizeof left, "--%s%s%s", table[i].name,
                           table[i].argument ? " " : "",
                           table[i].argument ? table[i].argument : "");
        (void)fprintf(to, "  %-24s %s\n", left, table[i].about);
    }
}

static int usage(const char *command, const char *what, const char *value)
{
    (void)fprintf(stderr, "pepa %s: %s '%s'; try 'pepa help %s'\n", command, what, value, command);
    return EXIT_USAGE;
}

static bool whole(const char *text, int64_t least, int64_t *out)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end || errno || n < least)
        return false;
    *out = n;
    return true;
}

static bool number(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    bool decimal = text[strspn(text, "0123456789.eE+-")] == '\0';
    if (!decimal || end == text || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
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

/* Apply one option; false: its value is no good. */
static bool apply(Options *o, int code, char *value)
{
    int64_t n = 0;
    switch (code) {
    case OPT_JSON:
        o->form = OUT_JSON;
        return true;
    case OPT_CSV:
        o->form = OUT_CSV;
        return true;
    case OPT_METHOD:
        return pepa_method_find(value, &o->set.method, NULL) == PEPA_OK;
    case OPT_TOLERANCE:
        return number(value, &o->set.tolerance) && o->set.tolerance > 0 && o->set.tolerance < 1;
    case OPT_ITERATIONS:
        return whole(value, 1, &o->set.max_iter);
    case OPT_STATES:
        return whole(value, 1, &o->set.max_states);
    case 'D':
        return add_define(o, value);
    case OPT_NO_AGGREGATE:
        o->set.aggregate = 0;
        return true;
    case OPT_THREADS:
        if (!whole(value, 1, &n) || n > 4096)
            return false;
        o->set.threads = (int)n;
        return true;
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

static const char *name_of(int code)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].code == code)
            return table[i].name;
    return "";
}

static int bad_value(const char *command, int code, const char *value)
{
    PepaMethod method;
    PepaError err;
    if (code == OPT_METHOD) {
        (void)pepa_method_find(value, &method, &err);
        (void)fprintf(stderr, "pepa %s: %s (see 'pepa help methods')\n", command, err.message);
        return EXIT_USAGE;
    }
    if (code == 'D')
        return usage(command, "-D takes rate=number, not", value);
    char what[64];
    (void)snprintf(what, sizeof what, "no good value for --%s:", name_of(code));
    return usage(command, what, value);
}

/* The long options of a command, for getopt. */
static void long_options(const Command *command, struct option *out)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].takes & command->takes)
            out[n++] =
                (struct option){table[i].name, table[i].argument ? required_argument : no_argument,
                                NULL, table[i].code};
    out[n] = (struct option){0};
}

static int read_all(Options *o, const Command *command, int argc, char **argv)
{
    struct option longs[ROWS + 1];
    long_options(command, longs);
    opterr = 0;
    optind = 1;
    int code;
    while ((code = getopt_long(argc, argv, ":D:h", longs, NULL)) != -1) {
        if (code == 'h') {
            options_help(command, stdout);
            o->model = NULL;
            return finish_output();
        }
        if (code == '?' && optopt && optopt < 256) {
            char letter[] = {'-', (char)optopt, '\0'};
            return usage(command->name, "unknown option", letter);
        }
        if (code == '?')
            return usage(command->name, "unknown option", argv[optind - 1]);
        if (code == ':')
            return usage(command->name, "a value is missing after", argv[optind - 1]);
        if (code == 'D' && !(command->takes & TAKES_DERIVE))
            return usage(command->name, "unknown option", "-D");
        if (!apply(o, code, optarg))
            return bad_value(command->name, code, optarg);
    }
    if (optind == argc) {
        (void)fprintf(stderr, "pepa %s: which model? usage: pepa %s %s [OPTION]...\n",
                      command->name, command->name, command->arguments);
        return EXIT_USAGE;
    }
    if (optind + 1 < argc)
        return usage(command->name, "one model at a time, please; what is", argv[optind + 1]);
    o->model = argv[optind];
    return EXIT_SOLVED;
}

int options_read(Options *o, const Command *command, int argc, char **argv)
{
    *o = (Options){.set = pepa_settings_default(), .most = 1};
    o->defines = calloc((size_t)argc, sizeof *o->defines);
    o->with = calloc((size_t)argc, sizeof *o->with);
    if (!o->defines || !o->with) {
        (void)fprintf(stderr, "pepa: out of memory\n");
        return EXIT_LIMIT;
    }
    return read_all(o, command, argc, argv);
}

void options_free(Options *o)
{
    free(o->defines);
    free(o->with);
}
