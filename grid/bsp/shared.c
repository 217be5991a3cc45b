/* Shared memory: all processes are on one machine.
 *
 * Each process has a file in memory (memfd) that the others map.  It holds the buffers for each
 * process: two outboxes in turn, since what was sent in the last superstep can still be read in this
 * one, and one for replies.  A buffer has far more addresses than it needs; only those that are used
 * take memory, so buffers grow without being moved.  Small pieces are collected in a buffer of this
 * process alone: it costs less to copy some thousand bytes into memory that another core has read
 * than to write there piece by piece.  A superstep ends with one barrier, after which the receiver
 * reads the sender's buffer. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create, process_vm_readv */
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "grid/bsp/bell.h"
#include "grid/bsp/transport.h"
#include "grid/bsp/tuning.h"

/* The start of a process's file. */
typedef struct {
    Barrier barriers[GROUP_DEPTHS]; /* of the groups whose first member this process is */
    uint64_t nonce;
    Bell bells[]; /* two by process: how often replies to it, and copies with it, were ready */
    /* Then an atomic_uint by process: the last exchange with it that this process has come to. */
} Control;

typedef struct {
    int file;
    size_t control_size, region;
    Control **controls;     /* by process; [pid] starts this process's own file */
    unsigned char **toward; /* by process: its outbox 0, outbox 1 and replies for this process */
    unsigned *rounds;       /* by process: exchanges with it, from 1; odd and even have outboxes */
    unsigned *asked;        /* by process: how often it was to reply to this one */
    unsigned *worked;       /* by process: how often it was to copy with this one */
    pid_t *processes;
    unsigned char *stages; /* STAGE bytes for each process: Outbox.bytes */
} Shared;

/* ---- files ---------------------------------------------------------------------------------- */

enum { REGIONS = 3, REPLIES = 2 }; /* for each process: two outboxes, replies */

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static size_t region_at(const Shared *shared, int process, int region)
{
    return shared->control_size + ((size_t)process * REGIONS + (size_t)region) * shared->region;
}

static size_t file_size(const Shared *shared, int nprocs)
{
    return region_at(shared, nprocs, 0);
}

/* What processes tell each other to open their files. */
typedef struct {
    int64_t process, file; /* -1: failed */
    uint64_t nonce, nonce_at;
} Address;

static void *map(int file, size_t at, size_t size)
{
    void *mapped =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, (off_t)at);
    return mapped == MAP_FAILED ? NULL : mapped;
}

static int make_own(Transport *t, Shared *shared, Address *self)
{
    *self = (Address){.process = getpid(), .file = -1};
    shared->file = memfd_create("bsp", MFD_CLOEXEC);
    if (shared->file < 0 || ftruncate(shared->file, (off_t)file_size(shared, t->nprocs)))
        return -1;
    shared->controls[t->pid] = map(shared->file, 0, file_size(shared, t->nprocs));
    if (!shared->controls[t->pid])
        return -1;
    /* Its own number at its own address: nothing else in this machine has both. */
    self->nonce = (uint64_t)getpid() << 32 ^ (uintptr_t)shared ^ (uint64_t)clock();
    shared->controls[t->pid]->nonce = self->nonce;
    self->nonce_at = (uintptr_t)&shared->controls[t->pid]->nonce;
    /* Where only a debugger may read memory: let these processes. */
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    self->file = shared->file;
    return 0;
}

static int open_other(Transport *t, Shared *shared, int process, const Address *address)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)address->process,
                   (long long)address->file);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return -1;
    shared->controls[process] = map(file, 0, shared->control_size);
    shared->toward[process] = map(file, region_at(shared, t->pid, 0), REGIONS * shared->region);
    (void)close(file);
    return shared->controls[process] && shared->toward[process] &&
                   shared->controls[process]->nonce == address->nonce
               ? 0
               : -1;
}

/* Where in the shared memory the outbox for `process` is in this superstep. */
static unsigned char *outbox(const Transport *t, int process)
{
    const Shared *shared = t->state;
    unsigned char *own = (unsigned char *)shared->controls[t->pid];
    return own + region_at(shared, process, shared->rounds[process] % 2);
}

static void empty(Transport *t, int process)
{
    const Shared *shared = t->state;
    unsigned char *stage = shared->stages + (size_t)process * STAGE;
    t->out[process] =
        (Outbox){.at = stage, .bytes = stage, .capacity = STAGE, .before = sizeof(Header)};
}

/* Move what has been collected into the shared memory, before `size` more bytes.  0; -1: all
 * addresses have been used. */
