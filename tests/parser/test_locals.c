/* Local states: identity, names, activities. */
#include "reading.h"

/* "P: (a)Q (b)P_2" for each local state, a line each. */
static void describe(const Model *model, Text *out)
{
    for (int32_t i = 0; i < model->local_count; i++) {
        const Local *local = &model->locals[i];
        text_add(out, "%s:", local->name);
        for (int32_t k = local->first; k < local->first + local->count; k++)
            text_add(out, " (%s)%s", model->actions[model->activities[k].action],
                     model->locals[model->activities[k].target].name);
        text_add(out, "\n");
    }
}

static void expect_locals(const char *text, const char *wanted)
{
    Model *model = expect_model(text);
    Text described = {0};
    describe(model, &described);
    cr_expect_str_eq(described.text, wanted, "%s\ngives\n%swanted\n%s", text, described.text,
                     wanted);
    text_free(&described);
    model_free(model);
}

Test(locals, derivatives_without_a_name)
{
    expect_locals("Stage1 = (move1, T).(process1, T).(move2, T).Stage1; Stage1",
                  "Stage1: (move1)Stage1_2\nStage1_2: (process1)Stage1_3\n"
                  "Stage1_3: (move2)Stage1\n");
    expect_locals("P = (a, 1).(b, 1).P + (c, 1).(d, 1).P; P",
                  "P: (a)P_2 (c)P_3\nP_2: (b)P\nP_3: (d)P\n");
    expect_locals("P = (a, 1).((b, 1).P + (c, 1).(d, 1).P); P",
                  "P: (a)P_2\nP_2: (b)P (c)P_3\nP_3: (d)P\n");
}

Test(locals, names_that_are_taken)
{
    expect_locals("P = (a, 1).(b, 1).(c, 1).P_2; P_2 = (d, 1).P; P",
                  "P: (a)P_3\nP_3: (b)P_4\nP_4: (c)P_2\nP_2: (d)P\n");
    expect_locals("System = (a, 1).(b, 1).System; System_1 = (c, 1).(d, 1).System;\n"
                  "(x, 1).(y, 1).System_1",
                  "System_3: (x)System_4\nSystem_4: (y)System_1\nSystem_1: (c)System_1_2\n"
                  "System_1_2: (d)System\nSystem: (a)System_2\nSystem_2: (b)System\n");
}

Test(locals, unnamed_leaves)
{
    expect_locals("P = (a, 1).P; (b, 1).P <a> ((c, 1).(d, 1).P + P)",
                  "System_1: (b)P\nP: (a)P\nSystem_2: (c)System_3 (a)P\nSystem_3: (d)P\n");
    expect_locals("P = (a, 1).P; S = (b, 1).P || (c, 1).P; S", "S_2: (b)P\nP: (a)P\nS_3: (c)P\n");
}

Test(locals, equal_terms_are_one)
{
    expect_locals("P = (a, 1).(b, 2).P; Q = (c, 1).((b, (2.0)).(P)); P || Q",
                  "P: (a)P_2\nP_2: (b)P\nQ: (c)P_2\n");
    expect_locals("P = (a, 1).(P + Q + R); Q = (b, 1).(P + (Q + R)); R = (c, 1).((P + Q) + R); P",
                  "P: (a)P_2\nP_2: (a)P_2 (b)P_2 (c)P_2\n");
    expect_locals("P = (a, 1).(P + Q); Q = (b, 1).(Q + P); P",
                  "P: (a)P_2\nP_2: (a)P_2 (b)Q_2\nQ_2: (b)Q_2 (a)P_2\n");
    expect_locals("A = (x, 1).(P + (Q + R)); B = (y, 1).(P + Q); P = (a, 1).A; Q = (b, 1).B;\n"
                  "R = (c, 1).R; A || B",
                  "A: (x)A_2\nA_2: (a)A (b)B (c)R\nB: (y)B_2\nR: (c)R\nB_2: (a)A (b)B\n");
    expect_locals("P = (a, 1).(b, 1).P; Q = (a, 1).(b, 2).P; P || Q",
                  "P: (a)P_2\nP_2: (b)P\nQ: (a)Q_2\nQ_2: (b)P\n");
}

