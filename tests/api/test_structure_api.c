/* pepa_structure.h as a client sees it: the system equation, components, lifetimes, arguments. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parsing.h"
#include "pepa_structure.h"

static const char net[] =
    "r = 2; s = r * 3; n = 3; w = infty;\n"
    "P = (a, r * (s + 1) - 1).Q; Q = (b, T).P + (a, 2 * infty).P + (c, P * r).Q + (d, w).Q;\n"
    "R = (\"a b\", min(r, s) / 2).R; Unused = (z, 1).Unused;\n"
    "(P <b, a> Q) / {a} <\"a b\", c> R[n]{\"a b\"}";

static PepaStructure *structure_of(const char *text)
{
    PepaModel *model = parse(text);
    PepaStructure *structure = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_structure_new(&structure, model, &err), PEPA_OK, "%s", err.message);
    pepa_model_free(model); /* the structure keeps it alive */
    return structure;
}

/* The text of a subtree, fully parenthesised, from what the functions say. */
static void write_node(const PepaStructure *s, int32_t i, char *out, size_t size)
{
    const PepaNode node = pepa_structure_node(s, i);
    char left[200] = "", right[200] = "", set[100] = "";
    if (node.left >= 0)
        write_node(s, node.left, left, sizeof left);
    if (node.right >= 0)
        write_node(s, node.right, right, sizeof right);
    for (int32_t k = 0; k < node.action_count; k++) {
        size_t used = strlen(set);
        (void)snprintf(set + used, sizeof set - used, "%s%s", k ? "," : "",
                       pepa_structure_action_name(s, node.action[k]));
    }
    switch (node.kind) {
    case PEPA_NODE_COMPONENT:
        cr_assert(node.left < 0 && node.right < 0 && node.copies == 1);
        (void)snprintf(out, size, "%s", pepa_structure_local(s, node.local).name);
        break;
    case PEPA_NODE_COOPERATION:
        (void)snprintf(out, size, "(%s <%s> %s)", left, set, right);
        break;
    case PEPA_NODE_HIDING:
        (void)snprintf(out, size, "(%s / {%s})", left, set);
        break;
    default:
        (void)snprintf(out, size, "%s[%lld]{%s}", left, (long long)node.copies, set);
    }
}

static void expect_tree(const char *text, const char *tree)
{
    char found[600];
    PepaStructure *s = structure_of(text);
    write_node(s, pepa_structure_info(s).nodes - 1, found, sizeof found);
    cr_expect_str_eq(found, tree);
    pepa_structure_free(s);
}

Test(structure_api, the_system_equation)
{
    expect_tree(net, "(((P <a,b> Q) / {a}) <c,a b> R[3]{a b})");
    expect_tree("P = (a, 1).P; P", "P");
    expect_tree("P = (a, 1).Q; Q = (b, 1).P; S = P <*> Q; S || P", "((P <a,b> Q) <> P)");
}

/* The activities of a local state: "(a, rate).target" each, and its value. */
static void expect_local(const PepaStructure *s, const char *name, int32_t count,
                         const char *const *text, const double *value)
{
    int32_t l = 0;
    while (strcmp(pepa_structure_local(s, l).name, name) != 0)
        cr_assert_lt(++l, pepa_structure_info(s).local_states);
    const PepaLocal local = pepa_structure_local(s, l);
    cr_assert_eq(local.count, count, "%s has %d", name, local.count);
    for (int32_t k = 0; k < count; k++) {
        char found[200];
        const PepaActivity a = pepa_structure_activity(s, local.first + k);
        (void)snprintf(found, sizeof found, "%s(%s, %s).%s", a.passive ? "passive " : "",
                       pepa_structure_action_name(s, a.action), a.rate,
                       pepa_structure_local(s, a.target).name);
        cr_expect_str_eq(found, text[k]);
        cr_expect(a.value == value[k] || (isnan(a.value) && isnan(value[k])), "%s: %g", found,
                  a.value);
    }
}

Test(structure_api, local_states)
{
    PepaStructure *s = structure_of(net);
    expect_local(s, "P", 1, (const char *[]){"(a, r * (s + 1) - 1).Q"}, (double[]){13});
    expect_local(s, "Q", 4,
                 (const char *[]){"passive (b, T).P", "passive (a, 2 * T).P", "(c, P * r).Q",
                                  "passive (d, w).Q"},
                 (double[]){1, 2, NAN, 1});
    expect_local(s, "R", 1, (const char *[]){"(a b, min(r, s) / 2).R"}, (double[]){1});
    cr_expect_eq(pepa_structure_info(s).activities, 6);
    cr_expect_eq(pepa_structure_info(s).local_states, 3);
    pepa_structure_free(s);
}

Test(structure_api, immediate_activities_and_priorities)
{
    PepaStructure *s = structure_of("P = (a[2], 3).Q; Q = b.P + (c[0], 2 * P : immediate).P; P");
    const PepaActivity a = pepa_structure_activity(s, 0), b = pepa_structure_activity(s, 1),
                       c = pepa_structure_activity(s, 2);
    cr_expect(!a.immediate && b.immediate && c.immediate);
    cr_expect(!a.passive && !b.passive && !c.passive);
    cr_expect_eq(a.priority, 2);
    cr_expect_eq(b.priority, -1);
    cr_expect_eq(c.priority, 0);
    cr_expect(a.value == 3 && b.value == 1 && isnan(c.value));
    pepa_structure_free(s);
}

Test(structure_api, another_value_of_a_rate)
{
    static const char text[] = "r = 2; P = (a, r).P; P";
    const PepaReading how = {.defines = &(PepaDefine){"r", 5}, .define_count = 1};
    PepaModel *model = NULL;
    PepaStructure *s = NULL;
    cr_assert_eq(pepa_model_parse(&model, "m", text, sizeof text - 1, &how, NULL), PEPA_OK);
    cr_assert_eq(pepa_structure_new(&s, model, NULL), PEPA_OK);
    cr_expect_str_eq(pepa_structure_activity(s, 0).rate, "r");
    cr_expect_eq(pepa_structure_activity(s, 0).value, 5);
    pepa_structure_free(s);
    pepa_model_free(model);
}

Test(structure_api, arguments)
{
    PepaStructure *s = NULL;
    PepaError err = {0};
    cr_expect_eq(pepa_structure_new(&s, NULL, &err), PEPA_EARG);
    cr_expect_eq(pepa_structure_new(NULL, NULL, NULL), PEPA_EARG);
    cr_expect_null(s);
    pepa_structure_free(NULL);
}
