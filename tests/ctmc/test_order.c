#include "ctmc/chain.h"
#include "support.h"

enum { MOST = 4096 };

/* The order chosen for all states of a model; checks that it is a permutation. */
static void order_all(Derived *d, int32_t *order)
{
    int32_t n = d->chain->states.count, member[MOST];
    ChosenOrder chosen;
    bool seen[MOST] = {false};
    cr_assert_leq(n, MOST);
    for (int32_t i = 0; i < n; i++)
        member[i] = i;
    cr_assert_eq(chain_order(d->chain, member, n, order, &chosen, NULL), PEPA_OK);
    for (int32_t i = 0; i < n; i++) {
        cr_assert(order[i] >= 0 && order[i] < n && !seen[order[i]]);
        seen[order[i]] = true;
    }
}

/* How many transitions lead to an earlier state. */
static int64_t backward(const Chain *c, const int32_t *order)
{
    int32_t place[MOST];
    int64_t count = 0;
    for (int32_t i = 0; i < c->states.count; i++)
        place[order[i]] = i;
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            count += place[c->target[k]] < place[s];
    return count;
}

Test(order, is_a_permutation)
{
    static const char *const texts[] = {
        "P = (a, 1).P; P",
        "P = (a, 1).Q; Q = (b, 1).P; P || P || P || P || P || P || P || P || P",
        "P = (a, 1).Q; Q = (b, 1).P; P[400]",
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; P || P || P || P || P || P || P",
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; (P || P)[3]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Derived d = derive(texts[i], 1);
        int32_t order[MOST];
        order_all(&d, order);
        derived_free(&d);
    }
}

#define SIX_STAGES                                                                                 \
    "A = (m1, 6).B; B = (p1, 1).C; C = (m2, T).A; D = (m2, 7).E; E = (p2, 1).F;\n"                 \
    "F = (m3, T).D; G = (m3, 7).H; H = (p3, 1).I; I = (m4, T).G; J = (m4, 7).K;\n"                 \
    "K = (p4, 1).L; L = (m5, T).J; M = (m5, 7).N; N = (p5, 1).O; O = (m6, T).M;\n"                 \
    "U = (m6, 7).V; V = (p6, 1).W; W = (m7, 5).U;\n"

/* Items move along a pipeline of six stages; swept in their direction, only what leaves the last
 * stage leads back: that is one transition of those of each state, or none. */
Test(order, sweeps_with_the_flow)
{
    static const char *const texts[] = {
        SIX_STAGES "A <m2> (D <m3> (G <m4> (J <m5> (M <m6> U))))",
        SIX_STAGES "((((U <m6> M) <m5> J) <m4> G) <m3> D) <m2> A",
    };
    for (size_t i = 0; i < 2; i++) {
        Derived d = derive(texts[i], 1);
        int32_t order[MOST];
        order_all(&d, order);
        cr_assert_eq(d.chain->states.count, 729);
        cr_assert_leq(backward(d.chain, order), 243, "a third of the states do m7");
        derived_free(&d);
    }
}

Test(order, subsets)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).S; S = (d, 1).Q; P || P || P || P\n"
                       "|| P || P",
                       1);
    int32_t member[MOST], order[MOST], count = 0;
    int64_t sum = 0, expected = 0;
    ChosenOrder chosen;
    for (int32_t s = 0; s < d.chain->states.count; s++)
        if (d.chain->bottom[s] == 0) {
            member[count++] = s;
            expected += s;
        }
    cr_assert_eq(count, 729);
    cr_assert_eq(chain_order(d.chain, member, count, order, &chosen, NULL), PEPA_OK);
    for (int32_t i = 0; i < count; i++) {
        cr_assert_eq(d.chain->bottom[order[i]], 0);
        sum += order[i];
    }
    cr_assert_eq(sum, expected);
    derived_free(&d);
}
