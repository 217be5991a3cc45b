#include "ctmc/share/exchange.h"

#include <stdlib.h>

#include "base/mem.h"

static bool add_piece(PepaPiece now, PepaPiece **piece, int32_t *count)
{
    PepaPiece *last = *count > 0 ? *piece + *count - 1 : NULL;
    size_t cap = (size_t)*count; /* it doubles where this is a power of 2 */
    if (last && last->first + last->count == now.first) {
        last->count += now.count;
        return true;
    }
    if ((cap & (cap - 1)) == 0 && !mem_reserve(piece, &cap, cap + 1, sizeof **piece))
        return false;
    (*piece)[(*count)++] = now;
    return true;
}

static PepaPartner *partner_of(PepaExchange *e, int32_t process)
{
    size_t cap = (size_t)e->partner_count;
    for (int32_t i = 0; i < e->partner_count; i++)
        if (e->partner[i].process == process)
            return &e->partner[i];
    if ((cap & (cap - 1)) == 0 && !mem_reserve(&e->partner, &cap, cap + 1, sizeof *e->partner))
        return NULL;
    e->partner[e->partner_count] = (PepaPartner){.process = process};
    return &e->partner[e->partner_count++];
}

bool exchange_add(PepaExchange *e, int32_t process, bool received, PepaPiece piece)
{
    PepaPartner *p = partner_of(e, process);
    if (!p)
        return false;
    return received ? add_piece(piece, &p->received, &p->received_count)
                    : add_piece(piece, &p->sent, &p->sent_count);
}

static int by_process(const void *a, const void *b)
{
    const PepaPartner *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

void exchange_sort(PepaExchange *e)
{
    if (e->partner_count > 1)
        qsort(e->partner, (size_t)e->partner_count, sizeof *e->partner, by_process);
}

void exchange_free(PepaExchange *e)
{
    for (int32_t i = 0; i < e->partner_count; i++)
        mem_free_all(e->partner[i].sent, e->partner[i].received);
    mem_free(e->partner);
}
