/* Direct remote memory access: registrations, puts and gets. */
#include <string.h>

#define BSP_NAME(n) /* here such addresses are passed on */

#include "grid/bsp/bsp.h"
#include "grid/bsp/context.h"
#include "grid/bsp/tuning.h"

/* ---- registrations -------------------------------------------------------------------------- */

void bsp_push_reg(const void *ident, int size)
{
    static const char call[] = "bsp_push_reg";
    Bsp *bsp = context_inside(call);
    if (size < 0)
        context_fail(call, "the size %d is negative", size);
    if (!ident && size > 0)
        context_fail(call, "NULL with size %d: NULL has size 0", size);
    if (registry_push(&bsp->registry, (uintptr_t)ident, (size_t)size))
        context_out_of_memory(call);
}

void bsp_pop_reg(const void *ident)
{
    static const char call[] = "bsp_pop_reg";
    Bsp *bsp = context_inside(call);
    int status = registry_pop(&bsp->registry, (uintptr_t)ident);
    if (status == -2)
        context_fail(call, "the address %p is not registered", ident);
    if (status)
        context_out_of_memory(call);
}

/* ---- where a put writes and a get reads ----------------------------------------------------- */

/* What is wrong with these arguments; something is. */
static void __attribute__((cold, noreturn))
explain(Bsp *bsp, const char *call, int pid, const void *ident, int offset, int nbytes)
{
    if (pid < 0 || pid >= bsp->nprocs)
        context_fail(call, "there is no process %d: pids are 0 to %d", pid, bsp->nprocs - 1);
    if (nbytes < 0)
        context_fail(call, "the size %d is negative", nbytes);
    if (offset < 0)
        context_fail(call, "the offset %d is negative", offset);
    if (!ident)
        context_fail(call, "NULL is no registered address");
    const Area *areas = registry_find(&bsp->registry, (uintptr_t)ident);
    if (!areas)
        context_fail(call,
                     "the address %p is not registered (a registration holds from the next "
                     "superstep on)",
                     ident);
    if (areas[pid].address == 0)
        context_fail(call, "process %d has registered NULL for %p", pid, ident);
    context_fail(call,
                 "%d bytes at offset %d are beyond the %llu bytes that process %d has "
                 "registered for %p",
                 nbytes, offset, (unsigned long long)areas[pid].size, pid, ident);
}

/* The address on process `pid`. */
static inline uint64_t remote(Bsp *bsp, const char *call, int pid, const void *ident, int offset,
                              int nbytes)
{
    const Area *areas = registry_find(&bsp->registry, (uintptr_t)ident);
    if (!areas || !ident || pid < 0 || pid >= bsp->nprocs || offset < 0 || nbytes < 0 ||
        (uint64_t)offset + (uint64_t)nbytes > areas[pid].size)
        explain(bsp, call, pid, ident, offset, nbytes);
    return areas[pid].address + (uint64_t)offset;
}

/* ---- puts ----------------------------------------------------------------------------------- */

/* Room for a put of this size, its start filled in. */
static unsigned char *put_room(Bsp *bsp, const char *call, int pid, uint64_t address, size_t size)
{
    int small = size < ENTRY_RUN && address >> ENTRY_BITS == 0;
    size_t head = (small ? 1 : 3) * sizeof(uint64_t);
    unsigned char *room = transport_room(&bsp->transport, pid, head + wire_pad(size));
    if (!room)
        context_out_of_memory(call);
    uint64_t *words = (uint64_t *)(void *)room;
    words[0] = small ? entry_word((unsigned)size, address) : entry_word(ENTRY_LONG, 0);
    if (!small) {
        words[1] = address;
        words[2] = size;
    }
    return room + head;
}

/* Any put. */
static __attribute__((noinline)) void put(int pid, const void *src, void *dst, int offset,
                                          int nbytes, const char *call)
{
    if (nbytes == 0)
        return;
    Bsp *bsp = context_inside(call);
    uint64_t address = remote(bsp, call, pid, dst, offset, nbytes);
    if (!src)
        context_fail(call, "the source is NULL");
    memcpy(put_room(bsp, call, pid, address, (size_t)nbytes), src, (size_t)nbytes);
}

/* ---- puts of one number: the most frequent calls ---------------------------------------------- */

/* A number that is no part of a run, into the area that was used last.  1: done; 0: it needs more than this. */
static inline int put_single(const Registry *registry, int pid, const void *src, uint64_t offset,
                             Outbox *out)
{
    const Area *area = &registry->last_areas[pid];
    const uint64_t address = area->address + offset, word = entry_word(NUMBER, address);
    Run *run = &out->run;
    outbox_end_run(out);
    if (offset + NUMBER > area->size || address >> ENTRY_BITS != 0 ||
        out->capacity - outbox_used(out) < sizeof word + NUMBER)
        return 0;
    memcpy(out->at, &word, sizeof word);
    memcpy(out->at + sizeof word, src, NUMBER);
    out->at += sizeof word + NUMBER;
    run->distance = (uint32_t)offset - (run->next - run->distance);
    run->next = (uint32_t)offset + run->distance;
    return 1;
}

static __attribute__((noinline)) void put_elsewhere(int pid, const void *src, void *dst, int offset,
                                                    Outbox *out, const char *call)
{
    Registry *registry = &bsp_now->registry;
    if (!dst || !registry_search(registry, (uintptr_t)dst) ||
        !put_single(registry, pid, src, (uint32_t)offset, out))
        put(pid, src, dst, offset, NUMBER, call);
}

