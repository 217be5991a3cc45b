/* Lumping against a naive fixpoint on random chains. */
#include <stdio.h>

#include "lumped.h"

enum { MOST = 40, CHAINS = 400 };

/* A chain of one component: whole rates, so that sums are exact; colours that a measure sees. */
typedef struct {
    int n;
    int rate[MOST][MOST], colour[MOST];
    uint64_t random;
} Small;

static int draw(Small *s, int below)
{
    s->random = s->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((s->random >> 33) % (uint64_t)below);
}

/* The states of a few classes; rates between classes are divided at random among their states,
 * those within a class are whatever they are.  In one chain of three a rate is off. */
static Small random_chain(uint64_t seed)
{
    Small s = {.random = seed * 77 + 1};
    const int classes = 2 + draw(&s, 5);
    int class[MOST], first[8], size[8];
    for (int c = 0; c < classes; c++) {
        first[c] = s.n;
        size[c] = 1 + draw(&s, 5);
        for (int i = 0; i < size[c]; i++)
            class[s.n++] = c;
    }
    for (int c = 0; c < classes; c++)
        for (int to = 0; to < classes; to++) {
            int all = draw(&s, 3) == 0 ? 0 : 1 + draw(&s, 6);
            for (int i = 0; i < size[c]; i++)
                for (int left = c == to ? draw(&s, 4) : all; left > 0;) {
                    int part = 1 + draw(&s, left), k = first[to] + draw(&s, size[to]);
                    if (k != first[c] + i)
                        s.rate[first[c] + i][k] += part;
                    else if (c != to)
                        continue;
                    left -= part;
                }
        }
    for (int i = 0; i < s.n; i++) { /* all states can be reached */
        s.rate[0][i] += i > 0;
        s.colour[i] = class[i] == 0 || draw(&s, 8) == 0;
    }
    if (seed % 3 == 0)
        s.rate[draw(&s, s.n)][draw(&s, s.n)] += 1;
    return s;
}

static void write_chain(const Small *s, Text *out)
{
    for (int i = 0; i < s->n; i++) {
        const char *between = " = ";
        text_add(out, "S%d", i);
        for (int k = 0; k < s->n; k++)
            if (s->rate[i][k]) {
                text_add(out, "%s(a%d, %d).S%d", between, (i + k) % 3, s->rate[i][k], k);
                between = " + ";
            }
        if (between[1] == '=')
            text_add(out, " = (stay, 1).S%d", i);
        text_add(out, ";\n");
    }
    text_add(out, "S0");
}

/* Split by the rates into other blocks until nothing changes: block[i] is the smallest state. */
static int naive(const Small *s, int *block)
{
    int count = 0, first[2] = {-1, -1};
    for (int i = 0; i < s->n; i++) {
        if (first[s->colour[i]] < 0)
            first[s->colour[i]] = i;
        block[i] = first[s->colour[i]];
    }
    for (bool changed = true; changed;) {
        int next[MOST];
        changed = false;
        for (int i = 0; i < s->n; i++) {
            next[i] = i;
            for (int k = 0; k < i && next[i] == i; k++) {
                bool same = block[i] == block[k] && next[k] == k;
                for (int c = 0; c < s->n && same; c++) {
                    int from_i = 0, from_k = 0;
                    for (int t = 0; t < s->n && block[c] == c && c != block[i]; t++) {
                        from_i += block[t] == c ? s->rate[i][t] : 0;
                        from_k += block[t] == c ? s->rate[k][t] : 0;
                    }
                    same = from_i == from_k;
                }
                if (same)
                    next[i] = k;
            }
        }
        for (int i = 0; i < s->n; i++) {
            changed = changed || next[i] != block[i];
            block[i] = next[i];
        }
    }
    for (int i = 0; i < s->n; i++)
        count += block[i] == i;
    return count;
}

static void write_colour(const Small *s, Text *out)
{
    text_add(out, "probability:{");
    const char *between = "";
    for (int i = 0; i < s->n; i++)
        if (s->colour[i]) {
            text_add(out, "%sS%d", between, i);
            between = " || ";
        }
    text_add(out, "}");
}

/* The state of the chain in which the component is in S_i. */
static int state_of(const Chain *chain, int64_t state)
{
    int32_t cells[1];
    Text text = {0};
    int name = -1;
    chain_state_text(chain, state, cells, &text);
    cr_assert(chain_cells(chain, state, cells));
    text.length = 0;
    chain_state_text(chain, state, cells, &text);
    cr_assert_eq(sscanf(text.text, "(S%d)", &name), 1);
    text_free(&text);
    return name;
}

static void check_chain(uint64_t seed, int *lumps)
{
    const Small s = random_chain(seed);
    int block[MOST], want = naive(&s, block);
    Text text = {0}, colour = {0};
    write_chain(&s, &text);
    write_colour(&s, &colour);
    Lumped l = lump(text.text, 1, colour.text);
    const Chain *chain = l.d.chain;
    cr_assert_eq(chain->state_count, s.n);
    cr_expect_eq(lumping_blocks(l.lumping), want, "seed %d:\n%s\n%s", (int)seed, text.text,
                 colour.text);
    for (int64_t i = 0; i < s.n; i++)
        for (int64_t k = 0; k < i; k++) {
            bool same = block[state_of(chain, i)] == block[state_of(chain, k)];
            cr_expect_eq(lumping_block(l.lumping, i) == lumping_block(l.lumping, k), same,
                         "seed %d", (int)seed);
        }
    cr_expect_eq(lumping_spread(l.lumping), 0);
    *lumps += want < s.n;
    lumped_free(&l);
    text_free(&text);
    text_free(&colour);
}

Test(lumping, random_chains)
{
    int lumps = 0;
    for (uint64_t seed = 1; seed <= CHAINS; seed++)
        check_chain(seed, &lumps);
    cr_expect_gt(lumps, CHAINS / 3, "%d", lumps);
}
