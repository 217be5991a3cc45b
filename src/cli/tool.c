/* What command-line programs share. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

int exit_status(PepaStatus status)
{
    static const int exits[] = {
        [PEPA_OK] = EXIT_SOLVED,    [PEPA_EARG] = EXIT_USAGE,       [PEPA_ENOMEM] = EXIT_LIMIT,
        [PEPA_EIO] = EXIT_INPUT,    [PEPA_ESYNTAX] = EXIT_MODEL,    [PEPA_EMODEL] = EXIT_MODEL,
        [PEPA_ELIMIT] = EXIT_LIMIT, [PEPA_ENOCONV] = EXIT_UNSOLVED, [PEPA_ECANCEL] = EXIT_LIMIT,
    };
    return exits[status];
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

int print_whole(bool (*write)(const void *what, FILE *to), const void *what)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    bool good = to && write(what, to) && !ferror(to);
    if (to)
        good = fclose(to) == 0 && good;
    if (good)
        (void)fwrite(text, 1, size, stdout);
    free(text);
    return good ? finish_output() : out_of_memory();
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

static const char *dashes(const char *name)
{
    return name[1] ? "--" : "-";
}

void option_help(const OptionTable *table, FILE *to)
{
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        if (!(row->takes & table->takes) || !row->about)
            continue;
        char left[64];
        const char *argument = row->argument ? row->argument : "";
        if (row->code == OPT_DEFINE)
            (void)snprintf(left, sizeof left, "-D %s", argument);
        else
            (void)snprintf(left, sizeof left, "%s%s%s%s", dashes(row->name), row->name,
                           row->argument ? " " : "", argument);
        (void)fprintf(to, "  %-24s %s\n", left, row->about);
    }
}

void print_help(const OptionTable *table, FILE *to)
{
    if (table->print_help) {
        table->print_help(to);
        return;
    }
    (void)fprintf(to, "usage: %s %s%s\n%s\n\n", table->command, table->operands,
                  table->starts ? "" : " [OPTION]...", table->about);
    option_help(table, to);
}

int usage(const OptionTable *table, const char *what, const char *value)
{
    return fail(EXIT_USAGE, "%s: %s '%s'; try '%s'", table->command, what, value, table->help);
}

int bad_value(const OptionTable *table, const OptionRow *row, const char *value)
{
    const char *name = row->code == OPT_DEFINE ? "D" : row->name;
    return fail(EXIT_USAGE, "%s: %s%s takes %s, not '%s'", table->command, dashes(name), name,
                row->values ? row->values : row->argument, value);
}

/* Is it the beginning of several options?  Then say of which: *status. */
static bool ambiguous(const OptionTable *table, const char *option, const char *name,
                      const char *const *names, size_t count, int *status)
{
    char list[128] = "";
    size_t length = 0, found = 0;
    for (size_t i = 0; i < count; i++)
        if (*name && strncmp(name, names[i], strlen(name)) == 0) {
            if (length < sizeof list)
                length += (size_t)snprintf(list + length, sizeof list - length, "%s%s%s",
                                           found ? ", " : "", dashes(names[i]), names[i]);
            found++;
        }
    if (found > 1)
        *status = fail(EXIT_USAGE, "%s: '%s' may be short for %s%s; try '%s'", table->command,
                       option, list, length < sizeof list ? "" : "...", table->help);
    return found > 1;
}

/* An option that the command does not have: it may be misspelt, or belong to other commands. */
static int unknown_option(const OptionTable *table, const char *option)
{
    const char *names[MOST_OPTIONS], *word = option + strspn(option, "-"), *meant = NULL;
    char name[64];
    size_t count = 0;
    bool known = false; /* to some command; several rows may have one name */
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        bool same = strcmp(name, row->name) == 0, takes = (row->takes & table->takes) != 0;
        known = known || same;
        if (same && takes) /* with one dash */
            meant = row->name;
        if (takes)
            names[count++] = row->name;
    }
    int status;
    if (!known && ambiguous(table, option, name, names, count, &status))
        return status;
    if (known && !meant)
        return usage(table, "this command does not take the option", option);
    if (!meant)
        meant = suggest(name, names, count);
    if (!meant)
        return usage(table, "unknown option", option);
    return fail(EXIT_USAGE, "%s: unknown option '%s'; did you mean '%s%s'? try '%s'",
                table->command, option, dashes(meant), meant, table->help);
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
static bool store(const OptionTable *table, const OptionRow *row, char *value, void *options)
{
    void *to = (char *)options + row->at;
    int64_t n;
    switch (row->code) {
    case OPT_FLAG:
        *(bool *)to = true;
        return true;
    case OPT_TEXT:
    case OPT_OUTPUT:
        *(const char **)to = value;
        return true;
    case OPT_COUNT:
        return whole(value, 1, to);
    case OPT_SHARE:
        return number(value, to) && *(double *)to > 0 && *(double *)to < 1;
    case OPT_THREADS:
        if (!whole(value, 1, &n) || n > 4096)
            return false;
        *(int *)to = (int)n;
        return true;
    default:
        return table->set(options, row->code, value);
    }
}

