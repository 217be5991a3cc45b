/* Probes as automata: against a naive matcher over random expressions and sequences, small ones by
 * hand, and those that mean nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "parser/probe/automaton.h"
#include "reading.h"

static PepaStatus compile(const char *text, bool once, Probe *probe, Automaton *a, Text *found)
{
    DiagList diags = {0};
    Source source = {"test", text, strlen(text)};
    PepaStatus status = probe_read(probe, &source, &diags);
    if (status == PEPA_OK)
        status = automaton_find(a, probe, once, &diags);
    diag_sort(&diags);
    list_findings(&source, &diags, found);
    cr_assert_eq(status == PEPA_OK, diags.errors == 0);
    diag_free(&diags);
    return status;
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* The phases after each action of `seen`, letters of its actions: s, r and d. */
static void expect_run(const char *text, bool once, int32_t states, const char *seen,
                       const char *phases)
{
    Probe probe = {0};
    Automaton a = {0};
    Text found = {0};
    int32_t state = 0;
    cr_assert_eq(compile(text, once, &probe, &a, &found), PEPA_OK, "%s\n%s", text, found.text);
    cr_expect_eq(a.state_count, states, "%s has %d states", text, a.state_count);
    for (size_t i = 0; seen[i]; i++) {
        int32_t action = intern_find(&probe.actions, seen + i, 1);
        cr_assert_geq(action, 0);
        state = a.next[state * a.action_count + action];
        cr_expect_eq("srd"[a.phase[state]], phases[i], "%s after %.*s", text, (int)i + 1, seen);
    }
    text_free(&found);
    automaton_free(&a);
    probe_free(&probe);
}

Test(probe, moves)
{
    expect_run("a:start, b:stop", false, 2, "babaab", "srsrrs");
}

Test(probe, counts)
{
    expect_run("a:start, b{2}, b:stop", false, 4, "abbabab", "rrrrsrr");
    expect_run("a:start, (b{2}){2}, b:stop", false, 6, "abbbbbb", "rrrrrss");
    expect_run("a:start, b{1,2}, c:stop", false, 3, "acbcabbc", "rrrsrrrs");
    expect_run("a:start, b{2,3}, c, b, c:stop", false, 6, "abbbcbc", "rrrrrrs");
    expect_run("a:start, b{0,2}, c:stop", false, 2, "acabcabbc", "rsrrsrrrs");
}

/* States that nothing tells apart are one. */
Test(probe, repetitions)
{
    expect_run("a:start, b*, c:stop", false, 2, "abbcac", "rrrsrs");
    expect_run("a:start, b+, c:stop", false, 3, "acbbc", "rrrrs");
    expect_run("a:start, b?, c:stop", false, 2, "abcac", "rrsrs");
    expect_run("(a:start, b | c:start, d), d:stop", false, 4, "acbdcadd", "rrrsrrrs");
    expect_run("(a, b | a, c), d:start, d:stop", false, 4, "acddd", "ssrss");
}

/* What comes after the stop has to be seen before the next start. */
Test(probe, after_the_stop)
{
    expect_run("a:start, b:stop, c", false, 3, "abacab", "rsssrs");
    expect_run("c, a:start, b:stop", false, 3, "acaba", "ssrss");
    expect_run("a:start, a:stop", false, 2, "aaaa", "rsrs");
}

Test(probe, once)
{
    expect_run("a:start, b:stop", true, 3, "baabab", "srrddd");
    expect_run("a, b:stop", true, 3, "baaba", "rrrdd");
}

Test(probe, text)
{
    expect_run(" # nothing\n\"a\" : start ,\n(((b))) # more\n, c\t:stop", false, 3, "abcc", "rrss");
    expect_run("C::a:start, b:stop", false, 2, "ab", "rs");
    expect_run("C :: (a:start, b:stop)", false, 2, "ab", "rs");
}

/* Names that labels have too. */
Test(probe, component)
{
    static const char *const texts[] = {"C::stop:start, start:stop", "C:(stop:start, start:stop)",
                                        "\"C\" : \"stop\":start, \"start\":stop",
                                        "C:stopped:start, startx:stop"};
    for (size_t i = 0; i < 4; i++) {
        Probe probe = {0};
        Automaton a = {0};
        Text found = {0};
        cr_assert_eq(compile(texts[i], false, &probe, &a, &found), PEPA_OK, "%s\n%s", texts[i],
                     found.text);
        cr_assert_not_null(probe.component);
        cr_expect_str_eq(probe.component, "C");
        cr_expect_eq(probe.actions.count, 2);
        cr_expect(strncmp(probe.actions.names[0], "stop", 4) == 0);
        text_free(&found);
        automaton_free(&a);
        probe_free(&probe);
    }
}

