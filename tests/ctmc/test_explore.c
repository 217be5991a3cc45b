#include "base/error.h"
#include "support.h"
#include "settings.h"

static void expect_size(const char *text, int aggregate, int32_t states, int64_t transitions)
{
    Derived d = derive(text, aggregate);
    cr_assert_eq(d.status, PEPA_OK, "%s", text);
    cr_assert_eq(d.chain->states.count, states, "%s: %d states", text, d.chain->states.count);
    cr_assert_eq(d.chain->transitions, transitions, "%s: %lld transitions", text,
                 (long long)d.chain->transitions);
    derived_free(&d);
}

Test(explore, counts_states_and_distinct_transitions)
{
    expect_size("P = (a, 1).P; P", 1, 1, 1); /* a self-loop counts */
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P", 1, 2, 2);
    expect_size("P = (a, 1).Q + (a, 2).Q + (b, 1).Q; Q = (b, 1).P; P", 1, 2, 3);
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P || P", 1, 4, 8);
    /* the two copies reach different states that are one when counted */
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P[2]", 1, 3, 4);
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P[2]", 0, 4, 8);
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P[20]", 1, 21, 40);
    expect_size("P = (a, 1).Q; Q = (b, 1).P; P[1]", 1, 2, 2);
    expect_size("P = (a, 1).Stop; P[2]", 1, 3, 2);
}

Test(explore, copies_of_composites_are_sorted)
{
    /* a pair has 4 states; 3 sorted pairs: C(4 + 3 - 1, 3) */
    const char *pair = "P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R; (P || R)[3]";
    Derived d = derive(pair, 1);
    cr_assert_eq(d.chain->states.count, 20);
    derived_free(&d);
    d = derive(pair, 0);
    cr_assert_eq(d.chain->states.count, 64);
    derived_free(&d);
    /* nested: multisets of 2 of the 3 counted states of P[2] */
    d = derive("P = (a, 1).Q; Q = (b, 1).P; (P[2])[2]", 1);
    cr_assert_eq(d.chain->states.count, 6);
    derived_free(&d);
}

/* More components than fit into one word, and into two. */
Test(explore, states_of_many_words)
{
    Derived d = derive("P0 = (s, 1).P1; P1 = (s, 1).P2; P2 = (s, 1).P3; P3 = (s, 1).P4;\n"
                       "P4 = (s, 1).P5; P5 = (s, 1).P6; P6 = (s, 1).P7; P7 = (s, 1).P0;\n"
                       "P0[70]{s}",
                       0);
    cr_assert_eq(d.chain->states.words, 4);
    cr_assert_eq(d.chain->states.count, 8);
    cr_assert_eq(d.chain->transitions, 8);
    derived_free(&d);
}

Test(explore, limit)
{
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaError err;
    Chain *chain = NULL;
    Model *model = model_of("P = (a, 1).Q; Q = (b, 1).P; P || P || P");
    set.derive.max_states = 8;
    cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_OK);
    chain_free(chain);
    chain = NULL;
    set.derive.max_states = 7;
    cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_ELIMIT);
    cr_assert(strstr(err.message, "more than 7 states"));
    cr_assert_null(chain);
    model_free(model);
    diag_free(&diags);
}

static int stop_at_once(void *user, const PepaProgress *now)
{
    ++*(int *)user;
    cr_assert_str_eq(now->phase, "derive");
    return 1;
}

Test(explore, cancel)
{
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaError err;
    Chain *chain = NULL;
    int calls = 0;
    Model *model = model_of("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P;\n"
                            "P||P||P||P||P||P||P||P||P||P||P||P||P||P||P||P");
    set.progress = stop_at_once;
    set.user = &calls;
    set.derive.max_states = 1 << 30;
    cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_ECANCEL);
    cr_assert_eq(calls, 1);
    model_free(model);
    diag_free(&diags);
}

