/* Sets up a run from the options: description, first mapping, monitor and rescheduler. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

static int exit_status(PepaStatus status)
{
    switch (status) {
    case PEPA_OK:
        return EXIT_DONE;
    case PEPA_ENOMEM:
    case PEPA_ELIMIT:
        return EXIT_LIMIT;
    case PEPA_ENOCONV:
        return EXIT_RUN;
    default:
        return EXIT_DESCRIPTION;
    }
}

static int failed(PepaStatus status, const PepaError *err)
{
    complain("%s", err->message);
    return exit_status(status);
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Without a description: equal processors, typical works; images start and end on process 0. */
static int make_description(GridBuffer *out, const Options *o, int processes)
{
    const double pixels = (double)o->size * o->size, nano = 1e-9, text_bytes = 4;
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return EXIT_LIMIT;
    (void)fprintf(to, "pipeline {\n"); /* a unit of work is a millisecond */
    for (int i = 0; i < IMAGE_STAGES; i++)
        (void)fprintf(to, "  stage %s work %.6g output %.0f;\n", image_stages[i].name,
                      image_costs[i].nanoseconds * nano * 1e3 * pixels,
                      image_costs[i].bytes * pixels);
    (void)fprintf(to, "}\nprocessors {\n");
    for (int p = 0; p < processes; p++)
        (void)fprintf(to, "  p%d time 0.001;\n", p + 1);
    (void)fprintf(to,
                  "}\nnetwork {\n  latency default 0.0001;\n  latency local 0.00001;\n"
                  "  bandwidth default 1000000000;\n  bandwidth local 5000000000;\n}\n"
                  "input p1 size %.0f;\noutput p1;\n",
                  text_bytes * pixels);
    int status = fclose(to) ? EXIT_LIMIT : EXIT_DONE;
    if (status == EXIT_DONE && grid_put(out, text, length))
        status = EXIT_LIMIT;
    free(text);
    return status;
}

static int read_texts(Texts *texts, const Options *o, int processes)
{
    const char *path = o->description ? o->description : o->platform;
    if (!path && make_description(&texts->description, o, processes)) {
        complain("out of memory");
        return EXIT_LIMIT;
    }
    if ((path && file_read(path, &texts->description)) ||
        (o->platform && file_read(o->platform, &texts->platform)) ||
        (o->changes && file_read(o->changes, &texts->changes)))
        return EXIT_INPUT;
    return EXIT_DONE;
}

/* Broadcast a text of process 0, ended by NUL. */
static int share_text(GridBuffer *text, MPI_Comm comm)
{
    int64_t size = (int64_t)text->size;
    int rank;
    (void)MPI_Comm_rank(comm, &rank);
    share_bytes(&size, (int)sizeof size, comm);
    bool bad = rank > 0 && size > 0 && !buffer_extend(text, (size_t)size);
    bad = bad || grid_put(text, "", 1);
    if (share_status(bad, comm)) {
        if (rank == 0)
            complain("out of memory");
        return EXIT_LIMIT;
    }
    text->size = (size_t)size;
    if (size > 0)
        share_bytes(text->bytes, (int)size, comm);
    return EXIT_DONE;
}

/* ---- the description ---------------------------------------------------------------------- */

static void print_finding(void *user, const PepaDiagnostic *d)
{
    const bool *errors_only = user;
    if (*errors_only && d->severity != PEPA_ERROR)
        return;
    (void)fprintf(stderr, "%s:", d->file);
    if (d->line)
        (void)fprintf(stderr, "%u:%u:", d->line, d->column);
    (void)fprintf(stderr, " %s: %s\n%s", d->severity == PEPA_ERROR ? "error" : "warning",
                  d->message, d->excerpt);
}

static const char *description_name(const Options *o)
{
    return o->description ? o->description : o->platform ? o->platform : "description";
}

