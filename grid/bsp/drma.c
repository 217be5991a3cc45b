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
    int small = size < ENTRY_MESSAGE && address >> ENTRY_BITS == 0;
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

static __attribute__((noinline)) void put(const char *call, int pid, const void *src, void *dst,
                                          int offset, int nbytes)
{
    if (nbytes == 0)
        return;
    Bsp *bsp = context_inside(call);
    uint64_t address = remote(bsp, call, pid, dst, offset, nbytes);
    if (!src)
        context_fail(call, "the source is NULL");
    memcpy(put_room(bsp, call, pid, address, (size_t)nbytes), src, (size_t)nbytes);
}

/* A put of one number that others may continue.  1: done; 0: there is no room for it. */
static inline int begin_run(Outbox *out, uint64_t address, const void *src)
{
    outbox_end_run(out);
    const size_t left = out->capacity - out->used;
    if (address >> ENTRY_BITS != 0 || left < 2 * RUN_PIECE)
        return 0;
    unsigned char *at = out->bytes + out->used;
    const uint64_t word = entry_word(RUN_PIECE, address);
    memcpy(at, &word, RUN_PIECE);
    memcpy(at + RUN_PIECE, src, RUN_PIECE);
    out->run = out->used;
    out->run_end = out->used + (left < RUN_LONGEST ? left & ~(size_t)7 : RUN_LONGEST);
    out->used += 2 * RUN_PIECE;
    out->run_shift = address + RUN_PIECE - out->used;
    return 1;
}

/* A put of one number into the area that was used last, with nothing wrong: the most frequent call.  Those
 * that continue each other share an entry.  1: done. */
static inline int put_number(int pid, const void *src, const void *dst, int offset, int nbytes)
{
    Bsp *bsp = bsp_now;
    if (nbytes != RUN_PIECE || !bsp || bsp->phase != PHASE_INSIDE ||
        (unsigned)pid >= (unsigned)bsp->nprocs || !src || !dst ||
        (uintptr_t)dst != bsp->registry.last_address)
        return 0;
    const Area *area = &bsp->registry.last_areas[pid];
    const uint64_t at = (uint32_t)offset; /* below 0: more than any size */
    Outbox *out = &bsp->transport.out[pid];
    if (at + RUN_PIECE > area->size)
        return 0;
    if (out->used >= out->run_end || area->address + at - out->used != out->run_shift)
        return begin_run(out, area->address + at, src);
    memcpy(out->bytes + out->used, src, RUN_PIECE);
    out->used += RUN_PIECE;
    return 1;
}

void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes)
{
    if (!put_number(pid, src, dst, offset, nbytes))
        put("bsp_put", pid, src, dst, offset, nbytes);
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
    if (!put_number(pid, src, dst, offset, nbytes) &&
        !note_copy(call, pid, src, dst, offset, nbytes, 1))
        put(call, pid, src, dst, offset, nbytes);
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