Test(locals, names_are_not_their_bodies)
{
    expect_locals("P = (a, 1).Q; Q = P; R = (b, 1).(a, 1).Q; R", "R: (b)R_2\nR_2: (a)Q\nQ: (a)Q\n");
    expect_locals("P = (a, 1).P; Q = P; Q || P", "Q: (a)P\nP: (a)P\n");
}

Test(locals, only_what_is_reachable)
{
    Model *model = expect_model("P = (a, 1).P; Q = (b, 1).Q; P");
    cr_expect_eq(model->local_count, 1);
    cr_expect_eq(model->activity_count, 1);
    model_free(model);
}

Test(locals, equal_activities_stay)
{
    expect_locals("P = S + S; S = (a, 1).P; P", "P: (a)P (a)P\n");
    expect_locals("P = (a, 1).P + (a, 2).P + (a, 1).P; P", "P: (a)P (a)P (a)P\n");
}

Test(locals, equal_activities_are_told)
{
    expect_findings("P = S + S;\nS = (a, 1).P; P", PEPA_OK,
                    "1:9: warning: activity `a` of `P` is counted twice; the PEPA plug-in and ipc "
                    "count it once\n");
    expect_findings("P = S + Q + S + S; Q = (b, 1).P;\nS = (a, 1).P + (c, 1).P; P", PEPA_OK,
                    "1:13: warning: activity `a` of `P` is counted 3 times; the PEPA plug-in and "
                    "ipc count it once\n");
    expect_findings("P = A + B; A = S; B = S;\nS = (a, 1).P; P", PEPA_OK,
                    "1:9: warning: activity `a` of `P` is counted twice; the PEPA plug-in and ipc "
                    "count it once\n");
    expect_findings("P = (a, 1).P + (b, 1).P\n+ (a, 1).P + (a, 2).P + (a, 1).Q; Q = P; P", PEPA_OK,
                    "2:3: warning: activity `a` of `P` is counted twice; other tools may count it "
                    "once\n");
}

Test(locals, what_counts_twice_is_told_once)
{
    expect_findings("P = S + S; Q = P; R = P + (b, 1).Q;\nS = (a, 1).R; P", PEPA_OK,
                    "1:9: warning: activity `a` of `P` is counted twice; the PEPA plug-in and ipc "
                    "count it once\n");
    expect_findings("P = S + S; R = (c, 1).R + P;\nS = (a, 1).R; R", PEPA_OK,
                    "1:27: warning: activity `a` of `R` is counted twice; the PEPA plug-in and ipc "
                    "count it once\n");
}

Test(locals, too_many_activities)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "P0 = (a, 1).P0;\n");
    for (int i = 1; i < 60; i++)
        text_add(&text, "P%d = P%d + P%d;\n", i, i - 1, i - 1);
    text_add(&text, "P59");
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_str_eq(found.text, "60:1: error: `P59` has too many activities: the model unfolds to "
                                 "more than 10000000 alternatives\n");
    text_free(&text);
    text_free(&found);
}

Test(locals, spans)
{
    const char *text = "P = (a, 1).(b, 2).P;\nP";
    Model *model = expect_model(text);
    cr_expect_eq(model->locals[0].span.begin, 0);
    cr_expect_eq(model->locals[0].span.end, 1);
    cr_expect_eq(model->locals[1].span.begin, 11);
    cr_expect_eq(model->locals[1].span.end, 19);
    cr_expect_eq(model->activities[0].span.begin, 4);
    cr_expect_eq(model->activities[0].span.end, 10);
    cr_expect_str_eq(model->source.text, text);
    cr_expect_str_eq(model->source.name, "test.pepa");
    model_free(model);
}
