/* Reads traces, as pepa_samples_load reads durations.  Only regular files: others may have no end. */
#include "api/traces.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "pepa_fit.h"

/* In memory that the caller frees; NULL: memory is out. */
static char *path_of(const Model *model, const Trace *trace)
{
    const char *slash = strrchr(model->source.name, '/');
    const size_t folder =
        slash && *trace->name != '/' ? (size_t)(slash + 1 - model->source.name) : 0;
    char *path = mem_alloc(folder + strlen(trace->name) + 1, 1);
    if (path) {
        memcpy(path, model->source.name, folder);
        memcpy(path + folder, trace->name, strlen(trace->name) + 1);
    }
    return path;
}

/* Why the file cannot be read, or NULL. */
static const char *unreadable(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return strerror(errno);
    return S_ISREG(found.st_mode) ? NULL : "not a regular file";
}

static PepaStatus keep(Model *model, Trace *trace, const PepaSamples *samples, PepaError *err)
{
    const size_t count = pepa_samples_count(samples);
    double *value = arena_alloc(&model->arena, count * sizeof *value);
    if (!value)
        return error_memory(err);
    memcpy(value, pepa_samples_values(samples), count * sizeof *value);
    trace->value = value;
    trace->count = count;
    return PEPA_OK;
}

static PepaStatus read_one(Model *model, Trace *trace, const PepaReading *how, DiagList *diags,
                           PepaError *err)
{
    if (how->no_files) {
        diag_error(diags, trace->span, "the durations in %s are not read: %s", trace->name,
                   "this model may name no file");
        return error_set(err, PEPA_EMODEL, "the model names a file");
    }
    PepaSamples *samples = NULL;
    char *path = path_of(model, trace);
    if (!path)
        return error_memory(err);
    const char *why = unreadable(path);
    PepaStatus status =
        why ? PEPA_EIO : pepa_samples_load(&samples, path, NULL, how->diagnose, how->user, err);
    if (status == PEPA_EIO) {
        diag_error(diags, trace->span, "the durations in %s cannot be read: %s", path,
                   why ? why : "opening or reading failed");
        status = error_set(err, PEPA_EMODEL, "a file of durations cannot be read");
    } else if (status == PEPA_OK && pepa_samples_count(samples) == 0) {
        diag_error(diags, trace->span, "there are no durations in %s", path);
        status = error_set(err, PEPA_EMODEL, "a file of durations is empty");
    } else if (status == PEPA_OK) {
        status = keep(model, trace, samples, err);
    }
    pepa_samples_free(samples);
    mem_free(path);
    return status;
}

PepaStatus traces_read(Model *model, const PepaReading *how, DiagList *diags, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    for (int32_t i = 0; i < model->trace_count && status == PEPA_OK; i++)
        status = read_one(model, &model->traces[i], how, diags, err);
    return status;
}
