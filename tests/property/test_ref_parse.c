/* What is read back from printed models means the same. */
#include "property/ref_parse.h"

#include <criterion/criterion.h>
#include <string.h>

#include "property/oracle.h"
#include "property/room.h"
#include "property/seeds.h"

static bool same(const OracleValues *a, const OracleValues *b)
{
    bool all = a->count == b->count;
    for (size_t i = 0; i < a->count && all; i++) {
        const double x = (double)a->item[i].value, y = oracle_value(b, a->item[i].name);
        all = x - y <= 1e-12 && y - x <= 1e-12;
    }
    return all;
}

static const char *compare(const RefModel *model, const RefModel *read)
{
    OracleResult a = oracle_run(model, 150), b = oracle_run(read, 150);
    const char *difference = NULL;
    if (a.status != b.status)
        difference = "status";
    else if (a.status == ORACLE_OK && a.counted.transitions != b.counted.transitions)
        difference = "transitions";
    else if (!same(&a.throughput, &b.throughput) || !same(&a.population, &b.population))
        difference = "measures";
    oracle_result_free(&a);
    oracle_result_free(&b);
    return difference;
}

static void read_back(Seeds *all, uint64_t seed)
{
    RefModel model = seeds_model(seed, 120), read = {0};
    Text text = ref_model_print(&model, (RefPrinting){0});
    size_t where;
    const char *difference = ref_parse(&read, text.text, NULL, 0, &where);
    difference = difference ? difference : compare(&model, &read);
    if (difference)
        seeds_fail(all, seed, difference, text.text);
    text_free(&text);
    ref_model_free(&read);
    ref_model_free(&model);
}

SHARDED_TEST(ref_parse, printed_models)
{
    seeds_check(*shard, 1000, read_back);
}

/* Words that print never writes; texts that are cut off anywhere. */
Test(ref_parse, spellings)
{
    const char *text = "% a remark\n\"P q\" = (\"a b\", .5e1 * (1 + 2.)).(b, 2 * _).\"P q\";\n"
                       "Q = (\"a b\", if !(1 < 2) || (3) >= 2 && r == r then r else 4).Q /* */;"
                       "r := 5 // end\n; (b, 1).Q <\"a b\", b> \"P q\"[r, {b}]";
    RefModel m = {0};
    size_t where;
    const char *error = ref_parse(&m, text, NULL, 0, &where);
    cr_assert_null(error, "%s at %zu", error, where);
    const RefTerm *p = m.process[0].body;
    cr_expect_eq(ref_rate_value(&m, p->rate, NULL), 15);
    cr_expect_eq(p->next->level, REF_PASSIVE);
    cr_expect_eq(ref_rate_value(&m, p->next->rate, NULL), 2);
    cr_expect_eq(ref_rate_value(&m, m.process[1].body->rate, NULL), 5);
    cr_expect_eq(m.system->kind, REF_COOP);
    cr_expect_eq(ref_copy_count(&m, m.system->right), 5);
    cr_expect_eq(m.system->right->set, UINT32_C(2));
    ref_model_free(&m);
    for (size_t length = 0; length < strlen(text); length++) {
        char *cut = room(length + 1, 1);
        memcpy(cut, text, length);
        RefModel part = {0};
        error = ref_parse(&part, cut, NULL, 0, &where);
        cr_expect(!error || where <= length);
        ref_model_free(&part);
        mem_free(cut);
    }
}
