#include "measure/measures.h"
#include "support.h"

Test(measures, throughput_counts_self_loops)
{
    Derived d = derive("P = (a, 3).Q + (c, 9).P; Q = (b, 1).P; P", 1);
    double pi[] = {0.25, 0.75}, per_time[3];
    cr_assert_eq(d.chain->action_count, 3);
    chain_action_flow(d.chain, d.chain->now.term, pi, per_time);
    for (int32_t a = 0; a < 3; a++) {
        const char *name = d.model->actions[d.chain->actions[a]];
        cr_assert_float_eq(per_time[a], name[0] == 'c' ? 2.25 : 0.75, 1e-15);
    }
    derived_free(&d);
}

/* One row of counts per position, alike whether the copies were counted or kept apart. */
Test(measures, counts)
{
    for (int aggregate = 0; aggregate < 2; aggregate++) {
        Derived d = derive("P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R;\n"
                           "(P || R)[2] || P[3]",
                           aggregate);
        const System *s = d.chain->system;
        int32_t offset[8], counts[16], cells[16];
        cr_assert_eq(s->position_count, 3);
        cr_assert_eq(s->position_copies[0], 2);
        cr_assert_eq(s->position_copies[2], 3);
        measure_offsets(s, offset);
        cr_assert_eq(offset[3], 6);
        for (int32_t state = 0; state < d.chain->states.count; state++) {
            system_unpack(s, d.chain->states.state + (size_t)state * d.chain->states.words, cells);
            measure_counts(s, offset, cells, counts);
            cr_assert_eq(counts[0] + counts[1], 2);
            cr_assert_eq(counts[2] + counts[3], 2);
            cr_assert_eq(counts[4] + counts[5], 3);
            if (state == 0)
                cr_assert(counts[0] == 2 && counts[2] == 2 && counts[4] == 3);
        }
        derived_free(&d);
    }
}
