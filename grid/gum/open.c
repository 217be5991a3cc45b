/* How a run opens: what processes have to know of each other, in two exchanges.
 *
 * Between far processes each agreement takes latencies.  So everybody tells everybody all that it has to say, and
 * draws the conclusions itself. */
#include "grid/gum/open.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/gum/meet.h"

typedef enum { CALL_RUN, CALL_END } Call;

struct Word {
    int32_t call, failed; /* session.error is set */
    int64_t fingerprint;  /* of the tasks and the first one */
    double now;
    Peer peer;
    Settings settings;
};

int open_new(Gum *gum)
{
    gum->words = calloc((size_t)gum->processes, sizeof *gum->words);
    return gum->words ? 0 : -1;
}

void open_free(Gum *gum)
{
    free(gum->words);
    gum->words = NULL;
}

static int64_t fingerprint(const Gum *gum, GumType first)
{
    uint64_t hash = peers_hash(PEERS_HASH_BASIS, &first, sizeof first);
    for (int32_t i = 0; i < gum->type_count; i++) {
        const GumTask *task = &gum->types[i]->task;
        uint64_t sizes[3] = {task->argument.size, task->result.size, (uint64_t)gum->types[i]->pure};
        hash = peers_hash(hash, task->name, strlen(task->name) + 1);
        hash = peers_hash(hash, sizes, sizeof sizes);
    }
    return (int64_t)hash;
}

static int exchange(Gum *gum, Word *mine)
{
    const int bytes = (int)sizeof *mine;
    MPI_Request request;
    mine->failed = gum->session.error.code != GRID_OK;
    mine->now = clock_now();
    int status = MPI_Iallgather(mine, bytes, MPI_BYTE, gum->words, bytes, MPI_BYTE,
                                gum->session.transport.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

static void check_call(const Gum *gum, Call mine)
{
    static const char *const name[] = {"gum_run", "gum_end"};
    for (int p = 0; p < gum->processes; p++)
        if (gum->words[p].call != (int32_t)mine)
            context_stop(name[mine], "process %d called %s instead", p, name[gum->words[p].call]);
}

/* The first process that has an error tells all of it. */
static int check_errors(Gum *gum)
{
    for (int p = 0; p < gum->processes; p++)
        if (gum->words[p].failed)
            return agree_error(&gum->session, p);
    return 0;
}

static int check_tasks(Gum *gum)
{
    for (int p = 1; p < gum->processes; p++)
        if (gum->words[p].fingerprint != gum->words[0].fingerprint)
            return session_fail(&gum->session, GRID_EARG,
                                "gum_run: processes differ in the number, names, sizes or gum_pure "
                                "of their tasks, or in the one that they begin; process %d differs "
                                "from process 0",
                                p);
    return 0;
}

/* When the last process arrived of those that read this one's clock. */
static double last_arrival(const Gum *gum)
{
    double last = -HUGE_VAL;
    for (int p = 0; p < gum->processes; p++)
        if (peers_same_clock(&gum->session.peers, p))
            last = fmax(last, gum->words[p].now);
    return last;
}

/* Process 0's settings count. */
static void settle(Gum *gum, Word *mine)
{
    char problem[200] = "";
    if (settings_read(&mine->settings, problem, sizeof problem))
        (void)session_fail(&gum->session, GRID_EARG, "%s", problem);
    mine->settings.measures = meet_measures(gum);
}

int open_meet(Gum *gum, GumType first)
{
    Word mine;
    memset(&mine, 0, sizeof mine); /* padding too: it is sent */
    mine.call = CALL_RUN;
    mine.fingerprint = fingerprint(gum, first);
    mine.peer = peers_self();
    if (gum->pid == 0)
        settle(gum, &mine);
    if (exchange(gum, &mine))
        return -1;
    check_call(gum, CALL_RUN);
    if (check_errors(gum) || check_tasks(gum))
        return -1;
    for (int p = 0; p < gum->processes; p++)
        gum->session.peers.each[p] = gum->words[p].peer;
    peers_start(&gum->session.peers);
    gum->settings = gum->words[0].settings;
    gum->session.patience = gum->settings.patience;
    gum->session.start = last_arrival(gum);
    return 0;
}

void open_end(Gum *gum)
{
    Word mine;
    memset(&mine, 0, sizeof mine);
    mine.call = CALL_END;
    if (exchange(gum, &mine) == 0)
        check_call(gum, CALL_END);
}

int open_begin(Gum *gum)
{
    Word mine;
    memset(&mine, 0, sizeof mine);
    if (exchange(gum, &mine) || check_errors(gum))
        return -1;
    gum->session.start = last_arrival(gum);
    return 0;
}
