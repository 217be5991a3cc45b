/* The steady state as PETSc computes it: the transposed generator assembled, and a Krylov method.
 *   mpirun -n P bench_petsc MODEL [-explore symbolic] [-no-aggregate] [PETSC'S OPTIONS]
 * The singular system is kept: Q'e = -Q'x, x = x + e, from equal shares x on.  The sum of x in
 * place of an equation would be a dense row, and with an entry of x fixed Krylov methods stagnate.
 * By default BiCGSTAB with additive Schwarz and ILU(0).
 * Rounds go on until x meets what `pepa solve` demands of an answer, evaluated from the matrix.
 * Each asks KSP for what is missing.  Negative entries of x become 0 after each round.
 * What is counted: from the assembly of the matrix to the certified answer.  Not counted: states
 * and transitions.  Each process finds them for itself, keeps its rows, and frees the rest.
 * Prints an object of JSON: seconds; memory, of the process that takes most, beyond its rows; the
 * throughputs, for comparison. */
#include <malloc.h>
#include <math.h>
#include <pepa.h>
#include <petscksp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* This process's rows of Q transposed, columns ascending. */
typedef struct {
    PetscInt states, first, count;
    PetscInt *row, *col;
    double *val;
} Rows;

typedef struct {
    Mat q;                 /* transposed */
    Vec x, out, lack, e;   /* out: minus the exit rates; lack: -Q'x */
    double residual, time; /* of x, as in PepaInfo; the residual by time, see doc/numerics.md */
} System;

typedef struct {
    int rounds;
    PetscInt iterations;
    double assembly, total, cpu; /* seconds; cpu: of all processes */
    double bytes;                /* of the largest process */
} Cost;

static const double tolerance = 1e-10;
enum { MOST_ROUNDS = 20 };

static void must(bool done, const char *message)
{
    if (done)
        return;
    (void)fprintf(stderr, "bench_petsc: %s\n", message);
    (void)MPI_Abort(MPI_COMM_WORLD, 1);
}

static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    must(p, "out of memory");
    return p;
}

/* A line of /proc/self/status: VmRSS, or VmHWM, its largest value since reset_peak. */
static double status_bytes(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *from = fopen("/proc/self/status", "r");
    must(from, "no /proc/self/status");
    while (fgets(line, sizeof line, from))
        if (strncmp(line, name, strlen(name)) == 0)
            kilobytes = strtod(line + strlen(name) + 1, NULL);
    (void)fclose(from);
    return kilobytes * 1024;
}

static void reset_peak(void)
{
    FILE *to = fopen("/proc/self/clear_refs", "w");
    must(to && fputs("5", to) >= 0 && fclose(to) == 0, "no /proc/self/clear_refs");
}

