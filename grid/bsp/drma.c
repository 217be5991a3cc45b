/* Direct remote memory access: registrations, puts and gets. */
#include <string.h>

#include "grid/bsp/bsp.h"
#include "grid/bsp/context.h"

/* ---- registrations -------------------------------------------------------------------------- */

void bsp_push_reg(const void *ident, int size)
{
    static const char call[] = "bsp_push_reg";
    Bsp *bsp = context_inside(call);
    if (size < 0)
        context_fail(call, "the size %d is negative", size);
    if (!ident && size > 0)
        context_fail(call, "NULL with size %d: NULL has size 0", size);
    if (registry_push(&bsp->registry, ident, (size_t)size))
        context_out_of_memory(call);
}

void bsp_pop_reg(const void *ident)
{
    static const char call[] = "bsp_pop_reg";
    Bsp *bsp = context_inside(call);
    int status = registry_pop(&bsp->registry, ident);
    if (status == -2)
        context_fail(call, "the address %p is not registered", ident);
    if (status)
        context_out_of_memory(call);
}

/* ---- where a put writes and a get reads ----------------------------------------------------- */

/* What is wrong with these arguments; something is. */
static void explain(Bsp *bsp, const char *call, int pid, const void *ident, int offset, int nbytes)
{
    if (pid < 0 || pid >= bsp->nprocs)
        context_fail(call, "there is no process %d: pids are 0 to %d", pid, bsp->nprocs - 1);
    if (nbytes < 0)
        context_fail(call, "the size %d is negative", nbytes);
    if (offset < 0)
        context_fail(call, "the offset %d is negative", offset);
    if (!ident)
        context_fail(call, "NULL is no registered address");
    const Area *areas = registry_find(&bsp->registry, ident);
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
static uint64_t remote(Bsp *bsp, const char *call, int pid, const void *ident, int offset,
                       int nbytes)
{
    const Area *areas = registry_find(&bsp->registry, ident);
    if (!areas || !ident || pid < 0 || pid >= bsp->nprocs || offset < 0 || nbytes < 0 ||
        (uint64_t)offset + (uint64_t)nbytes > areas[pid].size)
        explain(bsp, call, pid, ident, offset, nbytes);
    return areas[pid].address + (uint64_t)offset;
}

/* ---- puts ----------------------------------------------------------------------------------- */

static void put(const char *call, int pid, const void *src, void *dst, int offset, int nbytes)
{
    Bsp *bsp = context_inside(call);
    if (nbytes == 0)
        return;
    uint64_t address = remote(bsp, call, pid, dst, offset, nbytes);
    size_t size = (size_t)nbytes;
    if (!src)
        context_fail(call, "the source is NULL");
    unsigned char *room = transport_room(&bsp->transport, pid, sizeof(Entry) + wire_pad(size));
    if (!room)
        context_out_of_memory(call);
    *(Entry *)(void *)room = (Entry){.address = address, .size = (uint32_t)size};
    if (size == sizeof(double)) /* the most frequent size: one move */
        memcpy(room + sizeof(Entry), src, sizeof(double));
    else
        memcpy(room + sizeof(Entry), src, size);
}

void bsp_put(int pid, const void *src, void *dst, int offset, int nbytes)
{
    put("bsp_put", pid, src, dst, offset, nbytes);
}

void bsp_hpput(int pid, const void *src, void *dst, int offset, int nbytes)
{
    put("bsp_hpput", pid, src, dst, offset, nbytes);
}

/* ---- gets ----------------------------------------------------------------------------------- */

static void get(const char *call, int pid, const void *src, int offset, void *dst, int nbytes)
{
    Bsp *bsp = context_inside(call);
    if (nbytes == 0)
        return;
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
    get("bsp_hpget", pid, src, offset, dst, nbytes);
}