static int check_fit(const AmogetDescription *desc, const char *name, int processes)
{
    if (amoget_stage_count(desc) != IMAGE_STAGES) {
        complain("%s: there are %d stages: this pipeline has %d", name, amoget_stage_count(desc),
                 IMAGE_STAGES);
        return EXIT_DESCRIPTION;
    }
    for (int32_t i = 0; i < IMAGE_STAGES; i++)
        if (strcmp(amoget_stage_name(desc, i), image_stages[i].name) != 0) {
            complain("%s: stage %d is `%s`: in this pipeline it is `%s`", name, i + 1,
                     amoget_stage_name(desc, i), image_stages[i].name);
            return EXIT_DESCRIPTION;
        }
    if (amoget_processor_count(amoget_machine(desc)) != processes) {
        complain("%s: there are %d processors for %d process%s: mpirun -n %d", name,
                 amoget_processor_count(amoget_machine(desc)), processes,
                 processes == 1 ? "" : "es", amoget_processor_count(amoget_machine(desc)));
        return EXIT_DESCRIPTION;
    }
    return EXIT_DONE;
}

static int read_description(Setup *setup, const Options *o, int processes)
{
    bool errors_only = false;
    const AmogetReading how = {.diagnose = print_finding, .user = &errors_only};
    const GridBuffer *text = &setup->texts.description;
    const char *name = description_name(o);
    PepaError err = {0};
    PepaStatus status =
        amoget_parse(&setup->desc, name, (const char *)text->bytes, text->size, &how, &err);
    if (status != PEPA_OK) /* its message has been printed */
        return exit_status(status);
    int fit = check_fit(setup->desc, name, processes);
    if (fit != EXIT_DONE)
        return fit;
    bool buffered = o->buffered || amoget_transfer(setup->desc) == AMOGET_BUFFERED;
    setup->start.mode = buffered ? GRID_BUFFERED : GRID_RENDEZVOUS;
    status = amoget_set_transfer(setup->desc, buffered ? AMOGET_BUFFERED : AMOGET_RENDEZVOUS, &err);
    if (status == PEPA_OK) /* the model is that of the run */
        status = amoget_set_sharing(setup->desc, o->static_sharing ? AMOGET_STATIC : AMOGET_SERIAL,
                                    &err);
    amoget_ends(setup->desc, &setup->start.input, &setup->start.output);
    return status == PEPA_OK ? EXIT_DONE : failed(status, &err);
}

/* ---- the first mapping, monitor and rescheduler ------------------------------------------- */

static PepaStatus best_mapping(Setup *setup, const AmogetSettings *set, PepaError *err)
{
    AmogetRanker *ranker = NULL;
    AmogetRanking *ranking = NULL;
    PepaStatus status = amoget_ranker_new(&ranker, setup->desc, set, err);
    if (status == PEPA_OK)
        status = amoget_rank(ranker, set, &ranking, err);
    if (status == PEPA_OK) {
        memcpy(setup->start.mapping, ranking->entries[0].mapping, sizeof setup->start.mapping);
        setup->predicted = ranking->entries[0].throughput;
    }
    amoget_ranking_free(ranking);
    amoget_ranker_free(ranker);
    return status;
}

static int find_mapping(Setup *setup, const Options *o)
{
    AmogetSettings set = {0};
    PepaError err = {0};
    PepaStatus status;
    set.top = 1;
    set.time_limit = 2;
    set.search = amoget_mapping_count(setup->desc) > 0 ? AMOGET_LISTED : AMOGET_BEST;
    if (o->mapping)
        status = amoget_read_mapping(setup->desc, o->mapping, setup->start.mapping, &err);
    else
        status = best_mapping(setup, &set, &err);
    if (status != PEPA_OK && o->mapping) {
        complain("--mapping: %s", err.message);
        return EXIT_USAGE;
    }
    return status == PEPA_OK ? EXIT_DONE : failed(status, &err);
}

