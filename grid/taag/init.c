/* Beginning and end: all processes read the same mapping, or none. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/core/agree.h"
#include "grid/core/clusters.h"
#include "grid/taag/context.h"
#include "grid/taag/edges.h"
#include "grid/taag/plan.h"

/* Core's error codes are 0 .. GRID_ELOST; ours follow. */
enum { OURS = 100 };

#define CALL "TAAG_Init"

typedef struct {
    Session session; /* for agreement only: no run begins */
    Text text;       /* of the file */
    Mapping *mapping;
    int mode;
} Start;

static int refuse(Start *s, int code, const char *message)
{
    return session_fail(&s->session, OURS + code, "rank %d: %.230s", s->session.transport.rank,
                        message);
}

static void read_file(Start *s, const char *name)
{
    char message[256];
    FILE *from = name ? fopen(name, "rb") : NULL;
    if (!name)
        (void)refuse(s, TAAG_ERR_ARG, "no mapping file is given; start the program by `taag run`");
    else if (!from) {
        (void)snprintf(message, sizeof message, "%.150s: %s", name, strerror(errno));
        (void)refuse(s, TAAG_ERR_FILE, message);
    } else {
        text_read(&s->text, from, TEXT_MOST);
        if (s->text.failed)
            (void)refuse(s, TAAG_ERR_MEMORY, "out of memory");
        else if (ferror(from)) {
            (void)snprintf(message, sizeof message, "%.150s cannot be read", name);
            (void)refuse(s, TAAG_ERR_FILE, message);
        }
    }
    if (from)
        (void)fclose(from);
}

static void read_mapping(Start *s, const char *name)
{
    char message[256];
    PepaError err = {0};
    if (s->session.error.code != GRID_OK)
        return;
    PepaStatus status = mapping_read(&s->mapping, name, s->text.text ? s->text.text : "",
                                     s->text.length, NULL, NULL, &err);
    if (status == PEPA_OK)
        return;
    (void)snprintf(message, sizeof message, "%.60s:%u:%u: %.160s", name, err.line, err.column,
                   err.message);
    (void)refuse(s, status == PEPA_ENOMEM ? TAAG_ERR_MEMORY : TAAG_ERR_MAPPING, message);
}

static void read_mode(Start *s)
{
    const char *text = getenv("TAAG_COLLECTIVES");
    if (!text || strcmp(text, "clusters") == 0)
        s->mode = TAAG_CLUSTERS;
    else if (strcmp(text, "mpi") == 0)
        s->mode = TAAG_PLAIN;
    else
        (void)refuse(s, TAAG_ERR_ARG, "TAAG_COLLECTIVES is `clusters` or `mpi`");
}

static void check_size(Start *s)
{
    char message[128];
    if (s->session.error.code != GRID_OK || s->mapping->process_count == s->session.transport.size)
        return;
    (void)snprintf(message, sizeof message,
                   "the mapping is for %d processes, and %d were started; start them by `taag run`",
                   s->mapping->process_count, s->session.transport.size);
    (void)refuse(s, TAAG_ERR_SIZE, message);
}

static int agree(Start *s)
{
    static const char differ[] = "all processes must read the same mapping file";
    uint64_t hash = peers_hash(PEERS_HASH_BASIS, s->text.text ? s->text.text : "", s->text.length);
    if (agree_same(&s->session, (int64_t)(hash >> 1), differ))
        return -1;
    return agree_same(&s->session, s->mode, "TAAG_COLLECTIVES differs between processes");
}

/* The parts that follow from the mapping. */
static int derive(Taag *taag, Start *s)
{
    Mapping *m = s->mapping;
    if (!mem_new(taag->cluster_of, m->host_count) || !mem_new(taag->right_of, m->group_count))
        return refuse(s, TAAG_ERR_MEMORY, "out of memory");
    double threshold = cluster_threshold(m->host_count, m->latency);
    if (threshold < 0 || cluster_hosts(m->host_count, m->latency, threshold, taag->cluster_of) < 0)
        return refuse(s, TAAG_ERR_MEMORY, "out of memory");
    if (m->schema.kind == AMOGET_RING)
        edges_ring(m, taag->right_of);
    return 0;
}

static void forget(Taag *taag)
{
    mapping_free(taag->mapping);
    mem_free_all(taag->cluster_of, taag->right_of);
    taag->mapping = NULL;
    taag->cluster_of = taag->right_of = NULL;
}

/* The error that all processes have. */
static int ended(const Start *s)
{
    const GridError *error = &s->session.error;
    int code = error->code >= OURS          ? error->code - OURS
               : error->code == GRID_EARG   ? TAAG_ERR_DIFFER
               : error->code == GRID_ENOMEM ? TAAG_ERR_MEMORY
                                            : TAAG_ERR_MPI;
    return error->code == GRID_OK ? TAAG_SUCCESS : taag_fail(CALL, code, "%s", error->message);
}

static int check_state(const Taag *taag)
{
    int begun = 0, over = 0;
    (void)MPI_Initialized(&begun);
    if (begun)
        (void)MPI_Finalized(&over);
    if (!begun || over)
        return taag_fail(CALL, TAAG_ERR_NO_MPI,
                         begun ? "MPI has been finalised" : "call MPI_Init before");
    return taag && taag->mapping ? taag_fail(CALL, TAAG_ERR_TWICE, "TAAG is initialised already")
                                 : TAAG_SUCCESS;
}

/* A process without memory for the context takes part in the agreement, too. */
static void read_all(Start *s, Taag *taag, const char *file)
{
    if (!taag) {
        (void)refuse(s, TAAG_ERR_MEMORY, "out of memory");
        return;
    }
    read_mode(s);
    read_file(s, file);
    read_mapping(s, file);
    check_size(s);
    if (s->mapping)
        (void)derive(taag, s);
}

int TAAG_Init(char *file)
{
    Taag *taag = taag_context();
    Start s = {.session = {.transport = {.comm = MPI_COMM_NULL}}};
    int status = check_state(taag);
    if (status)
        return status;
    if (transport_open(&s.session.transport, MPI_COMM_WORLD))
        (void)session_transport_failed(&s.session);
    else {
        read_all(&s, taag, file);
        (void)agree(&s);
    }
    status = ended(&s);
    if (taag) {
        taag->mapping = s.mapping;
        taag->mode = s.mode;
        if (!status)
            status = plans_begin(CALL, taag);
        if (status)
            forget(taag);
    }
    text_free(&s.text);
    transport_close(&s.session.transport, 0);
    return status;
}

int TAAG_Initialized(int *flag)
{
    const Taag *taag = taag_context();
    if (!flag)
        return taag_fail(__func__, TAAG_ERR_ARG, "the pointer to the result is NULL");
    *flag = taag && taag->mapping ? TAAG_TRUE : TAAG_FALSE;
    return TAAG_SUCCESS;
}

int TAAG_Free(void)
{
    const Mapping *m;
    int over = 0, status = taag_begin(__func__, "", &m);
    if (status)
        return status;
    (void)MPI_Finalized(&over);
    if (over)
        return taag_fail(__func__, TAAG_ERR_NO_MPI, "call this before MPI_Finalize");
    status = plans_end(__func__, taag_context());
    forget(taag_context());
    return status;
}
