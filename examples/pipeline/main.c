/* grid-images: find regions in images on the processes of an MPI run. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "images.h"

static void print_totals(const Totals *totals)
{
    (void)printf("checksum %016" PRIx64 " of %" PRId64 " image%s\n", totals->checksum,
                 totals->images, totals->images == 1 ? "" : "s");
}

static int finish_output(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    complain("standard output: %s", strerror(errno));
    return EXIT_INPUT;
}

/* ---- one process -------------------------------------------------------------------------- */

static int run_alone(const Options *options)
{
    Job job = {.options = options};
    int status = job_run_alone(&job);
    if (status == EXIT_DONE) {
        Totals totals = results_print(&job.results, options->quiet);
        print_totals(&totals);
        status = finish_output();
    }
    results_free(&job.results);
    return status;
}

/* ---- all processes ------------------------------------------------------------------------ */

static void print_report(const Setup *setup, const Steering *steering, const GridReport *report)
{
    (void)printf("%" PRId64 " image%s in %.2f s: %.4g images/s\n", report->items,
                 report->items == 1 ? "" : "s", report->seconds, report->throughput);
    (void)printf("began as ");
    print_mapping(stdout, setup->desc, setup->start.mapping);
    if (setup->predicted > 0)
        (void)printf(", which amoget gave %.4g images/s", setup->predicted);
    (void)printf("\n%" PRId64 " move%s, %" PRId64 " decision%s, which took %.2g s in all\n",
                 report->moves, report->moves == 1 ? "" : "s", steering->decisions,
                 steering->decisions == 1 ? "" : "s", report->overhead);
}

/* On process 0, after success. */
static int tell(const Options *options, const Job *job, const Setup *setup,
                const Steering *steering, const GridReport *report)
{
    int status = EXIT_DONE;
    Totals totals = results_print(&job->results, options->quiet);
    print_report(setup, steering, report);
    print_totals(&totals);
    if (options->throughput)
        status = steering_write(steering, report);
    int output = finish_output();
    return status == EXIT_DONE ? output : status;
}

static int error_status(const GridError *err)
{
    switch (err->code) {
    case GRID_OK:
        return EXIT_DONE;
    case GRID_EUSER: /* a function failed: a file, or memory */
        return EXIT_INPUT;
    case GRID_ENOMEM:
        return EXIT_LIMIT;
    default:
        return EXIT_RUN;
    }
}

/* Can the input process read the images? */
static int check_files(const Options *options, const Setup *setup, MPI_Comm comm)
{
    int rank;
    (void)MPI_Comm_rank(comm, &rank);
    int32_t where = setup->start.input;
    if (where == AMOGET_NOWHERE)
        where = setup->start.mapping[0];
    return share_status(rank == where ? job_check_files(options) : EXIT_DONE, comm);
}

static double seconds_since_1970(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The run itself, and its results. */
static int run_job(Job *job, Setup *setup, MPI_Comm comm, GridError *err)
{
    const Options *options = job->options;
    const double patience = 30; /* a large image may take a slow machine long */
    GridStage stages[IMAGE_STAGES];
    GridPipeline pipeline = job_pipeline(job, stages);
    Steering steering = {.options = options, .setup = setup, .epoch = seconds_since_1970()};
    GridReport report = {0};
    int rank;
    (void)MPI_Comm_rank(comm, &rank);
    (void)MPI_Comm_size(comm, &steering.processes);
    const GridController controller = steering_controller(&steering);
    const GridSettings settings = {.mode = setup->start.mode,
                                   .static_sharing = options->static_sharing,
                                   .mapping = setup->start.mapping,
                                   .input = setup->start.input,
                                   .output = setup->start.output,
                                   .platform = setup->platform,
                                   .controller = rank == 0 ? &controller : NULL,
                                   .patience = patience};
    int status = EXIT_DONE;
    if (grid_run(comm, &pipeline, &settings, &report, err)) {
        if (rank == err->speaker)
            complain("%s", err->message);
        status = error_status(err);
    } else if (results_gather(&job->results, comm)) {
        if (rank == 0)
            complain("the results could not be gathered: out of memory");
        status = EXIT_LIMIT;
    } else if (rank == 0) {
        status = tell(options, job, setup, &steering, &report);
    }
    grid_buffer_free(&steering.moments);
    return status;
}

static int run_together(const Options *options, MPI_Comm comm, GridError *err)
{
    Job job = {.options = options};
    Setup setup = {0};
    int status = setup_make(&setup, options, comm);
    if (status == EXIT_DONE)
        status = check_files(options, &setup, comm);
    if (status == EXIT_DONE)
        status = run_job(&job, &setup, comm, err);
    setup_free(&setup);
    results_free(&job.results);
    return status;
}

int main(int argc, char **argv)
{
    GridError err = {0};
    Options options;
    int rank, status;
    grid_guard();
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return EXIT_RUN;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    status = options_read(&options, argc, argv, rank == 0);
    if (status == GO_ON && options.sequential)
        status = share_status(rank == 0 ? run_alone(&options) : EXIT_DONE, MPI_COMM_WORLD);
    else if (status == GO_ON)
        status = run_together(&options, MPI_COMM_WORLD, &err);
    if (status == EXIT_DONE && rank == 0)
        status = finish_output();
    int finished = grid_finish(MPI_COMM_WORLD, &err);
    return status == EXIT_DONE ? finished : status;
}