/* ---- against a naive matcher ----------------------------------------------------------------- */

typedef struct Rest Rest;
struct Rest {
    int32_t node;
    int32_t times; /* of a repetition: done already */
    size_t from;   /* where its last time began */
    const Rest *then;
};

typedef struct {
    const Probe *probe;
    int32_t word[64];
    size_t length;
    long steps;
} Matcher;

/* Can the rest of the word from i on begin what is still to do?  By trying everything. */
static bool begins(Matcher *m, size_t i, const Rest *rest)
{
    if (i == m->length)
        return true;
    if (!rest || ++m->steps > 100000)
        return false;
    const ProbeNode *n = &m->probe->nodes[rest->node];
    Rest next = {n->a, 0, i, rest->then};
    if (n->kind == PROBE_ACTION)
        return m->word[i] == n->action && begins(m, i + 1, rest->then);
    if (n->kind == PROBE_CHOICE)
        return begins(m, i, &next) || begins(m, i, &(Rest){n->b, 0, i, rest->then});
    if (n->kind == PROBE_SEQUENCE) {
        Rest second = {n->b, 0, i, rest->then};
        next.then = &second;
        return begins(m, i, &next);
    }
    Rest again = {rest->node, rest->times + 1, i, rest->then};
    next.then = &again;
    if (rest->times >= n->least && begins(m, i, rest->then))
        return true;
    if (rest->times > n->least && i == rest->from)
        return false; /* another time of nothing */
    return (n->most == PROBE_EVER || rest->times < n->most) && begins(m, i, &next);
}

static uint64_t seed = 20260101;

