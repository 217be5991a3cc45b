/* The processes of a run: their hosts and their clocks. */
#include "grid/core/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/core/tuning.h"

int peers_new(Peers *peers, int32_t size, int32_t self)
{
    size_t count = (size_t)size;
    *peers = (Peers){.size = size, .self = self};
    peers->each = calloc(count, sizeof *peers->each);
    peers->offset = calloc(count, sizeof *peers->offset);
    peers->round_trip = calloc(count, sizeof *peers->round_trip);
    return peers->each && peers->offset && peers->round_trip ? 0 : -1;
}

void peers_free(Peers *peers)
{
    free(peers->each);
    free(peers->offset);
    free(peers->round_trip);
    *peers = (Peers){0};
}

uint64_t peers_hash(uint64_t seed, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ byte[i]) * UINT64_C(0x100000001B3);
    return seed;
}

/* Equal for processes whose clock_now() is the same: those of one kernel since it started. */
static uint64_t clock_name(const char *host)
{
    char text[64];
    size_t size = 0;
    FILE *from = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (from) {
        size = fread(text, 1, sizeof text, from);
        (void)fclose(from);
    }
    return size > 0 ? peers_hash(PEERS_HASH_BASIS, text, size)
                    : peers_hash(PEERS_HASH_BASIS, host, strlen(host));
}

Peer peers_self(void)
{
    Peer self;
    memset(&self, 0, sizeof self); /* padding too: it is sent */
    if (gethostname(self.host, sizeof self.host - 1))
        (void)snprintf(self.host, sizeof self.host, "?");
    self.clock = clock_name(self.host);
    return self;
}

void peers_start(Peers *peers)
{
    for (int32_t p = 0; p < peers->size; p++) {
        peers->offset[p] = peers_same_clock(peers, p) ? 0 : NAN;
        peers->round_trip[p] = HUGE_VAL;
    }
}

void peers_learn_offset(Peers *peers, int32_t process, double offset, double round_trip)
{
    if (peers_same_clock(peers, process))
        return;
    if (round_trip > peers->round_trip[process]) {
        peers->round_trip[process] *= ROUND_TRIP_FORGET;
        return;
    }
    peers->round_trip[process] = round_trip;
    peers->offset[process] = offset;
}
