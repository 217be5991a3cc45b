/* From files to a mapping, telling the user on the way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/files/program_xml.h"
#include "taag_cli.h"

/* A file that the description includes; its text must stay until the description is read. */
struct Included {
    Included *next;
    char *text;
};

const char *description_name(const Options *options)
{
    return strcmp(options->path, "-") == 0 ? "<stdin>" : options->path;
}

/* Say what is wrong, unless it was said with its place. */
static int complain(const Session *s, PepaStatus status, const PepaError *err)
{
    bool said = false;
    for (size_t i = 0; i < s->findings.count; i++)
        said = said || s->findings.each[i].severity == PEPA_ERROR;
    if (!said)
        (void)fprintf(stderr, "taag: %s: %s\n", description_name(s->options), err->message);
    return exit_status(status);
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    Session *s = user;
    findings_add(&s->findings, d);
    if (d->severity == PEPA_ERROR || !s->options->quiet)
        print_finding(d);
}

/* All of a file, to be freed by mem_free; NULL with *err filled in. */
static char *read_path(const char *path, size_t *length, PepaError *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    Text text = {0};
    if (from)
        text_read(&text, from);
    if (!from || text.failed || ferror(from)) {
        *err = (PepaError){.code = errno == ENOMEM ? PEPA_ENOMEM : PEPA_EIO};
        (void)snprintf(err->message, sizeof err->message, "cannot read %s: %s",
                       standard ? "standard input" : path, strerror(errno));
        text_free(&text);
    }
    if (from && !standard)
        (void)fclose(from);
    *length = text.length;
    return text.text;
}

/* The path of `file` as seen from the folder that the description is in: free it. */
static char *beside(const char *description, const char *file)
{
    const char *slash = strrchr(description, '/');
    int folder = slash && file[0] != '/' ? (int)(slash - description) + 1 : 0;
    size_t size = (size_t)folder + strlen(file) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%.*s%s", folder, description, file);
    return path;
}

static const char *include(void *user, const char *file, size_t *length, PepaError *err)
{
    Session *s = user;
    Included *each = malloc(sizeof *each);
    char *path = beside(s->options->path, file), *text = NULL;
    if (each && path)
        text = read_path(path, length, err);
    else
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    free(path);
    if (!text) {
        free(each);
        return NULL;
    }
    *each = (Included){s->included, text};
    s->included = each;
    return text;
}

static void forget_included(Session *s)
{
    while (s->included) {
        Included *next = s->included->next;
        mem_free(s->included->text);
        free(s->included);
        s->included = next;
    }
}

/* The schema of --program in place of the description's. */
static int read_program(Session *s)
{
    PepaError err = {0};
    size_t length;
    AmogetProgram *read = NULL;
    char *text = read_path(s->options->program_path, &length, &err);
    if (!text)
        return fail(exit_status(err.code), "taag: %s", err.message);
    PepaStatus status =
        program_xml_read(&read, s->options->program_path, text, length, diagnose, s, &err);
    mem_free(text);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    amoget_program_free(s->program);
    s->program = read;
    return EXIT_SOLVED;
}

int session_read(Session *s, const Options *options)
{
    PepaError err = {0};
    *s = (Session){.options = options};
    AmogetReading how = {.defines = options->defines,
                         .define_count = options->define_count,
                         .include = include,
                         .now = (double)options->now,
                         .diagnose = diagnose,
                         .user = s};
    size_t length;
    char *text = read_path(options->path, &length, &err);
    if (!text)
        return fail(exit_status(err.code), "taag: %s", err.message);
    PepaStatus status = amoget_program_parse(&s->machine, &s->program, description_name(options),
                                             text, length, &how, &err);
    mem_free(text);
    forget_included(s);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    if (options->program_path)
        return read_program(s);
    if (!s->program)
        return fail(EXIT_MODEL,
                    "taag: %s: no program: `program { groups PROCESSES min LEAST; }` says how its "
                    "processes talk, or --program FILE.xml",
                    description_name(options));
    return EXIT_SOLVED;
}

int session_map(Session *s)
{
    PepaError err = {0};
    double start = clock_seconds();
    PepaStatus status = schedule_find(&s->schedule, s->machine, s->program, &s->options->set, &err);
    s->seconds = clock_seconds() - start;
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

int session_write(Session *s)
{
    PepaError err = {0};
    const char *path = s->options->output;
    if (!path)
        return EXIT_SOLVED;
    FILE *to = fopen(path, "wb");
    if (!to)
        return fail(EXIT_INPUT, "taag: cannot write %s: %s", path, strerror(errno));
    PepaStatus status = mapping_write(s->schedule.mapping, to, &err);
    if (fclose(to) != 0 || status != PEPA_OK)
        return fail(EXIT_INPUT, "taag: cannot write all of %s", path);
    return EXIT_SOLVED;
}

void session_free(Session *s)
{
    schedule_free(&s->schedule);
    amoget_machine_free(s->machine);
    amoget_program_free(s->program);
    forget_included(s);
    findings_free(&s->findings);
}
