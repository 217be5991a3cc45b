/* Systems compiled from small models, against what they must be by hand. */
#include "compiled.h"

static const Prog *root_of(const Compiled *c, const char *action)
{
    int32_t event = event_of(c, action, false);
    cr_assert_geq(event, 0, "no event %s", action);
    return &c->system->progs[c->system->events[event].prog];
}

/* Does the local state of a slot trigger the event? */
static bool triggers(const Compiled *c, int32_t slot, int32_t local, const char *action)
{
    const System *s = c->system;
    int32_t at = s->slot_trigger[slot] + local, event = event_of(c, action, false);
    for (int32_t k = s->trigger_first[at]; k < s->trigger_first[at + 1]; k++)
        if (s->trigger_event[k] == event)
            return true;
    return false;
}

Test(compile, slots_cells_and_fields)
{
    Compiled c = compiled_of("P = (a, 1).Q; Q = (b, 2).P; R = (a, T).S; S = (c, 1).U;\n"
                             "U = (d, 1).R; P[3] <a> R",
                             true);
    const System *s = c.system;
    cr_assert_eq(s->slot_count, 2);
    cr_assert_eq(s->slots[0].copies, 3);
    cr_assert_eq(s->slots[0].cell, 0);
    cr_assert_eq(s->slots[1].copies, 0);
    cr_assert_eq(s->slots[1].cell, 2);
    cr_assert_eq(s->cell_count, 3);
    cr_assert_eq(s->words, 1);
    /* 0 to 3 copies of P: two bits; of Q: implicit; the third cell has 3 values: two bits */
    cr_assert(s->fields[0].mask == 3 && s->fields[0].shift == 0);
    cr_assert_eq(s->fields[1].mask, 0);
    cr_assert(s->fields[2].mask == 3 && s->fields[2].shift == 2);
    int32_t cells[3] = {1, 2, 2}, back[3];
    uint64_t packed;
    system_pack(s, cells, &packed);
    cr_assert_eq(packed, 1 + 4 * 2);
    system_unpack(s, &packed, back);
    cr_assert(back[0] == 1 && back[1] == 2 && back[2] == 2);
    system_initial(s, cells);
    cr_assert(cells[0] == 3 && cells[1] == 0 && cells[2] == 0);
    cr_assert(s->position_count == 2 && s->position_copies[0] == 3 && s->position_copies[1] == 1);
    compiled_free(&c);
}

/* What never changes has no bits, and its cells are behind the others: M and N share one.  Copies
 * of composites that never change need no sorting. */
Test(compile, constant_slots)
{
    Compiled c = compiled_of("M = (a, 3).M; N = (a, T).N + (b, 2).N; P = (a, T).Q; Q = (c, 1).P;\n"
                             "M <a> (N || (M[4] <b> N)[2] || P)",
                             true);
    const System *s = c.system;
    const int32_t cell[] = {1, 1, 2, 1, 3, 1, 0};
    cr_assert(s->slot_count == 7 && s->cell_count == 4 && s->words == 1);
    cr_assert_eq(s->group_count, 0);
    for (int32_t i = 0; i < 7; i++) {
        cr_expect_eq(s->slots[i].cell, cell[i], "slot %d", i);
        cr_expect_eq(slot_is_constant(s, i), i < 6);
        cr_expect_eq(s->fields[s->slots[i].cell].mask, i < 6 ? 0 : 1);
    }
    int32_t cells[4];
    int64_t counts[4];
    uint64_t packed = 1;
    system_unpack(s, &packed, cells);
    cr_assert(cells[0] == 1 && cells[1] == 0 && cells[2] == 4 && cells[3] == 4);
    system_counts(s, cells, counts);
    cr_assert_leq(s->model->local_count, 4);
    cr_expect(counts[0] + counts[1] == 12 && counts[2] + counts[3] == 1);
    system_initial(s, cells);
    cr_assert(cells[0] == 0 && cells[1] == 0 && cells[2] == 4 && cells[3] == 4);
    compiled_free(&c);
}

/* 33 cells of two bits each do not fit a word of 64. */
Test(compile, fields_do_not_straddle_words)
{
    Text text = {0};
    text_add(&text, "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; P");
    for (int i = 1; i < 33; i++)
        text_add(&text, " || P");
    Compiled c = compiled_of(text.text, false);
    cr_assert_eq(c.system->words, 2);
    cr_assert(c.system->fields[31].word == 0 && c.system->fields[31].shift == 62);
    cr_assert(c.system->fields[32].word == 1 && c.system->fields[32].shift == 0);
    compiled_free(&c);
    text_free(&text);
}

