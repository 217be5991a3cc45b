/* Runs of TAAG: taag_cases DIRECTORY CASE... */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

int rank, size;
char mapping_file[256];
static int bad;
static uint64_t random_state = 20090301;
static char (*names)[64];

void expect(int good, const char *format, ...)
{
    va_list arguments;
    if (good)
        return;
    bad++;
    va_start(arguments, format);
    (void)fprintf(stderr, "FAILED on rank %d of %d: ", rank, size);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

int below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

/* edin1 and edin2 are one cluster of latencies. */
static int family(int process)
{
    static const char *const prefix[] = {"edin1-", "edin2-", "sbc-", "muni-"};
    for (int i = 0; i < 4; i++)
        if (strncmp(names[process], prefix[i], strlen(prefix[i])) == 0)
            return i;
    return -1;
}

int shape;

static int cluster_in_shape(int process)
{
    switch (shape) {
    case 0:
        return process % 3;
    case 1: /* all near */
        return 0;
    case 2: /* one process alone */
        return process == size / 2;
    default: /* blocks of different sizes */
        return process > 0 ? 1 + (3 * process > 2 * size) : 0;
    }
}

int cluster_of(int process)
{
    int there = family(process);
    return there < 0 ? cluster_in_shape(process) : there < 2 ? 0 : there - 1;
}

/* Table 2 of Al Zain, Trinder, Michaelson, as in tests/grid/smpi/grid.xml. */
double latency_between(int a, int b)
{
    static const double ms[4][4] = {{0.20, 0.27, 2.03, 35.8},
                                    {0.27, 0.15, 2.03, 35.8},
                                    {2.03, 2.03, 0.20, 32.8},
                                    {35.8, 35.8, 32.8, 0.13}};
    if (a == b)
        return 0;
    if (family(a) < 0)
        return cluster_of(a) == cluster_of(b) ? 1e-4 : 1e-2;
    return 1e-3 * ms[family(a)][family(b)];
}

void write_file(const char *text)
{
    if (rank == 0) {
        FILE *to = fopen(mapping_file, "w");
        if (!to || fputs(text, to) < 0 || fclose(to) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

void write_mapping(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    (void)fprintf(to, "<mapping><schema kind=\"groups\" processes=\"%d\"/>\n", size);
    for (int i = 0; i < size; i++)
        (void)fprintf(to, "<host name=\"h%d\" places=\"1\" speed=\"1\"/>\n", i);
    for (int a = 0; a < size; a++)
        for (int b = 0; b < a; b++)
            (void)fprintf(to, "<latency from=\"h%d\" to=\"h%d\" seconds=\"%g\"/>\n", a, b,
                          latency_between(a, b));
    for (int i = 0; i < size; i++)
        (void)fprintf(to, "<group><process rank=\"%d\" host=\"h%d\"/></group>\n", i, i);
    (void)fputs("</mapping>\n", to);
    (void)fclose(to);
    write_file(text);
    free(text);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"queries", queries},
             {"tree_queries", tree_queries},
             {"ring_queries", ring_queries},
             {"misuse", misuse},
             {"collectives_agree", collectives_agree},
             {"times", times},
             {"table", table}};

int main(int argc, char **argv)
{
    int length = 0, flag = 1, all = 0;
    char name[MPI_MAX_PROCESSOR_NAME] = "", mine[64] = "";
    expect(TAAG_Initialized(&flag) == TAAG_SUCCESS && flag == TAAG_FALSE, "not initialised yet");
    expect(TAAG_Init(argv[0]) == TAAG_ERR_NO_MPI, "Init before MPI_Init");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(name, &length);
    (void)snprintf(mine, sizeof mine, "%.60s", name);
    names = calloc((size_t)size, sizeof *names);
    if (!names || argc < 3)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Allgather(mine, 64, MPI_CHAR, names, 64, MPI_CHAR, MPI_COMM_WORLD);
    (void)snprintf(mapping_file, sizeof mapping_file, "%s/mapping.xml", argv[1]);
    for (int i = 2; i < argc; i++) {
        size_t k = 0;
        while (k < sizeof cases / sizeof *cases && strcmp(cases[k].name, argv[i]) != 0)
            k++;
        expect(k < sizeof cases / sizeof *cases, "there is no case `%s`", argv[i]);
        if (k < sizeof cases / sizeof *cases)
            cases[k].run();
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            (void)printf("%s: %d processes\n", argv[i], size);
    }
    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(names);
    MPI_Finalize();
    return all > 0;
}
