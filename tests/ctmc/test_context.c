/* Contexts and their answers, against results by hand. */
#include "compiled.h"
#include "ctmc/diagram/context.h"

typedef struct {
    Compiled c;
    Split *split;
    Contexts contexts;
    UpperOffer offer;
} Parted;

static Parted *parted(const char *text, int32_t most_lower)
{
    Parted *p = mem_calloc(1, sizeof *p);
    PepaError err = {0};
    cr_assert_not_null(p);
    p->c = compiled_of(text, true);
    cr_assert_eq(split_new(&p->split, p->c.system, most_lower, false, &err), PEPA_OK);
    cr_assert_not_null(p->split);
    cr_assert_eq(contexts_init(&p->contexts, p->split, &p->c.rates, &err), PEPA_OK);
    return p;
}

static void parted_free(Parted *p)
{
    upper_offer_free(&p->offer);
    contexts_free(&p->contexts);
    split_free(p->split);
    compiled_free(&p->c);
    mem_free(p);
}

/* The context of an event where upper cells have these values. */
static int32_t context_of(Parted *p, const char *action, const int32_t *cells)
{
    memcpy(p->contexts.moves.cells, cells, (size_t)p->c.system->cell_count * sizeof *cells);
    cr_assert(contexts_of(&p->contexts, event_of(&p->c, action, false), &p->offer));
    return p->offer.context;
}

/* The number of a lower state. */
static int32_t lower_of(Parted *p, const int32_t *cells)
{
    uint64_t packed[2], scratch[2];
    system_pack(p->c.system, cells, packed);
    return split_lower(p->split, packed, scratch);
}

/* The rate at which a context leads from one lower state to another, and the upper part from one
 * state to another; 0: it does not. */
static double rate_between(Parted *p, int32_t context, const int32_t *from, const int32_t *to)
{
    uint64_t start[2], end[2];
    double rate = 0;
    system_pack(p->c.system, from, start);
    system_pack(p->c.system, to, end);
    AnswerRange answers = contexts_answer(&p->contexts, context, lower_of(p, from));
    for (int32_t i = answers.first; i < answers.first + answers.count; i++) {
        const Answer *a = &p->contexts.answers[i];
        uint64_t packed = start[0] & ~p->split->mask[0];
        upper_offer_apply(&p->contexts, &p->offer, p->contexts.contexts[context].tags[a->tag],
                          &packed);
        if (lower_of(p, from) + a->jump == lower_of(p, to) &&
            packed == (end[0] & ~p->split->mask[0]))
            rate += p->c.rates.value[a->term];
    }
    return rate;
}

/* P offers a at rate 2 in two states, from which it leads to different ones, and at 5 in a
 * third. */
static const char text[] = "P = (a, 2).P1; P1 = (a, 2).P2; P2 = (a, 5).P3; P3 = (b, 1).P;\n"
                           "Q = (a, 3).Q1 + (a, 1).Q; Q1 = (c, 1).Q; P <a> Q";

Test(context, same_offers_are_one_context)
{
    Parted *p = parted(text, 2);
    int32_t first = context_of(p, "a", (int32_t[]){0, 0});
    cr_assert_geq(first, 0);
    cr_assert_eq(context_of(p, "a", (int32_t[]){1, 0}), first);
    int32_t other = context_of(p, "a", (int32_t[]){2, 0});
    cr_assert(other >= 0 && other != first);
    cr_assert_eq(context_of(p, "a", (int32_t[]){3, 0}), -1); /* not possible whatever Q does */
    cr_assert_eq(context_of(p, "a", (int32_t[]){0, 0}), first);
    parted_free(p);
}

/* min(2, 4) divided 3 to 1, and min(5, 4); where the upper part goes is told by the offer. */
Test(context, answers)
{
    Parted *p = parted(text, 2);
    int32_t first = context_of(p, "a", (int32_t[]){0, 0});
    cr_assert_float_eq(rate_between(p, first, (int32_t[]){0, 0}, (int32_t[]){1, 1}), 1.5, 1e-14);
    cr_assert_float_eq(rate_between(p, first, (int32_t[]){0, 0}, (int32_t[]){1, 0}), 0.5, 1e-14);
    cr_assert_eq(rate_between(p, first, (int32_t[]){0, 1}, (int32_t[]){1, 1}), 0);
    cr_assert_eq(context_of(p, "a", (int32_t[]){1, 0}), first);
    cr_assert_float_eq(rate_between(p, first, (int32_t[]){1, 0}, (int32_t[]){2, 1}), 1.5, 1e-14);
    int32_t other = context_of(p, "a", (int32_t[]){2, 0});
    cr_assert_float_eq(rate_between(p, other, (int32_t[]){2, 0}, (int32_t[]){3, 1}), 3, 1e-14);
    cr_assert_float_eq(rate_between(p, other, (int32_t[]){2, 0}, (int32_t[]){3, 0}), 1, 1e-14);
    parted_free(p);
}

