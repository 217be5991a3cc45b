/* Printing and naming of reference models. */
#include "property/ref_model.h"

#include <criterion/criterion.h>
#include <string.h>

/* P = (a, 1).X with X = (b, r).(a, 1).X': (a, 1) again is another term, b's is the same as Q's. */
Test(ref_model, names_of_local_states)
{
    RefModel m = {0};
    int q = ref_process_declare(&m, "Q"), p = ref_process_declare(&m, "P");
    int taken = ref_process_declare(&m, "P_2");
    const RefRate *one = ref_number(&m, 1);
    const RefTerm *deep = ref_prefix(&m, 0, one, ref_constant(&m, p));
    const RefTerm *shared = ref_prefix(&m, 1, one, ref_constant(&m, q));
    m.process[q].body = ref_prefix(&m, 0, one, shared);
    const RefTerm *parts[] = {
        ref_prefix(&m, 0, one, ref_prefix(&m, 1, one, ref_constant(&m, q))),
        ref_prefix(&m, 0, one, ref_prefix(&m, 2, one, deep)),
    };
    m.process[p].body = ref_choice(&m, parts, 2);
    m.process[taken].body = ref_prefix(&m, 0, one, ref_constant(&m, p)); /* deep, but as a body */
    RefNames names = ref_names(&m);
    cr_expect_str_eq(ref_name(&m, &names, shared), "Q_2");
    cr_expect_str_eq(ref_name(&m, &names, parts[0]->next), "Q_2");
    cr_expect_str_eq(ref_name(&m, &names, parts[1]->next), "P_3");
    cr_expect_str_eq(ref_name(&m, &names, deep), "P_4");
    cr_expect_str_eq(ref_name(&m, &names, ref_constant(&m, taken)), "P_2");
    ref_names_free(&names);
    ref_model_free(&m);
}

/* In `(a, 1).(b, 1).P <> Net` with Net = (c, 1).P <> (a, 1).(b, 1).P. */
Test(ref_model, names_in_the_static_tree)
{
    RefModel m = {0};
    int p = ref_process_declare(&m, "P"), net = ref_process_declare(&m, "Net");
    const RefRate *one = ref_number(&m, 1);
    const RefTerm *b = ref_prefix(&m, 1, one, ref_constant(&m, p));
    const RefTerm *c = ref_prefix(&m, 2, one, ref_constant(&m, p));
    const RefTerm *d = ref_prefix(&m, 3, one, ref_constant(&m, p));
    m.process[p].body = ref_prefix(&m, 0, one, ref_constant(&m, p));
    const RefStatic *ab = ref_leaf(&m, ref_prefix(&m, 0, one, b));
    m.process[net].system = ref_coop(&m, ref_leaf(&m, c), 0, ab);
    const RefStatic *all = ref_coop(&m, ab, 0, ref_named(&m, net));
    m.system = ref_coop(&m, all, 0, ref_leaf(&m, d));
    RefNames names = ref_names(&m);
    cr_expect_str_eq(ref_name(&m, &names, c), "Net_2");
    cr_expect_str_eq(ref_name(&m, &names, ab->leaf), "Net_3");
    cr_expect_str_eq(ref_name(&m, &names, b), "Net_4");
    cr_expect_str_eq(ref_name(&m, &names, d), "System_1");
    ref_names_free(&names);
    ref_model_free(&m);
}

/* A + (B + C) is (A + B) + C, and is not A + (C + B). */
Test(ref_model, parentheses_in_choices)
{
    RefModel m = {0};
    const RefTerm *abc[3], *other[3];
    for (int i = 0; i < 3; i++)
        abc[i] = other[i] = ref_prefix(&m, i, ref_number(&m, 1), ref_stop(&m));
    const RefTerm *left[] = {ref_choice(&m, abc, 2), abc[2]};
    const RefTerm *right[] = {abc[0], ref_choice(&m, abc + 1, 2)};
    other[1] = abc[2];
    other[2] = abc[1];
    const RefTerm *flat = ref_choice(&m, abc, 3);
    cr_expect(ref_term_compare(ref_choice(&m, left, 2), ref_choice(&m, right, 2)) == 0);
    cr_expect(ref_term_compare(ref_choice(&m, left, 2), flat) == 0);
    cr_expect(ref_term_compare(ref_choice(&m, other, 3), flat) != 0);
    cr_expect(ref_term_compare(ref_choice(&m, abc, 2), flat) != 0);
    ref_model_free(&m);
}

