/* However many threads explore, the chain is the same, and so is what there is to say about it. */
#include "exploring.h"
#include "families.h"

static void expect_same(const char *name, const Model *model, int64_t max_states)
{
    for (int aggregate = 0; aggregate < 2; aggregate++) {
        const char *difference = explored_by_all(model, aggregate, max_states);
        cr_expect_null(difference, "%s, aggregate %d: %s", name, aggregate, difference);
    }
}

static int expect_same_of_collection(const char *path, const Model *model)
{
    expect_same(path, model, 30000); /* larger ones reach the limit together */
    return 1;
}

Test(parallel, all_models_of_the_collection)
{
    cr_assert_gt(sum_over_collection(expect_same_of_collection), 20);
}

Test(parallel, everything_that_goes_its_own_way)
{
    static const char *const texts[] = {
        /* copies of composites; several hidden events to the same state; self-loops */
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (d, 4).R; (P || R)[4]",
        "P = (a, 1).Q + (b, 2).Q + (c, 1).P; Q = (d, 1).P; (P || P || P || P || P) / {a, b, c}",
        "P = (a, 1).P + (b, 1).Q; Q = (a, 2).P; P || P || P || P || P || P",
        /* rates that depend on the state, and are off in some */
        "P = (a, Q + 1).Q; Q = (b, P * 0.5).P; R = (c, P).R + (d, 1).S; S = (e, 2).R;\n"
        "P[5] || R || R",
        /* no table is large enough for all of these together */
        "P = (a, 1).Q + (a, 2).R; Q = (b, 1).P; R = (c, 1).P; S = (a, 3).T; T = (d, 1).S;\n"
        "P[7] <a> S[6]",
        "P = (a, 1).Q; Q = (b, 1).P; R = (a, T).S + (a, 2 * T).R; S = (c, 1).R;\n"
        "(P || P || P || P || P || P || P) <a> (R || R || R || R || R || R)",
        "P = (a, 1).Q + (a, T).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R; R || R || R || P",
        /* immediate activities: loops, waiting for a resource, choices in copies of composites */
        "P = (a, 1).Q; Q = (b, 3 : immediate).R + c.S; R = back.Q + (d, 2 : immediate).S; S = e.P "
        "+ f.T;\n"
        "T = (g, 1).P; P || P || P || P[3]",
        "P = (a, 1).Q; Q = get.R; R = (b, 2).S; S = put.P; F = (get, T).U; U = (put, T).F;\n"
        "(P || P || P || P[2]) <get, put> F[2]",
        "P = (a, 1).Q; Q = b.R + (c, 2 : immediate).P; R = (c, 2).P; S = (d, 1).S1; S1 = b.S;\n"
        "(P <b> S)[3] || P[3]",
        "P = (b, 1).Q; Q = (b, 1).R; R = (b, 1).S; S = i.T; T = j.S; P || P || P || P",
        "P = (b, 1).Q; Q = i.R; R = (b, 1).S; S = i.T + (a, T).P; T = (b, 1).P; P || P || P || P",
        /* what is wrong shows late */
        "P = (b, 1).Q; Q = (b, 1).R; R = (b, 1).S; S = (a, T).P; P || P || P || P",
        "P = (b, 1).Q; Q = (b, 1).R; R = (a, 1e308).P + (c, 1e308).Q; P || P || P || P",
        "P = (b, 1).Q; Q = (a, P - 2).P; P || P || P || P",
        "P = (b, 1).Q; Q = (a, T).P; R = (c, 1).S; S = (a, 1).R + (a, T).R; P || P || R || R",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Model *model = model_of(texts[i]);
        expect_same(texts[i], model, 1000000);
        for (int64_t most = 1; most < 200; most += most / 2 + 1)
            expect_same(texts[i], model, most);
        model_free(model);
    }
}

/* More kinds of transitions than 16 bits can number. */
Test(parallel, very_many_kinds)
{
    Model *model = model_of("P = (a, 2).Q; Q = (b, 3).P; P[70000]");
    Explored e;
    expect_same("70000 copies", model, 1000000);
    explored_new(&e, model, 1, 1, 1000000);
    cr_assert_eq(e.status, PEPA_OK);
    cr_assert(!e.chain.narrow && e.chain.wide && e.chain.kind_count == 140000);
    for (int32_t s = 0; s <= 70000; s++) { /* state s has s copies of Q */
        cr_assert_eq(rate_of(&e.chain, s, "a", s + 1), 2.0 * (70000 - s));
        cr_assert_eq(rate_of(&e.chain, s, "b", s - 1), s ? 3.0 * s : 0);
    }
    explored_free(&e);
    model_free(model);
}