/* Of this process. */
static double cpu_seconds(void)
{
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* ---- the chain --------------------------------------------------------------------------- */

static PepaChain *derive(const char *path)
{
    PepaError err = {0};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSettings set = {0};
    char explore[16] = "explicit";
    PetscBool apart = PETSC_FALSE;
    (void)PetscOptionsGetString(NULL, NULL, "-explore", explore, sizeof explore, NULL);
    set.derive.explore = strcmp(explore, "symbolic") == 0 ? PEPA_SYMBOLIC : PEPA_EXPLICIT;
    (void)PetscOptionsHasName(NULL, NULL, "-no-aggregate", &apart);
    set.derive.separate_copies = apart == PETSC_TRUE;
    must(pepa_model_load(&model, path, NULL, &err) == PEPA_OK, err.message);
    must(pepa_chain_derive(&chain, model, &set, &err) == PEPA_OK, err.message);
    pepa_model_free(model);
    return chain;
}

/* Into rows->row: where each row of Q' begins. */
static void count_entries(const PepaMatrix *q, Rows *rows)
{
    for (int64_t k = 0; k < q->row[q->n]; k++)
        if (q->col[k] >= rows->first && q->col[k] < rows->first + rows->count)
            rows->row[q->col[k] - rows->first + 1]++;
    for (PetscInt i = 0; i < rows->count; i++)
        rows->row[i + 1] += rows->row[i];
}

static void transpose(const PepaMatrix *q, Rows *rows)
{
    PetscInt *at = room((size_t)rows->count, sizeof *at);
    memcpy(at, rows->row, (size_t)rows->count * sizeof *at);
    for (PetscInt from = 0; from < q->n; from++)
        for (int64_t k = q->row[from]; k < q->row[from + 1]; k++) {
            const PetscInt i = q->col[k] - rows->first;
            if (i < 0 || i >= rows->count)
                continue;
            rows->col[at[i]] = from;
            rows->val[at[i]++] = q->val[k];
        }
    free(at);
}

/* All that is taken on the way is given back to the system before this returns. */
static Rows rows_of(const char *path)
{
    PepaError err = {0};
    PepaMatrix q = {0};
    Rows rows = {.count = PETSC_DECIDE};
    PepaChain *chain = derive(path);
    must(pepa_chain_generator(chain, &q, &err) == PEPA_OK, err.message);
    pepa_chain_free(chain);
    rows.states = q.n;
    (void)PetscSplitOwnership(MPI_COMM_WORLD, &rows.count, &rows.states);
    (void)MPI_Exscan(&rows.count, &rows.first, 1, MPIU_INT, MPI_SUM, MPI_COMM_WORLD);
    rows.row = room((size_t)rows.count + 1, sizeof *rows.row);
    count_entries(&q, &rows);
    rows.col = room((size_t)rows.row[rows.count], sizeof *rows.col);
    rows.val = room((size_t)rows.row[rows.count], sizeof *rows.val);
    transpose(&q, &rows);
    pepa_matrix_free(&q);
    (void)malloc_trim(0);
    return rows;
}

/* ---- the solution ------------------------------------------------------------------------ */

/* The matrix takes exactly what its entries need. */
static PetscErrorCode assemble(System *s, const Rows *rows)
{
    PetscCall(MatCreate(MPI_COMM_WORLD, &s->q));
    PetscCall(MatSetSizes(s->q, rows->count, rows->count, rows->states, rows->states));
    PetscCall(MatSetType(s->q, MATAIJ));
    PetscCall(MatSeqAIJSetPreallocationCSR(s->q, rows->row, rows->col, rows->val));
    PetscCall(MatMPIAIJSetPreallocationCSR(s->q, rows->row, rows->col, rows->val));
    PetscCall(MatCreateVecs(s->q, &s->x, &s->lack));
    PetscCall(VecDuplicate(s->x, &s->out));
    PetscCall(VecDuplicate(s->x, &s->e));
    PetscCall(MatGetDiagonal(s->q, s->out));
    PetscCall(VecSet(s->x, 1.0 / rows->states));
    return 0;
}

/* lack = -Q'x, and both residuals; overwrites e. */
static PetscErrorCode evaluate(System *s)
{
    PetscReal off, flow;
    PetscCall(MatMult(s->q, s->x, s->lack));
    PetscCall(VecScale(s->lack, -1));
    PetscCall(VecNorm(s->lack, NORM_1, &off));
    PetscCall(VecDot(s->x, s->out, &flow));
    PetscCall(VecPointwiseDivide(s->e, s->lack, s->out));
    PetscCall(VecNorm(s->e, NORM_1, &s->time));
    s->residual = off / -flow;
    return 0;
}

/* x = x + e, as a distribution; overwrites e. */
static PetscErrorCode correct(System *s)
{
    PetscReal sum;
    PetscCall(VecAXPY(s->x, 1, s->e));
    PetscCall(VecSet(s->e, 0));
    PetscCall(VecPointwiseMax(s->x, s->x, s->e));
    PetscCall(VecSum(s->x, &sum));
    PetscCall(VecScale(s->x, 1 / sum));
    return 0;
}

static bool certified(const System *s)
{
    return s->residual <= tolerance && s->time <= tolerance;
}

static PetscErrorCode solve(System *s, Cost *cost)
{
    KSP ksp;
    PC pc;
    PetscInt iterations;
    PetscCall(KSPCreate(MPI_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, s->q, s->q));
    PetscCall(KSPSetType(ksp, KSPBCGS));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCASM));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(evaluate(s));
    while (!certified(s) && cost->rounds < MOST_ROUNDS) {
        const double share = tolerance / 2 / fmax(s->residual, s->time);
        PetscCall(KSPSetTolerances(ksp, share, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
        PetscCall(KSPSolve(ksp, s->lack, s->e));
        PetscCall(KSPGetIterationNumber(ksp, &iterations));
        PetscCall(correct(s));
        PetscCall(evaluate(s));
        cost->iterations += iterations;
        cost->rounds++;
    }
    PetscCall(KSPDestroy(&ksp));
    return 0;
}

/* Assembles and solves, which is what counts. */
static PetscErrorCode measure(System *s, const Rows *rows, Cost *cost)
{
    reset_peak();
    (void)MPI_Barrier(MPI_COMM_WORLD);
    const double bytes = status_bytes("VmRSS"), cpu = cpu_seconds(), start = MPI_Wtime();
    PetscCall(assemble(s, rows));
    cost->assembly = MPI_Wtime() - start;
    PetscCall(solve(s, cost));
    cost->total = MPI_Wtime() - start;
    cost->cpu = cpu_seconds() - cpu;
    cost->bytes = status_bytes("VmHWM") - bytes;
    (void)MPI_Allreduce(MPI_IN_PLACE, &cost->cpu, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    (void)MPI_Allreduce(MPI_IN_PLACE, &cost->bytes, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 0;
}

/* ---- the report -------------------------------------------------------------------------- */

/* Where there is a pi: of all states, in the first process. */
static void print_throughputs(const char *path, const double *pi)
{
    PepaChain *chain = derive(path);
    const int32_t actions = pepa_chain_info(chain).actions;
    double *flow = room((size_t)actions, sizeof *flow);
    pepa_throughputs(chain, pi, flow);
    (void)printf(", \"throughput\": {");
    for (int32_t a = 0; a < actions; a++)
        (void)printf("%s\"%s\": %.17g", a ? ", " : "", pepa_chain_action_name(chain, a), flow[a]);
    (void)printf("}");
    free(flow);
    pepa_chain_free(chain);
}

static PetscErrorCode report(const char *path, System *s, const Cost *cost)
{
    PetscMPIInt rank;
    MatInfo info;
    VecScatter to_first;
    Vec all;
    const PetscScalar *pi;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PetscCall(MatGetInfo(s->q, MAT_GLOBAL_SUM, &info));
    PetscCall(VecScatterCreateToZero(s->x, &to_first, &all));
    PetscCall(VecScatterBegin(to_first, s->x, all, INSERT_VALUES, SCATTER_FORWARD));
    PetscCall(VecScatterEnd(to_first, s->x, all, INSERT_VALUES, SCATTER_FORWARD));
    if (rank == 0) {
        (void)printf("{\"entries\": %.0f, \"rounds\": %d, \"iterations\": %d, ", info.nz_used,
                     cost->rounds, (int)cost->iterations);
        (void)printf("\"residual\": %.3g, \"by_time\": %.3g, ", s->residual, s->time);
        (void)printf("\"assembly_s\": %.6f, \"seconds\": %.6f, \"cpu_s\": %.6f, ", cost->assembly,
                     cost->total, cost->cpu);
        (void)printf("\"bytes\": %.0f", cost->bytes);
        PetscCall(VecGetArrayRead(all, &pi));
        print_throughputs(path, pi);
        PetscCall(VecRestoreArrayRead(all, &pi));
        (void)printf("}\n");
    }
    PetscCall(VecScatterDestroy(&to_first));
    PetscCall(VecDestroy(&all));
    return 0;
}

int main(int argc, char **argv)
{
    System s = {0};
    Cost cost = {0};
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    must(argc > 1, "usage: mpirun -n P bench_petsc MODEL [options]");
    Rows rows = rows_of(argv[1]);
    PetscCall(measure(&s, &rows, &cost));
    must(certified(&s), "no answer within the tolerance");
    PetscCall(report(argv[1], &s, &cost));
    PetscCall(MatDestroy(&s.q));
    PetscCall(VecDestroy(&s.x));
    PetscCall(VecDestroy(&s.out));
    PetscCall(VecDestroy(&s.lack));
    PetscCall(VecDestroy(&s.e));
    free(rows.row);
    free(rows.col);
    free(rows.val);
    PetscCall(PetscFinalize());
    return 0;
}