static RefModel example(void)
{
    RefModel m = {0};
    int a = ref_action(&m, "a"), b = ref_action(&m, "b");
    int p = ref_process_declare(&m, "P"), q = ref_process_declare(&m, "Q");
    const RefRate *half = ref_number(&m, 0.5);
    const RefRate *sum = ref_operation(&m, REF_ADD, half, ref_number(&m, 20));
    int r = ref_rate_define(&m, "r", ref_operation(&m, REF_MUL, sum, half));
    const RefTerm *parts[] = {ref_prefix(&m, a, ref_rate(&m, r), ref_constant(&m, q)),
                              ref_passive(&m, b, ref_rate(&m, r), ref_stop(&m))};
    const RefTerm *choice = ref_choice(&m, parts, 2);
    m.process[p] = (RefProcess){.name = "P", .body = choice, .notation = 9};
    m.process[q] =
        (RefProcess){.name = "Q", .body = ref_prefix(&m, REF_TAU, half, choice), .notation = 4};
    const RefStatic *leaf = ref_leaf(&m, ref_constant(&m, p));
    const RefStatic *hide = ref_hide(&m, leaf, 1u << a | 1u << b);
    const RefStatic *copies = ref_copies(&m, leaf, ref_number(&m, 3), 1u << b);
    m.system = ref_coop(&m, hide, 1u << a, ref_coop(&m, leaf, 0, copies));
    return m;
}

Test(ref_model, text)
{
    RefModel m = example();
    Text text = ref_model_print(&m, (RefPrinting){0});
    cr_expect_str_eq(text.text, "r = (0.5 + 20) * 0.5;\n"
                                "P = (a, r).Q + (b, infty * r).Stop;\n"
                                "Q := (tau, 0.5).((a, r).Q + (b, infty * r).Stop);\n"
                                "P / <a, b> <a> (P || P[3][b]);\n");
    text_free(&text);
    text = ref_model_print(&m, (RefPrinting){.scale = 2, .mirror = true});
    cr_expect_str_eq(text.text, "r = (0.5 + 20) * 0.5;\n"
                                "P = (a, 2 * r).Q + (b, infty * r).Stop;\n"
                                "Q := (tau, 2 * 0.5).((a, 2 * r).Q + (b, infty * r).Stop);\n"
                                "P[3][b] || P <a> P / <a, b>;\n");
    text_free(&text);
    ref_model_free(&m);
}

/* The three ways to write an immediate activity, and priorities; only timed rates are scaled. */
Test(ref_model, immediate_text)
{
    RefModel m = {0};
    int a = ref_action(&m, "a"), p = ref_process_declare(&m, "P");
    const RefTerm *here = ref_constant(&m, p);
    RefTerm *part[] = {ref_immediate(&m, a, NULL, here),
                       ref_immediate(&m, a, NULL, here),
                       ref_immediate(&m, a, ref_number(&m, 2), here),
                       ref_immediate(&m, REF_TAU, NULL, here),
                       ref_prefix(&m, a, ref_number(&m, 3), here),
                       ref_passive(&m, a, NULL, here)};
    cr_expect(ref_term_compare(part[0], part[1]) == 0 && ref_term_compare(part[0], part[2]) != 0 &&
              ref_term_compare(part[0], part[4]) != 0 && ref_term_compare(part[0], part[5]) != 0);
    part[0]->notation = 1;
    cr_expect(ref_term_compare(part[0], part[1]) == 0, "notation has no meaning");
    part[1]->priority = 0;
    cr_expect(ref_term_compare(part[0], part[1]) != 0);
    part[2]->priority = part[3]->priority = part[5]->priority = 3;
    part[2]->notation = part[3]->notation = 1;
    part[4]->priority = 1;
    const RefTerm *all[6];
    memcpy(all, part, sizeof all);
    m.process[p] = (RefProcess){.name = "P", .body = ref_choice(&m, all, 6), .notation = 9};
    m.system = ref_leaf(&m, here);
    Text text = ref_model_print(&m, (RefPrinting){.scale = 2});
    cr_expect_str_eq(text.text,
                     "P = a.P + (a[0], immediate).P + (a[3], 2 : immediate).P + "
                     "tau[3].P + (a[1], 2 * 3).P + (a[3], T).P;\nP;\n",
                     "%s", text.text);
    text_free(&text);
    ref_model_free(&m);
}
