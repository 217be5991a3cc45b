/* The pipeline's source and sink, and the run without processes. */
#include <errno.h>
#include <string.h>

#include "images.h"

/* ---- files -------------------------------------------------------------------------------- */

int file_read(const char *path, GridBuffer *out)
{
    enum { MOST = 1 << 30 };
    char part[1 << 14];
    size_t got;
    FILE *from = fopen(path, "rb");
    const char *wrong = from ? NULL : strerror(errno);
    while (!wrong && (got = fread(part, 1, sizeof part, from)) > 0)
        if (out->size > MOST)
            wrong = "too large";
        else if (grid_put(out, part, got))
            wrong = "out of memory";
    if (!wrong && ferror(from))
        wrong = strerror(errno);
    if (from)
        (void)fclose(from);
    if (wrong)
        complain("%s: %s", path, wrong);
    return wrong ? -1 : 0;
}

static const char *file_of(const Options *options, int64_t item)
{
    return options->files[item % options->file_count];
}

int job_check_files(const Options *options)
{
    int status = EXIT_DONE;
    for (int i = 0; i < options->file_count && i < options->images; i++) {
        FILE *from = fopen(options->files[i], "rb");
        /* a folder can be opened, but not read */
        if (!from || (fgetc(from) == EOF && ferror(from))) {
            complain("%s: %s", options->files[i], strerror(errno));
            status = EXIT_INPUT;
        }
        if (from)
            (void)fclose(from);
    }
    return status;
}

/* ---- functions of the pipeline ------------------------------------------------------------ */

static int source(void *user, int64_t item, GridBuffer *out)
{
    const Options *options = ((Job *)user)->options;
    if (item >= options->images)
        return 0;
    if (options->file_count > 0)
        return file_read(file_of(options, item), out) ? -EXIT_INPUT : 1;
    return image_make(options->seed, options->size, item, out) ? -EXIT_LIMIT : 1;
}

static int sink(void *user, int64_t item, const GridBuffer *in)
{
    Job *job = user;
    return results_add(&job->results, job->options, item, in);
}

/* The decoder's state is the job, so that its errors can name the file. */
static void *decode_create(void *user)
{
    return user;
}

static int decode_named(void *state, int64_t item, const GridBuffer *in, GridBuffer *out)
{
    const Options *options = ((Job *)state)->options;
    int status = decode_image(NULL, item, in, out);
    if (status)
        complain("%s: %s", options->file_count > 0 ? file_of(options, item) : "an image made here",
                 image_words(status));
    return status;
}

GridPipeline job_pipeline(Job *job, GridStage *stages)
{
    memcpy(stages, image_stages, sizeof image_stages);
    stages[0].process = decode_named;
    stages[0].create = decode_create;
    return (GridPipeline){stages, IMAGE_STAGES, source, sink, job};
}

/* ---- without processes -------------------------------------------------------------------- */

/* One item through all stages, alternating between two buffers; the result is in buffer[0]. */
static int one_item(const GridPipeline *pipeline, void *const *state, int64_t item,
                    GridBuffer *buffer)
{
    for (int32_t i = 0; i < pipeline->stage_count; i++) {
        GridBuffer in = buffer[0];
        buffer[0] = buffer[1];
        buffer[1] = in;
        buffer[0].size = 0;
        int status = pipeline->stages[i].process(state[i], item, &buffer[1], &buffer[0]);
        if (status)
            return status;
    }
    return pipeline->sink(pipeline->user, item, &buffer[0]);
}

int job_run_alone(Job *job)
{
    GridStage stages[IMAGE_STAGES];
    const GridPipeline pipeline = job_pipeline(job, stages);
    GridBuffer buffer[2] = {{0}};
    void *state[IMAGE_STAGES] = {NULL};
    int status = 0;
    for (int i = 0; i < IMAGE_STAGES; i++)
        if (stages[i].create && !(state[i] = stages[i].create(job)))
            status = IMAGE_ENOMEM;
    for (int64_t item = 0; status == 0; item++) {
        buffer[0].size = 0;
        int answer = source(job, item, &buffer[0]);
        if (answer <= 0) {
            status = answer;
            break;
        }
        status = one_item(&pipeline, state, item, buffer);
    }
    for (int i = 0; i < IMAGE_STAGES; i++)
        if (stages[i].destroy)
            stages[i].destroy(state[i]);
    grid_buffer_free(&buffer[0]);
    grid_buffer_free(&buffer[1]);
    if (status == IMAGE_ENOMEM || status == -EXIT_LIMIT)
        complain("out of memory");
    return status == 0                                       ? EXIT_DONE
           : status == IMAGE_ENOMEM || status == -EXIT_LIMIT ? EXIT_LIMIT
                                                             : EXIT_INPUT;
}