static int flush(Transport *t, int to, size_t size)
{
    const Shared *shared = t->state;
    Outbox *out = &t->out[to];
    const size_t used = outbox_used(out);
    if (size > shared->region - out->before - used)
        return -1;
    memcpy(outbox(t, to) + out->before, out->bytes, used);
    out->before += used;
    out->at = out->bytes;
    return 0;
}

/* ---- the interface -------------------------------------------------------------------------- */

static void shared_close(Transport *t)
{
    Shared *shared = t->state;
    for (int p = 0; p < t->nprocs && shared && shared->controls && shared->toward; p++) {
        int own = p == t->pid;
        if (shared->controls[p])
            (void)munmap(shared->controls[p],
                         own ? file_size(shared, t->nprocs) : shared->control_size);
        if (shared->toward[p] && !own)
            (void)munmap(shared->toward[p], REGIONS * shared->region);
    }
    if (shared) {
        if (shared->file >= 0)
            (void)close(shared->file);
        free(shared->controls);
        free(shared->toward);
        free(shared->rounds);
        free(shared->asked);
        free(shared->worked);
        free(shared->processes);
        free(shared->stages);
    }
    free(shared);
    free(t->out);
    free(t->in);
    free(t->replied);
    t->state = t->out = NULL;
    t->in = t->replied = NULL;
}

static int allocate(Transport *t)
{
    size_t n = (size_t)t->nprocs;
    Shared *shared = t->state = calloc(1, sizeof *shared);
    t->out = calloc(n, sizeof *t->out);
    t->in = calloc(n, sizeof *t->in);
    t->replied = calloc(n, sizeof *t->replied);
    if (!shared)
        return -1;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    shared->file = -1;
    shared->control_size =
        round_up(sizeof(Control) + 2 * n * sizeof(Bell) + n * sizeof(atomic_uint), page);
    shared->region = SHARED_SPACE / (2 * REGIONS * n);
    shared->region = (shared->region < SHARED_MOST ? shared->region : SHARED_MOST) / page * page;
    shared->controls = calloc(n, sizeof *shared->controls);
    shared->toward = calloc(n, sizeof *shared->toward);
    shared->rounds = calloc(n, sizeof *shared->rounds);
    shared->asked = calloc(n, sizeof *shared->asked);
    shared->worked = calloc(n, sizeof *shared->worked);
    shared->processes = calloc(n, sizeof *shared->processes);
    shared->stages = malloc(n * STAGE);
    return t->out && t->in && t->replied && shared->controls && shared->toward && shared->rounds &&
                   shared->asked && shared->worked && shared->processes && shared->stages
               ? 0
               : -1;
}

static int shared_copy(Transport *t, int with, void *here, uint64_t there, size_t size, int write)
{
    const Shared *shared = t->state;
    while (size > 0) {
        const struct iovec local = {here, size}, remote = {(void *)(uintptr_t)there, size};
        pid_t process = shared->processes[with];
        ssize_t done = write ? process_vm_writev(process, &local, 1, &remote, 1, 0)
                             : process_vm_readv(process, &local, 1, &remote, 1, 0);
        if (done <= 0)
            return -1;
        here = (unsigned char *)here + done;
        there += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

static void shared_copied(Transport *t, int with)
{
    bell_ring(&((Shared *)t->state)->controls[t->pid]->bells[2 * with + 1]);
}

static void shared_await_copies(Transport *t, int with)
{
    Shared *shared = t->state;
    bell_await(&shared->controls[with]->bells[2 * t->pid + 1], ++shared->worked[with], t->looks);
}

/* Can all processes copy from all? */
static int can_copy(Transport *t, const Address *all)
{
    int can = 1, worst = 0;
    for (int p = 0; p < t->nprocs && can; p++) {
        uint64_t nonce = 0;
        can = shared_copy(t, p, &nonce, all[p].nonce_at, sizeof nonce, 0) == 0 &&
              nonce == all[p].nonce;
    }
    (void)MPI_Allreduce(&can, &worst, 1, MPI_INT, MPI_MIN, t->comm);
    return worst;
}

static int shared_open(Transport *t)
{
    Address self = {.file = -1}, *all = calloc((size_t)t->nprocs, sizeof *all);
    int failed = !all ? 2 : allocate(t) ? 2 : make_own(t, t->state, &self) ? 1 : 0, worst = 1;
    (void)MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, t->comm);
    if (worst == 0) {
        (void)MPI_Allgather(&self, (int)sizeof self, MPI_BYTE, all, (int)sizeof self, MPI_BYTE,
                            t->comm);
        for (int p = 0; p < t->nprocs && !failed; p++)
            failed = p != t->pid && open_other(t, t->state, p, &all[p]);
        (void)MPI_Allreduce(&failed, &worst, 1, MPI_INT, MPI_MAX, t->comm);
    }
    if (worst == 0) {
        for (int p = 0; p < t->nprocs; p++)
            ((Shared *)t->state)->processes[p] = (pid_t)all[p].process;
        t->direct = can_copy(t, all);
    }
    free(all);
    if (worst != 0) {
        shared_close(t);
        return worst == 2 ? -1 : 1;
    }
    for (int p = 0; p < t->nprocs; p++) {
        ((Shared *)t->state)->rounds[p] = 1;
        empty(t, p);
    }
    return 0;
}

static unsigned char *shared_room(Transport *t, int to, size_t size)
{
    Outbox *out = &t->out[to];
    if (flush(t, to, size))
        return NULL;
    if (size <= STAGE / 2) {
        out->at += size;
        return out->bytes;
    }
    unsigned char *room = outbox(t, to) + out->before;
    out->before += size;
    return room;
}

/* ---- exchanges ------------------------------------------------------------------------------ */

/* What process `of` says about its exchanges with process `with`: round, depth, call. */
static atomic_uint *arrival(const Transport *t, int of, int with)
{
    const Shared *shared = t->state;
    return (atomic_uint *)(void *)&shared->controls[of]->bells[2 * t->nprocs] + with;
}

enum { CALL_BITS = 2, DEPTH_BITS = 3 };

static unsigned arrival_word(unsigned round, int depth, int call)
{
    return round << (CALL_BITS + DEPTH_BITS) | (unsigned)depth << CALL_BITS | (unsigned)call;
}

/* Is one of the others in this round with another group?  Each tells of its arrival before it looks:
 * of two that wait for each other the later one finds it at once, the earlier one when it looks again. */
static int find_stray(Transport *t, const Group *group)
{
    const Shared *shared = t->state;
    atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        unsigned word = atomic_load(arrival(t, p, t->pid));
        int call = (int)(word & ((1u << CALL_BITS) - 1));
        int depth = (int)(word >> CALL_BITS & ((1u << DEPTH_BITS) - 1));
        if (depth != group->depth && word == arrival_word(shared->rounds[p], depth, call)) {
            t->stray = (Stray){.pid = p, .call = call, .depth = depth};
            return 1;
        }
    }
    return 0;
}

