/* taag-probe SECONDS NAME...: the program that `taag probe` starts, one process on each host.
 *
 * Process 0 alone has the arguments: the seconds that its host takes for a unit of work, and the
 * names of the hosts in the order of ranks.  It prints the measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/core/agree.h"
#include "grid/core/lifecycle.h"
#include "grid/taag/probe/findings.h"

/* Is there a name for each process? */
static int check_arguments(Session *session, int argc, char **argv, double *reference)
{
    char *end = NULL;
    const int32_t size = session->transport.size;
    if (session->transport.rank > 0)
        return 0;
    *reference = argc > 1 ? strtod(argv[1], &end) : 0;
    if (argc != size + 2 || !end || *end || !isfinite(*reference) || *reference <= 0)
        return session_fail(session, GRID_EARG,
                            "%d processes need seconds and as many names: taag probe starts them",
                            size);
    return 0;
}

static int report(Session *session, const Findings *findings, char **names, double reference)
{
    PepaError err = {0};
    if (session->transport.rank == 0 &&
        findings_write(findings, names, reference, (double)time(NULL), stdout, &err) != PEPA_OK)
        (void)session_fail(session, GRID_EARG, "%s", err.message);
    else if (session->transport.rank == 0 && fflush(stdout) != 0)
        (void)session_fail(session, GRID_EARG, "cannot write all measurements");
    return agree_same(session, 0, "");
}

int main(int argc, char **argv)
{
    const Runtime runtime = {0};
    Session session = {0};
    Findings findings = {0};
    double reference = 0, period = 1;
    (void)MPI_Init(&argc, &argv);
    int opened = session_open(&session, MPI_COMM_WORLD, &runtime) == 0;
    if (opened && session_prepare(&session) == 0)
        (void)check_arguments(&session, argc, argv, &reference);
    if (opened && agree_same(&session, 0, "") == 0 && agree_meet(&session) == 0 &&
        agree_start(&session, 0, &period) == 0 && findings_make(&findings, &session) == 0)
        (void)report(&session, &findings, argv + 2, reference);
    const GridError error = session.error;
    if (error.code != GRID_OK && session.transport.rank == error.speaker)
        (void)fprintf(stderr, "taag-probe: %s\n", error.message);
    findings_free(&findings);
    session_close(&session);
    (void)MPI_Finalize();
    return error.code == GRID_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
