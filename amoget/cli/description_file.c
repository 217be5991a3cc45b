/* Descriptions in files. */
#include "description_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Its text must stay until the description is read. */
struct IncludedFile {
    IncludedFile *next;
    char *name, *text;
    size_t length;
};

const char *description_name(const DescriptionFile *file)
{
    return strcmp(file->path, "-") == 0 ? "<stdin>" : file->path;
}

int description_complain(const DescriptionFile *file, PepaStatus status, const PepaError *err)
{
    /* Errors of the description have been printed one by one, with their places. */
    bool said = false;
    for (size_t i = 0; i < file->findings.count; i++)
        said = said || file->findings.each[i].severity == PEPA_ERROR;
    if (!said)
        (void)fprintf(stderr, "%s: %s: %s\n", program, description_name(file), err->message);
    return exit_status(status);
}

bool description_define(AmogetDefine *defines, size_t *count, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return false;
    *equals = '\0';
    defines[(*count)++] = (AmogetDefine){text, equals + 1};
    return true;
}

static void diagnose(void *user, const PepaDiagnostic *d)
{
    DescriptionFile *file = user;
    findings_add(&file->findings, d, description_name(file));
    if (d->severity == PEPA_ERROR || !file->quiet)
        print_finding(d);
}

/* All of a file, to be freed by mem_free; NULL with *err filled in. */
static char *read_path(const char *path, size_t *length, PepaError *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *from = standard ? stdin : fopen(path, "rb");
    Text text = {0};
    if (from)
        text_read(&text, from, TEXT_MOST);
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

/* The path of `name` as seen from the folder that the description is in: free it. */
static char *beside(const char *description, const char *name)
{
    const char *slash = strrchr(description, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - description) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + 1;
    char *path = malloc(size);
    if (path)
        (void)snprintf(path, size, "%.*s%s", folder, description, name);
    return path;
}

static void included_free(IncludedFile *each)
{
    if (!each)
        return;
    mem_free(each->name);
    mem_free(each->text);
    mem_free(each);
}

/* A copy of so many bytes with a NUL behind them. */
static char *copy(const char *from, size_t length)
{
    char *to = mem_alloc(length + 1, 1);
    if (to) {
        memcpy(to, from, length);
        to[length] = '\0';
    }
    return to;
}

/* One more, without its text; NULL: memory is out. */
static IncludedFile *included_new(const char *name)
{
    IncludedFile *each = mem_calloc(1, sizeof *each);
    if (each)
        each->name = copy(name, strlen(name));
    if (each && each->name)
        return each;
    included_free(each);
    return NULL;
}

static const char *out_of_memory_here(PepaError *err)
{
    *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    return NULL;
}

static const char *include_unpacked(const DescriptionFile *file, const char *name, size_t *length,
                                    PepaError *err)
{
    for (const IncludedFile *each = file->included; each; each = each->next)
        if (strcmp(each->name, name) == 0) {
            *length = each->length;
            return each->text;
        }
    return out_of_memory_here(err); /* the first process has read it */
}

static const char *include(void *user, const char *name, size_t *length, PepaError *err)
{
    DescriptionFile *file = user;
    if (file->unpacked)
        return include_unpacked(file, name, length, err);
    if (file->sealed) {
        *err = (PepaError){.code = PEPA_EIO};
        (void)snprintf(err->message, sizeof err->message,
                       "cannot read %.100s: --no-include allows no other file", name);
        return NULL;
    }
    IncludedFile *each = included_new(name);
    char *path = beside(file->path, name);
    if (each && path)
        each->text = read_path(path, &each->length, err);
    else
        (void)out_of_memory_here(err);
    free(path);
    if (!each || !each->text) {
        included_free(each);
        return NULL;
    }
    *length = each->length;
    each->next = file->included;
    file->included = each;
    return each->text;
}

int description_open(DescriptionFile *file)
{
    PepaError err = {0};
    file->text = read_path(file->path, &file->length, &err);
    return file->text ? EXIT_SOLVED : fail(exit_status(err.code), "%s: %s", program, err.message);
}

AmogetReading description_reading(DescriptionFile *file, const AmogetDefine *defines, size_t count,
                                  double now)
{
    return (AmogetReading){.defines = defines,
                           .define_count = count,
                           .include = include,
                           .now = now,
                           .diagnose = diagnose,
                           .user = file};
}

int description_read_machine(DescriptionFile *file, const AmogetDefine *defines, size_t count,
                             double now, AmogetMachine **out)
{
    PepaError err = {0};
    int status = description_open(file);
    if (status != EXIT_SOLVED)
        return status;
    const AmogetReading how = description_reading(file, defines, count, now);
    const PepaStatus read =
        amoget_machine_parse(out, description_name(file), file->text, file->length, &how, &err);
    description_close(file);
    return read == PEPA_OK ? EXIT_SOLVED : description_complain(file, read, &err);
}

int description_machine(const char *path, bool quiet, const AmogetDefine *defines, size_t count,
                        double now, AmogetMachine **out)
{
    DescriptionFile file = {.path = path, .quiet = quiet};
    const int status = description_read_machine(&file, defines, count, now, out);
    description_free(&file);
    return status;
}

/* ---- for other processes -------------------------------------------------------------------- */

/* Pieces: their lengths as text, a newline, and the bytes. */
static void add_piece(Text *out, const char *piece, size_t length)
{
    text_add(out, "%zu\n", length);
    if (out->failed || !mem_grow(out->text, out->cap, out->length + length + 1)) {
        out->failed = true;
        return;
    }
    memcpy(out->text + out->length, piece, length);
    out->length += length;
    out->text[out->length] = '\0';
}

/* NULL: memory is out. */
static char *take_piece(const Text *from, size_t *at, size_t *length)
{
    char *end;
    *length = strtoull(from->text + *at, &end, 10);
    const char *piece = end + 1;
    *at = (size_t)(piece - from->text) + *length;
    return copy(piece, *length);
}

void description_pack(const DescriptionFile *file, Text *out)
{
    add_piece(out, file->text, file->length);
    for (const IncludedFile *each = file->included; each; each = each->next) {
        add_piece(out, each->name, strlen(each->name));
        add_piece(out, each->text, each->length);
    }
}

bool description_unpack(DescriptionFile *file, const Text *from)
{
    size_t at = 0, length;
    file->unpacked = true;
    file->text = take_piece(from, &at, &file->length);
    bool ok = file->text != NULL;
    while (ok && at < from->length) {
        IncludedFile *each = mem_calloc(1, sizeof *each);
        ok = each != NULL;
        if (!ok)
            break;
        each->next = file->included;
        file->included = each;
        each->name = take_piece(from, &at, &length);
        each->text = each->name ? take_piece(from, &at, &each->length) : NULL;
        ok = each->text != NULL;
    }
    return ok;
}

void description_close(DescriptionFile *file)
{
    while (file->included) {
        IncludedFile *next = file->included->next;
        included_free(file->included);
        file->included = next;
    }
    mem_free(file->text);
    file->text = NULL;
}

void description_free(DescriptionFile *file)
{
    description_close(file);
    findings_free(&file->findings);
}
