/* The unfolded system equation, and what is said about its sets. */
#include "reading.h"

static void describe(const Model *model, int32_t i, Text *out)
{
    const Node *node = &model->nodes[i];
    if (node->kind == NODE_LEAF) {
        text_add(out, "%s", model->locals[node->local].name);
        return;
    }
    text_add(out, "(");
    describe(model, node->left, out);
    text_add(out,
             node->kind == NODE_COOP   ? " <"
             : node->kind == NODE_HIDE ? " / {"
                                       : "[%lld]{",
             (long long)node->copies);
    for (int32_t k = 0; k < node->set_count; k++)
        text_add(out, "%s%s", k ? ", " : "", model->actions[model->sets[node->set_first + k]]);
    text_add(out, node->kind == NODE_COOP ? "> " : "}");
    if (node->kind == NODE_COOP)
        describe(model, node->right, out);
    text_add(out, ")");
}

#define PROCESSES "P = (a, 1).(b, 1).P; Q = (b, T).(c, 1).Q; R = (tau, 1).(a, 1).(b, 1).(c, 1).R;\n"

static void expect_tree(const char *rest, const char *wanted)
{
    Text text = {0}, described = {0};
    text_add(&text, PROCESSES "%s", rest);
    Model *model = expect_model(text.text);
    for (int32_t i = 0; i < model->node_count; i++) {
        cr_expect(model->nodes[i].left < i && model->nodes[i].right < i);
        for (int32_t k = 1; k < model->nodes[i].set_count; k++) {
            const int32_t *set = model->sets + model->nodes[i].set_first;
            cr_expect(set[k - 1] < set[k]);
        }
    }
    describe(model, model->node_count - 1, &described);
    cr_expect_str_eq(described.text, wanted, "%s\ngives  %s\nwanted %s", text.text, described.text,
                     wanted);
    model_free(model);
    text_free(&text);
    text_free(&described);
}

Test(tree, shapes)
{
    expect_tree("P", "P");
    expect_tree("P || Q <b> R", "((P <> Q) <b> R)");
    expect_tree("P || (Q <b> R)", "(P <> (Q <b> R))");
    expect_tree("P[1]", "(P[1]{})");
    expect_tree("(P || Q)[3]{b, a} / {c}", "(((P <> Q)[3]{a, b}) / {c})");
    expect_tree("P / {}", "(P / {})");
    expect_tree("P <b, a, b> R", "(P <a, b> R)");
    expect_tree("P / {tau, a}", "(P / {a})");
}

Test(tree, names_are_unfolded)
{
    expect_tree("S = P <b> Q; A = S; B = R; A || S || B", "(((P <b> Q) <> (P <b> Q)) <> B)");
    expect_tree("S3 = S2 || S2; S1 = P || Q; S2 = S1 || R; S3",
                "(((P <> Q) <> R) <> ((P <> Q) <> R))");
}

Test(tree, all_shared_actions)
{
    expect_tree("P <*> Q", "(P <b> Q)");
    expect_tree("P <*> R", "(P <a, b> R)");
    expect_tree("R <*> R", "(R <a, b, c> R)");
    expect_tree("(P || Q) <*> R", "((P <> Q) <a, b, c> R)");
    expect_tree("P / {a} <*> R", "((P / {a}) <b> R)");
    expect_tree("R <*> P / {b}", "(R <a> (P / {b}))");
    expect_tree("S = P[2]; S <*> S <*> Q", "(((P[2]{}) <a, b> (P[2]{})) <b> Q)");
    expect_tree("(a, 1).P <*> (b, 1).Q", "(System_1 <b> System_2)");
    expect_tree("P <*> Stop", "(P <> Stop)");
}

#define MODEL "P = (serve, 1).P2; P2 = (think, 1).P; Q = (serve, T).Q;\n"

Test(sets, actions_that_nobody_does)
{
    expect_findings(MODEL "P <serve, foo> Q", PEPA_OK,
                    "2:11: warning: neither side can do `foo`\n");
    expect_findings(MODEL "P <serve, sevre> Q", PEPA_OK,
                    "2:11: warning: neither side can do `sevre`; did you mean `serve`?\n");
    expect_findings(
        MODEL "P <serve, think> Q", PEPA_OK,
        "2:11: warning: only the left side can do `think`; the other never joins in, so "
        "it is blocked for ever\n");
    expect_findings(
        MODEL "Q <think> P", PEPA_OK,
        "2:4: warning: only the right side can do `think`; the other never joins in, so "
        "it is blocked for ever\n");
    expect_findings(MODEL "(P / {think}) <serve, think> Q", PEPA_OK,
                    "2:23: warning: neither side can do `think`\n");
}