/* The upper operands of a sum are one unit: who of them moves is told by the tag. */
Test(context, units_of_sums)
{
    Parted *p = parted("P = (a, 2).P1; P1 = (b, 1).P; Q = (a, 3).Q1; Q1 = (c, 1).Q;\n"
                       "(P || P || Q) <a> Q",
                       2);
    cr_assert_eq(p->split->first, 3);
    int32_t both = context_of(p, "a", (int32_t[]){0, 0, 1, 0});
    cr_assert_float_eq(rate_between(p, both, (int32_t[]){0, 0, 1, 0}, (int32_t[]){1, 0, 1, 1}), 1.5,
                       1e-14); /* half of min(4, 3) */
    cr_assert_float_eq(rate_between(p, both, (int32_t[]){0, 0, 1, 0}, (int32_t[]){0, 1, 1, 1}), 1.5,
                       1e-14);
    /* one P alone: which of them does not matter to the lower part */
    int32_t one = context_of(p, "a", (int32_t[]){0, 1, 1, 0});
    cr_assert_neq(one, both);
    cr_assert_eq(context_of(p, "a", (int32_t[]){1, 0, 1, 0}), one);
    cr_assert_float_eq(rate_between(p, one, (int32_t[]){1, 0, 1, 0}, (int32_t[]){1, 1, 1, 1}), 2,
                       1e-14);
    parted_free(p);
}

/* A sum goes on without the upper part. */
Test(context, possible_without_the_upper_part)
{
    Parted *p = parted("P = (a, 2).P1; P1 = (b, 1).P; Q = (a, 3).Q1; Q1 = (c, 1).Q; P || Q", 2);
    int32_t idle = context_of(p, "a", (int32_t[]){1, 0});
    cr_assert_geq(idle, 0);
    cr_assert_float_eq(rate_between(p, idle, (int32_t[]){1, 0}, (int32_t[]){1, 1}), 3, 1e-14);
    cr_assert_eq(contexts_answer(&p->contexts, idle, lower_of(p, (int32_t[]){1, 1})).count, 0);
    parted_free(p);
}

/* Lower states that agree in what the event looks at share an answer, and it leads as far from each: of copies that
 * are kept in order all cells count, since a move of one may bring them into another order. */
Test(context, alike_states_share_answers)
{
    Parted *p = parted("U = (a, 2).V; V = (b, 1).W; W = (b, 1).X; X = (b, 1).Y; Y = (b, 1).U;\n"
                       "P = (a, 3).Q; Q = (c, 1).P; R = (d, 1).S; S = (e, 1).R;\n"
                       "C = (f, 1).D; D = (f, 2).E; E = (f, 3).C; U <a> (C || (P || R)[2])",
                       48);
    cr_assert(p->split->first == 1 && p->split->lower.count == 48);
    const int32_t context = context_of(p, "a", (int32_t[]){0, 0, 0, 0, 0, 0});
    cr_assert_geq(context, 0);
    for (int32_t c = 0; c < 3; c++) {
        /* P, R and P, S: the second copy moves or the first one does, and then they change places */
        cr_expect_float_eq(rate_between(p, context, (int32_t[]){0, c, 0, 0, 0, 1},
                                        (int32_t[]){1, c, 0, 0, 1, 1}),
                           1, 1e-14);
        cr_expect_float_eq(rate_between(p, context, (int32_t[]){0, c, 0, 0, 0, 1},
                                        (int32_t[]){1, c, 0, 1, 1, 0}),
                           1, 1e-14);
        cr_expect_float_eq(rate_between(p, context, (int32_t[]){0, c, 0, 0, 0, 0},
                                        (int32_t[]){1, c, 0, 0, 1, 0}),
                           2, 1e-14);
    }
    cr_expect_eq(p->contexts.asked, 6);
    cr_expect_eq(p->contexts.answer_count, 3); /* not 9 */
    cr_expect_eq(p->contexts.rows, 16);        /* not 48 */
    parted_free(p);
}

/* What only exploring the states one by one can report. */
Test(context, mixed_rates_are_unfit)
{
    Parted *p = parted("P = (a, 2).P1; P1 = (b, 1).P; Q = (a, T).Q1; Q1 = (c, 1).Q;\n"
                       "R = (a, 1).S; S = (d, 1).R; (P || Q) <a> R",
                       2);
    cr_assert_eq(context_of(p, "a", (int32_t[]){1, 1, 0}), -1);
    cr_assert_geq(context_of(p, "a", (int32_t[]){0, 1, 0}), 0);
    cr_assert_not(p->contexts.unfit);
    memset(p->contexts.moves.cells, 0, (size_t)p->c.system->cell_count * sizeof(int32_t));
    (void)contexts_of(&p->contexts, event_of(&p->c, "a", false), &p->offer);
    cr_assert(p->contexts.unfit);
    parted_free(p);
}