static __attribute__((noinline)) void put_number(int pid, const void *src, void *dst, int offset,
                                                 Outbox *out, const char *call)
{
    const Registry *registry = &bsp_now->registry;
    if ((uintptr_t)dst != registry->last_address || !dst)
        put_elsewhere(pid, src, dst, offset, out, call);
    else if (!put_single(registry, pid, src, (uint32_t)offset, out))
        put(pid, src, dst, offset, NUMBER, call);
}

/* How many numbers at this distance an area of `size` bytes has from offset `first` on. */
static uint64_t run_most(uint64_t size, uint64_t first, int32_t distance)
{
    return 1 + (distance > 0 ? (size - NUMBER - first) / (uint64_t)distance
                             : first / (uint64_t)(-(int64_t)distance));
}

/* The third number at equal distances, and one for which a run has no room. */
static __attribute__((noinline)) void begin_run(int pid, const void *src, void *dst, int offset,
                                                Outbox *out, const char *call)
{
    enum { LEAST = 3 };
    Bsp *bsp = bsp_now;
    Run *run = &out->run;
    const uint64_t address = remote(bsp, call, pid, dst, offset, NUMBER);
    const uint64_t size = registry_find(&bsp->registry, (uintptr_t)dst)[pid].size;
    const int32_t distance = (int32_t)run->distance;
    const uint64_t most = distance ? run_most(size, (uint64_t)offset, distance) : 0;
    if (most < LEAST || address >> ENTRY_BITS != 0) {
        put_number(pid, src, dst, offset, out, call);
        return;
    }
    const uint64_t word = entry_word(ENTRY_RUN, address);
    unsigned char *entry = transport_room(&bsp->transport, pid, RUN_HEAD + NUMBER);
    if (!entry)
        context_out_of_memory(call);
    memcpy(entry, &word, sizeof word);
    memcpy(entry + RUN_HEAD, src, NUMBER);
    const size_t room = (out->capacity - outbox_used(out)) / NUMBER;
    run->area = dst;
    run->next = (uint32_t)offset + run->distance;
    run->begins = entry;
    run->full = out->at + (room < most - 1 ? room : most - 1) * NUMBER;
}

/* One number that continues a run takes no call of another function. */
static inline void put_any(int pid, const void *src, void *dst, int offset, int nbytes,
                           const char *call)
{
    if (nbytes != NUMBER || (unsigned)pid >= bsp_reach || !src) {
        put(pid, src, dst, offset, nbytes, call);
        return;
    }
    Outbox *out = &bsp_out[(unsigned)pid];
    Run *run = &out->run;
    if (__builtin_expect((uint32_t)offset != run->next, 0)) {
        put_number(pid, src, dst, offset, out, call);
    } else if (__builtin_expect(dst != run->area || out->at >= run->full, 0)) {
        begin_run(pid, src, dst, offset, out, call);
    } else {
        memcpy(out->at, src, NUMBER);
        out->at += NUMBER;
        run->next = (uint32_t)offset + run->distance;
    }
}

void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes)
{
    put_any(pid, src, dst, offset, nbytes, "bsp_put");
}

/* For the end of the superstep: a copy without buffers.  1: noted; 0: it has to be buffered. */
static int note_copy(const char *call, int pid, const void *here, const void *ident, int offset,
                     int nbytes, int write)
{
    if (nbytes == 0)
        return 0;
    Bsp *bsp = context_inside(call);
    if (nbytes < DIRECT_LEAST || !bsp->transport.direct || pid == bsp->pid || !here)
        return 0;
    uint64_t there = remote(bsp, call, pid, ident, offset, nbytes);
    context_reserve(call, (void **)&bsp->copies, &bsp->copy_capacity, bsp->copy_count + 1,
                    sizeof *bsp->copies);
    bsp->copies[bsp->copy_count++] = (Copy){.here = (void *)(uintptr_t)here,
                                            .there = there,
                                            .size = (uint32_t)nbytes,
                                            .with = pid,
                                            .write = write};
    bsp->copies_with[pid]++;
    return 1;
}

void bsp_hpput(int pid, const void *src, void *dst, int offset, int nbytes)
{
    static const char call[] = "bsp_hpput";
    if (nbytes < DIRECT_LEAST || !note_copy(call, pid, src, dst, offset, nbytes, 1))
        put_any(pid, src, dst, offset, nbytes, call);
}

/* ---- gets ----------------------------------------------------------------------------------- */

static void BSP_NAME(3)
    get(const char *call, int pid, const void *src, int offset, void *dst, int nbytes)
{
    if (nbytes == 0)
        return;
    Bsp *bsp = context_inside(call);
    uint64_t address = remote(bsp, call, pid, src, offset, nbytes);
    if (!dst)
        context_fail(call, "the destination is NULL");
    const Request request = {.address = address, .size = (uint64_t)nbytes};
    if (bsp->get_count == bsp->get_capacity)
        context_reserve(call, (void **)&bsp->gets, &bsp->get_capacity, bsp->get_count + 1,
                        sizeof *bsp->gets);
    if (grid_put(&bsp->requests[pid], &request, sizeof request))
        context_out_of_memory(call);
    bsp->gets[bsp->get_count++] = (Get){.to = dst, .size = (uint32_t)nbytes, .from = pid};
    bsp->asked[pid] += (uint64_t)nbytes;
}

void bsp_get(int pid, const void *src, int offset, void *dst, int nbytes)
{
    get("bsp_get", pid, src, offset, dst, nbytes);
}

void bsp_hpget(int pid, const void *src, int offset, void *dst, int nbytes)
{
    static const char call[] = "bsp_hpget";
    if (!note_copy(call, pid, dst, src, offset, nbytes, 0))
        get(call, pid, src, offset, dst, nbytes);
}
