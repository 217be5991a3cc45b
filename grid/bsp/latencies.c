/* Which of the processes of a group are near to each other.
 *
 * The first process of each host sends a message to that of each other host at the same time, and takes the time of
 * the answer; each then sends what it has measured to all processes of the group, so that all find the same. */
#include "grid/bsp/latencies.h"

#include <math.h>
#include <stdlib.h>

#include "grid/bsp/parts.h"
#include "grid/bsp/tuning.h"
#include "grid/core/clock.h"
#include "grid/core/clusters.h"

enum { TAG_ASK = TAG_REPLY + PARTS + 1, TAG_ANSWER, TAG_ROW };

typedef struct {
    const Transport *t;
    const int *members;
    int count;
    int *leader; /* by host: its first member */
    int *host;   /* by member */
    int hosts, own;
    double *latency; /* hosts x hosts, seconds */
    MPI_Request *requests;
    int *done;
    int32_t *cluster; /* by host */
} Latencies;

static int prepare(Latencies *l)
{
    const size_t n = (size_t)l->count;
    l->leader = calloc(n, sizeof *l->leader);
    l->host = calloc(n, sizeof *l->host);
    if (!l->leader || !l->host)
        return -1;
    for (int i = 0; i < l->count; i++) {
        int h = 0;
        while (h < l->hosts && l->t->hosts[l->leader[h]] != l->t->hosts[l->members[i]])
            h++;
        if (h == l->hosts)
            l->leader[l->hosts++] = l->members[i];
        l->host[i] = h;
        if (l->members[i] == l->t->pid)
            l->own = h;
    }
    const size_t h = (size_t)l->hosts, most = 4 * h + n;
    l->latency = calloc(h * h, sizeof *l->latency);
    l->requests = calloc(most, sizeof(MPI_Request));
    l->done = calloc(most, sizeof *l->done);
    l->cluster = calloc(h, sizeof *l->cluster);
    return l->latency && l->requests && l->done && l->cluster ? 0 : -1;
}

static void release(Latencies *l)
{
    free(l->leader);
    free(l->host);
    free(l->latency);
    free(l->requests);
    free(l->done);
    free(l->cluster);
}

/* Each leader asks all others, and answers them as they ask. */
static void measure(Latencies *l)
{
    const int h = l->hosts;
    MPI_Comm comm = l->t->comm;
    double *row = l->latency + (size_t)l->own * (size_t)h;
    int some;
    /* Requests 0 .. h - 1: questions that come; from h on: answers that come; from 2 h on: what this process sends. */
    for (int i = 0; i < 4 * h; i++)
        l->requests[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < h; i++)
        if (i != l->own) {
            (void)MPI_Irecv(NULL, 0, MPI_BYTE, l->leader[i], TAG_ASK, comm, &l->requests[i]);
            (void)MPI_Irecv(NULL, 0, MPI_BYTE, l->leader[i], TAG_ANSWER, comm, &l->requests[h + i]);
        }
    const double asked = clock_now();
    for (int i = 0; i < h; i++)
        if (i != l->own)
            (void)MPI_Isend(NULL, 0, MPI_BYTE, l->leader[i], TAG_ASK, comm,
                            &l->requests[2 * h + i]);
    while ((some = requests_some(l->requests, 4 * h, l->done, l->t->looks)) != MPI_UNDEFINED)
        for (int i = 0; i < some; i++) {
            const int which = l->done[i] % h;
            if (l->done[i] < h)
                (void)MPI_Isend(NULL, 0, MPI_BYTE, l->leader[which], TAG_ANSWER, comm,
                                &l->requests[3 * h + which]);
            else if (l->done[i] < 2 * h)
                row[which] = fmin(row[which], (clock_now() - asked) / 2);
        }
}

/* The rows of all leaders to all members. */
static void share(Latencies *l)
{
    const int h = l->hosts;
    MPI_Comm comm = l->t->comm;
    int count = 0, some;
    for (int i = 0; i < h; i++)
        if (l->leader[i] != l->t->pid)
            (void)MPI_Irecv(l->latency + (size_t)i * (size_t)h, h, MPI_DOUBLE, l->leader[i],
                            TAG_ROW, comm, &l->requests[count++]);
    for (int i = 0; i < l->count && l->leader[l->own] == l->t->pid; i++)
        if (l->members[i] != l->t->pid)
            (void)MPI_Isend(l->latency + (size_t)l->own * (size_t)h, h, MPI_DOUBLE, l->members[i],
                            TAG_ROW, comm, &l->requests[count++]);
    while ((some = requests_some(l->requests, count, l->done, l->t->looks)) != MPI_UNDEFINED)
        continue;
}

/* The same both ways; short ones count as equal. */
static void settle(Latencies *l)
{
    const int h = l->hosts;
    for (int a = 0; a < h; a++) {
        l->latency[a * h + a] = 0;
        for (int b = 0; b < a; b++) {
            double *there = &l->latency[a * h + b], *back = &l->latency[b * h + a];
            *there = *back = fmax(fmin(*there, *back), LATENCY_LEAST);
        }
    }
}

static int divide(Latencies *l)
{
    const double threshold = cluster_threshold(l->hosts, l->latency);
    if (threshold < 0 || cluster_hosts(l->hosts, l->latency, threshold, l->cluster) < 0)
        return -1;
    return 0;
}

int latencies_cluster(const Transport *transport, int *members, int *count)
{
    Latencies l = {.t = transport, .members = members, .count = *count};
    int status = prepare(&l), kept = 0;
    if (status == 0 && l.hosts > 1) {
        for (int i = 0; i < l.hosts * l.hosts; i++)
            l.latency[i] = HUGE_VAL;
        for (int round = 0; round < LATENCY_ROUNDS && l.leader[l.own] == transport->pid; round++)
            measure(&l);
        share(&l);
        settle(&l);
        status = divide(&l);
    }
    for (int i = 0; i < l.count && status == 0; i++)
        if (l.cluster[l.host[i]] == l.cluster[l.own])
            members[kept++] = members[i];
    *count = kept;
    release(&l);
    return status;
}
