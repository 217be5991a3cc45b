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
    m.process[q] = (RefProcess){
        .name = "Q", .body = ref_prefix(&m, REF_TAU, half, choice), .notation = 4};
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