static int apply(const OptionTable *table, const OptionRow *row, char *value, void *options)
{
    switch (row->code) {
    case OPT_HELP:
        print_help(table, stdout);
        return finish_output();
    case OPT_VERSION:
        (void)printf("%.*s %s\n", (int)strcspn(program, " "), program, pepa_version());
        return finish_output();
    default:
        return store(table, row, value, options) ? GO_ON : bad_value(table, row, value);
    }
}

/* The same, unless a text differs from that before: of two filters or measures the first would be lost without a word.
 *   said  what this option said last, or NULL; in, out */
static int take(const OptionTable *table, const OptionRow *row, const char **said, char *value,
                void *options)
{
    const bool text = row->code == OPT_TEXT || row->code == OPT_OUTPUT;
    if (text && *said && strcmp(*said, value) != 0)
        return fail(EXIT_USAGE, "%s: %s%s says '%s', and before '%s'; give it once; try '%s'",
                    table->command, dashes(row->name), row->name, value, *said, table->help);
    *said = value;
    return apply(table, row, value, options);
}

/* The table for getopt: the long options into `longs`, ended by zeros; the short ones returned. */
static const char *for_getopt(const OptionTable *table, struct option *longs)
{
    bool define = false, output = false;
    for (const OptionRow *row = table->row; row < table->row + table->rows; row++) {
        if (!(row->takes & table->takes))
            continue;
        *longs++ = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
                                   OPT_LONG + (int)(row - table->row)};
        define = define || row->code == OPT_DEFINE;
        output = output || row->code == OPT_OUTPUT;
    }
    *longs = (struct option){0};
    if (table->starts)
        return "+:h";
    return define && output ? ":hD:o:" : define ? ":hD:" : output ? ":ho:" : ":h";
}

/* The row of what getopt has found: a letter, or OPT_LONG + the row's place. */
static const OptionRow *row_of(const OptionTable *table, int found)
{
    const OptionRow *row = table->row;
    const int code = found == 'D' ? OPT_DEFINE : found == 'o' ? OPT_OUTPUT : OPT_HELP;
    if (found >= OPT_LONG)
        return row + (found - OPT_LONG);
    while (row->code != code || !(row->takes & table->takes))
        row++;
    return row;
}

int options_store(const OptionTable *table, int argc, char **argv, void *options)
{
    struct option longs[MOST_OPTIONS + 1];
    const char *shorts = for_getopt(table, longs);
    int (*next)(int, char *const *, const char *, const struct option *, int *) =
        table->starts ? getopt_long_only : getopt_long;
    const char *said[MOST_OPTIONS] = {0};
    int found, status = GO_ON;
    opterr = 0;
    optind = 1;
    while (status == GO_ON && (found = next(argc, argv, shorts, longs, NULL)) != -1) {
        if (found == '?' && optopt && optopt < OPT_LONG)
            status = unknown_letter(table, argc, argv);
        else if (found == '?')
            status = unknown_option(table, argv[optind - 1]);
        else if (found == ':')
            status = usage(table, "a value is missing after", argv[optind - 1]);
        else {
            const OptionRow *row = row_of(table, found);
            status = take(table, row, &said[row - table->row], optarg, options);
        }
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

/* ---- findings ------------------------------------------------------------------------------- */

void findings_add(Findings *f, const PepaDiagnostic *d, const char *about)
{
    char *message = mem_grow(f->each, f->cap, f->count + 1) ? strdup(d->message) : NULL;
    char *file = message && strcmp(d->file, about) != 0 ? strdup(d->file) : NULL;
    if (message)
        f->each[f->count++] = (Finding){d->severity, d->line, d->column, message, file};
}

void findings_free(Findings *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->each[i].message);
        free(f->each[i].file);
    }
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

/* Bytes of the character of UTF-8 that begins there; 0: none does. */
static int character(const unsigned char *p)
{
    const int more = *p < 0x80   ? 0
                     : *p < 0xc2 ? -1
                     : *p < 0xe0 ? 1
                     : *p < 0xf0 ? 2
                     : *p < 0xf5 ? 3
                                 : -1;
    const bool beyond = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
                        (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f);
    for (int i = 1; i <= more; i++)
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
    return beyond ? 0 : more + 1;
}

/* Names of files may be of any bytes; those that are no text become the replacement character. */
void json_string(FILE *to, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    (void)fputc('"', to);
    int bytes;
    for (const unsigned char *p = (const unsigned char *)text; *p; p += bytes ? bytes : 1) {
        bytes = character(p);
        if (bytes == 0)
            (void)fputs(replacement, to);
        else if (bytes > 1)
            (void)fwrite(p, 1, (size_t)bytes, to);
        else if (*p == '"' || *p == '\\')
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
        (void)fprintf(to, "%s\n    { \"severity\": \"%s\", ", i ? "," : "",
                      f->severity == PEPA_ERROR ? "error" : "warning");
        if (f->file) {
            (void)fprintf(to, "\"file\": ");
            json_string(to, f->file);
            (void)fprintf(to, ", ");
        }
        (void)fprintf(to, "\"line\": %u, \"column\": %u, \"message\": ", f->line, f->column);
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
