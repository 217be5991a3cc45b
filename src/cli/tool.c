/* What command-line programs share. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tool.h"

int exit_status(PepaStatus status)
{
    switch (status) {
    case PEPA_OK:
        return EXIT_SOLVED;
    case PEPA_ESYNTAX:
    case PEPA_EMODEL:
        return EXIT_MODEL;
    case PEPA_EARG:
        return EXIT_USAGE;
    case PEPA_ENOCONV:
        return EXIT_UNSOLVED;
    case PEPA_ENOMEM:
    case PEPA_ELIMIT:
    case PEPA_ECANCEL:
        return EXIT_LIMIT;
    case PEPA_EIO:
        break;
    }
    return EXIT_INPUT;
}

int fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    return status;
}

int out_of_memory(void)
{
    return fail(EXIT_LIMIT, "%s: out of memory", program);
}

int finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SOLVED;
    return fail(EXIT_INPUT, "%s: cannot write to standard output: %s", program, strerror(errno));
}

double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_show(bool *shown, const char *format, ...)
{
    va_list arguments;
    progress_clear(shown);
    *shown = true;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fflush(stderr);
}

void progress_clear(bool *shown)
{
    if (*shown)
        (void)fprintf(stderr, "\r%*s\r", 78, "");
    *shown = false;
}

/* ---- options -------------------------------------------------------------------------------- */

enum { OPT_LONG = 256 }; /* getopt's codes of the rows: behind all letters */

void option_help(const OptionTable *table, FILE *to)
{
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        if (!(row->takes & table->takes))
            continue;
        char left[64];
        const char *argument = row->argument ? row->argument : "";
        if (row->code == OPT_DEFINE)
            (void)snprintf(left, sizeof left, "-D %s", argument);
        else
            (void)snprintf(left, sizeof left, "--%s%s%s", row->name, row->argument ? " " : "",
                           argument);
        (void)fprintf(to, "  %-24s %s\n", left, row->about);
    }
}

int usage(const OptionTable *table, const char *what, const char *value)
{
    return fail(EXIT_USAGE, "%s: %s '%s'; try '%s'", table->command, what, value, table->help);
}

int bad_value(const OptionTable *table, const OptionRow *row, const char *value)
{
    if (row->values)
        return fail(EXIT_USAGE, "%s: --%s takes %s, not '%s'", table->command, row->name,
                    row->values, value);
    char what[64];
    if (row->code == OPT_DEFINE)
        (void)snprintf(what, sizeof what, "-D takes %s, not", row->argument);
    else
        (void)snprintf(what, sizeof what, "no good value for --%s:", row->name);
    return usage(table, what, value);
}

/* Letters to insert, delete or replace to get from a to b.  O(|a| |b|). */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t n = strlen(b), row[LONGEST + 1];
    if (n > LONGEST)
        return n;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t best = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j + 1] = diagonal + 1 < best ? diagonal + 1 : best;
        }
    }
    return row[n];
}

const char *nearest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t least = strlen(word) <= 3 ? 2 : 3; /* fewer edits than that */
    for (size_t i = 0; i < count; i++) {
        size_t edits = distance(word, names[i]);
        if (edits < least && edits < strlen(word)) {
            least = edits;
            best = names[i];
        }
    }
    return best;
}

/* An option that the command does not have: it may be misspelt, or belong to other commands. */
static int unknown_option(const OptionTable *table, const char *option)
{
    const char *names[MOST_OPTIONS], *word = option + strspn(option, "-");
    char name[64];
    size_t count = 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        if (row->takes & table->takes)
            names[count++] = row->name;
        else if (strcmp(name, row->name) == 0)
            return usage(table, "this command does not take the option", option);
    }
    const char *meant = nearest(name, names, count);
    if (!meant)
        return usage(table, "unknown option", option);
    return fail(EXIT_USAGE, "%s: unknown option '%s'; did you mean '--%s'? try '%s'",
                table->command, option, meant, table->help);
}

/* The argument that holds the unknown letter: `-json` says `-j`, which means --json. */
static int unknown_letter(const OptionTable *table, int argc, char **argv)
{
    char letter[] = {'-', (char)optopt, '\0'};
    for (int i = optind - 1; i <= optind && i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] == optopt && argv[i][2])
            return unknown_option(table, argv[i]);
    return usage(table, "unknown option", letter);
}

/* Store a value as the code of its option says; false: it is no good. */
static bool store(const OptionRow *row, char *value, void *options)
{
    void *to = (char *)options + row->at;
    int64_t n;
    switch (row->code) {
    case OPT_FLAG:
        *(bool *)to = true;
        return true;
    case OPT_TEXT:
        *(const char **)to = value;
        return true;
    case OPT_COUNT:
        return whole(value, 1, to);
    case OPT_SHARE:
        return number(value, to) && *(double *)to > 0 && *(double *)to < 1;
    default: /* OPT_THREADS */
        if (!whole(value, 1, &n) || n > 4096)
            return false;
        *(int *)to = (int)n;
        return true;
    }
}

