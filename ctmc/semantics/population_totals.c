/* Finds which slots are copies of others, by the sums over copies of composites. */
#include "ctmc/semantics/population_totals.h"

static double own_copies(const Slot *slot)
{
    return slot->copies ? (double)slot->copies : 1;
}

/* All slots below the program are copies of others. */
static void take_together(PopulationTotals *b, const Prog *p)
{
    const System *s = b->system;
    if (p->kind == PROG_SLOT) {
        b->apart |= b->total[p->slot] > 0;
        b->total[p->slot] = 0;
    }
    for (int32_t child = p->kind == PROG_SLOT ? -1 : p->first; child >= 0;
         child = s->progs[child].next)
        take_together(b, &s->progs[child]);
}

/* Give every slot below the program its total, in `factor` copies. */
static void find_totals(PopulationTotals *b, const Prog *p, double factor)
{
    const System *s = b->system;
    if (p->kind == PROG_SLOT) {
        b->apart |= b->total[p->slot] == 0;
        if (b->total[p->slot] < 0)
            b->total[p->slot] = factor * own_copies(&s->slots[p->slot]);
        return;
    }
    if (p->kind != PROG_COPIES) {
        for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
            find_totals(b, &s->progs[child], factor);
        return;
    }
    double copies = 1;
    for (int32_t child = s->progs[p->first].next; child >= 0; child = s->progs[child].next) {
        take_together(b, &s->progs[child]);
        copies++;
    }
    find_totals(b, &s->progs[p->first], factor * copies);
    b->composite = true;
}

bool population_totals(PopulationTotals *b, const System *s)
{
    *b = (PopulationTotals){.system = s};
    if (!mem_new(b->total, s->slot_count))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++)
        b->total[i] = -1; /* in no program yet */
    for (int32_t i = 0; i < s->event_count; i++)
        find_totals(b, &s->progs[s->events[i].prog], 1);
    for (int32_t i = 0; i < s->slot_count; i++)
        if (b->apart || b->total[i] < 0)
            b->total[i] = own_copies(&s->slots[i]);
    b->composite = b->composite && !b->apart;
    return true;
}
