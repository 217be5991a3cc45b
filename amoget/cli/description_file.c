/* Descriptions in files. */
#include "description_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Its text must stay until the description is read. */
struct IncludedFile {
    IncludedFile *next;
    char *text;
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
    findings_add(&file->findings, d);
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

static const char *include(void *user, const char *name, size_t *length, PepaError *err)
{
    DescriptionFile *file = user;
    IncludedFile *each = malloc(sizeof *each);
    char *path = beside(file->path, name), *text = NULL;
    if (each && path)
        text = read_path(path, length, err);
    else
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    free(path);
    if (!text) {
        free(each);
        return NULL;
    }
    *each = (IncludedFile){file->included, text};
    file->included = each;
    return text;
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

void description_close(DescriptionFile *file)
{
    while (file->included) {
        IncludedFile *next = file->included->next;
        mem_free(file->included->text);
        free(file->included);
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