/* Programs stand in preorder, and operators of one kind are one. */
Test(compile, programs)
{
    Compiled c = compiled_of("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (c, 1).R;\n"
                             "((P || P) || P) <a> (R || R)",
                             false);
    const Prog *progs = c.system->progs, *root = root_of(&c, "a");
    const int32_t at = (int32_t)(root - progs);
    cr_assert_eq(root->kind, PROG_SYNC);
    cr_assert_eq(root->end, at + 8);
    cr_assert_eq(root->first, at + 1);
    cr_assert(progs[at + 1].kind == PROG_SUM && progs[at + 1].end == at + 5);
    cr_assert_eq(progs[at + 1].next, at + 5);
    for (int32_t i = 0; i < 3; i++) {
        const Prog *p = &progs[at + 2 + i];
        cr_assert(p->kind == PROG_SLOT && p->slot == i && p->end == at + 3 + i);
        cr_assert_eq(p->next, i < 2 ? at + 3 + i : -1);
    }
    cr_assert(progs[at + 5].kind == PROG_SUM && progs[at + 5].next == -1);
    cr_assert(progs[at + 6].slot == 3 && progs[at + 7].slot == 4);
    const Prog *b = root_of(&c, "b"), *alone = root_of(&c, "c");
    cr_assert(b->kind == PROG_SUM && b->end == (int32_t)(b - progs) + 4);
    cr_assert(alone->kind == PROG_SUM && alone->end == (int32_t)(alone - progs) + 3);
    compiled_free(&c);
}

/* P op (P op (P op ...)) is one program over all, as ((P op P) op P) op ... is; so are both together. */
static void one_program(const char *operation, ProgKind kind, int32_t right, int32_t left)
{
    Text text = {0};
    text_add(&text, "P = (a, 1).Q; Q = (a, 2).P;\n");
    for (int32_t i = 0; i < right; i++)
        text_add(&text, "P %s (", operation);
    for (int32_t i = 0; i < left; i++)
        text_add(&text, "(");
    text_add(&text, "P");
    for (int32_t i = 0; i < left; i++)
        text_add(&text, " %s P)", operation);
    for (int32_t i = 0; i < right; i++)
        text_add(&text, ")");
    Compiled c = compiled_of(text.text, false);
    const int32_t slots = right + left + 1;
    const Prog *root = root_of(&c, "a"), *operand = root + 1;
    cr_assert_eq(c.system->prog_count, slots + 1);
    cr_assert(root->kind == kind && root->first == 1 && root->end == slots + 1);
    for (int32_t i = 0; i < slots; i++) {
        cr_assert(operand[i].kind == PROG_SLOT && operand[i].slot == i);
        cr_assert_eq(operand[i].next, i < slots - 1 ? i + 2 : -1);
    }
    compiled_free(&c);
    text_free(&text);
}

Test(compile, operands_nested_to_the_right)
{
    const struct {
        int32_t right, left;
    } shapes[] = {{2, 0}, {1, 1}, {2, 2}, {2000, 0}, {0, 2000}, {700, 700}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        one_program("||", PROG_SUM, shapes[i].right, shapes[i].left);
        one_program("<a>", PROG_SYNC, shapes[i].right, shapes[i].left);
    }
}

Test(compile, hidden_actions_are_events_of_their_own)
{
    Compiled c = compiled_of("P = (a, 1).P; Q = (a, 2).Q; (P / {a}) <a> Q", false);
    int32_t hidden = 0, blocked = 0;
    for (int32_t e = 0; e < c.system->event_count; e++) {
        hidden += c.system->events[e].label == ACTION_TAU;
        blocked += c.system->events[e].label != ACTION_TAU;
    }
    cr_assert_eq(hidden, 1);
    cr_assert_eq(blocked, 0); /* Q waits for ever */
    compiled_free(&c);
}