static uint32_t choose(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static void write_expression(Text *out, int depth)
{
    static const char *const repeats[] = {"*", "+", "?", "{2}", "{1,2}", "{0,2}", "{3}"};
    const uint32_t kind = depth ? choose(5) : 0;
    if (kind == 0) {
        text_add(out, "%c", (int)('a' + choose(3)));
        return;
    }
    text_add(out, "(");
    write_expression(out, depth - 1);
    if (kind < 4) {
        text_add(out, kind < 3 ? ", " : " | ");
        write_expression(out, depth - 1);
        text_add(out, ")");
    } else {
        text_add(out, ")%s", repeats[choose(7)]);
    }
}

/* One expression, on a random sequence.  The number of passages seen; -1: too much to try. */
static int compare(const char *text)
{
    Probe probe = {0};
    Automaton a = {0};
    Text found = {0};
    Matcher m = {.probe = &probe};
    int32_t state = 0;
    int phase = PHASE_STOPPED, seen = 0;
    cr_assert_eq(compile(text, false, &probe, &a, &found), PEPA_OK, "%s\n%s", text, found.text);
    const Rest all = {(int32_t)probe.node_count - 1, 0, 0, NULL};
    const int32_t start = intern_find(&probe.actions, "s", 1);
    const int32_t stop = intern_find(&probe.actions, "t", 1);
    for (int i = 0; i < 60 && m.length < 63 && m.steps < 100000; i++) {
        m.word[m.length++] = (int32_t)choose((uint32_t)probe.actions.count);
        const int32_t action = m.word[m.length - 1];
        m.steps = 0;
        bool moved = begins(&m, 0, &all);
        if (moved && (action == start || action == stop))
            phase = action == start ? PHASE_RUNNING : PHASE_STOPPED;
        if (m.steps < 100000) {
            state = a.next[state * a.action_count + action];
            cr_assert_eq(a.phase[state], phase, "%s at step %d", text, i);
        }
        if (moved && action == stop) { /* the end: it begins again */
            m.length = 0;
            seen++;
        } else if (!moved) {
            m.length--;
        }
    }
    seen = m.steps < 100000 ? seen : -1;
    text_free(&found);
    automaton_free(&a);
    probe_free(&probe);
    return seen;
}

Test(probe, random_expressions)
{
    int passages = 0, skipped = 0;
    for (int i = 0; i < 3000; i++) {
        Text text = {0};
        text_add(&text, "s:start, ");
        write_expression(&text, 1 + (int)choose(4));
        text_add(&text, ", t:stop");
        int seen = compare(text.text);
        passages += seen > 0 ? seen : 0;
        skipped += seen < 0;
        text_free(&text);
    }
    cr_expect_gt(passages, 3000);
    cr_expect_lt(skipped, 30);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *wanted)
{
    Probe probe = {0};
    Automaton a = {0};
    Text found = {0};
    cr_expect_eq(compile(text, false, &probe, &a, &found), PEPA_EARG, "%s", text);
    cr_expect_str_eq(found.text, wanted, "in\n%s\nfound\n%swanted\n%s", text, found.text, wanted);
    text_free(&found);
    automaton_free(&a);
    probe_free(&probe);
}

Test(probe, syntax)
{
    refuse("", "1:1: error: unexpected end of the text; expected an action or `(`\n");
    refuse("a:start,", "1:9: error: unexpected end of the text; expected an action or `(`\n");
    refuse("(a:start, b:stop", "1:17: error: unexpected end of the text; expected `,`, `|` or a "
                               "repetition, or `)`\n");
    refuse("a:start b:stop", "1:9: error: unexpected `b`; expected `,`, `|` or a repetition; a "
                             "sequence is written `a, b`\n");
    refuse("a:start, b:end", "1:11: error: unexpected `:`; expected `,`, `|` or a repetition; the "
                             "labels are `:start` and `:stop`\n");
    refuse("(a | b):start", "1:8: error: unexpected `:start`; expected `,`, `|` or a repetition; a "
                            "label belongs to one action: `(a:start | b:start)`\n");
    refuse("a:start, b{, c:stop", "1:12: error: unexpected `,`; expected a number\n");
    refuse("a:start, b{2; c:stop", "1:13: error: unexpected character `;`\n");
    refuse("a:start, b{2 c:stop", "1:14: error: unexpected `c`; expected `,` or `}`\n");
    refuse("a:start, \"b", "1:10: error: the quoted name is never closed\n");
    refuse("a:start, \"\"", "1:10: error: an empty name\n");
    refuse("a:start, \x01", "1:10: error: unexpected control character 0x01\n");
    refuse("a:start, \xff", "1:10: error: byte 0xFF: the text is not UTF-8\n");
}

Test(probe, labels)
{
    refuse("a:start, b", "1:1: error: the probe never stops; mark the action that ends it, as in "
                         "`response:stop`\n");
    refuse("a, b:stop", "1:1: error: the probe never starts; mark the action that begins it, as "
                        "in `request:start`\n");
    refuse("a:start, (b:start)?, c:stop", "1:11: error: the probe may be running already: between "
                                          "two `:start` comes a `:stop`\n");
    refuse("(a:start)?, b:stop", "1:13: error: the probe may not be running here: before a "
                                 "`:stop` comes a `:start`\n");
    refuse("a:start, b:stop, (c | c:start)",
           "1:23: error: this `c` is labelled `:start`, but another that may come in its place "
           "has no label\n");
    refuse("a:start, (b | c)*, b:stop",
           "1:20: error: this `b` is labelled `:stop`, but another that may come in its place has "
           "no label\n");
}

Test(probe, sizes)
{
    static const char long_one[] =
        "1:1: error: the probe is too long: more than 2000 actions when its repetitions are "
        "written out\n";
    refuse("a:start, b{2,1}, c:stop", "1:10: error: from 2 to 1 times: the smaller number comes "
                                      "first\n");
    refuse("a:start, b{0}, c{0,0}, d:stop", "1:10: error: a repetition of 0 times is nothing\n"
                                            "1:16: error: a repetition of 0 times is nothing\n");
    refuse("a:start, b{1999}, c:stop", long_one);
    refuse("a:start, (((b{1000}){1000}){1000}){1000}, c:stop",
           "1:12: error: the probe is too long: more than 2000 actions when its repetitions are "
           "written out\n");
    refuse("a:start, b{99999999999999999999}, c:stop",
           "1:10: error: the probe is too long: more than 2000 actions when its repetitions are "
           "written out\n");
    refuse("a:start, (b | c)*, b, (b | c){15}, d:stop",
           "1:1: error: the probe needs more than 10000 states\n");
    Text deep = {0};
    for (int i = 0; i < 200000; i++)
        text_add(&deep, "(");
    refuse(deep.text, "1:99999: error: nested too deeply\n");
    text_free(&deep);
}
