#include "support.h"

Test(review, bottom_components_and_deadlocks)
{
    static const struct {
        const char *text;
        int32_t bottoms, deadlocks;
    } cases[] = {
        {"P = (a, 1).P; P", 1, 0},
        {"P = (a, 1).Q; Q = (b, 1).P; P || P", 1, 0},
        {"P = (a, 1).Stop; P", 1, 1},
        {"P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q; R = (d, 1).R; P", 2, 0},
        {"P = (a, 1).Q + (b, 1).R + (c, 1).Stop; Q = (c, 1).Q; R = (d, 1).R2; R2 = (d, 1).R; P", 3,
         1},
        {"P = (a, 1).Q; Q = (b, 1).Stop; P || P", 1, 1},
        {"P = (a, 1).P; Q = (b, 1).Q; P <a, b> Q", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Derived d = derive(cases[i].text, 1);
        cr_assert_eq(d.status, PEPA_OK);
        cr_assert_eq(d.chain->bottom_count, cases[i].bottoms, "%s", cases[i].text);
        cr_assert_eq(d.chain->deadlocks, cases[i].deadlocks, "%s", cases[i].text);
        cr_assert_eq(says(&d.diags, "deadlock"), cases[i].deadlocks > 0, "%s", cases[i].text);
        derived_free(&d);
    }
}

Test(review, findings)
{
    static const struct {
        const char *text, *words; /* NULL: nothing to say */
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 1).P; P", NULL},
        {"P = (a, 1).P; P", "self-loop: `a` leaves the state as it is in 1 state;"},
        {"P = (a, 1).Q; Q = (b, 1).Q + (c, 1).P; P || P", "self-loop: `b`"},
        {"P = (a[2], 1).P + (b[2], 1).Q; Q = (c, 1).P; P", "self-loop: `a`"},
        {"P = (a, 1).Q; Q = b.P; R = (c, 1).R2; R2 = (c, 2).R; P || R", NULL},
        {"P = (a, 1).Q; Q = (b, 1).Q2; Q2 = (c, 1).Q; P", "local state `P` is left for ever"},
        {"P = (a, 1).P1; P1 = (b, 1).P + (c, 1).P2; P2 = (d, 1).P; Q = (c, T).Q; R = (e, 1).R;\n"
         "P <c> (Q <c> R)",
         "local state `P2` is never reached"},
        {"P = (a, 1).Stop; P[3]", "deadlock: nothing can happen in state (Stop:3)"},
        {"P = (a, 1).Stop + (b, 1).Q; Q = (c, 2).Q2; Q2 = (c, 1).Stop; P || P",
         "in state (Stop, Stop)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Derived d = derive(cases[i].text, 1);
        cr_assert_eq(d.status, PEPA_OK);
        if (cases[i].words)
            cr_assert(says(&d.diags, cases[i].words), "%s: %s", cases[i].text,
                      d.diags.count ? d.diags.items[0].message : "silent");
        else
            cr_assert_eq(d.diags.count, 0, "%s", d.diags.items[0].message);
        derived_free(&d);
    }
}

Test(review, states_as_text)
{
    Derived d = derive("P = (a, 1).(b, 1).P; Q = (c, 1).Q1; Q1 = (d, 1).Q; P || Q[3]", 1);
    int32_t cells[16];
    Text text = {0};
    cr_assert_leq(d.chain->system->cell_count, 16);
    chain_state_text(d.chain, 0, cells, &text);
    text_add(&text, " ");
    chain_state_text(d.chain, d.chain->states.count - 1, cells, &text);
    cr_assert_str_eq(text.text, "(P, Q:3) (P_2, Q1:3)");
    text_free(&text);
    derived_free(&d);
}