static int open_file(const char *path, FILE **out)
{
    if (!path)
        return EXIT_DONE;
    *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    if (!*out)
        complain("%s: %s", path, strerror(errno));
    return *out ? EXIT_DONE : EXIT_INPUT;
}

static int make_rescheduler(Setup *setup, const Options *o)
{
    /* the monitor measures works, unless times are injected */
    const GridMonitorSettings monitored = {.adjust_work = !o->platform};
    GridReschedulerSettings set = grid_rescheduler_default();
    PepaError err = {0};
    set.items = o->images;
    set.log = setup->log;
    set.json = o->json_log;
    setup->monitor = grid_monitor_new(setup->desc, &monitored);
    if (!setup->monitor) {
        complain("out of memory");
        return EXIT_LIMIT;
    }
    if (o->fixed || o->random_moves)
        return EXIT_DONE;
    PepaStatus status =
        grid_rescheduler_new(&setup->rescheduler, setup->desc, setup->monitor, &set, &err);
    return status == PEPA_OK ? EXIT_DONE : failed(status, &err);
}

static int make_controls(Setup *setup, const Options *o, int processes)
{
    int status = read_description(setup, o, processes);
    if (status == EXIT_DONE)
        status = find_mapping(setup, o);
    if (status == EXIT_DONE)
        status = open_file(o->log, &setup->log);
    if (status == EXIT_DONE)
        status = open_file(o->measurements, &setup->measurements);
    return status == EXIT_DONE ? make_rescheduler(setup, o) : status;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static int make_platform(Setup *setup, const Options *o, int processes, bool speak)
{
    bool errors_only = !o->description; /* warnings have been printed */
    const GridPlatformSettings set = {.distribution = GRID_EXPONENTIAL,
                                      .seed = o->seed,
                                      .scale = 1,
                                      .static_sharing = o->static_sharing,
                                      .changes_name = o->changes,
                                      .reader = grid_pipeline_reader()};
    const GridBuffer *text = &setup->texts.platform;
    PepaError err = {0};
    PepaStatus status = grid_platform_new(&setup->platform, o->platform, (const char *)text->bytes,
                                          text->size, (const char *)setup->texts.changes.bytes,
                                          &set, speak ? print_finding : NULL, &errors_only, &err);
    if (status != PEPA_OK) {
        bool told = err.line > 0;
        if (speak && !told)
            complain("%s: %s", o->platform, err.message);
        return exit_status(status);
    }
    const AmogetDescription *desc = grid_platform_part(setup->platform, 0);
    return speak ? check_fit(desc, o->platform, processes) : EXIT_DONE;
}

int setup_make(Setup *setup, const Options *o, MPI_Comm comm)
{
    int rank, processes;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &processes);
    bool first = rank == 0;
    int status = first ? read_texts(&setup->texts, o, processes) : EXIT_DONE;
    status = share_status(status, comm);
    if (status == EXIT_DONE)
        status = share_status(first ? make_controls(setup, o, processes) : EXIT_DONE, comm);
    if (status == EXIT_DONE)
        share_bytes(&setup->start, (int)sizeof setup->start, comm);
    if (status != EXIT_DONE || !o->platform)
        return status;
    status = share_text(&setup->texts.platform, comm);
    if (status == EXIT_DONE)
        status = share_text(&setup->texts.changes, comm);
    if (status == EXIT_DONE)
        status = share_status(make_platform(setup, o, processes, first), comm);
    return status;
}

void setup_free(Setup *setup)
{
    grid_rescheduler_free(setup->rescheduler);
    grid_monitor_free(setup->monitor);
    amoget_free(setup->desc);
    grid_platform_free(setup->platform);
    grid_buffer_free(&setup->texts.description);
    grid_buffer_free(&setup->texts.platform);
    grid_buffer_free(&setup->texts.changes);
    if (setup->log && setup->log != stdout)
        (void)fclose(setup->log);
    if (setup->measurements && setup->measurements != stdout)
        (void)fclose(setup->measurements);
}
