/* The last steps of compiling a system: programs in preorder, and cells in packed words. */
#include <string.h>

#include "ctmc/system/system.h"

typedef struct {
    const Prog *from;
    Prog *to;
    int32_t *number; /* per program as compiled: its place in preorder */
    int32_t count;
} Placing;

/* Place a program and what is below it; as deep as programs are nested (MOST_DEPTH, compile.c). */
static int32_t place(Placing *p, int32_t id)
{
    int32_t at = p->count++, last = -1;
    p->number[id] = at;
    p->to[at] = p->from[id];
    p->to[at].next = -1;
    for (int32_t child = p->from[id].first; p->from[id].kind != PROG_SLOT && child >= 0;
         child = p->from[child].next) {
        int32_t operand = place(p, child);
        if (last < 0)
            p->to[at].first = operand;
        else
            p->to[last].next = operand;
        last = operand;
    }
    p->to[at].end = p->count;
    return at;
}

/* number[i] != 0: program i is an operand of another one. */
static void mark_operands(const System *s, int32_t *number)
{
    for (int32_t i = 0; i < s->prog_count; i++)
        for (int32_t child = s->progs[i].kind == PROG_SLOT ? -1 : s->progs[i].first; child >= 0;
             child = s->progs[child].next)
            number[child] = -1;
}

PepaStatus system_order_programs(System *s, PepaError *err)
{
    size_t count = (size_t)s->prog_count;
    Placing p = {.from = s->progs};
    if (!mem_new(p.to, count) || !mem_new_zeroed(p.number, count)) {
        mem_free_all(p.to, p.number);
        return error_memory(err);
    }
    mark_operands(s, p.number);
    for (int32_t i = 0; i < s->prog_count; i++)
        if (p.number[i] == 0) /* a root that is not placed yet: operands are -1 or placed later */
            (void)place(&p, i);
    for (int32_t e = 0; e < s->event_count; e++)
        s->events[e].prog = p.number[s->events[e].prog];
    mem_free(s->progs);
    s->progs = p.to;
    mem_free(p.number);
    return PEPA_OK;
}

PepaStatus system_pack_fields(System *s, PepaError *err)
{
    uint32_t word = 0, shift = 0;
    if (!mem_new_zeroed(s->fields, s->cell_count))
        return error_memory(err);
    s->first_counted = s->slot_count;
    for (int32_t i = s->slot_count; i-- > 0;)
        if (s->slots[i].copies)
            s->first_counted = i;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        int32_t locals = s->components[slot->component].local_count;
        int32_t cells = slot->copies ? locals - 1 : 1;
        uint32_t bits = bits_for(slot->copies ? (int64_t)slot->copies + 1 : locals);
        for (int32_t c = 0; c < cells && bits; c++) {
            if (shift + bits > 64) {
                word++;
                shift = 0;
            }
            s->fields[slot->cell + c] = (Field){word, shift, (UINT64_C(1) << bits) - 1};
            shift += bits;
        }
    }
    s->words = word + 1;
    return PEPA_OK;
}
