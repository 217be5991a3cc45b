/* pepa_model_*: reading, and what a model tells about itself. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "parser/check.h"
#include "parser/ast.h"

const char *pepa_version(void)
{
    return PEPA_VERSION;
}

/* Render one finding; err (may be NULL) takes it over if it is the first error. */
static bool diagnose_one(const Diag *d, const Source *source, PepaDiagnose diagnose, void *user,
                         PepaStatus status, PepaError *err)
{
    PepaDiagnostic each = {.severity = d->severity,
                           .file = source->name,
                           .message = d->message,
                           .excerpt = ""};
    Text excerpt = {0};
    if (d->span.begin != SPAN_NOWHERE) {
        source_place(source, d->span.begin, &each.line, &each.column);
        source_excerpt(source, d->span, &excerpt);
        each.excerpt = excerpt.text ? excerpt.text : "";
    }
    if (err) {
        (void)error_set(err, status, "%s", d->message);
        err->line = each.line;
        err->column = each.column;
    }
    if (diagnose)
        diagnose(user, &each);
    bool ok = !excerpt.failed;
    text_free(&excerpt);
    return ok;
}

/* Findings that are too many to read help nobody, and rendering them takes time. */
enum { MOST_ERRORS = 100, MOST_WARNINGS = 100 };

static void tell_rest(size_t count, const char *what, const Source *source, PepaDiagnose diagnose,
                      void *user, PepaSeverity severity)
{
    char message[64];
    if (!count || !diagnose)
        return;
    (void)snprintf(message, sizeof message, "%zu more %s%s", count, what, count == 1 ? "" : "s");
    PepaDiagnostic rest = {.severity = severity,
                           .file = source->name,
                           .message = message,
                           .excerpt = ""};
    diagnose(user, &rest);
}

PepaStatus diagnose_all(DiagList *list, const Source *source, PepaDiagnose diagnose, void *user,
                        PepaStatus status, PepaError *err)
{
    PepaError *first_error = err;
    bool ok = !list->no_memory;
    size_t errors = 0, warnings = 0;
    diag_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Diag *d = &list->items[i];
        bool error = d->severity == PEPA_ERROR;
        if (error ? ++errors > MOST_ERRORS : ++warnings > MOST_WARNINGS)
            continue;
        bool first = error && status != PEPA_OK;
        ok = diagnose_one(d, source, diagnose, user, status, first ? err : NULL) && ok;
        if (first)
            err = NULL;
    }
    if (errors > MOST_ERRORS)
        tell_rest(errors - MOST_ERRORS, "error", source, diagnose, user, PEPA_ERROR);
    if (warnings > MOST_WARNINGS)
        tell_rest(warnings - MOST_WARNINGS, "warning", source, diagnose, user, PEPA_WARNING);
    return ok ? status : error_memory(first_error);
}

PepaStatus pepa_model_parse(PepaModel **out, const char *name, const char *text, size_t length,
                            const PepaReading *how, PepaError *err)
{
    static const PepaReading plain = {0};
    if (!out || !name || (!text && length))
        return error_set(err, PEPA_EARG, "pepa_model_parse: an argument is NULL");
    if (!how)
        how = &plain;
    for (size_t i = 0; i < how->define_count; i++)
        if (!how->defines || !how->defines[i].rate)
            return error_set(err, PEPA_EARG, "pepa_model_parse: a define is NULL");
    PepaModel *handle = mem_alloc(1, sizeof *handle);
    if (!handle)
        return error_memory(err);
    *handle = (PepaModel){0};
    atomic_init(&handle->users, 1);
    DiagList diags = {0};
    PepaStatus status = model_read(&handle->model, name, text ? text : "", length, how->defines,
                                   how->define_count, &diags, err);
    Source source = {name, text ? text : "", length};
    if (status == PEPA_OK || status == PEPA_ESYNTAX || status == PEPA_EMODEL)
        status = diagnose_all(&diags, &source, how->diagnose, how->user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *out = handle;
    else
        pepa_model_free(handle);
    return status;
}

static PepaStatus read_stream(FILE *file, const char *path, Text *text, PepaError *err)
{
    size_t cap = 0, length = 0;
    for (;;) {
        if (!mem_reserve(&text->text, &cap, length + 65536, 1))
            return error_memory(err);
        size_t n = fread(text->text + length, 1, cap - length, file);
        length += n;
        if (n == 0)
            break;
    }
    text->length = length;
    if (ferror(file))
        return error_set(err, PEPA_EIO, "cannot read %s: %s", path, strerror(errno));
    return PEPA_OK;
}

PepaStatus pepa_model_load(PepaModel **out, const char *path, const PepaReading *how,
                           PepaError *err)
{
    if (!out || !path)
        return error_set(err, PEPA_EARG, "pepa_model_load: an argument is NULL");
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, PEPA_EIO, "cannot open %s: %s", path, strerror(errno));
    Text text = {0};
    PepaStatus status = read_stream(file, path, &text, err);
    (void)fclose(file);
    if (status == PEPA_OK)
        status = pepa_model_parse(out, path, text.text, text.length, how, err);
    text_free(&text);
    return status;
}

void pepa_model_free(PepaModel *handle)
{
    if (!handle || atomic_fetch_sub(&handle->users, 1) > 1)
        return;
    model_free(handle->model);
    mem_free(handle);
}

int32_t pepa_model_rate_count(const PepaModel *handle)
{
    return handle->model->rate_count;
}

const char *pepa_model_rate_name(const PepaModel *handle, int32_t rate)
{
    return handle->model->rates[rate].name;
}

double pepa_model_rate_value(const PepaModel *handle, int32_t rate)
{
    return handle->model->rates[rate].value.value;
}

void pepa_text_free(char *text)
{
    mem_free(text);
}