Test(compile, copies_of_composites_are_groups)
{
    const char *text = "P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (b, 1).R; (P || R)[3]";
    Compiled c = compiled_of(text, true);
    cr_assert_eq(c.system->group_count, 1);
    cr_assert_eq(c.system->groups[0].cell, 0);
    cr_assert_eq(c.system->groups[0].width, 2);
    cr_assert_eq(c.system->groups[0].copies, 3);
    const Prog *root = root_of(&c, "a");
    cr_assert(root->kind == PROG_COPIES && root->cell == 0 && root->width == 2);
    cr_assert_eq(root->end, (int32_t)(root - c.system->progs) + 10);
    int32_t cells[] = {1, 0, 0, 1, 0, 0};
    const int32_t sorted[] = {0, 0, 0, 1, 1, 0};
    system_canonical(c.system, cells);
    cr_assert_arr_eq(cells, sorted, sizeof sorted);
    compiled_free(&c);
    c = compiled_of(text, false);
    cr_assert_eq(c.system->group_count, 0);
    cr_assert_eq(root_of(&c, "a")->kind, PROG_SUM);
    compiled_free(&c);
}

/* Copies that cooperate are counted, too, and move together; not where they have too many choices. */
Test(compile, copies_that_move_together)
{
    static const struct {
        const char *text;
        int32_t slots, groups;
    } cases[] = {
        {"P = (a, 1).Q; Q = (b, 1).P; P[40]{a}", 1, 0},
        {"P = (a, 1).Q + (a, 2).P; Q = (b, 1).P; P[40]{a}", 1, 0},
        {"P = (a, 1).Q + (a, 2).P; Q = (b, 1).P; P[40]{b}", 1, 0},
        {"P = (a, 1).Q + (a, 1).R + (a, 1).S + (a, 1).U + (a, 1).V + (a, 1).W + (a, 1).X\n"
         "+ (a, 1).Y; Q = (b, 1).P; R = (b, 1).P; S = (b, 1).P; U = (b, 1).P;\n"
         "V = (b, 1).P; W = (b, 1).P; X = (b, 1).P; Y = (b, 1).P; P[2]{a}",
         1, 0},
        {"P = (a, 1).Q + (a, 1).R + (a, 1).S + (a, 1).U + (a, 1).V + (a, 1).W + (a, 1).X\n"
         "+ (a, 1).Y + (a, 1).Z; Q = (b, 1).P; R = (b, 1).P; S = (b, 1).P; U = (b, 1).P;\n"
         "V = (b, 1).P; W = (b, 1).P; X = (b, 1).P; Y = (b, 1).P; Z = (b, 1).P; P[2]{a}",
         2, 1},
        {"P = (a, 1).Q; Q = (b, 1).P; (P[2]{a})[3]", 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compiled c = compiled_of(cases[i].text, true);
        cr_expect_eq(c.system->slot_count, cases[i].slots, "%s", cases[i].text);
        cr_expect_eq(c.system->group_count, cases[i].groups, "%s", cases[i].text);
        compiled_free(&c);
    }
    Compiled c = compiled_of(cases[0].text, true);
    cr_expect(root_of(&c, "a")->together && !root_of(&c, "b")->together);
    compiled_free(&c);
}

/* Copies of copies: a group of three, of which each is a group of two. */
Test(compile, copies_of_copies_of_composites)
{
    const char *text = "P = (a, 1).Q; Q = (b, 1).P; R = (c, 1).S; S = (d, 1).R; U = (e, 1).U;\n"
                       "((P || R)[2])[3] || U";
    Compiled c = compiled_of(text, true);
    const System *s = c.system;
    const Prog *root = root_of(&c, "a");
    int32_t operands = 0;
    cr_assert(root->kind == PROG_COPIES && root->cell == 0 && root->width == 4);
    for (int32_t p = root->first; p >= 0; p = s->progs[p].next) {
        const Prog *inner = &s->progs[p];
        cr_assert(inner->kind == PROG_COPIES && inner->cell == 4 * operands && inner->width == 2);
        cr_assert_eq(inner->end, p + 3);
        operands++;
    }
    cr_assert_eq(operands, 3);
    cr_assert_eq(s->position_count, 3);
    cr_assert(s->position_copies[0] == 6 && s->position_copies[1] == 6);
    cr_assert_eq(s->position_copies[2], 1);
    compiled_free(&c);
}

/* Counted copies are not counted again: 3 of P, twice. */
Test(compile, copies_of_counted_copies)
{
    Compiled c = compiled_of("P = (a, 1).Q; Q = (b, 1).P; (P[3])[2]", true);
    const System *s = c.system;
    cr_assert_eq(s->slot_count, 2);
    cr_assert(s->slots[0].copies == 3 && s->slots[1].copies == 3);
    cr_assert_eq(s->group_count, 1);
    cr_assert(s->groups[0].copies == 2 && s->groups[0].width == 2);
    cr_assert_eq(s->position_copies[0], 6);
    compiled_free(&c);
}

/* Is the model within the limits of compiling?  words: what the error says otherwise. */
static bool compiles(const char *text, bool aggregate, const char *words)
{
    Compiled c = {.model = model_of(text)};
    PepaError err = {0};
    cr_assert_eq(rates_init(&c.rates, c.model, &err), PEPA_OK);
    PepaStatus status = system_new(&c.system, c.model, &c.rates, aggregate, &err);
    if (status != PEPA_OK) {
        cr_assert_eq(status, PEPA_ELIMIT);
        cr_assert_not_null(strstr(err.message, words), "%s", err.message);
        c.system = NULL;
    }
    compiled_free(&c);
    return status == PEPA_OK;
}

Test(compile, most_components)
{
    const char *words = "more than 65536 components are too many to explore";
    cr_assert(compiles("P = (a, 1).P; P[65536]", false, words));
    cr_assert_not(compiles("P = (a, 1).P; P[65537]", false, words));
    cr_assert(compiles("P = (a, 1).P; P[65537]", true, words));
}

/* Sums in synchronisations in sums ... */
Test(compile, most_levels_of_programs)
{
    for (int levels = 500; levels <= 501; levels++) {
        Text text = {0};
        text_add(&text, "P = (a, 1).P; ");
        for (int i = 0; i < levels; i++)
            text_add(&text, "(");
        text_add(&text, "P");
        for (int i = 0; i < levels; i++)
            text_add(&text, i % 2 ? " <a> P)" : " || P)");
        cr_assert_eq(compiles(text.text, false, "cooperation on `a` is nested too deeply"),
                     levels == 500);
        text_free(&text);
    }
}

/* Of P, 1 of 2 states can do a; of R, 1 of 3: R is ready more rarely, and triggers it. */
Test(compile, the_rarer_side_triggers)
{
    Compiled c = compiled_of("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (c, 1).U;\n"
                             "U = (c, 1).R; P <a> R",
                             false);
    cr_assert(triggers(&c, 1, 0, "a"));
    cr_assert_not(triggers(&c, 1, 1, "a") || triggers(&c, 1, 2, "a"));
    cr_assert_not(triggers(&c, 0, 0, "a") || triggers(&c, 0, 1, "a"));
    cr_assert(triggers(&c, 0, 1, "b") && !triggers(&c, 0, 0, "b"));
    compiled_free(&c);
    /* two of those are ready in 2/3 of the states: then P triggers it */
    c = compiled_of("P = (a, 1).Q; Q = (b, 1).P; R = (a, 1).S; S = (c, 1).U;\n"
                    "U = (c, 1).R; P <a> (R || R)",
                    false);
    cr_assert(triggers(&c, 0, 0, "a") && !triggers(&c, 1, 0, "a") && !triggers(&c, 2, 0, "a"));
    compiled_free(&c);
}

/* Programs in which active and passive rates might meet are watched, even if blocked further
 * out. */
Test(compile, suspects)
{
    static const struct {
        const char *text;
        bool suspect;
    } cases[] = {
        {"P = (a, 1).P; Q = (a, 1).Q; P || Q", false},
        {"P = (a, 1).P; Q = (a, T).Q; P <a> Q", false},
        {"P = (a, 1).P; Q = (a, T).Q; R = (b, 1).R; (P || Q) <a> R", true},
        {"P = (a, 1).P + (a, T).P; R = (b, 1).R; P <a> R", true},
        {"P = (a, 1).Q; Q = (a, T).P; R = (a, 1).R; P <a> R", false}, /* one at a time */
        {"P = (a, 1).Q; Q = (a, T).P; P[2]", true},
        /* a cooperation with an active side is active */
        {"P = (a, 1).P; Q = (a, T).Q; R = (a, 1).R; (P <a> Q) || R", false},
        {"P = (a, 1).P; Q = (a, T).Q; R = (a, T).R; (P <a> Q) || R", true},
        {"P = (a, T).P; Q = (a, T).Q; R = (a, 1).R; (P <a> Q) || R", true},
        {"P = (a, T).P; Q = (a, T).Q; R = (a, T).R; (P <a> Q) || R", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Compiled c = compiled_of(cases[i].text, true);
        cr_expect_eq(event_of(&c, "a", true) >= 0, cases[i].suspect, "%s", cases[i].text);
        compiled_free(&c);
    }
}
