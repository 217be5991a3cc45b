/* A chain that processes on MPI share, as a program outside of the project has it. */
#include <math.h>
#include <mpi.h>
#include <pepa_mpi.h>
#include <pepa_shared.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "P = (think, 1).Q; Q = (serve, 2).P; S = (serve, 3).S; P[3] <serve> S";

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    PepaProcesses *processes = pepa_mpi_processes(MPI_COMM_WORLD);
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaShared *shared = NULL;
    PepaSettings set = {0};
    PepaError err = {0};
    double rate[2] = {0, 1};
    set.derive.explore = PEPA_SYMBOLIC;
    if (!processes || pepa_model_parse(&model, "m", text, strlen(text), NULL, &err) ||
        pepa_shared_derive(&chain, model, processes, &set, &err) ||
        pepa_shared_solve(&shared, chain, processes, &set, NULL, &err) ||
        pepa_shared_throughputs(shared, rate, &err))
        fprintf(stderr, "%s\n", err.message);
    const int good = fabs(rate[0] - rate[1]) < 1e-9; /* all who think are served */
    pepa_shared_free(shared);
    pepa_chain_free(chain);
    pepa_model_free(model);
    pepa_mpi_free(processes);
    MPI_Finalize();
    return !good;
}
