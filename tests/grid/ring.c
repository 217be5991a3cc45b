/* Another run-time on grid/core and grid/machine, unchanged: a token that goes round the processes.
 * Each process appends its rank to the token's body, so that the body tells the whole way. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cases.h"
#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/core/lifecycle.h"
#include "grid/core/liveness.h"
#include "grid/machine/link_probe.h"
#include "harness.h"

enum { TAG_TOKEN };

typedef struct {
    int64_t hops;
} Hop;

typedef struct {
    Session session;
    Sampler sampler;
    int64_t hops, breaks_at, at; /* all, the one that fails (-1: none), so far */
    int has_token;
    GridBuffer way;
    int64_t transfers, probes; /* samples that process 0 got */
    int64_t result;            /* hops, of process 0 */
} Ring;

static void count(Ring *ring, const Message *message)
{
    int64_t progress;
    size_t samples;
    const GridSample *each = sampler_report(message, &progress, &samples);
    expect(progress >= 0 && progress <= ring->hops, "progress %lld", (long long)progress);
    for (size_t i = 0; i < samples; i++) {
        ring->transfers += each[i].kind == GRID_TRANSFER;
        ring->probes += each[i].kind == GRID_PROBE;
    }
}

static int handle(void *self, Message *message)
{
    Ring *ring = self;
    int sampled = sampler_handle(&ring->sampler, message);
    if (sampled)
        return sampled < 0 ? -1 : 0;
    if (message->head.tag == TAG_REPORT) {
        count(ring, message);
        return 0;
    }
    Hop hop;
    head_read(&message->head, &hop, sizeof hop);
    buffer_swap(&ring->way, &message->body);
    ring->at = hop.hops;
    ring->has_token = 1;
    return 0;
}

/* Does the body name the processes in their order? */
static void check_way(const Ring *ring)
{
    Cursor cursor = {.buffer = &ring->way};
    int32_t at = 0;
    int64_t right = 0;
    while (buffer_get(&cursor, &at, sizeof at) == 0)
        right += at == (int32_t)(right % size);
    expect(right == ring->hops, "the token was on %lld processes of %lld", (long long)right,
           (long long)ring->hops);
}

static int pass_on(Ring *ring)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    ring->has_token = 0;
    if (ring->at == ring->breaks_at)
        return session_fail(&ring->session, GRID_EUSER, "the token broke at hop %lld",
                            (long long)ring->at);
    if (ring->at == ring->hops) { /* a multiple of the number of processes: this is process 0 */
        check_way(ring);
        session_stop(&ring->session);
        return 0;
    }
    (void)nanosleep(&pause, NULL);
    sampler_worked(&ring->sampler, clock_now());
    int32_t self = rank;
    if (grid_put(&ring->way, &self, sizeof self))
        return session_out_of_memory(&ring->session);
    Hop hop = {ring->at + 1};
    Head head = head_new(TAG_TOKEN, &hop, sizeof hop);
    return session_send(&ring->session, (rank + 1) % size, &head, &ring->way);
}

static int step(void *self, double now)
{
    Ring *ring = self;
    int sampled = sampler_step(&ring->sampler, now, ring->at);
    if (sampled < 0 || !ring->has_token)
        return sampled;
    return pass_on(ring) ? -1 : 1;
}

static double next(const void *self, double now)
{
    (void)now;
    return sampler_next(&((const Ring *)self)->sampler);
}

static void describe(const void *self, int32_t process, char *out, size_t space)
{
    (void)self;
    (void)snprintf(out, space, ", hop %d of each round", process);
}

static void finish(void *self)
{
    Ring *ring = self;
    ring->result = ring->at;
}

/* Collective; the error, the same everywhere. */
static GridError go_round(Ring *ring, int64_t fingerprint)
{
    const Runtime runtime = {ring,     handle, step,          next,
                             describe, finish, &ring->result, sizeof ring->result};
    Session *session = &ring->session;
    double period = 0.2;
    int opened = session_open(session, MPI_COMM_WORLD, &runtime) == 0;
    if (opened && session_prepare(session) == 0 && sampler_new(&ring->sampler, session, NULL, 1))
        (void)session_out_of_memory(session);
    if (opened && agree_same(session, fingerprint, "these rings differ") == 0 &&
        agree_meet(session) == 0 && agree_start(session, 30, &period) == 0) {
        int failed = link_probe(&ring->sampler);
        double report = liveness_period(session, sampler_period(period));
        sampler_start(&ring->sampler, report, period);
        ring->has_token = rank == 0;
        session_run(session, report, failed);
    }
    GridError error = session->error;
    sampler_free(&ring->sampler);
    grid_buffer_free(&ring->way);
    session_close(session);
    return error;
}

void a_token_goes_round(void)
{
    Ring ring = {.hops = 100 * size, .breaks_at = -1};
    GridError error = go_round(&ring, 7);
    expect(error.code == GRID_OK, "%s", error.message);
    expect(ring.result == 100 * size, "%lld hops", (long long)ring.result);
    expect(rank > 0 || (ring.transfers >= 4 * size && ring.probes >= size),
           "%lld transfers and %lld probes", (long long)ring.transfers, (long long)ring.probes);
}

void a_token_breaks(void)
{
    Ring ring = {.hops = 100 * size, .breaks_at = size + 1};
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "the token broke at hop %d", size + 1);
    GridError error = go_round(&ring, 7);
    expect(error.code == GRID_EUSER && strcmp(error.message, wanted) == 0, "code %d: %s",
           error.code, error.message);
}

void rings_differ(void)
{
    Ring ring = {.hops = size, .breaks_at = -1};
    GridError error = go_round(&ring, rank == 0 ? 1 : 2);
    expect(error.code == GRID_EARG &&
               strcmp(error.message,
                      "these rings differ; process 1 differs from process 0") == 0,
           "code %d: %s", error.code, error.message);
}
