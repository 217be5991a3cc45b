/* Finds what decides which events are possible after a change: walks down the programs of the events that
 * the changed units may take part in. */
#include "ctmc/semantics/footprint.h"

/* Add the units that decide what a program can do in the state of e->moves.cells; if it can do nothing,
 * some that are in its way. */
static void read_program(Expander *e, int32_t prog, uint64_t *bits)
{
    const Projection *p = &e->vanished.projection;
    const Prog *progs = p->system->progs;
    if (progs[prog].kind == PROG_SLOT) {
        for (size_t w = 0; w < p->words; w++)
            bits[w] |= projection_unit(p, progs[prog].slot)[w];
        return;
    }
    const bool all = progs[prog].kind != PROG_SYNC || moves_ready(&e->moves, prog);
    for (int32_t child = progs[prog].first; child >= 0; child = progs[child].next) {
        if (!all && moves_ready(&e->moves, child))
            continue;
        read_program(e, child, bits);
        if (!all)
            return;
    }
}

void footprint_read(Expander *e, const uint64_t *packed, const uint64_t *changed, uint64_t *bits)
{
    const Projection *p = &e->vanished.projection;
    const System *s = p->system;
    system_unpack(s, packed, e->moves.cells);
    for (size_t w = 0; w < p->words; w++)
        for (uint64_t left = changed[w]; left;) {
            const int32_t unit = projection_unit_at(p, w, left);
            for (int32_t i = p->event_first[unit]; i < p->event_first[unit + 1]; i++)
                read_program(e, s->events[p->event[i]].prog, bits);
            left &= ~p->unit[(size_t)unit * p->words + w];
        }
}