/* The table for getopt: the long options into `longs`, ended by zeros; the short ones returned. */
static const char *for_getopt(const OptionTable *table, struct option *longs)
{
    const char *shorts = ":h";
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        if (!(row->takes & table->takes))
            continue;
        *longs++ = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
                                   OPT_LONG + (int)(row - table->row)};
        if (row->code == OPT_DEFINE)
            shorts = ":hD:";
    }
    *longs = (struct option){0};
    return shorts;
}

/* The row of what getopt has found: a letter, or OPT_LONG + the row's place. */
static const OptionRow *row_of(const OptionTable *table, int found)
{
    const OptionRow *row = table->row;
    if (found >= OPT_LONG)
        return row + (found - OPT_LONG);
    while (row->code != (found == 'D' ? OPT_DEFINE : OPT_HELP))
        row++;
    return row;
}

int options_store(const OptionTable *table, int argc, char **argv, void *options)
{
    struct option longs[MOST_OPTIONS + 1];
    const char *shorts = for_getopt(table, longs);
    int found, status = GO_ON;
    opterr = 0;
    optind = 1;
    while (status == GO_ON && (found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (found == '?' && optopt && optopt < OPT_LONG)
            status = unknown_letter(table, argc, argv);
        else if (found == '?')
            status = unknown_option(table, argv[optind - 1]);
        else if (found == ':')
            status = usage(table, "a value is missing after", argv[optind - 1]);
        else if (row_of(table, found)->code >= OPT_HELP)
            status = table->apply(options, table, row_of(table, found), optarg);
        else if (!store(row_of(table, found), optarg, options))
            status = bad_value(table, row_of(table, found), optarg);
    }
    return status;
}

bool whole(const char *text, int64_t least, int64_t *out)
{
    char *end;
    errno = 0;
    long long n = strtoll(text, &end, 10);
    if (end == text || *end || errno || n < least)
        return false;
    *out = n;
    return true;
}

bool number(const char *text, double *out)
{
    char *end;
    double value = strtod(text, &end);
    bool decimal = text[strspn(text, "0123456789.eE+-")] == '\0';
    if (!decimal || end == text || *end || !isfinite(value))
        return false;
    *out = value;
    return true;
}

/* ---- input and findings --------------------------------------------------------------------- */

char *read_all(FILE *from, size_t *length)
{
    size_t cap = 1 << 16;
    char *text = malloc(cap);
    *length = 0;
    while (text) {
        size_t n = fread(text + *length, 1, cap - *length, from);
        *length += n;
        if (n == 0)
            break;
        if (*length == cap) {
            char *grown = realloc(text, cap *= 2);
            if (!grown)
                free(text);
            text = grown;
        }
    }
    if (text && !ferror(from))
        return text;
    free(text);
    return NULL;
}

void findings_add(Findings *f, const PepaDiagnostic *d)
{
    if (f->count == f->cap) {
        size_t cap = f->cap ? 2 * f->cap : 16;
        Finding *grown = realloc(f->each, cap * sizeof *grown);
        if (!grown)
            return;
        f->each = grown;
        f->cap = cap;
    }
    char *message = strdup(d->message);
    if (message)
        f->each[f->count++] = (Finding){d->severity, d->line, d->column, message};
}

void findings_free(Findings *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->each[i].message);
    free(f->each);
    *f = (Findings){0};
}

void print_finding(const PepaDiagnostic *d)
{
    (void)fprintf(stderr, "%s:", d->file);
    if (d->line)
        (void)fprintf(stderr, "%u:%u:", d->line, d->column);
    (void)fprintf(stderr, " %s: %s\n%s", d->severity == PEPA_ERROR ? "error" : "warning",
                  d->message, d->excerpt);
}

/* ---- reports -------------------------------------------------------------------------------- */

void json_string(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            (void)fprintf(to, "\\%c", *p);
        else if (*p == '\n')
            (void)fputs("\\n", to);
        else if (*p < 0x20 || *p == 0x7f)
            (void)fprintf(to, "\\u%04x", *p);
        else
            (void)fputc(*p, to);
    }
    (void)fputc('"', to);
}

void json_findings(FILE *to, const Findings *findings)
{
    (void)fprintf(to, "[");
    for (size_t i = 0; i < findings->count; i++) {
        const Finding *f = &findings->each[i];
        (void)fprintf(to,
                      "%s\n    { \"severity\": \"%s\", \"line\": %u, \"column\": %u, \"message\": ",
                      i ? "," : "", f->severity == PEPA_ERROR ? "error" : "warning", f->line,
                      f->column);
        json_string(to, f->message);
        (void)fprintf(to, " }");
    }
    (void)fprintf(to, "%s]", findings->count ? "\n  " : "");
}

void csv_string(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        (void)fputs(text, to);
        return;
    }
    (void)fputc('"', to);
    for (const char *p = text; *p; p++)
        (void)fprintf(to, *p == '"' ? "\"\"" : "%c", *p);
    (void)fputc('"', to);
}

const char *grouped(int64_t n, char *text)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && digits[i - 1] != '-')
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}
