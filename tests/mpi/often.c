/* pepa and amoget on MPI, often in one start of MPI, which takes longer than most models.   mpirun -n P often FILE: each
 * line of FILE is a name and the words of one run, with tabs between; the run's output, errors and exit status are written
 * to NAME.out, NAME.err and NAME.status. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 40, MOST_NAME = 4096 };

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);
int __real_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __real_MPI_Finalize(void);
int __wrap_MPI_Finalize(void);

int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    *provided = required;
    return MPI_SUCCESS;
}

int __wrap_MPI_Finalize(void)
{
    return MPI_SUCCESS;
}

static FILE *named(const char *name, const char *ending, FILE *instead)
{
    char path[MOST_NAME];
    (void)snprintf(path, sizeof path, "%s.%s", name, ending);
    return instead ? freopen(path, "w", instead) : fopen(path, "w");
}

/* Of all processes; the first one writes. */
static int run(char *line, int rank)
{
    char *words[MOST_WORDS + 1] = {0}, *name = strtok(line, "\t\n");
    int count = 0;
    while (count < MOST_WORDS && (words[count] = strtok(NULL, "\t\n")))
        count++;
    if (rank == 0 && !(named(name, "out", stdout) && named(name, "err", stderr)))
        return EXIT_FAILURE;
    const int status = __real_main(count, words);
    FILE *said = rank == 0 ? named(name, "status", NULL) : NULL;
    if (said) {
        (void)fflush(stdout);
        (void)fprintf(said, "%d\n", status);
        (void)fclose(said);
    }
    return rank == 0 && !said ? EXIT_FAILURE : EXIT_SUCCESS;
}

int __wrap_main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;
    int rank, threads, status = EXIT_SUCCESS;
    (void)__real_MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *runs = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!runs)
        status = EXIT_FAILURE;
    while (status == EXIT_SUCCESS && getline(&line, &room, runs) > 0)
        status = run(line, rank);
    free(line);
    if (runs)
        (void)fclose(runs);
    (void)__real_MPI_Finalize();
    return status;
}