/* What a cooperation within blocks for ever is not done outside; `<*>` goes by what is written. */
Test(sets, actions_that_are_blocked_within)
{
    static const char alone[] =
        "can do `think`; the other never joins in, so it is blocked for ever\n";
    static const struct {
        const char *text, *within, *outside;
    } cases[] = {{"(P <think> Q) <think> P", "2:5: warning: only the left side ",
                  "2:16: warning: only the right side "},
                 {"S = P <think> Q; P <think> (S || S)", "2:8: warning: only the left side ",
                  "2:21: warning: only the left side "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0}, wanted = {0};
        text_add(&text, MODEL "%s", cases[i].text);
        text_add(&wanted, "%s%s%s%s", cases[i].within, alone, cases[i].outside, alone);
        expect_findings(text.text, PEPA_OK, wanted.text);
        text_free(&text);
        text_free(&wanted);
    }
    expect_findings(MODEL "(P <think> Q) / {think}", PEPA_OK,
                    "2:5: warning: only the left side can do `think`; the other never joins in, so "
                    "it is blocked for ever\n2:18: warning: `think` is hidden but never done\n");
    expect_tree("(P <c> Q) <*> R", "((P <c> Q) <a, b, c> R)");
}

Test(sets, a_side_that_does_nothing_is_told_once)
{
    static const char after[] =
        "nothing at all, or hides all that it does, so no action of this set ever happens\n";
    static const struct {
        const char *text, *place;
    } cases[] = {{"(P <serve, think> Stop) || Q", "2:4: warning: the right side does "},
                 {"(Stop <serve, think> P) || Q", "2:7: warning: the left side does "},
                 {"(P / {think, serve} <serve, think> P) || Q",
                  "2:21: warning: the left side does "},
                 {"P <serve> Q || (Stop <serve, think> Stop)", "2:22: warning: each side does "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0}, wanted = {0};
        text_add(&text, MODEL "%s", cases[i].text);
        text_add(&wanted, "%s%s", cases[i].place, after);
        expect_findings(text.text, PEPA_OK, wanted.text);
        text_free(&text);
        text_free(&wanted);
    }
    expect_findings(MODEL "(P <serve> Stop) || Q", PEPA_OK,
                    "2:5: warning: only the left side can do `serve`; the other never joins in, so "
                    "it is blocked for ever\n");
}

Test(sets, copies_and_hiding)
{
    expect_findings(MODEL "P[2]{serve, foo} || Q", PEPA_OK,
                    "2:13: warning: the copies cooperate on `foo` but never do it\n");
    expect_findings(MODEL "(P || Q) / {thnk}", PEPA_OK,
                    "2:13: warning: `thnk` is hidden but never done; did you mean `think`?\n");
    expect_findings(MODEL "(P || Q) / {think} / {think}", PEPA_OK,
                    "2:23: warning: `think` is hidden but never done\n");
}

Test(sets, each_place_is_told_once)
{
    expect_findings(MODEL "S = P <foo> Q; S || S", PEPA_OK,
                    "2:8: warning: neither side can do `foo`\n");
}

Test(tree, too_large)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "P0 = (a, 1).P0;\n");
    for (int i = 1; i < 60; i++)
        text_add(&text, "P%d = P%d || P%d;\n", i, i - 1, i - 1);
    text_add(&text, "P59");
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_str_eq(found.text, "61:1: error: the system equation is too large: more than 1000000 "
                                 "components and operators\n");
    text_free(&text);
    text_free(&found);
}

Test(tree, many_components)
{
    Text text = {0};
    const int count = scaled(10000);
    for (int i = 0; i < count; i++)
        text_add(&text, "P%d = (a%d, 1).(b, 1).P%d;\n", i, i, i);
    for (int i = 0; i < count; i++)
        text_add(&text, "%sP%d", i ? " || " : "", i);
    Model *model = expect_model(text.text);
    cr_expect_eq(model->node_count, 2 * count - 1);
    cr_expect_eq(model->local_count, 2 * count);
    model_free(model);
    text_free(&text);
}