/* The barrier of a group.  As TransportKind.exchange. */
static int meet(Transport *t, const Group *group)
{
    Barrier *barrier = &((Shared *)t->state)->controls[group->members[0]]->barriers[group->depth];
    const unsigned times = barrier_arrive(barrier, group->count);
    if (bell_look(&barrier->passed, times, t->looks))
        return 0;
    do {
        if (find_stray(t, group))
            return 1;
    } while (!bell_await_a_while(&barrier->passed, times));
    return 0;
}

static int shared_exchange(Transport *t, const Group *group)
{
    Shared *shared = t->state;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (flush(t, p, 0))
            return -1;
        memcpy(outbox(t, p), &t->out[p].head, sizeof(Header));
        atomic_store_explicit(arrival(t, t->pid, p),
                              arrival_word(shared->rounds[p], group->depth, t->out[p].head.call),
                              memory_order_release);
    }
    if (meet(t, group))
        return 1;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        size_t turn = shared->rounds[p] % 2;
        t->in[p] = p == t->pid ? outbox(t, p) : shared->toward[p] + turn * shared->region;
        shared->rounds[p]++;
        empty(t, p);
    }
    return 0;
}

static unsigned char *shared_reply(Transport *t, int to, size_t size)
{
    Shared *shared = t->state;
    unsigned char *own = (unsigned char *)shared->controls[t->pid];
    return size <= shared->region ? own + region_at(shared, to, REPLIES) : NULL;
}

static int shared_replies(Transport *t, const Group *group, const uint64_t *give,
                          const uint64_t *take)
{
    Shared *shared = t->state;
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (give[p] > 0 && p != t->pid)
            bell_ring(&shared->controls[t->pid]->bells[2 * p]);
    }
    for (int i = 0; i < group->count; i++) {
        int p = group->members[i];
        if (take[p] == 0)
            continue;
        t->replied[p] =
            p == t->pid ? shared_reply(t, p, 0) : shared->toward[p] + REPLIES * shared->region;
        if (p != t->pid)
            bell_await(&shared->controls[p]->bells[2 * t->pid], ++shared->asked[p], t->looks);
    }
    return 0;
}

const TransportKind transport_shared = {.name = "shared",
                                        .open = shared_open,
                                        .close = shared_close,
                                        .room = shared_room,
                                        .exchange = shared_exchange,
                                        .reply = shared_reply,
                                        .replies = shared_replies,
                                        .copy = shared_copy,
                                        .copied = shared_copied,
                                        .await_copies = shared_await_copies};