Test(explore, too_many_components)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 1).P; P[100000]", 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_assert_eq(d.chain->states.count, 100001);
    derived_free(&d);
    d = derive("P = (a, 1).Q; Q = (b, 1).P; P[100000]", 0);
    cr_assert_eq(d.status, PEPA_ELIMIT);
    derived_free(&d);
}

/* As many copies as an integer holds: too many states, not none. */
Test(explore, as_many_copies_as_can_be)
{
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaError err;
    Chain *chain = NULL;
    static const char *const texts[] = {
        "P = (a, 1).Q; Q = (b, 1).P; P[2147483647]",
        "P = (a, 1).Q; Q = (b, 1).P; (P[2147483647])[2]",
        "P = (a, 1).Q; Q = (b, 1).P; P[2000000000] || P[2000000000]",
    };
    set.derive.max_states = 1000;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Model *model = model_of(texts[i]);
        cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_ELIMIT, "%s", texts[i]);
        model_free(model);
    }
    Derived d = derive("P = (a, 1).P; P[2147483647]", 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_assert_eq(rate_of(d.chain, 0, "a", 0), 2147483647.0);
    derived_free(&d);
    diag_free(&diags);
}

/* More than that have no chain, and errors say which limit it is. */
Test(explore, more_components_than_can_be)
{
    static const char *const texts[] = {
        "P = (a, 1).P; P[2147483648]",
        "P = (a, 1).Q; Q = (b, 1).P; P[1e15]",
        "P = (a, 1).P; P[2000000000] || P[2000000000]",
        "P = (a, 1).P; Q = (b, 1).P; (P[1000000000])[3]",
    };
    const PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Chain *chain = NULL;
        PepaError err = {0};
        Model *model = model_of(texts[i]);
        cr_expect_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_ELIMIT, "%s", texts[i]);
        cr_expect_eq(err.limit, PEPA_LIMIT_COMPONENTS, "%s", texts[i]);
        cr_expect_str_eq(err.message, "more than 2147483647 components are too many for a chain");
        cr_expect_null(chain);
        model_free(model);
    }
    diag_free(&diags);
}

/* Many components of many local states each: what is counted over all of them stays in range. */
Test(explore, too_many_local_states_in_all)
{
    enum { STATES = 20000, COMPONENTS = 20000 };
    Text text = {0};
    for (int i = 0; i < STATES; i++)
        text_add(&text, "P%d = (a, 1).P%d;\n", i, (i + 1) % STATES);
    for (int i = 0; i < COMPONENTS; i++)
        text_add(&text, "%sP0", i ? " <a> " : "");
    Derived d = derive(text.text, 1);
    cr_assert_eq(d.status, PEPA_ELIMIT);
    derived_free(&d);
    text_free(&text);
}

/* A product of choices that the last component blocks is not worth building. */
Test(explore, blocked_products_are_not_built)
{
    Text text = {0};
    text_add(&text, "Q = (b, 1).Q1; Q1 = (a, 1).Q;\n");
    for (int i = 0; i < 60; i++)
        text_add(&text, "P%d = (a, 1).P%d + (a, 2).R%d; R%d = (c%d, 1).P%d;\n", i, i, i, i, i, i);
    for (int i = 0; i < 60; i++)
        text_add(&text, "P%d <a> ", i);
    text_add(&text, "Stop <a> Q");
    Derived d = derive(text.text, 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_assert_eq(d.chain->states.count, 2);
    derived_free(&d);
    text_free(&text);
}

Test(explore, transitions_are_sorted_and_rates_positive)
{
    Derived d = derive("P = (b, 1).Q + (a, 2).P; Q = (a, 1).P + (c, 2).Q; P[3] <a> (P || Q)", 1);
    const Chain *c = d.chain;
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            cr_assert_gt(chain_rate(c, c->now.term, k), 0);
            if (k > c->row[s])
                cr_assert(chain_action(c, k - 1) < chain_action(c, k) ||
                          (chain_action(c, k - 1) == chain_action(c, k) &&
                           c->target[k - 1] < c->target[k]));
        }
    derived_free(&d);
}
